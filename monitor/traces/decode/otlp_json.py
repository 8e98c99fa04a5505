"""The encoding `otlp_json`: OTLP/JSON requests of spans, and of log records for content events."""

from __future__ import annotations

import re
from binascii import a2b_base64, unhexlify
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate, groupby

import msgspec

from monitor.protocols import Wanted
from monitor.traces.decode import otlp_json_types as wire
from monitor.traces.decode.ids import TRACE_ID_BYTES, otlp_trace_text
from monitor.traces.decode.json_documents import read_requests
from monitor.traces.decode.json_items import read_log, read_span
from monitor.traces.decode.json_parts import typed
from monitor.traces.decode.json_values import read_attributes
from monitor.traces.decode.later import Around, Later
from monitor.traces.decode.limits import check_size
from monitor.traces.decode.tally import Tally, UnusableError
from monitor.wire import AttributeValue, Decoded

_RESOURCE = msgspec.json.Decoder(wire.Resource | None)
_SCOPE = msgspec.json.Decoder(wire.Scope | None)
_HEAD = msgspec.json.Decoder(wire.Head)
_SPAN = msgspec.json.Decoder(wire.Span)
_LOG = msgspec.json.Decoder(wire.LogRecord)

_FIRST = rb'\{\s*"traceId"\s*:\s*"'
_FIRST_HEX = re.compile(_FIRST + rb'(?!0{32})([0-9a-fA-F]{32})"')
_FIRST_BASE64 = re.compile(_FIRST + rb'(?!A{22})([A-Za-z0-9+/]{21}[AQgw]==)"')


class OtlpJson:
    """Decoder of OTLP/JSON."""

    name = "otlp_json"

    def decode(self, value: bytes, wanted: Wanted | None = None) -> Decoded:
        """Spans and span events of one record. Raises DecodeError when not one item of it can be understood.

        Spans of traces that `wanted` refuses are scanned for their id only; others need not be
        read at once, and become parts.
        """
        if not value:
            return Decoded()
        check_size(value)
        tally = Tally()
        requests = read_requests(value, tally.repairer)
        later = Later(wanted, len(value))
        _read_spans([group for request in requests for group in _groups(request)], tally, wanted, later)
        tally.parts.extend(later.parts(_enclosed))
        for request in requests:
            for logs in _log_groups(request):
                _read_logs(logs, tally, wanted)
        return tally.result()


def _groups(request: wire.Request) -> Iterator[wire.ResourceSpans]:
    yield from request.resource_spans or ()
    yield from request.batches or ()
    if request.scope_spans or request.instrumentation_library_spans:
        yield request
    if request.trace is not None:
        yield from request.trace.resource_spans or request.trace.batches or ()


def _log_groups(request: wire.Request) -> Iterator[wire.ResourceLogs]:
    yield from request.resource_logs or ()
    if request.scope_logs:
        yield wire.ResourceLogs(request.scope_logs)


def _read_spans(groups: Sequence[wire.ResourceSpans], tally: Tally, wanted: Wanted | None, later: Later) -> None:
    scopes = [
        (group, scope) for group in groups for scope in group.scope_spans or group.instrumentation_library_spans or ()
    ]
    items = [raw for _, scope in scopes for raw in scope.spans or ()]
    chosen = _chosen(items, tally, wanted)
    if not chosen:
        return
    ends = list(accumulate(len(scope.spans or ()) for _, scope in scopes))
    read, resource = None, {}
    copied, written = None, b""
    for at, found in groupby(chosen, partial(bisect_right, ends)):
        group, scope = scopes[at]
        numbers = list(found)
        if wanted is not None:
            if group is not copied:
                copied, written = group, bytes(group.resource)
            around = (written, bytes(scope.scope or scope.instrumentation_library))
            numbers = [at for at in numbers if not later.keeps(_peek(items[at]), around, bytes(items[at]))]
        if not numbers:
            continue
        if group is not read:
            read, resource = group, _resource(group.resource, tally)
        name = _name(scope.scope or scope.instrumentation_library, tally)
        for number in numbers:
            try:
                span = typed(_SPAN, items[number], tally, "unreadable_span")
                tally.add_span(read_span(span, resource, name, tally), wanted)
            except UnusableError as error:
                tally.skip(error.reason)


def _enclosed(items: Sequence[tuple[Around, bytes]]) -> bytes:
    """A record of these spans, each with what stands around it."""
    groups = []
    for _, pairs in groupby(items, lambda pair: id(pair[0])):
        together = list(pairs)
        resource, scope = together[0][0]
        spans = b",".join(item for _, item in together)
        around = resource or b"null", scope or b"null"
        groups.append(b'{"resource":%b,"scopeSpans":[{"scope":%b,"spans":[%b]}]}' % (*around, spans))
    return b'{"resourceSpans":[%b]}' % b",".join(groups)


def _chosen(items: Sequence[msgspec.Raw], tally: Tally, wanted: Wanted | None) -> Sequence[int]:
    """The numbers of the spans to read. The choice is made in a few calls where all begin with their id.

    An id may come twice, and the last counts. To look for a second one in each span costs as much as to parse it; so
    the first span is parsed, and what it shows of its writer is taken to hold for the record.
    """
    if wanted is None or not items:
        return tally.chosen(items, wanted, _peek)
    ids = _first_ids(items)
    if len(ids) < TRACE_ID_BYTES * len(items) or _peek(items[0]) != ids[:TRACE_ID_BYTES].hex():
        return tally.chosen(items, wanted, _peek)
    return tally.chose(wanted.among(ids, TRACE_ID_BYTES), len(items))


def _first_ids(items: Sequence[msgspec.Raw]) -> bytes:
    """The ids that items begin with, as the first one spells it; shorter than that of all where others do not."""
    if _FIRST_BASE64.match(items[0]):
        return b"".join([a2b_base64(first[1]) for first in map(_FIRST_BASE64.match, items) if first])
    return unhexlify(b"".join([first[1] for first in map(_FIRST_HEX.match, items) if first]))


def _read_logs(group: wire.ResourceLogs, tally: Tally, wanted: Wanted | None) -> None:
    for scope in group.scope_logs or group.instrumentation_library_logs or ():
        records = scope.log_records or ()
        before = tally.unwanted
        numbers = tally.chosen(records, wanted, _peek)
        tally.unwanted_logs += tally.unwanted - before
        for number in numbers:
            try:
                tally.add_log(read_log(typed(_LOG, records[number], tally, "unreadable_log")), wanted)
            except UnusableError as error:
                tally.skip(error.reason)


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
    """The trace id of a span or log record, as JSON says it; None for an unreadable one."""
    try:
        return otlp_trace_text(_HEAD.decode(item).trace_id or "")
    except (msgspec.DecodeError, RecursionError):
        return None
