from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.replies.strict_json import Json
from monitor.judges.servers.logprobs import MAX_ALTERNATIVES, tokens_of


def entry(token: str, logprob: Json = -0.5, **more: Json) -> dict[str, Json]:
    return {"token": token, "logprob": logprob, **more}


def listed(*entries: Json) -> Json:
    return {"content": list(entries)}


def test_a_token_has_its_place_its_probability_and_its_alternatives() -> None:
    others: Json = [entry("4", math.log(0.7)), entry("5", math.log(0.2))]
    (token,) = tokens_of(listed(entry("4", math.log(0.7), top_logprobs=others)), "4")
    assert (token.text, token.start) == ("4", 0)
    assert token.probability == pytest.approx(0.7)
    assert [text for text, _ in token.alternatives] == ["4", "5"]
    assert sum(probability for _, probability in token.alternatives) == pytest.approx(0.9)


@given(st.lists(st.text("ab中é🙂", min_size=1, max_size=4), min_size=1, max_size=12))
def test_the_tokens_spell_the_text_each_in_its_place(pieces: list[str]) -> None:
    text = "".join(pieces)
    tokens = tokens_of(listed(entry("x"), *map(entry, pieces), entry("y")), text)
    assert "".join(token.text for token in tokens) == text
    assert all(text.startswith(token.text, token.start) for token in tokens)


def test_more_tokens_than_the_text_has_are_left_out() -> None:
    entries = [entry(text) for text in ("```", "json", "\n", "{", "4", "}", "\n", "```")]
    assert [(token.text, token.start) for token in tokens_of(listed(*entries), "{4}")] == [("{", 0), ("4", 1), ("}", 2)]


def test_the_last_place_counts_where_the_text_was_thought_of_before() -> None:
    tokens = tokens_of(listed(entry("4", -3.0), entry("</think>"), entry("4", -0.1)), "4")
    assert [token.probability for token in tokens] == [pytest.approx(math.exp(-0.1))]


def test_a_character_that_is_spread_over_tokens_is_put_together_by_its_bytes() -> None:
    pieces = [entry("\\xe4\\xb8", bytes=[0xE4, 0xB8]), entry("\\xad", bytes=[0xAD]), entry("4", bytes=[0x34])]
    assert [(token.text, token.start) for token in tokens_of(listed(*pieces), "中4")][-1] == ("4", 1)


@pytest.mark.parametrize("logprob", [0.01, 1, 1e300, "-0.5", True, [-0.5]])
def test_one_value_that_is_no_log_probability_spoils_them_all(logprob: Json) -> None:
    assert tokens_of(listed(entry("4"), entry("5", logprob)), "45") == ()
    assert tokens_of(listed(entry("4"), entry("5", top_logprobs=[entry("6", logprob)])), "45") == ()


@pytest.mark.parametrize("logprob", [-10_001, -3.4028234663852886e38, None])
def test_what_cannot_be_may_be_an_alternative_and_not_the_chosen_token(logprob: Json) -> None:
    (token,) = tokens_of(listed(entry("4", top_logprobs=[entry("4"), entry("6", logprob)])), "4")
    assert token.alternatives == (("4", math.exp(-0.5)), ("6", 0.0))
    assert tokens_of(listed(entry("4"), entry("5", logprob)), "45") == ()


def test_an_alternative_without_any_value_spoils_them_all() -> None:
    assert tokens_of(listed(entry("4", top_logprobs=[{"token": "6"}])), "4") == ()


LEGACY: dict[str, Json] = {
    "tokens": ['{"score": ', "4", "}"],
    "token_logprobs": [-0.1, -0.5, -0.1],
    "top_logprobs": [None, {"4": -0.5, "5": -1.5, "1": None}, {"}": -0.1}],
}


def test_the_parallel_lists_of_the_legacy_completions_are_read_as_well() -> None:
    tokens = tokens_of(LEGACY | {"content": None, "text_offset": [0, 10, 11]}, '{"score": 4}')
    assert [(token.text, token.start) for token in tokens] == [('{"score": ', 0), ("4", 10), ("}", 11)]
    assert tokens[1].probability == math.exp(-0.5)
    assert tokens[1].alternatives == (("4", math.exp(-0.5)), ("5", math.exp(-1.5)), ("1", 0.0))


@pytest.mark.parametrize("top_logprobs", [None, [], [None, None, None]])
def test_the_parallel_lists_may_have_no_alternatives(top_logprobs: Json) -> None:
    tokens = tokens_of(LEGACY | {"top_logprobs": top_logprobs}, '{"score": 4}')
    assert [token.alternatives for token in tokens] == [(), (), ()]


@pytest.mark.parametrize(
    "broken",
    [
        {"tokens": None},
        {"tokens": ["{", "4"]},
        {"token_logprobs": [-0.1, -0.5]},
        {"token_logprobs": [-0.1, None, -0.1]},
        {"top_logprobs": [None]},
        {"top_logprobs": [None, "4", None]},
        {"top_logprobs": [None, {"4": 0.5}, None]},
        {"tokens": ["token_id:1", "token_id:2", "token_id:3"]},
    ],
)
def test_parallel_lists_that_do_not_fit_or_are_unsound_are_none(broken: dict[str, Json]) -> None:
    assert tokens_of(LEGACY | broken, '{"score": 4}') == ()


@pytest.mark.parametrize("logprob", [0, -0.0, -9999.0])
def test_certainty_and_the_word_for_unlikely_are_log_probabilities(logprob: Json) -> None:
    assert len(tokens_of(listed(entry("4", logprob)), "4")) == 1


@pytest.mark.parametrize(
    "logprobs",
    [
        None,
        [],
        {},
        {"content": None},
        {"content": []},
        {"content": ["4"]},
        {"content": [{"logprob": -0.5}]},
        {"content": [{"token": 4, "logprob": -0.5}]},
        {"content": [{"token": "4", "logprob": -0.5, "bytes": [300]}]},
        {"content": [{"token": "4", "logprob": -0.5, "bytes": "4"}]},
        {"content": [{"token": "4", "logprob": -0.5, "top_logprobs": {"4": -0.5}}]},
        {"content": [{"token": "4", "logprob": -0.5, "top_logprobs": ["4"]}]},
        {"tokens": ["4"]},
        {"content": [{"token": "5", "logprob": -0.5}]},
        {"content": [{"token": "token_id:19", "logprob": -0.5}]},
    ],
)
def test_what_does_not_spell_the_text_or_is_no_list_of_tokens_is_none(logprobs: Any) -> None:  # noqa: ANN401 - anything
    assert tokens_of(logprobs, "4") == ()


def test_alternatives_that_are_more_than_certain_are_none() -> None:
    sure: Json = [entry("4", 0), entry("5", 0)]
    assert tokens_of(listed(entry("4", 0, top_logprobs=sure)), "4") == ()
    many: Json = [entry(str(index), -9000.0) for index in range(MAX_ALTERNATIVES + 1)]
    assert tokens_of(listed(entry("4", 0, top_logprobs=many)), "4") == ()
