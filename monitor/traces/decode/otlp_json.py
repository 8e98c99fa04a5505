"""The encoding `otlp_json`: OTLP/JSON requests of spans, and of log records for content events."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import msgspec

from monitor.traces.decode import otlp_json_types as wire
from monitor.traces.decode.ids import trace_text
from monitor.traces.decode.json_items import read_log, read_span
from monitor.traces.decode.json_parts import chosen, typed
from monitor.traces.decode.json_text import fit_json, read_json
from monitor.traces.decode.json_values import read_attributes
from monitor.traces.decode.limits import check_size
from monitor.traces.decode.tally import Tally, UnusableError
from monitor.wire import AttributeValue, Decoded

_REQUEST = msgspec.json.Decoder(wire.Request)
_HEADS = msgspec.json.Decoder(wire.Heads)
_HEAD = msgspec.json.Decoder(wire.Head)
_SPAN = msgspec.json.Decoder(wire.Span)
_LOG = msgspec.json.Decoder(wire.LogRecord)


class OtlpJson:
    """Decoder of OTLP/JSON."""

    name = "otlp_json"

    def decode(self, value: bytes, wanted: Callable[[str], bool] | None = None) -> Decoded:
        """Spans and span events of one request. Raises DecodeError when not one item of it can be understood.

        Spans of traces that `wanted` refuses are scanned for their id only.
        """
        if not value:
            return Decoded()
        check_size(value)
        if wanted is not None:
            wanted = cache(wanted)
            if _all_refused(value, wanted):
                return Decoded()
        tally = Tally()
        request = read_json(_REQUEST, fit_json(value, tally.repairer), tally.repairer)
        for spans in request.resource_spans or ():
            _read_spans(spans, tally, wanted)
        for logs in request.resource_logs or ():
            _read_logs(logs, tally, wanted)
        return tally.result()


def _all_refused(value: bytes, wanted: Callable[[str], bool]) -> bool:
    """Whether the request holds spans and each is of a trace that nobody wants: most records of a sampled topic."""
    try:
        groups = _HEADS.decode(value).resource_spans or ()
    except (msgspec.DecodeError, RecursionError):
        return False  # the full reading says what is wrong
    heads = [head for group in groups for scope in group.scope_spans or () for head in scope.spans or ()]
    ids = {trace_text(head.trace_id or "") for head in heads}
    return bool(ids) and not any(trace_id is None or wanted(trace_id) for trace_id in ids)


def _read_spans(group: wire.ResourceSpans, tally: Tally, wanted: Callable[[str], bool] | None) -> None:
    resource = _resource(group.resource)
    for scope in group.scope_spans or ():
        name = (scope.scope and scope.scope.name) or ""
        for raw in chosen(scope.spans or (), tally, wanted, _peek):
            try:
                tally.spans.append(read_span(typed(_SPAN, raw, tally, "unreadable_span"), resource, name, tally))
            except UnusableError as error:
                tally.skip(error.reason)


def _read_logs(group: wire.ResourceLogs, tally: Tally, wanted: Callable[[str], bool] | None) -> None:
    for scope in group.scope_logs or ():
        for raw in chosen(scope.log_records or (), tally, wanted, _peek):
            try:
                tally.logs.append(read_log(typed(_LOG, raw, tally, "unreadable_log")))
            except UnusableError as error:
                tally.skip(error.reason)


def _resource(resource: wire.Resource | None) -> dict[str, AttributeValue]:
    try:
        return read_attributes(resource.attributes if resource else None)
    except UnusableError:
        return {}  # its spans still count


def _peek(item: msgspec.Raw) -> str | None:
    try:
        return trace_text(_HEAD.decode(item).trace_id or "")
    except (msgspec.DecodeError, RecursionError):
        return None
