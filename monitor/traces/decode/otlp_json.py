"""The encoding `otlp_json`: OTLP/JSON requests of spans, and of log records for content events."""

from __future__ import annotations

import re
from binascii import unhexlify
from bisect import bisect_right
from collections.abc import Sequence
from functools import partial
from itertools import accumulate, groupby

import msgspec

from monitor.protocols import Wanted
from monitor.traces.decode import otlp_json_types as wire
from monitor.traces.decode.ids import TRACE_ID_BYTES, trace_text
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

_FIRST = re.compile(rb'\{\s*"traceId"\s*:\s*"(?!0{32})([0-9a-fA-F]{32})"')


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
        _read_spans(request.resource_spans or (), tally, wanted)
        for logs in request.resource_logs or ():
            _read_logs(logs, tally, wanted)
        return tally.result()


def _read_spans(groups: Sequence[wire.ResourceSpans], tally: Tally, wanted: Wanted | None) -> None:
    scopes = [(group, scope) for group in groups for scope in group.scope_spans or ()]
    items = [raw for _, scope in scopes for raw in scope.spans or ()]
    ends = list(accumulate(len(scope.spans or ()) for _, scope in scopes))
    read, resource = None, {}
    for at, numbers in groupby(_chosen(items, tally, wanted), partial(bisect_right, ends)):
        group, scope = scopes[at]
        if group is not read:
            read, resource = group, _resource(group.resource, tally)
        name = _name(scope.scope, tally)
        for number in numbers:
            try:
                span = typed(_SPAN, items[number], tally, "unreadable_span")
                tally.spans.append(read_span(span, resource, name, tally))
            except UnusableError as error:
                tally.skip(error.reason)


def _chosen(items: Sequence[msgspec.Raw], tally: Tally, wanted: Wanted | None) -> Sequence[int]:
    """The numbers of the spans to read. The choice is made in a few calls where all begin with their id."""
    firsts = [_FIRST.match(item) for item in items] if wanted is not None else []
    if wanted is None or None in firsts:
        return tally.chosen(items, wanted, _peek)
    ids = unhexlify(b"".join([first[1] for first in firsts if first is not None]))
    return tally.chose(wanted.among(ids, TRACE_ID_BYTES), len(items))


def _read_logs(group: wire.ResourceLogs, tally: Tally, wanted: Wanted | None) -> None:
    before = tally.unwanted
    for scope in group.scope_logs or ():
        records = scope.log_records or ()
        for number in tally.chosen(records, wanted, _peek):
            try:
                tally.logs.append(read_log(typed(_LOG, records[number], tally, "unreadable_log")))
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


def _peek(item: msgspec.Raw) -> str | None:
    """The trace id that a span or log record begins with, as all known writers have it; of any other, as JSON says."""
    first = _FIRST.match(item)  # takes any buffer, and so copies nothing
    if first is not None:
        return first[1].decode().lower()
    try:
        return trace_text(_HEAD.decode(item).trace_id or "")
    except (msgspec.DecodeError, RecursionError):
        return None
