"""A Jaeger span as a `Span`, from what its protobuf and its JSON have in common.

What an OpenTelemetry span has and Jaeger has not stands among the tags (`marks.py`); the parent is a reference, and so
are links. Source of the mapping: the Collector's `pkg/translator/jaeger`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from monitor.traces.decode.gaps import missing_numbers
from monitor.traces.decode.marks import NO_SERVICE, take_marks
from monitor.traces.decode.tally import Tally, UnusableError
from monitor.traces.decode.times import usable_ns
from monitor.traces.semconv import SERVICE_NAME
from monitor.traces.values import as_text
from monitor.wire import AttributeValue, Span, SpanEvent, SpanLink

_EVENT_KEYS = ("event", "message")
"""Log fields that hold an event's name: today's, and the one of older Collectors."""
_SAMPLED = 1

Pair = tuple[str, AttributeValue]


class Reference(NamedTuple):
    """A reference to another span; an id is None when it is unusable."""

    trace_id: str | None
    span_id: str | None
    child_of: bool


class Log(NamedTuple):
    """A log of a span: its time, and its fields in their order."""

    time_ns: int
    fields: Sequence[Pair]


@dataclass(frozen=True, slots=True)
class JaegerSpan:
    """A span as both forms have it; an id is None when it is unusable."""

    trace_id: str | None
    span_id: str | None
    name: str
    references: Sequence[Reference]
    start_ns: int
    duration_ns: int
    tags: Iterable[Pair]
    logs: Sequence[Log]
    resource: Mapping[str, AttributeValue]
    flags: int = 0


def to_span(raw: JaegerSpan, tally: Tally) -> Span:
    """The span. References that are unusable are counted as `bad_link`.

    Raises UnusableError: `bad_trace_id`, `bad_span_id`.
    """
    if raw.trace_id is None or raw.span_id is None:
        reason = "bad_trace_id" if raw.trace_id is None else "bad_span_id"
        raise UnusableError(reason)
    attributes = to_attributes(raw.tags)
    marks = take_marks(attributes, any_error=False)
    parent_id, links = _relatives(raw.trace_id, raw.references, tally)
    start_ns = usable_ns(raw.start_ns)
    return Span(
        trace_id=raw.trace_id,
        span_id=raw.span_id,
        parent_id=parent_id,
        name=raw.name,
        start_ns=start_ns,
        end_ns=usable_ns(start_ns + max(raw.duration_ns, 0)) or start_ns,
        status=marks.status,
        status_message=marks.status_message,
        attributes=attributes,
        events=tuple(map(_event, raw.logs)),
        links=links,
        resource=raw.resource,
        scope=marks.scope,
        kind=marks.kind,
        flags=raw.flags & _SAMPLED,  # the other bits mean other things than in W3C
        trace_state=marks.trace_state,
        dropped_attributes=marks.dropped_attributes or missing_numbers(attributes),
    )


def to_attributes(pairs: Iterable[Pair]) -> dict[str, AttributeValue]:
    """Tags as attributes: of equal keys the last wins, and one without a value is left out."""
    return {key: value for key, value in pairs if value is not None}


def to_resource(service: str, tags: Iterable[Pair]) -> dict[str, AttributeValue]:
    """The resource of a process."""
    resource = to_attributes(tags)
    if service and service != NO_SERVICE:
        resource[SERVICE_NAME] = service
    return resource


def _relatives(trace_id: str, references: Iterable[Reference], tally: Tally) -> tuple[str, tuple[SpanLink, ...]]:
    """The parent's id (empty: none) and the links: every reference that is not the parent."""
    parent_id = ""
    links = []
    for reference in references:
        if reference.trace_id is None or reference.span_id is None:
            tally.skip("bad_link")
        elif reference.child_of and not parent_id and reference.trace_id == trace_id:
            parent_id = reference.span_id
        else:
            links.append(SpanLink(reference.trace_id, reference.span_id, {}))
    return parent_id, tuple(links)


def _event(log: Log) -> SpanEvent:
    """The event of a log. The name is taken out once: the event may have an attribute of the same key."""
    keys = [key for key, _ in log.fields]
    at = next((keys.index(key) for key in _EVENT_KEYS if key in keys), None)
    if at is None:
        return SpanEvent("", usable_ns(log.time_ns), to_attributes(log.fields))
    rest = [*log.fields[:at], *log.fields[at + 1 :]]
    return SpanEvent(as_text(log.fields[at][1]) or "", usable_ns(log.time_ns), to_attributes(rest))
