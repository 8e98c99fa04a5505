"""The shape of OTLP/JSON, as far as it is read: unknown fields are ignored, null is absent, spans stay raw text.

`instrumentation_library...` are the names that scopes had until June 2022, read where today's are absent.
"""

from __future__ import annotations

import msgspec

Number = int | float | str | None
"""A 64-bit integer: text from the Collector and Python, a number from JavaScript, which may have an exponent."""
Enum = int | str | None
"""An enum value: its number, or its name from writers that use protobuf's own JSON form."""


class Camel(msgspec.Struct, rename="camel", gc=False):
    """Base: fields are camelCase on the wire. JSON has no cycles, so that the collector need not look for any."""


class AnyValue(Camel):
    """One attribute value; the one field that is set says its type, none set means absent."""

    string_value: str | None = None
    int_value: Number = None
    double_value: float | str | None = None
    bool_value: bool | None = None
    bytes_value: str | None = None
    array_value: ArrayValue | None = None
    kvlist_value: KeyValues | None = None
    go_value: AnyValue | None = msgspec.field(default=None, name="Value")
    """The value itself, one level deeper: how Go's `encoding/json` writes a `oneof`."""


class KeyValue(Camel):
    """One attribute."""

    key: str = ""
    value: AnyValue | None = None


class ArrayValue(Camel):
    """An array attribute."""

    values: list[AnyValue | None] | None = None


class KeyValues(Camel):
    """A key-value list attribute."""

    values: list[KeyValue] | None = None


class Resource(Camel):
    """What sent the spans."""

    attributes: list[KeyValue] | None = None


class Scope(Camel):
    """Which library made the spans."""

    name: str | None = None


class Status(Camel):
    """Outcome of a span."""

    code: Enum = None
    message: str | None = None


class Event(Camel):
    """A span event."""

    name: str | None = None
    time_unix_nano: Number = None
    attributes: list[KeyValue] | None = None


class Link(Camel):
    """A link to another span."""

    trace_id: str | None = None
    span_id: str | None = None
    attributes: list[KeyValue] | None = None


class Head(Camel):
    """As much of a span or log record as is needed to decide whether it is read."""

    trace_id: str | None = None


class Span(Camel):
    """One span."""

    trace_id: str | None = None
    span_id: str | None = None
    parent_span_id: str | None = None
    trace_state: str | None = None
    name: str | None = None
    kind: Enum = None
    start_time_unix_nano: Number = None
    end_time_unix_nano: Number = None
    attributes: list[KeyValue] | None = None
    dropped_attributes_count: Number = None
    events: list[Event] | None = None
    links: list[Link] | None = None
    status: Status | None = None
    flags: Number = None


class LogRecord(Camel):
    """One log record."""

    trace_id: str | None = None
    span_id: str | None = None
    event_name: str | None = None
    time_unix_nano: Number = None
    observed_time_unix_nano: Number = None
    body: AnyValue | None = None
    attributes: list[KeyValue] | None = None


class ScopeSpans(Camel):
    """Spans of one library, each as raw text: a bad one costs only itself, an unwanted one is not read."""

    scope: msgspec.Raw = msgspec.Raw()
    instrumentation_library: msgspec.Raw = msgspec.Raw()
    spans: list[msgspec.Raw] | None = None


class ScopeLogs(Camel):
    """Log records of one library, each as raw text."""

    scope: Scope | None = None
    log_records: list[msgspec.Raw] | None = None


class ResourceSpans(Camel):
    """Spans of one resource, which is raw text until one of them is read."""

    resource: msgspec.Raw = msgspec.Raw()
    scope_spans: list[ScopeSpans] | None = None
    instrumentation_library_spans: list[ScopeSpans] | None = None


class ResourceLogs(Camel):
    """Log records of one resource."""

    scope_logs: list[ScopeLogs] | None = None
    instrumentation_library_logs: list[ScopeLogs] | None = None


class Request(ResourceSpans):
    """An export request of spans, of log records, or of neither.

    Java's exporter to a log writes what such a request has one of (`scopeSpans`, `scopeLogs`), and Tempo answers with
    `batches`, or with a `trace`.
    """

    resource_spans: list[ResourceSpans] | None = None
    resource_logs: list[ResourceLogs] | None = None
    scope_logs: list[ScopeLogs] | None = None
    batches: list[ResourceSpans] | None = None
    trace: Request | None = None
