"""The encoding `zipkin_json`: a list of Zipkin spans, of v2 or v1, in a record, or one span."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from monitor.protocols import Wanted
from monitor.traces.decode import zipkin_json_types as wire
from monitor.traces.decode.ids import wide_span_text, wide_trace_text
from monitor.traces.decode.json_parts import read_spans, typed
from monitor.traces.decode.json_values import fit_numbers
from monitor.traces.decode.limits import check_size
from monitor.traces.decode.otlp_json_types import Head
from monitor.traces.decode.tally import Tally
from monitor.traces.decode.times import read_micros
from monitor.traces.decode.zipkin import Annotation, ZipkinSpan, to_span
from monitor.traces.decode.zipkin_v1 import is_v1, to_v2
from monitor.wire import AttributeValue, Decoded, Span

_SPAN = msgspec.json.Decoder(wire.Span)
_HEAD = msgspec.json.Decoder(Head)
_HEADS = msgspec.json.Decoder(list[Head])


class ZipkinJson:
    """Decoder of Zipkin JSON."""

    name = "zipkin_json"

    def decode(self, value: bytes, wanted: Wanted | None = None) -> Decoded:
        """The spans of one record. Raises DecodeError when not one of them can be understood.

        Spans of traces that `wanted` refuses are scanned for their id only.
        """
        check_size(value)
        if not value:
            return Decoded()
        if wanted is not None and (refused := _all_refused(value, wanted)):
            return Decoded(unwanted_spans=refused)
        tally = Tally()
        read_spans(value, wanted, tally, _peek, lambda raw: _read(typed(_SPAN, raw, tally, "unreadable_span"), tally))
        return tally.result()


def _all_refused(value: bytes, wanted: Wanted) -> int:
    """The spans of a list that is all of traces nobody wants, as most records of a sampled topic are; else 0."""
    try:
        heads = _HEADS.decode(value)
    except (msgspec.DecodeError, RecursionError):
        return 0  # the full reading says what is wrong
    ids = {wide_trace_text(head.trace_id or "") for head in heads}
    return 0 if any(trace_id is None or wanted(trace_id) for trace_id in ids) else len(heads)


def _peek(raw: msgspec.Raw) -> str | None:
    try:
        return wide_trace_text(_HEAD.decode(raw).trace_id or "")
    except (msgspec.DecodeError, RecursionError):
        return None


def _read(span: wire.Span, tally: Tally) -> Span:
    if is_v1(span):
        span = to_v2(span)
    raw = ZipkinSpan(
        trace_id=wide_trace_text(span.trace_id or ""),
        span_id=wide_span_text(span.id or ""),
        parent_id=_parent(span.parent_id or ""),
        name=span.name or "",
        kind=span.kind or "",
        start_ns=read_micros(span.timestamp),
        duration_ns=read_micros(span.duration),
        service=(span.local_endpoint and span.local_endpoint.service_name) or "",
        peer=(span.remote_endpoint and span.remote_endpoint.service_name) or "",
        tags=_tags(span.tags or {}),
        annotations=[Annotation(read_micros(item.timestamp), item.value or "") for item in span.annotations or ()],
        shared=bool(span.shared),
    )
    return to_span(raw, tally)


def _parent(text: str) -> str | None:
    """The parent's id; empty for none, which is also written as zeros."""
    return wide_span_text(text) if text.strip("0") else ""


def _tags(tags: Mapping[str, wire.Scalar]) -> dict[str, AttributeValue]:
    """The tags; other writers than Zipkin's own have numbers and truth values among them."""
    return {key: fit for key, value in tags.items() if (fit := fit_numbers(value)) is not None}
