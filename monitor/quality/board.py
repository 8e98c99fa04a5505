"""The board: verdicts in, snapshots out. It holds no clock, does no I/O and stores no content.

Boards that were given the same verdicts, in any order and any number of times, give the same snapshot at the same time.
"""

from __future__ import annotations

from collections.abc import Iterator

from monitor.quality.admission import is_sound, reading_of
from monitor.quality.seen import SeenIds
from monitor.quality.series import JudgeKey, JudgeSeries, Series
from monitor.quality.slices import EVERYTHING, Slicer
from monitor.quality.windows import WindowPlan
from monitor.quality.worst import WorstCases, low_of
from monitor.records import Verdict
from monitor.settings import BoardSettings
from monitor.snapshot import ScoreTotals, SliceKey, Snapshot, StageCount, WindowStats

MAX_JUDGES = 64
"""Pairs of evaluation and judge (by fingerprint) at the same time; verdicts of further ones are refused."""

_SECOND_NS = 1_000_000_000


class Board:
    """Rolling windows of all evaluations, judges and slices, and what was counted since the process caught up.

    A `now_ns` up to the lateness before one given earlier counts as that one. A clock that went back further had been
    wrong, so the board follows it: what the wrong time drove out of a window stays out of it, what comes in counts.
    """

    def __init__(self, settings: BoardSettings) -> None:
        self._plan = WindowPlan(settings.windows)
        self._lateness_ns = round(settings.lateness * _SECOND_NS)
        self._slicer = Slicer(settings.apps, settings.slice_values)
        self._worst = WorstCases(self._plan.lengths, settings.worst)
        self._judges: dict[JudgeKey, JudgeSeries] = {}
        self._ids = SeenIds()
        self._now_ns = 0
        self._caught_up = False
        self._duplicates = 0
        self._late = 0
        self._refused = 0

    @property
    def horizon_s(self) -> float:
        """Seconds of the verdict topic to read back, to have what a board has that ran all the time.

        The longest window, its oldest bucket (which reaches out of the window) and the lateness.
        """
        return self._plan.lengths[-1] + self._plan.slack_s + self._lateness_ns / _SECOND_NS

    def mark_caught_up(self) -> None:
        """The history of the topic was read; from now on snapshots are complete."""
        self._caught_up = True

    def seen(self, verdict_id: str, end_ns: int) -> bool:
        """Whether a verdict with this id and this event time was counted: asked before a judge is paid."""
        return self._ids.has(verdict_id, self._plan.era(end_ns))

    def add(self, verdict: Verdict, now_ns: int, *, live: bool = True) -> bool:
        """Count one verdict; False when it was left out, which is counted: refused, late, or a duplicate.

        Refused: it makes no sense, or there are too many judges. Late: its event time is beyond the longest window (not
        counted as late in history, where it is normal), or more than the lateness ahead. `live=False` is for history:
        it goes into the windows, not into the totals.
        """
        self._follow(now_ns)
        if not is_sound(verdict):
            self._refused += 1
            return False
        if not self._in_range(verdict.end_ns, live=live):
            return False
        judge = self._judge_of(verdict)
        if judge is None:
            self._refused += 1
            return False
        if not self._ids.add(verdict.verdict_id, self._plan.era(verdict.end_ns)):
            self._duplicates += 1
            return False
        self._count(verdict, judge, live=live)
        return True

    def advance(self, now_ns: int) -> None:
        """Move the windows on and free what has left them all."""
        self._follow(now_ns)
        now = self._plan.tick(self._now_ns)
        for key, judge in list(self._judges.items()):
            judge.series = {name: series for name, series in judge.series.items() if series.advance(now)}
            if not judge.series:
                del self._judges[key]
        self._slicer.retain(name for judge in self._judges.values() for name in judge.series)
        self._ids.forget(self._plan.oldest_era(now))
        self._worst.advance(self._now_ns)

    def snapshot(self, now_ns: int, stages: tuple[StageCount, ...] = ()) -> Snapshot:
        """All numbers at this moment, in a fixed order: by evaluation, judge, fingerprint, slice, window."""
        self.advance(now_ns)
        windows: list[WindowStats] = []
        totals: list[ScoreTotals] = []
        for judge, series in self._in_order():
            windows += series.windows(calibrated=judge.calibrated)
            total = series.totals(self._now_ns, calibrated=judge.calibrated)
            if total is not None:
                totals.append(total)
        return Snapshot(
            taken_ns=self._now_ns,
            windows=tuple(windows),
            totals=tuple(totals),
            worst=self._worst.listed(self._now_ns),
            stages=stages,
            caught_up=self._caught_up,
            duplicates=self._duplicates,
            late=self._late,
            refused=self._refused,
        )

    def _follow(self, now_ns: int) -> None:
        if now_ns >= self._now_ns:
            self._now_ns = now_ns
        elif now_ns < self._now_ns - self._lateness_ns:
            self._now_ns = now_ns
            now = self._plan.tick(now_ns)
            self._ids.recall(self._plan.oldest_era(now))
            for judge in self._judges.values():
                for series in judge.series.values():
                    series.go_back(now)

    def _judge_of(self, verdict: Verdict) -> JudgeSeries | None:
        key = JudgeKey(verdict.evaluation, verdict.judge, verdict.fingerprint)
        if key not in self._judges and len(self._judges) < MAX_JUDGES:
            self._judges[key] = JudgeSeries(key)
        return self._judges.get(key)

    def _in_range(self, end_ns: int, *, live: bool) -> bool:
        now = self._plan.tick(self._now_ns)
        ahead = end_ns > self._now_ns + self._lateness_ns
        behind = self._plan.tier_of(self._plan.tick(end_ns), now) is None
        forgotten = not self._ids.knows(self._plan.era(end_ns))
        if ahead or (live and (behind or forgotten)):
            self._late += 1
        return not (ahead or behind or forgotten)

    def _count(self, verdict: Verdict, judge: JudgeSeries, *, live: bool) -> None:
        reading = reading_of(verdict, judge.reasons)
        low = None if reading.score is None else low_of(verdict, reading.score)
        if low is not None:
            self._worst.add(low)
        judge.judged(verdict.judged_ns, calibrated=verdict.calibrated)
        now = self._plan.tick(self._now_ns)
        for key in self._slicer.slices(verdict):
            judge.of(key, self._plan).add(reading, low, now, live=live)

    def _in_order(self) -> Iterator[tuple[JudgeSeries, Series]]:
        for key in sorted(self._judges):
            judge = self._judges[key]
            for name in sorted(judge.series, key=_slice_order):
                yield judge, judge.series[name]


def _slice_order(key: SliceKey) -> tuple[bool, str, str]:
    return key != EVERYTHING, key.dimension, key.value
