"""Rolling windows by event time: one series' ring of mergeable buckets, fine for young verdicts and coarser with age.

A window of length L is the sum of the buckets whose interval overlaps (now - L, now], so it holds every verdict of that
span. Its old edge moves in whole buckets: it also holds verdicts up to one bucket older. A bucket is about 1/60 of its
window (5 s, 1 m, 24 m and 168 m for the default lengths), and `now` itself moves in the smallest buckets.

A verdict lives in one bucket. When its bucket leaves the 5 m window it is merged into the coarser bucket of the 1 h
window around it, and so on. So memory is one set of buckets and not one for each window, and the result depends on the
verdicts and on `now` only, never on their order of arrival.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from monitor.quality.tally import Reading, Tally

SECOND_NS = 1_000_000_000
"""Nanoseconds of a second."""
_BUCKETS = 60


@dataclass(frozen=True, slots=True)
class Tier:
    """The buckets of one window. Both are counted in ticks, the smallest buckets of the plan."""

    grain: int
    length: int

    def outlived(self, now: int, bucket: int) -> bool:
        """Whether that bucket no longer reaches into the window that ends at tick `now`."""
        return (bucket + 1) * self.grain <= now - self.length


class WindowPlan:
    """How time is cut, the same for all series.

    `lengths` are the window lengths in whole seconds (at least 1), ascending, each once, as they are published. Every
    grain is a multiple of the one before.
    """

    def __init__(self, lengths: Sequence[float]) -> None:
        self.lengths = tuple(sorted({max(1, round(length)) for length in lengths}))
        nanoseconds = [length * SECOND_NS for length in self.lengths]
        self.tick_ns = nanoseconds[0] // _BUCKETS
        tiers: list[Tier] = []
        grain = 1
        for length_ns in nanoseconds:
            grain *= max(1, length_ns // (_BUCKETS * grain * self.tick_ns))
            tiers.append(Tier(grain, -(-length_ns // self.tick_ns)))
        self.tiers = tuple(tiers)

    def tick(self, time_ns: int) -> int:
        """The tick that holds this time."""
        return time_ns // self.tick_ns

    def tier_of(self, tick: int, now: int) -> int | None:
        """The finest tier whose window still holds this tick; None when it is older than the longest window."""
        for index, tier in enumerate(self.tiers):
            if not tier.outlived(now, tick // tier.grain):
                return index
        return None

    @property
    def slack_s(self) -> float:
        """How much further back than its length the longest window can reach, in seconds."""
        return (self.tiers[-1].grain + 1) * self.tick_ns / SECOND_NS

    def era(self, time_ns: int) -> int:
        """The bucket of the longest window that holds this time."""
        return self.tick(time_ns) // self.tiers[-1].grain

    def oldest_era(self, now: int) -> int:
        """The oldest bucket that still reaches into the longest window at tick `now`."""
        return (now - self.tiers[-1].length) // self.tiers[-1].grain


class Shelf:
    """The buckets of one tier, and their sum: kept up while buckets grow, made anew after one has left."""

    def __init__(self) -> None:
        self._buckets: dict[int, Tally] = {}
        self._sum: Tally | None = Tally()

    def __len__(self) -> int:
        return len(self._buckets)

    def add(self, bucket: int, reading: Reading) -> None:
        """Count one verdict."""
        self._at(bucket).add(reading)
        if self._sum is not None:
            self._sum.add(reading)

    def merge(self, bucket: int, tally: Tally) -> None:
        """Add what a finer bucket held; `tally` is not changed."""
        self._at(bucket).merge(tally)
        if self._sum is not None:
            self._sum.merge(tally)

    def take(self, leaves: Callable[[int], bool]) -> Iterator[tuple[int, Tally]]:
        """Remove and give the buckets that leave."""
        for bucket in [bucket for bucket in self._buckets if leaves(bucket)]:
            self._sum = None
            yield bucket, self._buckets.pop(bucket)

    def sum(self) -> Tally:
        """All buckets merged; not to be changed."""
        if self._sum is None:
            self._sum = Tally()
            for tally in self._buckets.values():
                self._sum.merge(tally)
        return self._sum

    def _at(self, bucket: int) -> Tally:
        tally = self._buckets.get(bucket)
        if tally is None:
            tally = self._buckets[bucket] = Tally()
        return tally


class Ring:
    """The buckets of one series. `now` is a tick; only `go_back` lowers it."""

    def __init__(self, plan: WindowPlan) -> None:
        self._plan = plan
        self._shelves = tuple(Shelf() for _ in plan.tiers)
        self._ahead = Shelf()
        """Buckets of one tick that begin after `now`, as clocks differ. They are in no window yet."""
        self._now = -1
        self.versions = [0] * len(plan.tiers)
        """One number for each window; it changes whenever the sum of that window may have changed."""
        self.arrived = [0] * len(plan.tiers)
        """For each window the requests (by weight) that came into it so far; what has left it is not taken off."""

    def __len__(self) -> int:
        return len(self._ahead) + sum(map(len, self._shelves))

    def add(self, reading: Reading, now: int) -> bool:
        """Count one verdict; False when it is older than the longest window. May be any time ahead of `now`."""
        self.advance(now)
        tick = self._plan.tick(reading.end_ns)
        if tick > self._now:
            self._ahead.add(tick, reading)
            return True
        index = self._plan.tier_of(tick, self._now)
        if index is None:
            return False
        self._shelves[index].add(tick // self._plan.tiers[index].grain, reading)
        self._came(index, reading.weight)
        return True

    def advance(self, now: int) -> None:
        """Move to tick `now`: what comes into the windows, what ages, what is dropped."""
        if now <= self._now:
            return
        self._now = now
        for tick, tally in self._ahead.take(lambda tick: tick <= now):
            self._came(self._place(tick, tally), tally.outcomes.weight)
        for index, (tier, shelf) in enumerate(zip(self._plan.tiers, self._shelves, strict=True)):
            for bucket, tally in shelf.take(partial(tier.outlived, now)):
                self._changed(index, self._place(bucket * tier.grain, tally))

    def go_back(self, now: int) -> None:
        """Move to an earlier tick, as the clock had been wrong. What has aged stays in its coarser bucket."""
        self._now = min(self._now, now)

    def windows(self) -> Iterator[Tally]:
        """The sum of each window, shortest first. One tally that grows: read it before asking for the next.

        Each costs about as much as all before it: take no more than are wanted.
        """
        total = Tally()
        for shelf in self._shelves:
            yield total.merge(shelf.sum())

    def _place(self, tick: int, tally: Tally) -> int:
        """Merge a bucket into the tier that its age asks for; which one, or the number of tiers when it is dropped."""
        index = self._plan.tier_of(tick, self._now)
        if index is None:
            return len(self._shelves)
        self._shelves[index].merge(tick // self._plan.tiers[index].grain, tally)
        return index

    def _came(self, first: int, weight: int) -> None:
        self._changed(first, len(self.versions))
        for window in range(first, len(self.arrived)):
            self.arrived[window] += weight

    def _changed(self, first: int, end: int) -> None:
        for window in range(first, end):
            self.versions[window] += 1
