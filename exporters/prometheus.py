"""The Prometheus page: a Collector that renders the snapshot at the moment of the scrape, in a registry of its own."""

from __future__ import annotations

import bisect
import itertools
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client import exposition as text
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.openmetrics import exposition as openmetrics
from prometheus_client.registry import Collector
from prometheus_client.samples import Exemplar
from prometheus_client.utils import INF, floatToGoString

from exporters.labels import clean
from exporters.metric import Kind, Metric
from exporters.pages import page_points
from exporters.points import Guard, Histogram, Point
from monitor.operational import Operational
from monitor.snapshot import BAD_BELOW, SCORE_BOUNDS, Snapshot, WorstCase

_NS = 1e9
_EXEMPLAR_LABEL = "trace_id"
_EXEMPLAR_CHARS = 128 - len(_EXEMPLAR_LABEL)
"""OpenMetrics allows 128 characters over all label names and values of an exemplar."""


@cache
def _le(bounds: tuple[float, ...]) -> tuple[str, ...]:
    """The `le` of each bucket, and that of all."""
    return tuple(str(floatToGoString(bound)) for bound in (*bounds, INF))  # type: ignore[no-untyped-call] # untyped library function


class SnapshotCollector(Collector):
    """Gives the client library one page for each scrape. `snapshot` and `operational` are called on any thread."""

    def __init__(
        self, snapshot: Callable[[], Snapshot], operational: Callable[[], Operational], max_series: int
    ) -> None:
        self._snapshot = snapshot
        self._operational = operational
        self._guard = Guard(max_series)
        self._lock = threading.Lock()  # the guard is not thread safe, and two scrapes may come at once

    def collect(self) -> Iterator[Family]:
        """The metric families of this moment; a metric without a value now is absent."""
        with self._lock:
            points = page_points(self._guard, self._snapshot(), self._operational())
        for metric, group in itertools.groupby(points, key=lambda point: point.metric):
            yield _family(metric, group)


def build_registry(collector: Collector) -> CollectorRegistry:
    """A registry of our own, with the client's figures of the process; never the library's default one."""
    registry = CollectorRegistry()
    registry.register(collector)
    ProcessCollector(registry=registry)
    return registry


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page in one of its formats, ready to send."""

    content_type: str
    body: bytes


def wants_openmetrics(accept: str) -> bool:
    """Whether an Accept header names OpenMetrics 1 (or no version of it); any other text gets the plain format."""
    for choice in accept.split(","):
        kind, *parameters = (part.strip() for part in choice.split(";"))
        if kind == "application/openmetrics-text":
            versions = [p.removeprefix("version=") for p in parameters if p.startswith("version=")]
            if not versions or versions[0].startswith("1."):
                return True
    return False


def render(registry: CollectorRegistry, *, as_openmetrics: bool) -> Rendered:
    """The page as OpenMetrics 1.0 (with exemplars) or in the plain text format 0.0.4 (without)."""
    if as_openmetrics:
        body: bytes = openmetrics.generate_latest(registry)  # type: ignore[no-untyped-call] # untyped library function
        return Rendered(openmetrics.CONTENT_TYPE_LATEST, body)
    return Rendered(text.CONTENT_TYPE_PLAIN_0_0_4, text.generate_latest(registry))


def _family(metric: Metric, points: Iterable[Point]) -> Family:
    name, what, labels = metric.prometheus, metric.help, metric.labels
    match metric.kind:
        case Kind.COUNTER:
            return _fill(CounterMetricFamily(name, what, labels=labels), points)
        case Kind.GAUGE:
            return _fill(GaugeMetricFamily(name, what, labels=labels), points)
        case Kind.HISTOGRAM:
            return _fill(HistogramMetricFamily(name, what, labels=labels), points)


def _fill(family: CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily, points: Iterable[Point]) -> Family:
    for point in points:
        if isinstance(family, HistogramMetricFamily):
            assert isinstance(point.value, Histogram)  # noqa: S101 - the page keeps both kinds apart
            family.add_metric(point.labels, _buckets(point.value), point.value.sum)
        else:
            assert not isinstance(point.value, Histogram)  # noqa: S101 - same
            family.add_metric(point.labels, point.value)
    return family


def _buckets(histogram: Histogram) -> list[tuple[str, float] | tuple[str, float, Exemplar]]:
    exemplars = _exemplars(histogram.exemplars)
    rows = zip(_le(histogram.bounds), (*histogram.buckets, histogram.count), strict=True)
    return [(le, count, exemplars[le]) if le in exemplars else (le, count) for le, count in rows]


def _exemplars(cases: Iterable[WorstCase]) -> dict[str, Exemplar]:
    """The newest low case of each bucket; a trace id that no consumer could show or follow is left out."""
    newest: dict[str, Exemplar] = {}
    for case in sorted(cases, key=lambda case: case.end_ns):
        usable = clean(case.trace_id) == case.trace_id and len(case.trace_id) <= _EXEMPLAR_CHARS
        if usable and 0 <= case.score < BAD_BELOW:
            le = _le(SCORE_BOUNDS)[bisect.bisect_left(SCORE_BOUNDS, case.score)]
            newest[le] = Exemplar({_EXEMPLAR_LABEL: case.trace_id}, case.score, case.end_ns / _NS)
    return newest
