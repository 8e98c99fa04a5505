"""How often RagmonJudgeDrifted tells of a judge that does not move, and how soon of one that does, by simulation.

    python bench/drift.py [--judges 100] [--days 365] [--seed 5]

Each judge judges the anchor set daily into the `AnchorBook` of the service; the alert is an interval of the change that
leaves zero. Printed: the share of judges told within 30 days and within all; and for a judge that scores lower from the
second run on, the share told after 1 run with the shift, and within 3 and 7 of them. See docs/decisions/0025.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from monitor.quality.anchors import AnchorBook
from monitor.records import Outcome, Verdict

ROWS = (100, 200, 300)
SHIFTS = (0.05, 0.1)
WITHIN = (1, 3, 7)
MONTH = 30
_DAY_NS = 86_400 * 10**9
_FIRST = 100
_GRADES = (0.0, 0.25, 0.5, 0.75, 1.0)


class Wavering(NamedTuple):
    """How a judge wavers: by `step` either way with probability `share`."""

    name: str
    step: float
    share: float


JUDGES = (
    Wavering("0.05, half of the time", 0.05, 0.5),
    Wavering("0.25, one time in ten", 0.25, 0.1),
    Wavering("0.25, one time in four", 0.25, 0.25),
)


def first_told(judge: Wavering, rows: int, days: int, shift: float, rng: Generator) -> int | None:
    """The first run after the first one in which the interval leaves zero, from 1; None where it never does."""
    book = AnchorBook()
    truth = rng.choice(_GRADES, rows)
    for day in range(days + 1):
        steps = np.where(rng.random(rows) < judge.share, rng.choice([-judge.step, judge.step], rows), 0.0)
        scores = np.clip(truth - (shift if day else 0.0) + steps, 0, 1)
        for row, score in enumerate(scores.tolist()):
            book.add(_verdict(row, day, score))
        change = book.scores()[0].change
        if change is not None and not change.lower <= 0 <= change.upper:
            return day
    return None


def _verdict(row: int, day: int, score: float) -> Verdict:
    run, at_ns = str(_FIRST + day), (_FIRST + day) * _DAY_NS
    return Verdict(
        verdict_id=f"{row}-{day}",
        trace_id=f"{row}",
        request_id=run,
        evaluation="faithfulness",
        judge="llm",
        fingerprint="f",
        calibrated=False,
        outcome=Outcome.SCORED,
        reason="",
        score=score,
        label="",
        weight=1,
        probability=1.0,
        policies=(),
        end_ns=at_ns,
        judged_ns=at_ns,
        anchor=True,
    )


def shares(told: Sequence[int | None], within: Sequence[int]) -> str:
    """The share of judges that were told in so many runs."""
    return "".join(f"{sum(day is not None and day <= last for day in told) / len(told):>9.3f}" for last in within)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description="False and true alarms of the anchor set.")
    parser.add_argument("--judges", type=int, default=100)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(options.seed)
    for judge in JUDGES:
        for rows in ROWS:
            calm = [first_told(judge, rows, options.days, 0.0, rng) for _ in range(options.judges)]
            print(f"{judge.name:26}{rows:>5}  still  {shares(calm, (MONTH, options.days))}", flush=True)
            for shift in SHIFTS:
                told = [first_told(judge, rows, max(WITHIN), shift, rng) for _ in range(options.judges)]
                print(f"{judge.name:26}{rows:>5}  {shift:<5}  {shares(told, WITHIN)}", flush=True)


if __name__ == "__main__":
    main()
