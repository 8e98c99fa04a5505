"""What decoded spans take in memory, in bytes: what the bound on open traces is kept against.

The size of a record says little: an attribute of one byte on the wire is an object with a key in a dict here. So each
object is counted as the interpreter counts it, and what it costs to keep a span in its trace is added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from sys import getsizeof

from monitor.wire import AttributeValue, Span, SpanEvent, SpanLink

TRACE_BYTES = 1500
"""An open trace without any span: its containers, its id and its places in the queues, and the place of one record."""
RECORD_BYTES = 300
"""One more record that an open trace holds."""
_SPAN_BYTES = 750
"""A span without texts and attributes: its fields, its ids, its and its parent's places in the trace's indexes."""
_EVENT_BYTES = 120
_LINK_BYTES = 250


def size_of_spans(spans: Iterable[Span]) -> list[int]:
    """The bytes that each span adds; a resource that several of them share counts once, with the first of them."""
    counted: set[int] = set()
    sizes = []
    for span in spans:
        size = size_of_span(span)
        if id(span.resource) not in counted:
            counted.add(id(span.resource))
            size += _mapping(span.resource)
        sizes.append(size)
    return sizes


def size_of_span(span: Span) -> int:
    """The bytes of a span without its resource."""
    size = _SPAN_BYTES + _mapping(span.attributes)
    size += getsizeof(span.name) + getsizeof(span.status_message) + getsizeof(span.trace_state)
    if span.events:
        size += sum(map(size_of_event, span.events))
    return size + sum(map(_link, span.links)) if span.links else size


def size_of_event(event: SpanEvent) -> int:
    """The bytes of an event, or of the event of a log record."""
    body = 0 if event.body is None else _value(event.body)
    return _EVENT_BYTES + getsizeof(event.name) + _mapping(event.attributes) + body


def _link(link: SpanLink) -> int:
    return _LINK_BYTES + _mapping(link.attributes)


def _mapping(attributes: Mapping[str, AttributeValue]) -> int:
    size = getsizeof(attributes)
    for key, value in attributes.items():
        size += getsizeof(key) + (getsizeof(value) if isinstance(value, str) else _value(value))
    return size


def _value(value: AttributeValue) -> int:
    size = 0
    waiting = [value]
    while waiting:
        item = waiting.pop()
        size += getsizeof(item)
        if isinstance(item, dict):
            size += sum(map(getsizeof, item))
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item
    return size
