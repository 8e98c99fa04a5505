"""One OTLP/JSON span or log record to `Span` or `LogEvent`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from monitor.traces.decode import otlp_json_types as wire
from monitor.traces.decode.ids import otlp_parent_text, otlp_span_text, otlp_trace_text
from monitor.traces.decode.json_values import read_attributes, read_int, read_value
from monitor.traces.decode.proto_items import EVENT_NAME
from monitor.traces.decode.tally import Tally, UnusableError
from monitor.traces.decode.times import usable_ns
from monitor.traces.log_lines import event_in
from monitor.wire import AttributeValue, LogEvent, Span, SpanEvent, SpanLink, SpanStatus

_KINDS: Mapping[int | str | None, int] = {
    name: number
    for number, word in enumerate(("UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"))
    for name in (f"SPAN_KIND_{word}", number, str(number))
}
_STATUS: Mapping[int | str | None, SpanStatus] = {
    name: status for status in SpanStatus for name in (f"STATUS_CODE_{status.name}", int(status), str(int(status)))
}


def read_span(span: wire.Span, resource: Mapping[str, AttributeValue], scope: str, tally: Tally) -> Span:
    """One span; without a usable end it ends when it starts.

    Raises UnusableError: `bad_trace_id`, `bad_span_id`, `too_deep`.
    """
    trace_id, span_id = otlp_trace_text(span.trace_id or ""), otlp_span_text(span.span_id or "")
    parent_id = otlp_parent_text(span.parent_span_id or "")
    if trace_id is None:
        reason = "bad_trace_id"
        raise UnusableError(reason)
    if span_id is None or parent_id is None:
        reason = "bad_span_id"
        raise UnusableError(reason)
    status = span.status or wire.Status()
    start_ns = usable_ns(read_int(span.start_time_unix_nano))
    return Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=parent_id,
        name=span.name or "",
        start_ns=start_ns,
        end_ns=usable_ns(read_int(span.end_time_unix_nano)) or start_ns,
        status=_STATUS.get(status.code, SpanStatus.UNSET),
        status_message=status.message or "",
        attributes=read_attributes(span.attributes),
        events=tuple(_event(event) for event in span.events or ()),
        links=_links(span.links or (), tally),
        resource=resource,
        scope=scope,
        kind=_KINDS.get(span.kind, 0),
        flags=read_int(span.flags) or 0,
        trace_state=span.trace_state or "",
        dropped_attributes=read_int(span.dropped_attributes_count) or 0,
    )


def read_log(record: wire.LogRecord) -> LogEvent:
    """A log record that is an event (it has a name, or is a line of contents) and names its span.

    Raises UnusableError: `log_without_span`, `log_without_event`, `too_deep`.
    """
    trace_id, span_id = otlp_trace_text(record.trace_id or ""), otlp_span_text(record.span_id or "")
    if trace_id is None or span_id is None:
        reason = "log_without_span"
        raise UnusableError(reason)
    attributes = read_attributes(record.attributes)
    name = record.event_name or attributes.get(EVENT_NAME)
    time_ns = usable_ns(read_int(record.time_unix_nano)) or usable_ns(read_int(record.observed_time_unix_nano))
    body = read_value(record.body)
    event = SpanEvent(name, time_ns, attributes, body) if isinstance(name, str) and name else event_in(body, time_ns)
    if event is None:
        reason = "log_without_event"
        raise UnusableError(reason)
    return LogEvent(trace_id, span_id, event)


def _event(event: wire.Event) -> SpanEvent:
    return SpanEvent(event.name or "", usable_ns(read_int(event.time_unix_nano)), read_attributes(event.attributes))


def _links(links: Iterable[wire.Link], tally: Tally) -> tuple[SpanLink, ...]:
    """The links with usable ids; others are counted as `bad_link`, their span stays."""
    kept = []
    for link in links:
        trace_id, span_id = otlp_trace_text(link.trace_id or ""), otlp_span_text(link.span_id or "")
        if trace_id is None or span_id is None:
            tally.skip("bad_link")
        else:
            kept.append(SpanLink(trace_id, span_id, read_attributes(link.attributes)))
    return tuple(kept)
