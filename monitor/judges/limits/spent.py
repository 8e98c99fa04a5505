"""What was spent lately, of whatever is limited: how much of a limit is used, and how far a leaky bucket stands.

Amounts are kept in bins of time, so nothing depends on the order in which they become known: what another replica
spent, or this one before a restart, is added when it is heard of, and the state is as if it had been there at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

BINS = 60
_LEAST_WAIT_S = 0.001
"""A wait is never so short that the clock would not move."""


class Spent:
    """Amounts of the last `period_s` seconds, and a bucket that all amounts pour into and that leaks `leak` a second.

    Times are seconds of one clock. An amount belongs to its whole bin, a 60th of the period: it leaves the period up to
    a bin late, and stands in the bucket from the beginning of its bin.
    """

    def __init__(self, period_s: float, leak: float, most: float = math.inf) -> None:
        """The bucket holds `most`; what is poured into a full one is lost to it, not to the total."""
        self._period_s = period_s
        self._width = period_s / BINS
        self._leak = leak
        self._most = most
        self._bins: dict[int, float] = {}
        self._oldest: int | None = None
        """The first bin of the period."""
        self._carried = 0.0
        """Where the bucket stood at the beginning of that bin."""

    def add(self, at: float, amount: float, now: float) -> None:
        """Take note of an amount of the time `at`, which is not after `now`. Too long ago it changes nothing."""
        index = self._index(at)
        if index >= self._forget(now):
            self._bins[index] = self._bins.get(index, 0.0) + amount

    def total(self, now: float) -> float:
        """The sum over the period."""
        self._forget(now)
        return math.fsum(self._bins.values())

    def level(self, now: float) -> float:
        """Where the bucket stands."""
        oldest = self._forget(now)
        level, then = self._poured(self._carried, oldest * self._width, self._bins)
        return max(0.0, level - self._leak * max(0.0, now - then))

    def wait_s(self, room: float, now: float) -> float:
        """Seconds until the total is at most `room`, if nothing is added; infinite for less than 0."""
        if room < 0:
            return math.inf
        left, until = self.total(now), now
        indexes = sorted(self._bins)
        for number, index in enumerate(indexes, 1):
            if left <= room:
                break
            left = math.fsum(map(self._bins.__getitem__, indexes[number:]))  # as `total` will say it then
            until = (index + 1) * self._width + self._period_s
        return max(until - now, _LEAST_WAIT_S) if until > now else 0.0

    def _forget(self, now: float) -> int:
        """Let go of the bins before the period; the first one of it."""
        oldest = self._index(now) - BINS
        if self._oldest is None:
            self._oldest = oldest
        if oldest > self._oldest:
            gone = [index for index in self._bins if index < oldest]
            level, then = self._poured(self._carried, self._oldest * self._width, gone)
            self._carried = max(0.0, level - self._leak * (oldest * self._width - then))
            self._oldest = oldest
            for index in gone:
                del self._bins[index]
        return self._oldest

    def _poured(self, level: float, then: float, bins: Iterable[int]) -> tuple[float, float]:
        """The level right after the last of these bins was poured in, and when that was."""
        for index in sorted(bins):
            start = index * self._width
            level = min(self._most, max(0.0, level - self._leak * (start - then)) + self._bins[index])
            then = start
        return level, then

    def _index(self, at: float) -> int:
        return math.floor(at / self._width)
