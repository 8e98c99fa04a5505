"""Rules of reading the probabilities of a number from the tokens of a reply."""

from __future__ import annotations

import json

import pytest

from monitor.judges.prompts.odds import odds_of
from monitor.judges.servers.logprobs import Token

FIVE, TEN = range(1, 6), range(1, 11)


def tokens_of(*pieces: str | tuple[str, float, dict[str, float]]) -> tuple[str, list[Token]]:
    """A reply and its tokens; a piece with probabilities is one token with its alternatives."""
    text, tokens = "", []
    for piece in pieces:
        word, probability, others = piece if isinstance(piece, tuple) else (piece, 1.0, {})
        tokens.append(Token(word, len(text), probability, tuple({word: probability, **others}.items())))
        text += word
    return text, tokens


def odds(number: int, scale: range, *pieces: str | tuple[str, float, dict[str, float]]) -> dict[int, float] | None:
    text, tokens = tokens_of(*pieces)
    return odds_of(text, tokens, ["score"], number, scale)


def test_the_alternatives_of_the_number_are_its_odds() -> None:
    found = odds(4, FIVE, '{"reason": "r", "score":', (" 4", 0.6, {" 5": 0.2, "3": 0.1, " four": 0.05, "9": 0.05}), "}")
    assert found == {4: 0.6, 5: 0.2, 3: 0.1}


def test_the_same_number_with_and_without_a_blank_is_one() -> None:
    assert odds(4, FIVE, '{"score":', (" 4", 0.5, {"4": 0.25}), "}") == {4: 0.75}


def test_a_reply_without_probabilities_has_no_odds() -> None:
    assert odds_of('{"score": 4}', [], ["score"], 4, FIVE) is None


def test_most_of_the_probability_must_lie_on_the_scale() -> None:
    assert odds(4, FIVE, '{"score":', (" 4", 0.3, {" x": 0.6, " 5": 0.1}), "}") is None


@pytest.mark.parametrize("pieces", [('{"score": 4', "}"), ('{"score": ', ("4}", 1.0, {}))])
def test_a_number_that_is_no_token_of_its_own_has_no_odds(pieces: tuple[str, ...]) -> None:
    assert odds(4, FIVE, *pieces) is None


def test_much_probability_on_a_one_that_may_begin_a_ten_tells_nothing() -> None:
    assert odds(7, TEN, '{"score": ', ("7", 0.7, {"1": 0.3}), "}") is None
    assert odds(10, TEN, '{"score": ', ("1", 0.7, {"7": 0.3}), ("0", 1.0, {}), "}") is None


def test_little_probability_on_it_is_left_out() -> None:
    assert odds(7, TEN, '{"score": ', ("7", 0.7, {"8": 0.27, "1": 0.03}), "}") == {7: 0.7, 8: 0.27}


def test_where_ten_is_a_token_a_one_is_a_one() -> None:
    assert odds(7, TEN, '{"score": ', ("7", 0.6, {"1": 0.1, "10": 0.3}), "}") == {7: 0.6, 1: 0.1, 10: 0.3}


def test_a_sign_that_may_begin_any_number_tells_nothing() -> None:
    assert odds(1, range(-2, 3), '{"score": ', ("1", 0.6, {"-": 0.4}), "}") is None


def test_the_number_of_the_right_evaluation_is_read() -> None:
    text, tokens = tokens_of(
        '{"criteria.a": {"reason": "\\"score\\": 5", "score": ',
        ("2", 0.9, {"3": 0.1}),
        '}, "criteria.b": {"score": ',
        ("5", 0.8, {"4": 0.2}),
        "}}",
    )
    json.loads(text)
    assert odds_of(text, tokens, ["criteria.a", "score"], 2, FIVE) == {2: 0.9, 3: 0.1}
    assert odds_of(text, tokens, ["criteria.b", "score"], 5, FIVE) == {5: 0.8, 4: 0.2}
    assert odds_of(text, tokens, ["criteria.c", "score"], 5, FIVE) is None


def test_a_number_that_is_not_the_parsed_one_has_no_odds() -> None:
    assert odds(5, FIVE, '{"score": ', ("4", 1.0, {}), "}") is None
    assert odds(4, FIVE, '{"score": ', ("4", 1.0, {}), ".0}") is None
