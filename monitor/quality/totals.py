"""Monotone totals of one series, for counters and histograms: what happened since the process had caught up."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from itertools import accumulate

from monitor.quality.grid import ONE, bin_of
from monitor.quality.tally import Outcomes, Reading
from monitor.quality.worst import Low, worst_case
from monitor.snapshot import BAD_BELOW, SCORE_BOUNDS, OutcomeCount, WorstCase

EXEMPLAR_AGE_NS = 3_600 * 1_000_000_000
"""Exemplars older than an hour by event time are not recent any more."""

_BOUNDS = tuple(round(bound * ONE) for bound in SCORE_BOUNDS)
_BAD_BELOW = round(BAD_BELOW * ONE)


class Totals:
    """Weighted counts of the scores at `SCORE_BOUNDS`, outcome counts, and the newest low score under each bound.

    A score counts by the bin that stands for it (`grid`), so the bucket at 0.499 holds exactly the scores below 0.5,
    and the one at 0.999 those below 1.
    """

    def __init__(self) -> None:
        self._counts = [0] * len(_BOUNDS)
        self._sum = 0
        self._outcomes = Outcomes()
        self._newest: dict[int, Low] = {}
        self._causes: Counter[str] = Counter()

    def add(self, reading: Reading, low: Low | None) -> None:
        """Count one verdict; `low` is what to show of it when its score is below 0.5."""
        self._outcomes.add(reading.ending, 1, reading.weight)
        if reading.score is None:
            return
        place = bisect_left(_BOUNDS, bin_of(reading.score))
        self._counts[place] += reading.weight
        self._sum += reading.weight * reading.score
        if reading.cause:
            self._causes[reading.cause] += reading.weight
        if low is not None and low.score < _BAD_BELOW:
            self._newest[place] = max(low, self._newest.get(place, low), key=_age)

    def buckets(self) -> tuple[int, ...]:
        """Cumulative weighted counts at `SCORE_BOUNDS`."""
        return tuple(accumulate(self._counts))

    def sum(self) -> float:
        """Weighted sum of the scores."""
        return self._sum / ONE

    def outcomes(self) -> tuple[OutcomeCount, ...]:
        """Verdicts by how they ended."""
        return self._outcomes.listed()

    def causes(self) -> Mapping[str, int]:
        """Requests that low scores stand for, by their cause, in a fixed order."""
        return dict(sorted(self._causes.items()))

    def exemplars(self, now_ns: int) -> tuple[WorstCase, ...]:
        """The newest score below 0.5 under each bound, if recent; lowest bound first."""
        newest = (self._newest[place] for place in sorted(self._newest))
        return tuple(worst_case(low) for low in newest if low.end_ns > now_ns - EXEMPLAR_AGE_NS)


def _age(low: Low) -> tuple[int, Low]:
    return low.end_ns, low
