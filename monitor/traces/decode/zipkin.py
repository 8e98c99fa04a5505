"""A Zipkin v2 span as a `Span`, from what its protobuf and its JSON have in common.

Zipkin knows texts only: every tag is one, and an event is the text of an annotation. Source of the mapping: the
Collector's `pkg/translator/zipkin` and the specification's `exporter-zipkin.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from monitor.traces.decode.gaps import missing_numbers
from monitor.traces.decode.ids import span_text, trace_text
from monitor.traces.decode.json_values import fit_numbers
from monitor.traces.decode.marks import NO_SERVICE, kind_of, take_marks
from monitor.traces.decode.tally import Tally, UnusableError
from monitor.traces.decode.times import usable_ns
from monitor.traces.semconv import SERVICE_NAME
from monitor.traces.values import as_mapping, as_text
from monitor.wire import AttributeValue, Span, SpanEvent, SpanLink

_LINK = "otlp.link."
_SERVICE_SOURCE = "otlp.service.name.source"
_PEER_SERVICE = "peer.service"
RESOURCE_PREFIXES = (
    "service.",
    "telemetry.sdk.",
    "telemetry.distro.",
    "telemetry.auto.",
    "deployment.environment",
    "deployment.id",
    "deployment.name",
    "host.",
    "os.",
    "process.runtime.",
    "process.executable.",
    "process.command",
    "process.owner",
    "process.pid",
    "process.parent_pid",
    "container.",
    "k8s.",
    "cloud.",
    "faas.",
    "device.",
    "webengine.",
)
"""Prefixes of keys that name a resource: the Collector writes resource and span attributes into the same tags."""
_SHARED_BIT = 1 << 63


class Annotation(NamedTuple):
    """An event's time and text."""

    time_ns: int
    text: str


@dataclass(frozen=True, slots=True)
class ZipkinSpan:
    """A span as both forms have it; an id is None when it is unusable. `tags` is taken over and changed."""

    trace_id: str | None
    span_id: str | None
    parent_id: str | None
    name: str
    kind: str
    start_ns: int
    duration_ns: int
    service: str
    peer: str
    tags: dict[str, AttributeValue]
    annotations: Iterable[Annotation]
    shared: bool = False
    """Whether this is the server's half of a span whose client wrote the other half under the same id."""


def to_span(raw: ZipkinSpan, tally: Tally) -> Span:
    """The span. Links that are unusable are counted as `bad_link`.

    Raises UnusableError: `bad_trace_id`, `bad_span_id`.
    """
    if raw.trace_id is None:
        reason = "bad_trace_id"
        raise UnusableError(reason)
    if raw.span_id is None or raw.parent_id is None:
        reason = "bad_span_id"
        raise UnusableError(reason)
    attributes = raw.tags
    marks = take_marks(attributes, any_error=True)
    links = tuple(_links(attributes, tally))
    resource = _resource(raw.service, attributes)
    if raw.peer:
        attributes.setdefault(_PEER_SERVICE, raw.peer)
    span_id, parent_id = _own_id(raw.span_id, raw.parent_id, shared=raw.shared)
    start_ns = usable_ns(raw.start_ns)
    return Span(
        trace_id=raw.trace_id,
        span_id=span_id,
        parent_id=parent_id,
        name=raw.name,
        start_ns=start_ns,
        end_ns=usable_ns(start_ns + raw.duration_ns) or start_ns,
        status=marks.status,
        status_message=marks.status_message,
        attributes=attributes,
        events=tuple(map(_event, raw.annotations)),
        links=links,
        resource=resource,
        scope=marks.scope,
        kind=kind_of(raw.kind) or marks.kind,
        trace_state=marks.trace_state,
        dropped_attributes=marks.dropped_attributes or missing_numbers(attributes),
    )


def _own_id(span_id: str, parent_id: str, *, shared: bool) -> tuple[str, str]:
    """The span's id and its parent's.

    The server's half of a shared span gets an id of its own (the highest bit turned) below the client's half, or the
    second half to come would be dropped as a duplicate. What is below the span stays below the client's half.
    """
    if shared:
        return f"{int(span_id, 16) ^ _SHARED_BIT:016x}", span_id
    return span_id, "" if parent_id == span_id else parent_id


def _resource(service: str, tags: dict[str, AttributeValue]) -> dict[str, AttributeValue]:
    """The service's name, and the tags that are well known to describe a resource: those may be either's, so they stay.

    A tag `service.name` is the span's own, as the resource's became the endpoint's name.
    """
    source = as_text(tags.pop(_SERVICE_SOURCE, None)) or SERVICE_NAME
    resource = {key: value for key, value in tags.items() if key.startswith(RESOURCE_PREFIXES) and key != SERVICE_NAME}
    if service and service != NO_SERVICE:
        resource[source] = service
    return resource


def _links(tags: dict[str, AttributeValue], tally: Tally) -> Iterator[SpanLink]:
    """The links, which stand in tags numbered from 0: trace id, span id, tracestate, attributes, dropped count."""
    number = 0
    while (text := as_text(tags.pop(f"{_LINK}{number}", None))) is not None:
        number += 1
        trace, _, rest = text.partition("|")
        span, _, rest = rest.partition("|")
        trace_id, span_id = trace_text(trace), span_text(span)
        if trace_id is None or span_id is None:
            tally.skip("bad_link")
        else:
            yield SpanLink(trace_id, span_id, _split(rest)[1] or {})


def _event(annotation: Annotation) -> SpanEvent:
    """The event of an annotation: `name|{"key":value}|0`, as the Collector writes it, or `"name": {"key": value}`."""
    text = annotation.text
    name, attributes = _split(text)
    if attributes is None and text[:1] == '"':
        read = as_mapping(f"{{{text}}}")
        if len(read) == 1:
            (name, value), *_ = read.items()
            attributes = _fit(value) if isinstance(value, dict) else None
    if attributes is None:
        return SpanEvent(text, usable_ns(annotation.time_ns), {})
    return SpanEvent(name, usable_ns(annotation.time_ns), attributes)


def _split(text: str) -> tuple[str, dict[str, AttributeValue] | None]:
    """What stands before `|{...}|0`, and the mapping; None when it is no such text."""
    head, begun, tail = text.partition("|{")
    body, _, dropped = tail.rpartition("|")
    if not begun or not dropped.isdecimal() or not body.endswith("}"):
        return head, None
    attributes = as_mapping("{" + body)
    if not attributes and body != "}":
        return head, None
    return head, _fit(attributes)


def _fit(attributes: dict[str, AttributeValue]) -> dict[str, AttributeValue]:
    """Attributes without those that have no value, or a number beyond 64 bits."""
    return {key: fit for key, value in attributes.items() if (fit := fit_numbers(value)) is not None}
