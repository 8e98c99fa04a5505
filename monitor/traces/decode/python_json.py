"""The encoding `python_json`: spans as `to_json` of the Python SDK prints them, one in a record or a list.

What exporters write that are made at home, as the console's exporter does. The scope, the flags, dropped counts and
all below a microsecond are not printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from monitor.protocols import Wanted
from monitor.traces.decode import python_json_types as wire
from monitor.traces.decode.gaps import missing_numbers
from monitor.traces.decode.ids import wide_span_text, wide_trace_text
from monitor.traces.decode.json_parts import read_spans, typed
from monitor.traces.decode.json_values import fit_numbers
from monitor.traces.decode.limits import check_size
from monitor.traces.decode.marks import kind_of
from monitor.traces.decode.tally import Tally, UnusableError
from monitor.traces.decode.times import read_time
from monitor.wire import AttributeValue, Decoded, Span, SpanEvent, SpanLink, SpanStatus

_SPAN = msgspec.json.Decoder(wire.Span)
_HEAD = msgspec.json.Decoder(wire.Head)
_STATUS = {status.name: status for status in SpanStatus}
_STATE = re.compile(r"\{key=([^,{}]*), value=([^{}]*)\}")
"""A member of a tracestate, as Python prints it."""


class PythonJson:
    """Decoder of what the Python SDK prints."""

    name = "python_json"

    def decode(self, value: bytes, wanted: Wanted | None = None) -> Decoded:
        """The spans of one record. Raises DecodeError when not one of them can be understood.

        Spans of traces that `wanted` refuses are scanned for their id only.
        """
        check_size(value)
        if not value:
            return Decoded()
        tally = Tally()
        read_spans(value, wanted, tally, _peek, lambda raw: _read(typed(_SPAN, raw, tally, "unreadable_span"), tally))
        return tally.result()


def _peek(raw: msgspec.Raw) -> str | None:
    try:
        return _trace_id(_HEAD.decode(raw).context or wire.Context())
    except (msgspec.DecodeError, RecursionError):
        return None


def _trace_id(context: wire.Context) -> str | None:
    return wide_trace_text((context.trace_id or "").removeprefix("0x"))


def _span_id(text: str | None) -> str | None:
    return wide_span_text((text or "").removeprefix("0x"))


def _read(span: wire.Span, tally: Tally) -> Span:
    """The span. Raises UnusableError: `bad_trace_id`, `bad_span_id`, `too_deep`."""
    context = span.context or wire.Context()
    trace_id, span_id = _trace_id(context), _span_id(context.span_id)
    parent_id = _span_id(span.parent_id) if span.parent_id else ""
    if trace_id is None:
        reason = "bad_trace_id"
        raise UnusableError(reason)
    if span_id is None or parent_id is None:
        reason = "bad_span_id"
        raise UnusableError(reason)
    status, start_ns, attributes = span.status or wire.Status(), _time(span.start_time), _attributes(span.attributes)
    return Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=parent_id,
        name=span.name or "",
        start_ns=start_ns,
        end_ns=_time(span.end_time) or start_ns,
        status=_STATUS.get(status.status_code or "", SpanStatus.UNSET),
        status_message=status.description or "",
        attributes=attributes,
        events=tuple(
            SpanEvent(event.name or "", _time(event.timestamp), _attributes(event.attributes))
            for event in span.events or ()
        ),
        links=tuple(_links(span, tally)),
        resource=_resource(span.resource or {}),
        scope="",
        kind=kind_of((span.kind or "").removeprefix("SpanKind.")),
        trace_state=",".join(f"{key}={value}" for key, value in _STATE.findall(context.trace_state or "")),
        dropped_attributes=missing_numbers(attributes),
    )


def _links(span: wire.Span, tally: Tally) -> Iterator[SpanLink]:
    """The links with usable ids; others are counted as `bad_link`, their span stays."""
    for link in span.links or ():
        context = link.context or wire.Context()
        trace_id, span_id = _trace_id(context), _span_id(context.span_id)
        if trace_id is None or span_id is None:
            tally.skip("bad_link")
        else:
            yield SpanLink(trace_id, span_id, _attributes(link.attributes))


def _resource(printed: dict[str, AttributeValue]) -> dict[str, AttributeValue]:
    inner = printed.get("attributes")
    return _attributes(inner if isinstance(inner, dict) else printed)


def _attributes(tags: wire.Tags) -> dict[str, AttributeValue]:
    """The attributes that have a value. Raises UnusableError `too_deep`."""
    try:
        return {key: fit for key, value in (tags or {}).items() if (fit := fit_numbers(value)) is not None}
    except RecursionError:
        reason = "too_deep"
        raise UnusableError(reason) from None


def _time(text: str | None) -> int:
    """Nanoseconds of a moment; 0 when it is unknown."""
    try:
        return read_time(text) if text else 0
    except ValueError:
        return 0
