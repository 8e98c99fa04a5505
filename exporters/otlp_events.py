"""OTLP events: each verdict as a `gen_ai.evaluation.result` event, linked to the judged request.

The event is the one that the OpenTelemetry semantic conventions for generative AI define. It carries the trace id and
the id of the request's entry span, so that a backend shows the verdict beside the trace it is about. As a verdict, it
carries no content: no `gen_ai.evaluation.explanation`.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence

from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.context import Context
from opentelemetry.metrics import NoOpMeterProvider
from opentelemetry.sdk._logs import LoggerProvider, ReadableLogRecord
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor, LogRecordExporter, LogRecordExportResult
from opentelemetry.sdk.resources import Resource
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

from exporters.failures import Failures
from exporters.hex_ids import hex_id
from monitor.protocols import Clock
from monitor.records import Outcome, Verdict

SIGNAL = "events"
EVENT = "gen_ai.evaluation.result"
_QUEUE = 2048
_BATCH = 256
_DELAY_MS = 1000.0

AttributeValue = str | float | int | bool


class CountingExporter(LogRecordExporter):
    """Hands batches on, counts failures, and knows how many events wait."""

    def __init__(self, inner: LogRecordExporter, failures: Failures, clock: Clock) -> None:
        self._inner = inner
        self._failures = failures
        self._clock = clock
        self._deadline = float("inf")
        self._waiting = 0
        self._lock = threading.Lock()  # the event loop adds to what waits, the exporter's thread takes away

    def reserve(self) -> bool:
        """Take a place in the queue; False when there is none, which counts as a failure."""
        with self._lock:
            free = self._waiting < _QUEUE
            self._waiting += free
        if not free:
            self._failures.add(SIGNAL, "the queue is full")
        return free

    def stop_at(self, deadline: float) -> None:
        """Refuse what is still unsent at `deadline` (monotonic seconds)."""
        self._deadline = deadline

    def export(self, batch: Sequence[ReadableLogRecord]) -> LogRecordExportResult:
        """Send one batch; its failure is counted and changes nothing else."""
        try:
            if self._clock.monotonic() > self._deadline:
                result = LogRecordExportResult.FAILURE
            else:
                result = self._inner.export(batch)
            why = "the endpoint did not accept it"
        except Exception as error:  # noqa: BLE001 - the boundary to the SDK: whatever it raises is a failed export
            result, why = LogRecordExportResult.FAILURE, type(error).__name__
        if result is not LogRecordExportResult.SUCCESS:
            self._failures.add(SIGNAL, why, len(batch))
        with self._lock:
            self._waiting -= len(batch)
        return result

    def force_flush(self, timeout_millis: int = 10_000) -> bool:
        """Nothing is buffered here."""
        return self._inner.force_flush(timeout_millis)

    def shutdown(self) -> None:
        """Close the connection."""
        self._inner.shutdown()  # type: ignore[no-untyped-call] # untyped library function


class EventsExport:
    """Queues events and sends them in batches, on a thread of its own."""

    def __init__(self, exporter: CountingExporter, resource: Resource, clock: Clock) -> None:
        self._exporter = exporter
        self._clock = clock
        self._processor = BatchLogRecordProcessor(
            exporter, _DELAY_MS, _BATCH, max_queue_size=_QUEUE, meter_provider=NoOpMeterProvider()
        )
        provider = LoggerProvider(resource, shutdown_on_exit=False, meter_provider=NoOpMeterProvider())
        provider.add_log_record_processor(self._processor)
        self._logger = provider.get_logger("ragmon")

    def emit(self, verdict: Verdict) -> None:
        """Queue one verdict; never blocks, and drops it when the queue is full."""
        if self._exporter.reserve():
            self._logger.emit(event_of(verdict, self._clock.now_ns()))

    def flush(self, timeout_s: float) -> None:
        """Send what waits; blocks."""
        self._processor.force_flush(round(timeout_s * 1000))

    def close(self, timeout_s: float) -> None:
        """Send what waits for `timeout_s` at most and the time of one request, then stop."""
        self._exporter.stop_at(self._clock.monotonic() + timeout_s)
        self._processor.shutdown()  # type: ignore[no-untyped-call] # untyped library function


def event_of(verdict: Verdict, observed_ns: int) -> LogRecord:
    """The event of one verdict."""
    return LogRecord(
        timestamp=verdict.judged_ns,
        observed_timestamp=observed_ns,
        context=_context(verdict),
        severity_number=SeverityNumber.INFO,
        attributes=_attributes(verdict),
        event_name=EVENT,
    )


def _context(verdict: Verdict) -> Context:
    """The judged request's place in its trace; without a usable id there is none."""
    trace_id, span_id = hex_id(verdict.trace_id, 32), hex_id(verdict.request_id, 16)
    judged = SpanContext(trace_id, span_id if trace_id else 0, is_remote=True, trace_flags=TraceFlags(1))
    return set_span_in_context(NonRecordingSpan(judged), Context())


def _attributes(verdict: Verdict) -> dict[str, AttributeValue]:
    attributes: dict[str, AttributeValue] = {
        "gen_ai.evaluation.name": _text(verdict.evaluation),
        "ragmon.verdict.id": _text(verdict.verdict_id),
        "ragmon.trace.id": _text(verdict.trace_id),
        "ragmon.outcome": verdict.outcome.value,
        "ragmon.judge": _text(verdict.judge),
        "ragmon.judge.fingerprint": _text(verdict.fingerprint),
        "ragmon.judge.calibrated": verdict.calibrated,
        "ragmon.weight": verdict.weight,
    }
    match verdict.outcome:
        case Outcome.SCORED:
            if verdict.score is not None and math.isfinite(verdict.score):
                attributes["gen_ai.evaluation.score.value"] = verdict.score
        case Outcome.NOT_SCORABLE:
            attributes["ragmon.reason"] = _text(verdict.reason)
        case Outcome.JUDGE_ERROR | Outcome.SKIPPED:
            attributes["ragmon.reason"] = attributes["error.type"] = _text(verdict.reason)
    if verdict.label:
        attributes["gen_ai.evaluation.score.label"] = _text(verdict.label)
    if verdict.cause:
        attributes["ragmon.cause"] = _text(verdict.cause)
        attributes["ragmon.cause.evidence"] = _text(verdict.cause_evidence)
    return attributes


def _text(value: str) -> str:
    """Text that protobuf can hold: a lone surrogate would cost the whole attribute."""
    return value.encode(errors="replace").decode()
