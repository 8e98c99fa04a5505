"""The anchor set: the same answers judged again and again, so that a judge that moves is told from traffic that moves.

Each row is compared with itself as the same fingerprint scored it in its first run. What is known is kept in the
verdicts: each carries the score of its row's first run, so the first run itself may be older than all that is read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from monitor.comparisons import AnchorScores
from monitor.quality.comparison import mean_difference
from monitor.quality.series import JudgeKey
from monitor.records import Verdict

Z_CHANGE = 3.2905
"""Normal deviate of the interval of the change: 99.9 %, as it is looked at after every run. See docs/decisions/0025."""
MAX_ROWS = 50_000
"""Rows of all judges together; further ones are left out."""
_DIGITS = 15
"""Of the number of a run at most: more are none of ours."""


@dataclass(frozen=True, slots=True)
class _Row:
    """What is known of a row. `first` is its score in the first run, `last` in the newest one; with their times."""

    told_ns: int
    """End of the oldest verdict known: what that one says of the first run counts."""
    first: float
    run: int
    last: float
    last_ns: int
    calibrated: bool
    """Whether the judge was when it gave `last`."""
    again: bool
    """Whether `last` is of a later run than `first`."""


class AnchorBook:
    """All rows by judge. The order of the verdicts does not matter."""

    def __init__(self) -> None:
        self._judges: dict[JudgeKey, dict[str, _Row]] = {}
        self._rows = 0

    def add(self, verdict: Verdict) -> None:
        """Take in the verdict on a row; one without a score says nothing."""
        if verdict.score is None:
            return
        rows = self._judges.setdefault(JudgeKey(verdict.evaluation, verdict.judge, verdict.fingerprint), {})
        made = _row_of(verdict, verdict.score)
        there = rows.get(verdict.trace_id)
        if there is not None:
            rows[verdict.trace_id] = _both(there, made)
        elif self._rows < MAX_ROWS:
            rows[verdict.trace_id] = made
            self._rows += 1

    def first(self, evaluation: str, judge: str, fingerprint: str, row: str) -> float | None:
        """The score of a row in the first run of this judge; None before that."""
        there = self._judges.get(JudgeKey(evaluation, judge, fingerprint), {}).get(row)
        return None if there is None else there.first

    def forget(self, before_ns: int) -> None:
        """Drop the rows that were judged last before."""
        for key, rows in list(self._judges.items()):
            for name in [name for name, row in rows.items() if row.last_ns < before_ns]:
                del rows[name]
                self._rows -= 1
            if not rows:
                del self._judges[key]

    def scores(self) -> tuple[AnchorScores, ...]:
        """The newest scores of each judge, by evaluation, judge and fingerprint.

        A row counts that was judged in the newest run or the one before: while a run goes on, the others count still.
        """
        made = []
        for key, rows in sorted(self._judges.items()):
            newest = max(row.run for row in rows.values())
            made.append(_scores(key, [row for row in rows.values() if row.run >= newest - 1]))
        return tuple(made)


def run_of(verdict: Verdict) -> int:
    """The number of the run of a verdict on an anchor; 0 where it has none."""
    text = verdict.request_id
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else 0


def _row_of(verdict: Verdict, score: float) -> _Row:
    first = score if verdict.baseline is None else verdict.baseline
    again = verdict.baseline is not None
    return _Row(verdict.end_ns, first, run_of(verdict), score, verdict.end_ns, verdict.calibrated, again)


def _both(one: _Row, other: _Row) -> _Row:
    """What two verdicts say of a row."""
    older, newer = sorted((one, other), key=lambda row: (row.told_ns, row.last_ns))
    latest = max(one, other, key=lambda row: row.last_ns)
    again = older.again or latest.last_ns > older.told_ns
    return replace(latest, told_ns=older.told_ns, first=older.first, again=again or newer.again)


def _scores(key: JudgeKey, rows: Sequence[_Row]) -> AnchorScores:
    changes = sorted(row.last - row.first for row in rows if row.again)
    newest_ns = max(row.last_ns for row in rows)
    return AnchorScores(
        *key,
        calibrated=all(row.calibrated for row in rows if row.last_ns == newest_ns),
        rows=len(rows),
        mean=math.fsum(row.last for row in rows) / len(rows),
        compared=len(changes),
        change=mean_difference(((change, 1) for change in changes), Z_CHANGE),
        spread=math.fsum(map(abs, changes)) / len(changes) if changes else None,
        judged_ns=newest_ns,
    )
