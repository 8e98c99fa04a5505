from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from monitor.cause import Cause
from monitor.quality.admission import MAX_WEIGHT, is_sound, reading_of
from monitor.quality.slices import BoundedValues
from monitor.records import Outcome
from tests.monitor.quality.verdicts import failed, scored


@pytest.mark.parametrize("score", [0.0, 1.0, 0.3, 1, 0, 5e-324])
def test_a_score_of_0_to_1_is_sound(score: float) -> None:
    assert is_sound(scored(score))


@pytest.mark.parametrize(
    "changes",
    [
        {"score": None},
        {"score": math.nan},
        {"score": math.inf},
        {"score": -0.1},
        {"score": 1.0001},
        {"score": True},
        {"score": "1"},
        {"weight": 0},
        {"weight": -1},
        {"weight": 1.5},
        {"weight": True},
        {"weight": MAX_WEIGHT + 1},
        {"evaluation": ""},
        {"evaluation": "a b"},
        {"evaluation": "x" * 65},
        {"judge": "a\n"},
        {"fingerprint": "\ud83d"},
        {"verdict_id": ""},
        {"verdict_id": "x" * 257},
        {"end_ns": 1.5},
        {"end_ns": math.nan},
        {"judged_ns": None},
        {"outcome": Outcome.JUDGE_ERROR, "reason": "timeout"},
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(changes: dict[str, Any]) -> None:
    assert not is_sound(replace(scored(0.5), **changes))


@pytest.mark.parametrize("outcome", [Outcome.JUDGE_ERROR, Outcome.SKIPPED, Outcome.NOT_SCORABLE])
def test_a_failure_has_no_score(outcome: Outcome) -> None:
    assert is_sound(failed("timeout", outcome))
    assert not is_sound(scored(0.0, outcome=outcome, reason="timeout"))


@pytest.mark.parametrize(
    ("reason", "counted"), [("timeout", "timeout"), ("", "other"), ("Bad Reason!", "other"), ("a" * 65, "other")]
)
def test_a_reason_is_a_bounded_word(reason: str, counted: str) -> None:
    assert reading_of(failed(reason), BoundedValues(8)).ending.reason == counted


def test_one_reason_too_many_is_other() -> None:
    known = BoundedValues(2)

    assert [reading_of(failed(f"r{n}"), known).ending.reason for n in (0, 1, 2, 0)] == ["r0", "r1", "other", "r0"]


def test_a_scored_verdict_has_no_reason() -> None:
    assert reading_of(scored(0.5, reason="noise"), BoundedValues(8)).ending == (Outcome.SCORED, "")


@pytest.mark.parametrize(
    ("cause", "counted"), [("", ""), *((cause, cause) for cause in Cause), ("Bad cause!", "other"), ("a" * 99, "other")]
)
def test_a_cause_is_one_of_the_known_words(cause: str, counted: str) -> None:
    assert reading_of(scored(0.2, cause=cause), BoundedValues(8)).cause == counted


def test_what_has_no_score_has_no_cause() -> None:
    assert reading_of(failed("timeout", cause="retrieval"), BoundedValues(8)).cause == ""
