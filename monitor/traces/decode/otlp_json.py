"""The encoding `otlp_json`: OTLP/JSON requests of spans, and of log records for content events."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from monitor.protocols import Wanted
from monitor.traces.decode import otlp_json_types as wire
from monitor.traces.decode.ids import trace_text
from monitor.traces.decode.json_items import read_log, read_span
from monitor.traces.decode.json_parts import typed
from monitor.traces.decode.json_text import BOM, read_json
from monitor.traces.decode.json_values import read_attributes
from monitor.traces.decode.limits import check_size
from monitor.traces.decode.tally import Tally, UnusableError
from monitor.wire import AttributeValue, Decoded

_REQUEST = msgspec.json.Decoder(wire.Request)
_RESOURCE = msgspec.json.Decoder(wire.Resource | None)
_SCOPE = msgspec.json.Decoder(wire.Scope | None)
_HEAD = msgspec.json.Decoder(wire.Head)
_SPAN = msgspec.json.Decoder(wire.Span)
_LOG = msgspec.json.Decoder(wire.LogRecord)

_FIRST = re.compile(rb'\{\s*"traceId"\s*:\s*"([0-9a-fA-F]{32})"')


class OtlpJson:
    """Decoder of OTLP/JSON."""

    name = "otlp_json"

    def decode(self, value: bytes, wanted: Wanted | None = None) -> Decoded:
        """Spans and span events of one request. Raises DecodeError when not one item of it can be understood.

        Spans of traces that `wanted` refuses are scanned for their id only.
        """
        if not value:
            return Decoded()
        check_size(value)
        tally = Tally()
        request = read_json(_REQUEST, value.removeprefix(BOM), tally.repairer)
        for spans in request.resource_spans or ():
            _read_spans(spans, tally, wanted)
        for logs in request.resource_logs or ():
            _read_logs(logs, tally, wanted)
        return tally.result()


def _read_spans(group: wire.ResourceSpans, tally: Tally, wanted: Wanted | None) -> None:
    resource: dict[str, AttributeValue] | None = None
    for scope in group.scope_spans or ():
        name: str | None = None
        for raw in tally.chosen(scope.spans or (), wanted, _peek):
            if resource is None:  # nobody needs that of spans which nobody wants
                resource = _resource(group.resource, tally)
            if name is None:
                name = _name(scope.scope, tally)
            try:
                tally.spans.append(read_span(typed(_SPAN, raw, tally, "unreadable_span"), resource, name, tally))
            except UnusableError as error:
                tally.skip(error.reason)


def _read_logs(group: wire.ResourceLogs, tally: Tally, wanted: Wanted | None) -> None:
    before = tally.unwanted
    for scope in group.scope_logs or ():
        for raw in tally.chosen(scope.log_records or (), wanted, _peek):
            try:
                tally.logs.append(read_log(typed(_LOG, raw, tally, "unreadable_log")))
            except UnusableError as error:
                tally.skip(error.reason)
    tally.unwanted_logs += tally.unwanted - before


def _resource(raw: msgspec.Raw, tally: Tally) -> dict[str, AttributeValue]:
    """A resource's attributes; empty when it cannot be read: its spans still count."""
    try:
        resource = typed(_RESOURCE, raw, tally, "unreadable_resource") if bytes(raw) else None
        return read_attributes(resource.attributes if resource else None)
    except UnusableError:
        return {}


def _name(raw: msgspec.Raw, tally: Tally) -> str:
    """The name of an instrumentation scope; empty when it cannot be read."""
    try:
        scope = typed(_SCOPE, raw, tally, "unreadable_scope") if bytes(raw) else None
    except UnusableError:
        return ""
    return (scope.name if scope else None) or ""


@lru_cache(1024)
def _id_of(text: bytes) -> str | None:
    """Spans of a trace stand together, so that nearly every one of them is known."""
    return trace_text(text.decode())


def _peek(item: msgspec.Raw) -> str | None:
    """The trace id that a span or log record begins with, as all known writers have it; of any other, as JSON says."""
    first = _FIRST.match(item)  # takes any buffer, and so copies nothing
    if first is not None:
        return _id_of(first[1])
    try:
        return trace_text(_HEAD.decode(item).trace_id or "")
    except (msgspec.DecodeError, RecursionError):
        return None
