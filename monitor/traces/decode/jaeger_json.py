"""The encoding `jaeger_json`: one span in a record; also a list, a trace, or what the query service answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from monitor.errors import DecodeError
from monitor.protocols import Wanted
from monitor.traces.decode import jaeger_json_types as wire
from monitor.traces.decode.ids import hex_of, wide_span_text, wide_trace_text
from monitor.traces.decode.jaeger import JaegerSpan, Log, Pair, Reference, to_resource, to_span
from monitor.traces.decode.json_parts import typed
from monitor.traces.decode.json_text import fit_json, read_json
from monitor.traces.decode.json_values import read_bytes, read_float, read_int
from monitor.traces.decode.limits import check_size
from monitor.traces.decode.tally import Tally, UnusableError
from monitor.traces.decode.times import read_micros, read_seconds, read_time
from monitor.wire import AttributeValue, Decoded, Span

_SPANS = msgspec.json.Decoder(list[msgspec.Raw])
_OUTLINE = msgspec.json.Decoder(wire.Outline)
_DOCUMENT = msgspec.json.Decoder(wire.Document)
_SPAN = msgspec.json.Decoder(wire.Span)
_HEAD = msgspec.json.Decoder(wire.Head)
_CHILD_OF = (None, 0, "0", "CHILD_OF")
_TYPES = ("STRING", "BOOL", "INT64", "FLOAT64", "BINARY")
_TRUE = {"true": True, "false": False}


class JaegerJson:
    """Decoder of Jaeger JSON."""

    name = "jaeger_json"

    def decode(self, value: bytes, wanted: Wanted | None = None) -> Decoded:
        """The spans of one record. Raises DecodeError when not one of them can be understood.

        Spans of traces that `wanted` refuses are scanned for their id only.
        """
        check_size(value)
        if not value:
            return Decoded()
        if wanted is not None and _is_refused(value, wanted):
            return Decoded(unwanted_spans=1)
        tally = Tally()
        for trace in _traces(fit_json(value, tally.repairer), tally):
            spans = trace.spans or ()
            for number in tally.chosen(spans, wanted, _peek):
                try:
                    tally.add_span(_read(typed(_SPAN, spans[number], tally, "unreadable_span"), trace, tally), wanted)
                except UnusableError as error:
                    tally.skip(error.reason)
        return tally.result()


def _is_refused(value: bytes, wanted: Wanted) -> bool:
    """Whether the record is one span of a trace that nobody wants: most records of a sampled topic."""
    try:
        outline = _OUTLINE.decode(value)
    except (msgspec.DecodeError, RecursionError):
        return False  # the full reading says what is wrong
    trace_id = _trace_id(outline) if _is_span(outline) else None
    return trace_id is not None and not wanted(trace_id)


def _traces(value: bytes, tally: Tally) -> Iterable[wire.Trace]:
    """The spans of a record, each still raw text, with the processes that they may name."""
    if value.lstrip()[:1] == b"[":
        return _of_array(read_json(_SPANS, value, tally.repairer), tally)
    if _is_span(read_json(_OUTLINE, value, tally.repairer)):
        return (wire.Trace(spans=[msgspec.Raw(value)]),)
    document = read_json(_DOCUMENT, value, tally.repairer)
    return (document, *(document.data or ()))


def _of_array(items: list[msgspec.Raw], tally: Tally) -> Iterator[wire.Trace]:
    """The spans of an array, and the traces in it; an item that cannot be read is a span, which will be seen then."""
    spans = []
    for item in items:
        try:
            is_span = _is_span(_OUTLINE.decode(item))
            whole = None if is_span else read_json(_DOCUMENT, bytes(item), tally.repairer)
        except (msgspec.DecodeError, RecursionError, DecodeError):
            whole = None
        if whole is None:
            spans.append(item)
        else:
            yield whole
    yield wire.Trace(spans=spans)


def _is_span(outline: wire.Outline) -> bool:
    return outline.spans is msgspec.UNSET and outline.data is msgspec.UNSET


def _trace_id(head: wire.Head | wire.Span) -> str | None:
    return wide_trace_text(hex_of(head.trace_id or head.trace_id_hex or ""))


def _peek(raw: msgspec.Raw) -> str | None:
    try:
        return _trace_id(_HEAD.decode(raw))
    except (msgspec.DecodeError, RecursionError):
        return None


def _read(span: wire.Span, trace: wire.Trace, tally: Tally) -> Span:
    raw = JaegerSpan(
        trace_id=_trace_id(span),
        span_id=wide_span_text(hex_of(span.span_id or span.span_id_hex or "")),
        name=span.operation_name or "",
        references=list(_references(span)),
        start_ns=_time(span.start_time),
        duration_ns=_duration(span.duration),
        tags=_pairs(span.tags),
        logs=[Log(_time(log.timestamp), list(_pairs(log.fields))) for log in span.logs or ()],
        resource=_resource(_process(span, trace)),
        flags=span.flags or 0,
    )
    return to_span(raw, tally)


def _references(span: wire.Span) -> Iterator[Reference]:
    """The references; a parent that is named by id alone, as old Jaeger did, comes last and so counts last."""
    trace_id = _trace_id(span)
    for item in span.references or ():
        told = item.trace_id or item.trace_id_hex
        yield Reference(
            trace_id=wide_trace_text(hex_of(told)) if told else trace_id,
            span_id=wide_span_text(hex_of(item.span_id or item.span_id_hex or "")),
            child_of=item.ref_type in _CHILD_OF,
        )
    parent_id = wide_span_text(span.parent_id_hex or "")
    if parent_id is not None and not span.references:
        yield Reference(trace_id, parent_id, child_of=True)


def _process(span: wire.Span, trace: wire.Trace) -> wire.Process:
    """The span's own process, else the one that it names, else that of the batch."""
    name = span.process_id_hex or span.process_id or ""
    processes: Mapping[str, wire.Process] = trace.processes or {}
    return span.process or processes.get(name) or trace.process or wire.Process()


