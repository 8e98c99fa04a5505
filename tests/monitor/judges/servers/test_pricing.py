from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from monitor.config.prices import MOST, Price
from monitor.judges.replies.strict_json import Json
from monitor.judges.servers.pricing import Tariff, tokens_of
from monitor.records import Usage

TARIFF = Tariff(
    {
        "m": Price(input=1, cached_input=0.1, cache_write=2, output=10),
        "dear": Price(input=100, cached_input=0.05, output=20),
    },
    "m",
)
M = 1_000_000


@pytest.mark.parametrize(
    ("usage", "cost", "cached"),
    [
        ({"prompt_tokens": M, "completion_tokens": M}, 11, 0),
        ({"prompt_tokens": M, "completion_tokens": 0, "prompt_tokens_details": {"cached_tokens": M}}, 0.1, M),
        ({"prompt_tokens": M, "completion_tokens": 0, "prompt_tokens_details": {"cache_write_tokens": M}}, 2, 0),
        ({"prompt_tokens": M, "completion_tokens": 0, "prompt_cache_hit_tokens": M // 2}, 0.55, M // 2),
        ({"prompt_tokens": M, "completion_tokens": 0, "cached_tokens": M // 2}, 0.55, M // 2),
        ({"prompt_tokens": M, "completion_tokens": 0, "prompt_tokens_details": {"cached_tokens": 2 * M}}, 0.1, M),
        ({"prompt_tokens": M, "completion_tokens": 0, "prompt_tokens_details": {"cached_tokens": True}}, 1, 0),
        ({"prompt_tokens": M, "completion_tokens": 0, "prompt_tokens_details": None}, 1, 0),
    ],
)
def test_each_kind_of_token_is_charged_as_what_it_is(usage: Json, cost: float, cached: int) -> None:
    used, known = TARIFF.usage_of(usage, "m")
    assert used.cost == pytest.approx(cost)
    assert (used.cached_tokens, known) == (cached, True)


def test_the_model_that_answers_is_the_one_that_is_priced() -> None:
    usage: Json = {"prompt_tokens": M, "completion_tokens": 0}
    costs = [TARIFF.usage_of(usage, model)[0].cost for model in (None, "m-2026-05-01", "dear")]
    assert costs == [1, 1, 100]
    assert [TARIFF.prices(model) for model in (None, "m-2026-05-01", "dear", "m-mini")] == [True, True, True, False]


def test_a_model_without_a_price_is_charged_at_the_dearest_known_one() -> None:
    usage: Json = {"prompt_tokens": M, "completion_tokens": M, "prompt_tokens_details": {"cached_tokens": M // 2}}
    assert TARIFF.usage_of(usage, "unheard-of")[0].cost == pytest.approx(50 + 0.05 + 20)


def test_without_prices_nothing_costs_anything_and_nothing_lacks_a_price() -> None:
    free = Tariff({}, "m")
    assert free.usage_of({"prompt_tokens": M, "completion_tokens": M}, "x")[0] == Usage(1, M, M, 0.0)
    assert free.prices("x")


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        [],
        {"prompt_tokens": -1, "completion_tokens": 10**30},
        {"prompt_tokens": 5},
        {"prompt_tokens": 0, "completion_tokens": 0},
    ],
)
def test_counts_that_are_missing_or_absurd_are_not_known(usage: Json) -> None:
    used, known = TARIFF.usage_of(usage, "m")
    assert (known, used.output_tokens) == (False, 0)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        # counted with the tokenizers of several models: English 4 to 4.6 characters a token, Chinese 0.6 to 1.3 tokens
        # a character, Russian 0.3 to 0.6; the estimate is at the upper end
        ("The warranty lasts two years and covers water damage. " * 100, (1000, 1600)),
        ("本产品保修期为两年，不包括进水损坏。" * 100, (1100, 2400)),
        ("Гарантия действует два года и не покрывает воду. " * 100, (900, 3500)),
        ("", (0, 0)),
    ],
)
def test_tokens_are_estimated_on_the_safe_side(text: str, tokens: tuple[int, int]) -> None:
    least, most = tokens
    assert least <= tokens_of(text.encode()) <= most


@given(st.text(), st.text())
def test_more_text_is_never_estimated_lower(first: str, second: str) -> None:
    one, both = tokens_of(first.encode("utf-8", "replace")), tokens_of((first + second).encode("utf-8", "replace"))
    assert one <= both <= one + tokens_of(second.encode("utf-8", "replace"))


def test_an_estimate_takes_the_dearest_kind_of_input() -> None:
    assert TARIFF.estimated(M, M, "m") == Usage(1, M, M, 12.0)


@pytest.mark.parametrize("field", ["input", "output", "cached_input", "cache_write"])
def test_no_price_makes_a_cost_that_is_no_number(field: str) -> None:
    with pytest.raises(ValidationError, match="less than or equal"):
        Price.model_validate({"input": 1, "output": 1, field: 1e308})
    most = Price.model_validate({"input": MOST, "output": MOST, field: MOST})
    assert math.isfinite(Tariff({"m": most}, "m").estimated(10**9, 10**9, "m").cost)
