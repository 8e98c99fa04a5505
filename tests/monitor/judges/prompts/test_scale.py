"""Rules of numbers on a scale, and of their expected value."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.errors import JudgeRejected
from monitor.judges.prompts.material import whole
from monitor.judges.prompts.reading import Reading, Said
from monitor.judges.prompts.scale import Scale
from monitor.judges.replies.strict_json import Json
from monitor.records import RagTrace

SCALE = Scale(kind="scale", low=1, high=5)


def read(score: Json, odds: dict[int, float] | None = None, scale: Scale = SCALE) -> Reading:
    return scale.read(Said({"score": score, "reason": "r"}, odds), whole(RagTrace("t", "", "Q", "A")))


@pytest.mark.parametrize(("number", "score"), [(1, 0.0), (2, 0.25), (5, 1.0), (4.0, 0.75)])
def test_a_number_is_its_place_on_the_scale(number: Json, score: float) -> None:
    reading = read(number)
    assert (reading.score, reading.label, reading.flags) == (score, str(int(number)), ("score_from_number",))  # type: ignore[arg-type]


def test_a_scale_may_begin_below_zero() -> None:
    assert read(0, scale=Scale(kind="scale", low=-2, high=2)).score == 0.5


@pytest.mark.parametrize("number", [0, 6, -1, 4.5, 10**17, "NaN", " -infinity", "+Inf"])
def test_a_number_off_the_scale_is_an_invalid_score(number: Json) -> None:
    with pytest.raises(JudgeRejected, match="invalid_score"):
        read(number)


@pytest.mark.parametrize("number", [True, False, None, "4", [4], {"score": 4}])
def test_what_is_no_number_is_no_verdict(number: Json) -> None:
    with pytest.raises(JudgeRejected, match="parse"):
        read(number)


@pytest.mark.parametrize(
    ("key", "same", "other", "detail"),
    [("out_of", 5, 10, "scale"), ("max_score", 5.0, 100, "scale"), ("Rating", 4, 2, "two_verdicts")],
)
def test_a_number_on_another_scale_or_beside_another_one_is_none(
    key: str, same: Json, other: Json, detail: str
) -> None:
    def beside(value: Json) -> Reading:
        return SCALE.read(Said({"score": 4, "reason": "r", key: value}), whole(RagTrace("t", "", "Q", "A")))

    assert beside(same).score == beside("high").score == 0.75
    with pytest.raises(JudgeRejected, match=detail):
        beside(other)


def test_with_probabilities_the_expected_number_is_the_score() -> None:
    reading = read(4, {4: 0.6, 5: 0.3, 3: 0.1})
    assert reading.score == pytest.approx((4.2 - 1) / 4)
    assert (reading.label, reading.flags, reading.method) == (
        "4",
        ("score_from_probabilities",),
        "score_from_probabilities",
    )


@pytest.mark.parametrize(
    ("settled", "odds", "score"),
    [
        (True, {1: 0.01, 5: 0.98}, 0.0),
        (True, {1: 0.3, 5: 0.61}, 0.0),
        (True, {1: 0.4, 5: 0.6}, 0.6),
        (False, {1: 0.01, 5: 0.99}, 0.99),
    ],
)
def test_at_temperature_0_probabilities_that_contradict_the_number_do_not_count(
    odds: dict[int, float], score: float, *, settled: bool
) -> None:
    scale = Scale(kind="scale", low=1, high=5, settled=settled)
    assert read(1, odds, scale).score == pytest.approx(score)


@given(st.dictionaries(st.integers(1, 5), st.floats(0.01, 1), min_size=1))
def test_an_expected_number_lies_between_those_that_were_possible(odds: dict[int, float]) -> None:
    score = read(next(iter(odds)), odds).score
    assert score is not None
    assert (min(odds) - 1) / 4 - 1e-9 <= score <= (max(odds) - 1) / 4 + 1e-9
    assert math.isfinite(score)
