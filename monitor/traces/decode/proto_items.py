"""One OTLP protobuf span or log record: bytes to `Span` or `LogEvent`, or None and a reason in the tally."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from opentelemetry.proto.common.v1.common_pb2 import InstrumentationScope
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import Span as ProtoSpan

from monitor.traces.decode.ids import parent_hex, span_hex, trace_hex
from monitor.traces.decode.proto_values import read_attributes, read_value
from monitor.traces.decode.tally import Tally, UnusableError
from monitor.traces.decode.times import usable_ns
from monitor.traces.decode.wire_format import M, WireError, parse
from monitor.traces.log_lines import event_in
from monitor.traces.text import Repairer
from monitor.wire import AttributeValue, LogEvent, Span, SpanEvent, SpanLink, SpanStatus

if TYPE_CHECKING:
    from opentelemetry.proto.trace.v1.trace_pb2 import Span as SpanMessage

EVENT_NAME = "event.name"
"""Attribute that named an event before log records had a field for it."""

_STATUS = (SpanStatus.UNSET, SpanStatus.OK, SpanStatus.ERROR)


def read_resource(data: bytes, repairer: Repairer) -> Mapping[str, AttributeValue]:
    """A resource's attributes; empty when it cannot be read: its spans still count."""
    try:
        return read_attributes(parse(Resource, data, repairer).attributes, repairer)
    except WireError:
        return {}


def read_scope(data: bytes, repairer: Repairer) -> str:
    """The name of an instrumentation scope; empty when it cannot be read."""
    try:
        return repairer.parsed(parse(InstrumentationScope, data, repairer).name)
    except WireError:
        return ""


def read_span(data: bytes, resource: Mapping[str, AttributeValue], scope: str, tally: Tally) -> Span:
    """One span; without a usable end it ends when it starts.

    Raises UnusableError: `unreadable_span`, `bad_trace_id`, `bad_span_id`.
    """
    message = _parse(ProtoSpan, data, tally.repairer, "unreadable_span")
    trace_id, span_id = trace_hex(message.trace_id), span_hex(message.span_id)
    parent_id = parent_hex(message.parent_span_id)
    if trace_id is None:
        reason = "bad_trace_id"
        raise UnusableError(reason)
    if span_id is None or parent_id is None:
        reason = "bad_span_id"
        raise UnusableError(reason)
    text = tally.repairer.parsed
    status = message.status
    start_ns = usable_ns(message.start_time_unix_nano)
    return Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=parent_id,
        name=text(message.name),
        start_ns=start_ns,
        end_ns=usable_ns(message.end_time_unix_nano) or start_ns,
        status=_STATUS[status.code] if 0 <= status.code < len(_STATUS) else SpanStatus.UNSET,
        status_message=text(status.message),
        attributes=read_attributes(message.attributes, tally.repairer),
        events=_events(message.events, tally.repairer) if message.events else (),
        links=_links(message.links, tally) if message.links else (),
        resource=resource,
        scope=scope,
        kind=message.kind,
        flags=message.flags,
        trace_state=text(message.trace_state),
        dropped_attributes=message.dropped_attributes_count,
    )


def read_log(data: bytes, tally: Tally) -> LogEvent:
    """A log record that is an event (it has a name, or is a line of contents) and names its span.

    Raises UnusableError: `unreadable_log`, `log_without_span`, `log_without_event`.
    """
    record = _parse(LogRecord, data, tally.repairer, "unreadable_log")
    trace_id, span_id = trace_hex(record.trace_id), span_hex(record.span_id)
    if trace_id is None or span_id is None:
        reason = "log_without_span"
        raise UnusableError(reason)
    attributes = read_attributes(record.attributes, tally.repairer)
    name = tally.repairer.parsed(record.event_name) or attributes.get(EVENT_NAME)
    time_ns = usable_ns(record.time_unix_nano) or usable_ns(record.observed_time_unix_nano)
    body = read_value(record.body, tally.repairer)
    event = SpanEvent(name, time_ns, attributes, body) if isinstance(name, str) and name else event_in(body, time_ns)
    if event is None:
        reason = "log_without_event"
        raise UnusableError(reason)
    return LogEvent(trace_id, span_id, event)


def _parse(cls: type[M], data: bytes, repairer: Repairer, reason: str) -> M:
    try:
        return parse(cls, data, repairer)
    except WireError:
        raise UnusableError(reason) from None


def _events(messages: Iterable[SpanMessage.Event], repairer: Repairer) -> tuple[SpanEvent, ...]:
    return tuple(
        SpanEvent(
            repairer.parsed(event.name),
            usable_ns(event.time_unix_nano),
            read_attributes(event.attributes, repairer),
        )
        for event in messages
    )


def _links(messages: Iterable[SpanMessage.Link], tally: Tally) -> tuple[SpanLink, ...]:
    """The links with usable ids; others are counted as `bad_link`, their span stays."""
    links = []
    for link in messages:
        trace_id, span_id = trace_hex(link.trace_id), span_hex(link.span_id)
        if trace_id is None or span_id is None:
            tally.skip("bad_link")
        else:
            links.append(SpanLink(trace_id, span_id, read_attributes(link.attributes, tally.repairer)))
    return tuple(links)
