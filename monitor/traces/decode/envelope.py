"""A view of an OTLP protobuf request that stops at its spans: each span stays bytes.

Traces, logs and metrics share this outer shape (request > resource > scope > item), and a message that is declared as
`bytes` has the same wire format, so the view is exact. It is about eight times cheaper than a full parse, one broken
span costs only itself, and spans of unwanted traces are never parsed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from google.protobuf.message import DecodeError as ProtobufError

from monitor.errors import DecodeError
from monitor.traces.decode.declare import BYTES, FIXED64, Field, declare
from monitor.traces.decode.ids import TRACE_ID_BYTES

ID_MARK = bytes((0x0A, TRACE_ID_BYTES))
"""Field 1, length-delimited, 16 bytes: how a span begins when its writer puts the fields in ascending order."""


class Envelope:
    """An export request opened as far as its items. Raises DecodeError `not_protobuf`.

    `items` has the bytes of the items of each scope, in the request's order.
    """

    __slots__ = ("_places", "items")

    def __init__(self, value: bytes) -> None:
        try:
            request = _ENVELOPE.FromString(value)
        except ProtobufError:
            kind = "not_protobuf"
            raise DecodeError(kind, "the bytes are no OTLP export request") from None
        self._places: list[tuple[Any, Any]] = [(group, scope) for group in request.groups for scope in group.scopes]
        self.items: list[list[bytes]] = [scope.items[:] for _, scope in self._places]

    def frame(self, number: int) -> Frame:
        """What stands around the items of a scope. Copied only here, as most scopes hold nothing that is wanted."""
        group, scope = self._places[number]
        return Frame(group.resource, scope.scope)


class Frame(NamedTuple):
    """The bytes of an instrumentation scope and of its resource."""

    resource: bytes
    scope: bytes


def id_marks(items: Sequence[bytes]) -> list[bytes]:
    """For each item the part of it that has its trace id if its writer is one of the usual ones, see `peek_trace_id`.

    A mark is ID_MARK and the id when that is so; equal marks then are equal ids. Anything else has to be looked at.
    """
    if items and items[0][:1] == _ASCENDING:
        return [item[:_MARK_BYTES] for item in items]
    if {item[:1] for item in items} <= _DESCENDING:
        return [item[-_MARK_BYTES:] for item in items]
    return [b""] * len(items)


def peek_trace_id(item: bytes) -> bytes:
    """The bytes of a span's field 1, its trace id; empty when it has none or is unreadable.

    Writers in ascending field order put it first and the Collector's own writer, which descends from status or flags,
    puts it last; both cost two comparisons. Any other order is parsed.
    """
    if item[:2] == ID_MARK:
        return item[2 : 2 + TRACE_ID_BYTES]
    if item[-18:-16] == ID_MARK and item[:1] in _DESCENDING:
        return item[-TRACE_ID_BYTES:]
    try:
        head: bytes = _SPAN_HEAD.FromString(item).trace_id
    except ProtobufError:
        return b""
    return head


def is_log(item: bytes) -> bool:
    """Whether an item is a log record: fields 1 and 11 are 64-bit times there, and something else in a span."""
    try:
        head = _LOG_HEAD.FromString(item)
    except ProtobufError:
        return False
    return bool(head.time or head.observed)


_MARK_BYTES = len(ID_MARK) + TRACE_ID_BYTES
_ASCENDING = ID_MARK[:1]
_DESCENDING = frozenset((b"\x7a", b"\x85"))
"""How a span begins when its writer descends: field 15, status, or field 16, flags."""


_VIEWS = declare(
    "ragmon.view",
    {
        "Scope": (Field("scope", 1, BYTES), Field("items", 2, BYTES, repeated=True)),
        "Group": (Field("resource", 1, BYTES), Field("scopes", 2, "Scope", repeated=True)),
        "Envelope": (Field("groups", 1, "Group", repeated=True),),
        "SpanHead": (Field("trace_id", 1, BYTES),),
        "LogHead": (Field("time", 1, FIXED64), Field("observed", 11, FIXED64)),
    },
)
_ENVELOPE, _SPAN_HEAD, _LOG_HEAD = _VIEWS["Envelope"], _VIEWS["SpanHead"], _VIEWS["LogHead"]
