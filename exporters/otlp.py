"""The OTLP exporter: metrics and verdict events to one endpoint, without any process-wide state of OpenTelemetry.

Everything it sends says `service.name=ragmon`: the pipeline drops such spans first, so that ragmon never judges its own
telemetry when both share a topic.
"""

from __future__ import annotations

import contextlib
import logging
import uuid
from collections.abc import Callable, Iterator, Mapping

from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter as GrpcLogs
from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter as GrpcMetrics
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter as HttpLogs
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter as HttpMetrics
from opentelemetry.sdk._logs.export import LogRecordExporter
from opentelemetry.sdk.metrics.export import MetricExporter
from opentelemetry.sdk.resources import Resource

from exporters.failures import Failures
from exporters.otlp_events import CountingExporter, EventsExport
from exporters.otlp_metrics import CompletingExporter, Frame, MetricsExport
from monitor import __version__
from monitor.config.settings import Otlp
from monitor.errors import ConfigError
from monitor.operational import Operational
from monitor.protocols import Clock
from monitor.records import Verdict
from monitor.snapshot import Snapshot

_REQUEST_S = 5.0
_SDK_LOGGERS = (
    "opentelemetry.exporter.otlp.proto.grpc.exporter",
    "opentelemetry.exporter.otlp.proto.http._log_exporter",
    "opentelemetry.exporter.otlp.proto.http.metric_exporter",
)
"""Loggers of the SDK that repeat each failed request; `Failures` says the same once a minute."""


class OtlpExport:
    """Metrics and events to the configured endpoint. `snapshot` and `operational` are called on any thread."""

    def __init__(
        self,
        settings: Otlp,
        snapshot: Callable[[], Snapshot],
        operational: Callable[[], Operational],
        clock: Clock,
        max_series: int,
    ) -> None:
        self._failures = Failures(clock)
        self._cleanup = contextlib.ExitStack()
        self._cleanup.enter_context(_silent_sdk())
        instance = str(uuid.uuid4())  # counters are each process's own: without it replicas overwrite each other's
        resource = Resource(  # reads no environment
            {"service.name": "ragmon", "service.version": __version__, "service.instance.id": instance}
        )
        frame = Frame(snapshot, operational, max_series, self._failures)
        metrics = CompletingExporter(_metric_exporter(settings), frame, self._failures)
        self._metrics = MetricsExport(metrics, frame, resource, settings.interval)
        self._events: EventsExport | None = None
        if settings.events:
            counting = CountingExporter(_log_exporter(settings), self._failures, clock)
            self._events = EventsExport(counting, resource, clock)

    def emit(self, verdict: Verdict) -> None:
        """Queue the event of one verdict; never blocks and never raises."""
        if self._events is not None:
            self._events.emit(verdict)

    def failures(self) -> Mapping[str, int]:
        """Failed metric exports and lost events since the start."""
        return self._failures.counts()

    def flush(self, timeout_s: float = _REQUEST_S) -> None:
        """Send what there is now. Blocks: call it off the event loop."""
        if self._events is not None:
            self._events.flush(timeout_s)
        self._metrics.flush(timeout_s)

    def close(self, timeout_s: float = _REQUEST_S) -> None:
        """Send what is left and stop, within `timeout_s` for each signal and one request. Blocks, as `flush` does."""
        with self._cleanup:
            if self._events is not None:
                self._events.close(timeout_s)
            self._metrics.close(timeout_s)


def _metric_exporter(settings: Otlp) -> MetricExporter:
    endpoint, headers = _endpoint(settings), settings.headers
    match settings.protocol:
        case "http":
            return HttpMetrics(f"{endpoint}/v1/metrics", headers=headers, timeout=_REQUEST_S)
        case "grpc":
            return GrpcMetrics(endpoint, _plaintext(endpoint), headers=headers, timeout=_REQUEST_S)


def _log_exporter(settings: Otlp) -> LogRecordExporter:
    endpoint, headers = _endpoint(settings), settings.headers
    match settings.protocol:
        case "http":
            return HttpLogs(f"{endpoint}/v1/logs", headers=headers, timeout=_REQUEST_S)
        case "grpc":
            return GrpcLogs(endpoint, _plaintext(endpoint), headers=headers, timeout=_REQUEST_S)


def _endpoint(settings: Otlp) -> str:
    if settings.endpoint is None:
        msg = "otlp.endpoint: is not set"
        raise ConfigError([msg])
    return settings.endpoint.rstrip("/")


def _plaintext(endpoint: str) -> bool:
    return not endpoint.startswith("https://")


@contextlib.contextmanager
def _silent_sdk() -> Iterator[None]:
    """Keep the SDK's own lines about failed requests out of the log, for as long as this exporter lives."""
    silence = _Silence()
    for name in _SDK_LOGGERS:
        logging.getLogger(name).addFilter(silence)
    try:
        yield
    finally:
        for name in _SDK_LOGGERS:
            logging.getLogger(name).removeFilter(silence)


class _Silence(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:  # noqa: ARG002 - every record of these loggers
        return False
