"""The board: verdicts in, snapshots out. It holds no clock, does no I/O and stores no content.

Boards that were given the same verdicts, in any order and any number of times, give the same snapshot at the same time;
but the windows that hold many may be those of a moment up to 1/300 of their length ago, 10 s at most (`series.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from monitor.config.settings import BoardSettings
from monitor.feedback import HeardFeedback
from monitor.operational import FlagRates
from monitor.quality.admission import is_sound, reading_of
from monitor.quality.anchors import AnchorBook
from monitor.quality.feedback import FeedbackBoard
from monitor.quality.memory import VerdictMemory
from monitor.quality.series import JudgeKey, JudgeSeries, Series
from monitor.quality.shadows import Shadows
from monitor.quality.slices import Slicer
from monitor.quality.windows import SECOND_NS
from monitor.quality.worst import WorstCases, low_of
from monitor.records import Verdict
from monitor.snapshot import EVERYTHING, ScoreTotals, SliceKey, Snapshot, StageCount, WindowStats

MAX_JUDGES = 64
"""Pairs of evaluation and judge (by fingerprint) at the same time; verdicts of further ones are refused."""


class Board:
    """Rolling windows of all evaluations, judges and slices, and what was counted since the process caught up.

    Times are followed as `VerdictMemory` does: what a wrong clock drove out of a window stays out of it, what comes in
    after it was put right counts.
    """

    def __init__(self, settings: BoardSettings, rates: Mapping[tuple[str, str, str], FlagRates] | None = None) -> None:
        """`rates`: how often a score below 0.5 is right, by evaluation, judge and fingerprint, where that is known."""
        self._rates = rates or {}
        self._memory = VerdictMemory(settings)
        self._plan = self._memory.plan
        self._slicer = Slicer(settings.apps, settings.slice_values)
        self._worst = WorstCases(self._plan.lengths, settings.worst)
        self._judges: dict[JudgeKey, JudgeSeries] = {}
        self._feedback = FeedbackBoard(self._plan)
        self._shadows = Shadows()
        self._refused = 0

    @property
    def horizon_s(self) -> float:
        """Seconds of the verdict topic to read back, to have what a board has that ran all the time."""
        return self._memory.horizon_s

    @property
    def judges(self) -> frozenset[tuple[str, str]]:
        """The pairs of evaluation and judge, shadows aside, that gave verdicts."""
        return self._memory.judges

    @property
    def judged_as(self) -> frozenset[JudgeKey]:
        """The same with the fingerprints under which they gave them."""
        return self._memory.judged_as

    @property
    def anchors(self) -> AnchorBook:
        """What is known of the anchor set."""
        return self._memory.anchors

    def mark_caught_up(self) -> None:
        """The history of the topic was read; from now on snapshots are complete."""
        self._memory.mark_caught_up()

    def seen(self, verdict_id: str, end_ns: int) -> bool:
        """Whether a verdict with this id and this event time was counted: asked before a judge is paid."""
        return self._memory.seen(verdict_id, end_ns)

    def add(self, verdict: Verdict, now_ns: int, *, live: bool = True) -> bool:
        """Count one verdict; False when it was left out, which is counted: refused, late, or a duplicate.

        Refused: it makes no sense, or there are too many judges. Late: its event time is beyond the longest window (not
        counted as late in history, where it is normal), or more than the lateness ahead. `live=False` is for history:
        it goes into the windows, not into the totals. What a shadow gave or an anchor got goes into neither.
        """
        self._follow(now_ns)
        if not is_sound(verdict):
            self._refused += 1
            return False
        if not self._memory.in_range(verdict.end_ns, live=live):
            return False
        if verdict.anchor or verdict.shadow_of:
            return self._set_aside(verdict)
        judge = self._judge_of(verdict)
        if judge is None:
            self._refused += 1
            return False
        if not self._memory.remember(verdict.verdict_id, verdict.end_ns):
            return False
        self._memory.note(verdict)
        self._shadows.add(verdict)
        self._count(verdict, judge, live=live)
        return True

    def hear(self, heard: HeardFeedback, now_ns: int, *, live: bool = True) -> bool:
        """Count feedback; False when it was left out, which is counted. It never changes a quality number."""
        self._follow(now_ns)
        return self._feedback.hear(heard, self._memory.now_ns, live=live)

    def advance(self, now_ns: int) -> None:
        """Move the windows on and free what has left them all."""
        self._follow(now_ns)
        now = self._now()
        for key, judge in list(self._judges.items()):
            judge.series = {name: series for name, series in judge.series.items() if series.advance(now)}
            if not judge.series:
                del self._judges[key]
        used = frozenset(name for judge in self._judges.values() for name in judge.series)
        self._slicer.retain(used)
        self._feedback.retain(used)
        self._feedback.forget(self._plan.oldest_era(now))
        self._memory.forget()
        self._shadows.forget(self._memory.now_ns - self._plan.lengths[-1] * SECOND_NS)
        self._worst.advance(self._memory.now_ns)

    def prepare(self, now_ns: int) -> Iterator[None]:
        """Compute what a snapshot needs, one series after the other: a snapshot at the end of it costs little.

        Verdicts may be added between the steps.
        """
        self.advance(now_ns)
        for judge, series in list(self._in_order()):
            if series.renew(self._memory.now_ns, calibrated=judge.calibrated):
                yield

    def snapshot(self, now_ns: int, stages: tuple[StageCount, ...] = ()) -> Snapshot:
        """All numbers at this moment, in a fixed order: by evaluation, judge, fingerprint, slice, window."""
        self.advance(now_ns)
        taken_ns = self._memory.now_ns
        windows: list[WindowStats] = []
        totals: list[ScoreTotals] = []
        for judge, series in self._in_order():
            windows += series.windows(taken_ns, calibrated=judge.calibrated)
            total = series.totals(taken_ns, calibrated=judge.calibrated)
            if total is not None:
                totals.append(total)
        return Snapshot(
            taken_ns=taken_ns,
            windows=tuple(windows),
            totals=tuple(totals),
            worst=self._worst.listed(taken_ns),
            stages=stages,
            caught_up=self._memory.caught_up,
            duplicates=self._memory.duplicates,
            late=self._memory.late,
            refused=self._refused,
            feedback=self._feedback.totals(),
            shadows=self._shadows.comparisons(),
            anchors=self._memory.anchors.scores(),
        )

    def _set_aside(self, verdict: Verdict) -> bool:
        """Count what is in no quality number."""
        if not self._memory.remember(verdict.verdict_id, verdict.end_ns):
            return False
        self._memory.note(verdict)
        if not verdict.anchor:
            self._shadows.add(verdict)
        return True

    def _now(self) -> int:
        return self._plan.tick(self._memory.now_ns)

    def _follow(self, now_ns: int) -> None:
        if self._memory.follow(now_ns):
            now = self._now()
            for judge in self._judges.values():
                for series in judge.series.values():
                    series.go_back(now)

    def _judge_of(self, verdict: Verdict) -> JudgeSeries | None:
        key = JudgeKey(verdict.evaluation, verdict.judge, verdict.fingerprint)
        if key not in self._judges and len(self._judges) < MAX_JUDGES:
            self._judges[key] = JudgeSeries(key, self._rates.get(key))
        return self._judges.get(key)

    def _count(self, verdict: Verdict, judge: JudgeSeries, *, live: bool) -> None:
        reading = reading_of(verdict, judge.reasons)
        low = None if reading.score is None else low_of(verdict, reading.score)
        if low is not None:
            self._worst.add(low)
        judge.judged(verdict.judged_ns, calibrated=verdict.calibrated)
        now = self._now()
        slices = self._slicer.slices(verdict)
        self._feedback.judged(verdict, slices, live=live)
        for key in slices:
            judge.of(key, self._plan).add(reading, low, now, live=live)

    def _in_order(self) -> Iterator[tuple[JudgeSeries, Series]]:
        for key in sorted(self._judges):
            judge = self._judges[key]
            for name in sorted(judge.series, key=_slice_order):
                yield judge, judge.series[name]


def _slice_order(key: SliceKey) -> tuple[bool, str, str]:
    return key != EVERYTHING, key.dimension, key.value
