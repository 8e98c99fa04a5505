"""A Zipkin v1 span in JSON as a v2 span: what v2 has fields for stood in annotations.

Source of the mapping: zipkin2's `V1SpanConverter`. A span that has the halves of client and
server stays one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from monitor.traces.decode import zipkin_json_types as wire
from monitor.traces.decode.times import read_micros

_SENT_AND_RECEIVED = {"CLIENT": ("cs", "cr"), "SERVER": ("ss", "sr"), "PRODUCER": ("ms",), "CONSUMER": ("mr",)}
_KINDS: Mapping[str | None, str] = {moment: kind for kind, moments in _SENT_AND_RECEIVED.items() for moment in moments}
"""The kind of a span by the annotations that are moments of its call."""
_ADDRESSES = ("sa", "ca", "ma")
"""Keys whose value is true, and whose endpoint is the other end of the call."""
_LOCAL = "lc"
_SERVER = "SERVER"
"""Without a time of its own, such a span is the half of one whose client began it."""


def is_v1(span: wire.Span) -> bool:
    """Whether a span has what only v1 has."""
    return span.binary_annotations is not None or any(item.endpoint is not None for item in span.annotations or ())


def to_v2(span: wire.Span) -> wire.Span:
    """The span with v2's fields; what it has of them already stays."""
    moments = [item for item in span.annotations or () if item.value in _KINDS]
    tagged = span.binary_annotations or ()
    start, end = _bounds(moments)
    kind = span.kind or next((_KINDS[item.value] for item in moments), None)
    own = [item.endpoint for item in (*moments, *(span.annotations or ()), *_owned(tagged))]
    remote = [item.endpoint for item in tagged if _is_address(item)]
    return wire.Span(
        trace_id=span.trace_id,
        id=span.id,
        parent_id=span.parent_id,
        name=span.name,
        kind=kind,
        timestamp=span.timestamp or start,
        duration=span.duration or end - start,
        local_endpoint=span.local_endpoint or _first(own),
        remote_endpoint=span.remote_endpoint or _first(remote),
        annotations=[item for item in span.annotations or () if item.value not in _KINDS],
        tags={**{item.key: item.value for item in _owned(tagged) if _is_tag(item)}, **(span.tags or {})},
        shared=span.shared or (kind == _SERVER and not span.timestamp),
    )


def _bounds(moments: Iterable[wire.Annotation]) -> tuple[int, int]:
    """The first and the last moment, in microseconds; 0 and 0 without any."""
    times = [time for item in moments if (time := read_micros(item.timestamp) // 1000)]
    return min(times, default=0), max(times, default=0)


def _owned(tagged: Iterable[wire.BinaryAnnotation]) -> list[wire.BinaryAnnotation]:
    return [item for item in tagged if not _is_address(item)]


def _is_address(item: wire.BinaryAnnotation) -> bool:
    return item.key in _ADDRESSES and item.value in {True, "true"}


def _is_tag(item: wire.BinaryAnnotation) -> bool:
    """A tracer without a value for `lc` has nothing but its endpoint to say."""
    return item.value is not None and (item.key != _LOCAL or item.value != "")


def _first(ends: Iterable[wire.Endpoint | None]) -> wire.Endpoint | None:
    return next((end for end in ends if end is not None and end.service_name), None)
