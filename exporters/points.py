"""The points of one page: what every exporter shows, summed where values fold together, and never too many.

Both exporters show the same points, so that they cannot disagree. What a page leaves out is counted on that page.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import NamedTuple

from exporters.catalog import CATALOG
from exporters.growing import GrowingRows
from exporters.labels import SeriesBudget, Vocabulary
from exporters.metric import EstimateMetrics, Kind, Metric
from monitor.operational import LATENCY_BOUNDS
from monitor.snapshot import EVERYTHING, OTHER, SCORE_BOUNDS, Estimate, WorstCase

_BESIDE_BUCKETS = 3
"""Series of a histogram besides the bucket of each bound: the one for +Inf, count, sum."""
HISTOGRAM_SERIES = max(len(SCORE_BOUNDS), len(LATENCY_BOUNDS)) + _BESIDE_BUCKETS
"""Series of one histogram at most."""
VALUES_PER_LABEL = 1000
PROCESS_SERIES = 8
"""What the Prometheus client's own process collector adds to a page."""
RESERVE = PROCESS_SERIES + sum(
    HISTOGRAM_SERIES if metric.kind is Kind.HISTOGRAM else 1 for metric in CATALOG if metric.kind is not Kind.GAUGE
)
"""Series kept free, so that each sum always has a place for what did not fit."""

_ORDER = {metric.name: number for number, metric in enumerate(CATALOG)}

Labels = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Histogram:
    """Cumulative weighted counts at `bounds`, the weighted sum of the values, and recent low scores.

    `over` counts what lies above the last bound; a score cannot.
    """

    buckets: tuple[int, ...]
    sum: float
    exemplars: tuple[WorstCase, ...] = ()
    bounds: tuple[float, ...] = SCORE_BOUNDS
    over: int = 0

    @property
    def count(self) -> int:
        """All of it."""
        return self.buckets[-1] + self.over

    def __add__(self, other: Histogram) -> Histogram:
        """The histogram of both populations, of the same bounds; keeps the first one's exemplars, if any."""
        buckets = tuple(a + b for a, b in zip(self.buckets, other.buckets, strict=True))
        exemplars = self.exemplars or other.exemplars
        return Histogram(buckets, self.sum + other.sum, exemplars, self.bounds, self.over + other.over)

    def numbers(self) -> tuple[float, ...]:
        """What is in each bucket alone, above the last bound, and the sum."""
        alone = (after - before for before, after in itertools.pairwise((0, *self.buckets)))
        return (*alone, self.over, self.sum)

    def holding(self, numbers: tuple[float, ...]) -> Histogram:
        """The same with these `numbers`."""
        *alone, over, total = numbers
        return replace(self, buckets=tuple(itertools.accumulate(map(int, alone))), over=int(over), sum=total)


class Point(NamedTuple):
    """One value; `labels` stand in the order of the metric's label names."""

    metric: Metric
    labels: Labels
    value: float | Histogram


class Guard:
    """What must outlive a page so that counters never go back: what has a place and was shown, what was left out.

    Not thread safe: one exporter owns it.
    """

    def __init__(self, max_series: int) -> None:
        self.vocabulary = Vocabulary(VALUES_PER_LABEL)
        self.budget = SeriesBudget(max(0, max_series - RESERVE))
        self.rows = GrowingRows()
        self.dropped: Counter[str] = Counter(cap=0, collision=0, not_finite=0)

    def end_page(self) -> None:
        """Give back the places of what was not on this page."""
        self.vocabulary.end_page()
        self.budget.end_page()
        self.rows.end_page()


class Page:
    """Collects the points of one page."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard
        self._counters: dict[tuple[Metric, Labels], float] = {}
        self._histograms: dict[tuple[Metric, Labels], Histogram] = {}
        self._gauges: dict[tuple[Metric, Labels], float] = {}

    def count(self, metric: Metric, labels: Labels, value: float) -> None:
        """Add to a counter; what no longer fits is counted under `other`."""
        if not math.isfinite(value):
            self.guard.dropped["not_finite"] += 1
            return
        row = (metric, self._fitting(metric, labels, 1))
        self._counters[row] = self._counters.get(row, 0) + value

    def histogram(self, metric: Metric, labels: Labels, value: Histogram) -> None:
        """Add to a histogram; what no longer fits is counted under `other`."""
        if not math.isfinite(value.sum):
            self.guard.dropped["not_finite"] += 1
            return
        row = (metric, self._fitting(metric, labels, len(value.bounds) + _BESIDE_BUCKETS))
        there = self._histograms.get(row)
        self._histograms[row] = value if there is None else there + value

    def gauge(self, metric: Metric, labels: Labels, value: float) -> None:
        """Set a gauge. It cannot be summed: without room it is left out."""
        if self.has_room((metric.name, *labels), 1, whole=_whole(metric, labels)):
            self.put(metric, labels, value)
        else:
            self.guard.dropped["cap"] += 1

    def estimate(self, metrics: EstimateMetrics, labels: Labels, estimate: Estimate | None) -> None:
        """Set the gauges of a number and of its interval; none where there is no number."""
        if estimate is not None:
            for metric, value in zip(metrics, (estimate.value, estimate.lower, estimate.upper), strict=True):
                self.gauge(metric, labels, value)

    def put(self, metric: Metric, labels: Labels, value: float) -> None:
        """Set a gauge whose row has been admitted. The first of two with the same labels stays."""
        if not math.isfinite(value):
            self.guard.dropped["not_finite"] += 1
        elif (metric, labels) in self._gauges:
            self.guard.dropped["collision"] += 1
        else:
            self._gauges[metric, labels] = value

    def has_room(self, row: Labels, cost: int, *, whole: bool, yields: bool = False) -> bool:
        """Whether a row of at most `cost` series may be shown.

        A row that is `whole` is no slice: for it, rows of slices that yield give up their places.
        """
        budget = self.guard.budget
        if budget.admit(row, cost, yields=yields):
            return True
        return whole and budget.make_room(cost) and budget.admit(row, cost)

    def points(self) -> list[Point]:
        """All points in the order of the catalog, then of their labels. Ends the page."""
        grown = self.guard.rows.grown
        rows: dict[tuple[Metric, Labels], float | Histogram] = {
            **{row: grown(row, (value,))[0] for row, value in self._counters.items()},
            **{row: value.holding(grown(row, value.numbers())) for row, value in self._histograms.items()},
            **self._gauges,
        }
        self.guard.end_page()
        made = (Point(metric, labels, value) for (metric, labels), value in rows.items())
        return sorted(made, key=lambda point: (_ORDER[point.metric.name], point.labels))

    def _fitting(self, metric: Metric, labels: Labels, cost: int) -> Labels:
        if not labels or self.has_room((metric.name, *labels), cost, whole=_whole(metric, labels)):
            return labels  # without labels, the reserve has its place
        self.guard.vocabulary.overflow[metric.labels[-1]] += 1
        return (OTHER,) * len(labels)


def flag(value: bool) -> str:  # noqa: FBT001 - as in the records
    """The value of a label that says yes or no."""
    return "true" if value else "false"


def _whole(metric: Metric, labels: Labels) -> bool:
    return "dimension" not in metric.labels or labels[metric.labels.index("dimension")] == EVERYTHING.dimension
