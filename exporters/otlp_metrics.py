"""OTLP metrics: the points of the Prometheus page, sent by a reader in a MeterProvider of our own.

The SDK's instruments are not used for them. An observable one keeps every set of attributes that it ever saw, up to a
limit behind which there is no other number; and no instrument takes the weighted buckets of a histogram.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from opentelemetry.metrics import CallbackOptions, Observation
from opentelemetry.sdk.metrics import AlwaysOffExemplarFilter, Exemplar, MeterProvider
from opentelemetry.sdk.metrics import export as sdk
from opentelemetry.sdk.resources import Resource

from exporters.catalog import CATALOG
from exporters.failures import Failures
from exporters.hex_ids import hex_id
from exporters.metric import Kind, Metric
from exporters.pages import page_points
from exporters.points import Guard, Histogram, Point
from monitor.operational import Operational
from monitor.snapshot import BAD_BELOW, Snapshot, WorstCase

SIGNAL = "metrics"
_CUMULATIVE = sdk.AggregationTemporality.CUMULATIVE


class Frame:
    """The points of one collection: all metrics of it show the same moment."""

    def __init__(
        self,
        snapshot: Callable[[], Snapshot],
        operational: Callable[[], Operational],
        max_series: int,
        failures: Failures,
    ) -> None:
        self._snapshot = snapshot
        self._operational = operational
        self._guard = Guard(max_series)
        self._failures = failures
        self._points: dict[Metric, list[Point]] = {}
        self.taken_ns = 0
        self.started_ns = 0

    def begin(self, _: CallbackOptions) -> Iterable[Observation]:
        """Take the points of a new collection. The callback of the only instrument, without which there is none."""
        self._points = {}
        try:
            snapshot, operational = self._snapshot(), self._operational()
            made = page_points(self._guard, snapshot, operational)
        except Exception as error:  # noqa: BLE001 - a boundary: one collection is lost, the next one may work
            self._failures.add(SIGNAL, type(error).__name__)
            return []
        self.taken_ns, self.started_ns = snapshot.taken_ns, operational.started_ns
        self._points = {metric: list(group) for metric, group in itertools.groupby(made, key=lambda p: p.metric)}
        return [Observation(1)]

    def points(self, metric: Metric) -> Sequence[Point]:
        """The points of one metric in this collection; empty when it has none."""
        return self._points.get(metric, ())


class MetricsExport:
    """Sends the metrics every `interval_s` seconds, on a thread of its own."""

    def __init__(self, exporter: sdk.MetricExporter, frame: Frame, resource: Resource, interval_s: float) -> None:
        reader = sdk.PeriodicExportingMetricReader(exporter, interval_s * 1000)
        self._provider = MeterProvider(
            [reader], resource, exemplar_filter=AlwaysOffExemplarFilter(), shutdown_on_exit=False
        )
        self._provider.get_meter("ragmon").create_observable_gauge("ragmon.collection", [frame.begin])

    def flush(self, timeout_s: float) -> None:
        """Collect and send now; blocks for `timeout_s` at most."""
        self._provider.force_flush(timeout_s * 1000)

    def close(self, timeout_s: float) -> None:
        """Send once more and stop; blocks for about `timeout_s` at most."""
        self._provider.shutdown(timeout_s * 1000)


class CompletingExporter(sdk.MetricExporter):
    """Puts the points of the frame into each collection, hands it on, and counts failures."""

    def __init__(self, inner: sdk.MetricExporter, frame: Frame, failures: Failures) -> None:
        super().__init__()
        self._inner = inner
        self._frame = frame
        self._failures = failures

    def export(
        self, metrics_data: sdk.MetricsData, timeout_millis: float = 10_000, **_: object
    ) -> sdk.MetricExportResult:
        """Send one collection; its failure is counted and changes nothing else."""
        try:
            whole = _filled(metrics_data, self._frame)
            result = self._inner.export(whole, timeout_millis)
        except Exception as error:  # noqa: BLE001 - the boundary to the SDK: whatever it raises is a failed export
            self._failures.add(SIGNAL, type(error).__name__)
            return sdk.MetricExportResult.FAILURE
        if result is not sdk.MetricExportResult.SUCCESS:
            self._failures.add(SIGNAL, "the endpoint did not accept it")
        return result

    def force_flush(self, timeout_millis: float = 10_000) -> bool:
        """Nothing is buffered here."""
        return self._inner.force_flush(timeout_millis)

    def shutdown(self, timeout_millis: float = 30_000, **_: object) -> None:
        """Close the connection."""
        self._inner.shutdown(timeout_millis)


def _filled(data: sdk.MetricsData, frame: Frame) -> sdk.MetricsData:
    made = [_metric(frame, metric, points) for metric in CATALOG if (points := frame.points(metric))]
    resource = data.resource_metrics[0]
    scope = resource.scope_metrics[0]
    return sdk.MetricsData([replace(resource, scope_metrics=[replace(scope, metrics=made)])])


def _metric(frame: Frame, metric: Metric, points: Sequence[Point]) -> sdk.Metric:
    data: sdk.DataT
    match metric.kind:
        case Kind.COUNTER:
            sums = [_number_point(frame, point, frame.started_ns) for point in points]
            data = sdk.Sum(sums, _CUMULATIVE, is_monotonic=True)
        case Kind.GAUGE:
            data = sdk.Gauge([_number_point(frame, point, None) for point in points])
        case Kind.HISTOGRAM:
            data = sdk.Histogram([_histogram_point(frame, point) for point in points], _CUMULATIVE)
    return sdk.Metric(metric.name, metric.help, metric.unit, data)


def _attributes(point: Point) -> dict[str, str]:
    return dict(zip(point.metric.labels, point.labels, strict=True))


def _number_point(frame: Frame, point: Point, since_ns: int | None) -> sdk.NumberDataPoint:
    assert not isinstance(point.value, Histogram)  # noqa: S101 - the page keeps both kinds apart
    return sdk.NumberDataPoint(_attributes(point), since_ns, frame.taken_ns, point.value)  # type: ignore[arg-type] # as the SDK has it for gauges


def _histogram_point(frame: Frame, point: Point) -> sdk.HistogramDataPoint:
    value = point.value
    assert isinstance(value, Histogram)  # noqa: S101 - the page keeps both kinds apart
    counts = [after - before for before, after in itertools.pairwise((0, *value.buckets))]
    return sdk.HistogramDataPoint(
        attributes=_attributes(point),
        start_time_unix_nano=frame.started_ns,
        time_unix_nano=frame.taken_ns,
        count=value.count,
        sum=value.sum,
        bucket_counts=[*counts, value.over],
        explicit_bounds=value.bounds,
        min=None,  # type: ignore[arg-type] # optional in OTLP; the SDK's type does not say so
        max=None,  # type: ignore[arg-type] # same
        exemplars=[made for case in value.exemplars if (made := _exemplar(case)) is not None],
    )


def _exemplar(case: WorstCase) -> Exemplar | None:
    trace_id = hex_id(case.trace_id, 32)
    if trace_id == 0 or not 0 <= case.score < BAD_BELOW:
        return None
    return Exemplar({}, case.score, case.end_ns, hex_id(case.request_id, 16) or None, trace_id)
