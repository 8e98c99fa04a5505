"""One series: an evaluation by one judge in one slice, its windows and its totals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from zlib import crc32

from monitor.operational import FlagRates
from monitor.quality.slices import BoundedValues
from monitor.quality.summary import corrected, window_stats
from monitor.quality.tally import Reading, Tally
from monitor.quality.totals import Totals
from monitor.quality.windows import SECOND_NS, Ring, WindowPlan
from monitor.quality.worst import Low
from monitor.snapshot import ScoreTotals, SliceKey, WindowStats

_REASONS = 32
_PARTS = 300
_LONGEST_TURN_NS = 10 * SECOND_NS
"""Less than the time between two scrapes, as a rule: nobody sees a window that is older."""
_TOTALS_OF = ("all", "app")


class JudgeKey(NamedTuple):
    """Who judged what: never mixed in one series."""

    evaluation: str
    judge: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class _Known:
    """The numbers of a window, and what was in it when they were computed."""

    stats: WindowStats
    version: int
    arrived: int
    weight: int
    taken_ns: int


class Series:
    """The ring, the totals (slices `all` and `app` only) and the numbers last computed of each window."""

    def __init__(self, judge: JudgeKey, key: SliceKey, plan: WindowPlan, rates: FlagRates | None = None) -> None:
        self._judge = judge
        self._rates = rates
        self._key = key
        self._plan = plan
        self._ring = Ring(plan)
        self._totals = Totals() if key.dimension in _TOTALS_OF else None
        self._known: list[_Known | None] = [None] * len(plan.tiers)
        self._phase = crc32(repr((judge, key)).encode())

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

    def windows(self, now_ns: int, *, calibrated: bool) -> list[WindowStats]:
        """The numbers of each window, shortest first.

        They are computed again where what the window holds has changed: at once when more than 1/300 of its requests
        came since, else once in 1/300 of its length or 10 s, whichever is less. So they are those of a moment that is
        no longer ago than that.
        """
        self.renew(now_ns, calibrated=calibrated)
        return [known.stats for known in self._known if known is not None]

    def renew(self, now_ns: int, *, calibrated: bool) -> bool:
        """Compute the windows that are to be computed again; False when there was none."""
        due = [index for index in range(len(self._known)) if self._is_due(index, now_ns, calibrated=calibrated)]
        if not due:
            return False
        for index, tally in zip(range(due[-1] + 1), self._ring.windows(), strict=False):
            if index in due:
                self._known[index] = self._compute(index, tally, now_ns, calibrated=calibrated)
        return True

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

    def _is_due(self, index: int, now_ns: int, *, calibrated: bool) -> bool:
        known = self._known[index]
        if known is None or known.stats.calibrated != calibrated:
            return True
        if known.version == self._ring.versions[index]:
            return False
        came = self._ring.arrived[index] - known.arrived
        return came * _PARTS > known.weight or self._turn(index, known.taken_ns) != self._turn(index, now_ns)

    def _turn(self, index: int, time_ns: int) -> int:
        """Which of its turns a window has at this time: each series has its own, or all would be due at once."""
        turn_ns = min(self._plan.lengths[index] * SECOND_NS // _PARTS, _LONGEST_TURN_NS)
        return (time_ns + (self._phase * turn_ns >> 32)) // turn_ns

    def _compute(self, index: int, tally: Tally, now_ns: int, *, calibrated: bool) -> _Known:
        made = window_stats(self._judge, self._key, self._plan.lengths[index], tally, calibrated=calibrated)
        return _Known(
            stats=corrected(made, self._rates),
            version=self._ring.versions[index],
            arrived=self._ring.arrived[index],
            weight=tally.outcomes.weight,
            taken_ns=now_ns,
        )


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