def _resource(process: wire.Process) -> dict[str, AttributeValue]:
    return to_resource(process.service_name or "", _pairs(process.tags))


def _pairs(tags: Iterable[wire.Tag] | None) -> Iterator[Pair]:
    for tag in tags or ():
        yield tag.key, _queried(tag) if tag.type is not None or tag.value is not None else _typed_value(tag)


def _typed_value(tag: wire.Tag) -> AttributeValue:
    """A value of protobuf's JSON form, which leaves out what is zero, false or empty."""
    kind = tag.v_type if tag.v_type is not None else 0
    match _TYPES[kind] if isinstance(kind, int) and 0 <= kind < len(_TYPES) else kind:
        case "STRING":
            return tag.v_str or ""
        case "BOOL":
            return bool(tag.v_bool)
        case "INT64":
            return read_int(tag.v_int64 or 0)
        case "FLOAT64":
            return read_float(tag.v_float64 or 0.0)
        case "BINARY":
            return read_bytes(tag.v_binary or "")
        case _:
            return None


def _queried(tag: wire.Tag) -> AttributeValue:
    """A value of the query service; its stores may turn a number into its text."""
    value = tag.value
    match (tag.type or "").lower():
        case "bool" if isinstance(value, str):
            return _TRUE.get(value.lower())
        case "int64" if isinstance(value, str | int):
            return read_int(value)
        case "float64" if isinstance(value, str | int | float):
            return read_float(value)
        case "binary" if isinstance(value, str):
            return read_bytes(value)
        case _:
            return value if not isinstance(value, int) or isinstance(value, bool) else read_int(value)


def _time(value: wire.Time) -> int:
    """Nanoseconds of a moment; 0 when it is unknown."""
    if isinstance(value, str) and not value.isdecimal():
        try:
            return read_time(value)
        except ValueError:
            return 0
    return read_micros(value)


def _duration(value: wire.Time) -> int:
    return read_seconds(value) if isinstance(value, str) and value.endswith("s") else read_micros(value)
