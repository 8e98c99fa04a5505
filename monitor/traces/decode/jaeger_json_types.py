"""The shape of Jaeger's JSON, as far as it is read: protobuf's JSON form, and the form of Jaeger's query service.

The first has `traceId` in base64, times as text and typed values (`vStr`); the second has `traceID` in hex, times in
microseconds and values with their `type`. Unknown fields are ignored, null is absent.
"""

from __future__ import annotations

import msgspec

from monitor.traces.decode.otlp_json_types import Camel

Scalar = str | int | float | bool | None
Time = str | int | float | None
"""RFC 3339 or a duration in seconds as text; or microseconds."""


class Tag(Camel):
    """A tag of a span or process, or a field of a log."""

    key: str = ""
    v_type: int | str | None = None
    v_str: str | None = None
    v_bool: bool | None = None
    v_int64: int | str | None = None
    v_float64: float | str | None = None
    v_binary: str | None = None
    type: str | None = None
    value: Scalar = None


class Reference(Camel):
    """A reference to another span."""

    ref_type: int | str | None = None
    trace_id: str | None = None
    trace_id_hex: str | None = msgspec.field(default=None, name="traceID")
    span_id: str | None = None
    span_id_hex: str | None = msgspec.field(default=None, name="spanID")


class Process(Camel):
    """What sent the span."""

    service_name: str | None = None
    tags: list[Tag] | None = None


class Log(Camel):
    """A log of a span."""

    timestamp: Time = None
    fields: list[Tag] | None = None


class Head(Camel):
    """As much of a span as is needed to decide whether it is read."""

    trace_id: str | None = None
    trace_id_hex: str | None = msgspec.field(default=None, name="traceID")


class Span(Camel):
    """One span."""

    trace_id: str | None = None
    trace_id_hex: str | None = msgspec.field(default=None, name="traceID")
    span_id: str | None = None
    span_id_hex: str | None = msgspec.field(default=None, name="spanID")
    parent_id_hex: str | None = msgspec.field(default=None, name="parentSpanID")
    operation_name: str | None = None
    references: list[Reference] | None = None
    flags: int | None = None
    start_time: Time = None
    duration: Time = None
    tags: list[Tag] | None = None
    logs: list[Log] | None = None
    process: Process | None = None
    process_id: str | None = None
    process_id_hex: str | None = msgspec.field(default=None, name="processID")


class Outline(Head):
    """A whole record, as far as tells whether it is one span: one has neither of these lists."""

    spans: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    data: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class Trace(Camel):
    """Spans that share their processes: an answer's trace, or a batch."""

    spans: list[msgspec.Raw] | None = None
    processes: dict[str, Process] | None = None
    process: Process | None = None


class Document(Trace):
    """A record of more than one span: a trace, or traces in an answer of the query service."""

    data: list[Trace] | None = None
