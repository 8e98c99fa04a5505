"""One series: an evaluation by one judge in one slice, its windows and its totals."""

from __future__ import annotations

from typing import NamedTuple

from monitor.operational import FlagRates
from monitor.quality.slices import BoundedValues
from monitor.quality.summary import corrected, window_stats
from monitor.quality.tally import Reading
from monitor.quality.totals import Totals
from monitor.quality.windows import Ring, WindowPlan
from monitor.quality.worst import Low
from monitor.snapshot import ScoreTotals, SliceKey, WindowStats

_REASONS = 32
_TOTALS_OF = ("all", "app")


class JudgeKey(NamedTuple):
    """Who judged what: never mixed in one series."""

    evaluation: str
    judge: str
    fingerprint: str


class Series:
    """The ring, the totals (slices `all` and `app` only) and the numbers last computed of each window."""

    def __init__(self, judge: JudgeKey, key: SliceKey, plan: WindowPlan, rates: FlagRates | None = None) -> None:
        self._judge = judge
        self._rates = rates
        self._key = key
        self._plan = plan
        self._ring = Ring(plan)
        self._totals = Totals() if key.dimension in _TOTALS_OF else None
        self._stats: list[WindowStats | None] = [None] * len(plan.tiers)
        self._versions = [-1] * len(plan.tiers)

    def add(self, reading: Reading, low: Low | None, now: int, *, live: bool) -> None:
        """Count one verdict of the longest window in the windows and, when live, in the totals; `now` is a tick."""
        self._ring.add(reading, now)
        if live and self._totals is not None:
            self._totals.add(reading, low)

    def advance(self, now: int) -> bool:
        """Move to tick `now`; False when nothing is left in any window."""
        self._ring.advance(now)
        return len(self._ring) > 0

    def go_back(self, now: int) -> None:
        """Move to an earlier tick, as the clock had been wrong."""
        self._ring.go_back(now)

    def windows(self, *, calibrated: bool) -> list[WindowStats]:
        """The numbers of each window, shortest first; computed again only where something changed."""
        fresh = [
            stats
            for stats, version, current in zip(self._stats, self._versions, self._ring.versions, strict=True)
            if stats is not None and version == current and stats.calibrated == calibrated
        ]
        if len(fresh) == len(self._stats):
            return fresh
        self._compute(calibrated=calibrated)
        return [stats for stats in self._stats if stats is not None]

    def totals(self, now_ns: int, *, calibrated: bool) -> ScoreTotals | None:
        """The totals for the exporters; None for a slice that has none."""
        if self._totals is None:
            return None
        return ScoreTotals(
            *self._judge,
            calibrated=calibrated,
            slice=self._key,
            buckets=self._totals.buckets(),
            sum=self._totals.sum(),
            outcomes=self._totals.outcomes(),
            exemplars=self._totals.exemplars(now_ns),
            causes=self._totals.causes(),
        )

    def _compute(self, *, calibrated: bool) -> None:
        for index, tally in enumerate(self._ring.windows()):
            stats = self._stats[index]
            version = self._ring.versions[index]
            if stats is None or version != self._versions[index] or stats.calibrated != calibrated:
                length = self._plan.lengths[index]
                made = window_stats(self._judge, self._key, length, tally, calibrated=calibrated)
                self._stats[index] = corrected(made, self._rates)
                self._versions[index] = version


class JudgeSeries:
    """All series of one judge under one evaluation, and whether it was calibrated when it last judged."""

    def __init__(self, key: JudgeKey, rates: FlagRates | None = None) -> None:
        self._key = key
        self._rates = rates
        self.series: dict[SliceKey, Series] = {}
        self.reasons = BoundedValues(_REASONS)
        self._newest = (0, False)

    @property
    def calibrated(self) -> bool:
        """What the newest verdict says."""
        return self._newest[1]

    def judged(self, judged_ns: int, *, calibrated: bool) -> None:
        """Note what a verdict says of its judge."""
        self._newest = max(self._newest, (judged_ns, calibrated))

    def of(self, key: SliceKey, plan: WindowPlan) -> Series:
        """The series of a slice, begun when there is none."""
        series = self.series.get(key)
        if series is None:
            series = self.series[key] = Series(self._key, key, plan, self._rates)
        return series
