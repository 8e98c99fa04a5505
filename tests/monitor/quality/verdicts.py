"""Verdicts for the tests of this folder."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace

from monitor.quality.grid import to_billionths
from monitor.quality.histogram import Histogram
from monitor.quality.tally import Ending, Reading, Tally
from monitor.records import Outcome, Verdict
from tests.fakes import SECOND

NOW = 1_790_000_000 * SECOND
_numbers = itertools.count()

SAMPLE = Verdict(
    verdict_id="",
    trace_id="4bf92f3577b34da6a3ce929d0e0e4736",
    request_id="00f067aa0ba902b7",
    evaluation="faithfulness",
    judge="embedded",
    fingerprint="0123456789ab",
    calibrated=False,
    outcome=Outcome.SCORED,
    reason="",
    score=1.0,
    label="",
    weight=1,
    probability=1.0,
    policies=("base",),
    end_ns=NOW - SECOND,
    judged_ns=NOW,
    app="shop",
    language="en",
)


def scored(score: float, **changes: object) -> Verdict:
    """A verdict with an id of its own."""
    return _with({"verdict_id": f"v{next(_numbers)}", "score": score, **changes})


def failed(reason: str = "timeout", outcome: Outcome = Outcome.JUDGE_ERROR, **changes: object) -> Verdict:
    """A verdict without a score, with an id of its own."""
    return _with({"verdict_id": f"v{next(_numbers)}", "score": None, "outcome": outcome, "reason": reason, **changes})


def _with(changes: dict[str, object]) -> Verdict:
    return replace(SAMPLE, **changes)  # type: ignore[arg-type]  # the test names real fields


def histogram_of(cases: Iterable[tuple[float, int]]) -> Histogram:
    """A histogram of (score, weight)."""
    histogram = Histogram()
    for score, weight in cases:
        histogram.add(to_billionths(score), weight)
    return histogram


def reading(score: float | None = 1.0, weight: int = 1, end_ns: int = NOW, reason: str = "timeout") -> Reading:
    """What is counted of a verdict; without a score it is a judge error."""
    if score is None:
        return Reading(Ending(Outcome.JUDGE_ERROR, reason), None, weight, end_ns)
    return Reading(Ending(Outcome.SCORED, ""), to_billionths(score), weight, end_ns)


def tally_of(readings: Iterable[Reading]) -> Tally:
    """A tally of all of them."""
    tally = Tally()
    for one in readings:
        tally.add(one)
    return tally
