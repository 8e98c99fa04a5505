"""Where the items of an OTLP protobuf request are, and which trace each is of, without a copy of any.

Traces, logs and metrics share this outer shape (request > resource > scope > item). Its fields are walked here, from
length to length: the items are nearly all of a request's bytes, and those of unwanted traces are not even touched. So
one broken span costs only itself, too. Bytes that no usual writer makes are first rewritten by protobuf.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from google.protobuf.message import DecodeError as ProtobufError

from monitor.errors import DecodeError
from monitor.protocols import Wanted
from monitor.traces.decode.declare import BYTES, FIXED64, Field, declare
from monitor.traces.decode.ids import TRACE_ID_BYTES
from monitor.traces.decode.limits import MAX_UNUSABLE, refuse_unusable

ID_MARK = bytes((0x0A, TRACE_ID_BYTES))
"""Field 1, length-delimited, 16 bytes: how a span begins when its writer puts the fields in ascending order."""

_MARK_BYTES = len(ID_MARK) + TRACE_ID_BYTES
_DESCENDING = frozenset((b"\x7a", b"\x85"))
"""How a span begins when its writer descends: field 15, status, or field 16, flags."""
_FIRST, _SECOND, _THIRD = 0x0A, 0x12, 0x1A
"""Tags of what a shell holds. Field 1: groups, a resource, a scope; field 2: scopes, items; field 3: a schema's URL."""
_TAGS = frozenset((_FIRST, _SECOND, _THIRD))
_SHIFTS = range(0, 35, 7)
"""Of the bytes of a length, five at most."""
_MORE = 0x80
"""The bit of a length's byte that says that another byte follows; seven bits are of the length."""


class Envelope:
    """An export request opened as far as its items, which are numbered in its order.

    Raises DecodeError `not_protobuf`.
    """

    __slots__ = ("_resource", "_shells", "_value")

    def __init__(self, value: bytes) -> None:
        self._value = value
        self._resource = (-1, b"")
        try:
            self._shells = _walk(value)
        except (IndexError, _UnusualError):
            self._value = _rewritten(value)
            self._shells = _walk(self._value)

    def __len__(self) -> int:
        """How many items there are."""
        return len(self._shells.starts)

    def among(self, wanted: Wanted) -> Sequence[int]:
        """The numbers of the items that are of a wanted trace, and of those that have to be looked at by themselves."""
        marks = self._marks()
        ids = b"".join(marks)
        lead, count = len(ID_MARK), len(marks)
        if len(ids) == count * _MARK_BYTES and all(
            ids[at::_MARK_BYTES] == ID_MARK[at : at + 1] * count for at in range(lead)
        ):
            return wanted.among(ids, _MARK_BYTES)
        return [number for number, mark in enumerate(marks) if not _is_id(mark) or wanted(mark[lead:].hex())]

    def _marks(self) -> Sequence[bytes]:
        """For each item the part of it that has its trace id if its writer is a usual one, see `peek_trace_id`."""
        starts, ends, heads, _, _ = self._shells
        if not heads or heads[0].startswith(ID_MARK[:1]):
            return heads
        if {head[:1] for head in heads} <= _DESCENDING:
            return [self._value[max(start, end - _MARK_BYTES) : end] for start, end in zip(starts, ends, strict=True)]
        return [b""] * len(heads)

    def item(self, number: int) -> bytes:
        """The bytes of an item."""
        return self._value[self._shells.starts[number] : self._shells.ends[number]]

    def scope_of(self, number: int) -> int:
        """The number of the scope that an item is of."""
        return bisect_right(self._shells.firsts, number) - 1

    def frame(self, scope: int) -> Frame:
        """What stands around the items of a scope. Copied only here, as most scopes hold nothing that is wanted."""
        group, group_end, start, end = self._shells.scopes[scope]
        if group != self._resource[0]:  # a group may have as many scopes as it has bytes
            self._resource = (group, _first_field(self._value, group, group_end))
        return Frame(self._resource[1], _first_field(self._value, start, end))


class Frame(NamedTuple):
    """The bytes of a resource (one object for all scopes of a group) and of an instrumentation scope, or nothing."""

    resource: bytes
    scope: bytes


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


class _Shells(NamedTuple):
    """What a walk found: plain numbers, as there are thousands."""

    starts: list[int]
    """Where each item begins."""
    ends: list[int]
    """Where each item ends."""
    heads: list[bytes]
    """The first bytes of each item, as many as a mark has."""
    scopes: list[tuple[int, int, int, int]]
    """Where the group of each scope begins and ends, and the scope."""
    firsts: list[int]
    """The number of the first item of each scope."""


class _UnusualError(ValueError):
    """Protobuf that no usual writer makes, or none."""


def _walk(value: bytes) -> _Shells:
    """Find the items. Raises _UnusualError, IndexError."""
    shells = _Shells([], [], [], [], [])
    for tag, group, group_end in _fields(value, 0, len(value)):
        if tag == _FIRST:
            for inner, scope, scope_end in _fields(value, group, group_end):
                if inner == _SECOND:
                    if scope == scope_end and len(shells.scopes) > MAX_UNUSABLE:
                        refuse_unusable()
                    shells.scopes.append((group, group_end, scope, scope_end))
                    shells.firsts.append(len(shells.starts))
                    _walk_scope(value, scope, scope_end, shells)
    return shells


def _walk_scope(value: bytes, at: int, scope_end: int, shells: _Shells) -> None:
    """As `_fields`, but the hot path: written out, it is twice as fast."""
    starts, ends, heads, _, _ = shells
    while at < scope_end:
        tag, length, start = value[at], value[at + 1], at + 2
        if length >= _MORE:
            more = value[start]
            length, start = length + (more - 1) * _MORE, start + 1
            if more >= _MORE:
                length, start = _length(value, at + 1)
        at = start + length
        if tag == _SECOND:
            if length < _MARK_BYTES and len(starts) > MAX_UNUSABLE:
                refuse_unusable()
            starts.append(start)
            ends.append(at)
            heads.append(value[start : start + _MARK_BYTES if length > _MARK_BYTES else at])
        elif tag not in _TAGS:
            raise _UnusualError
    if at > scope_end:
        raise _UnusualError


def _fields(value: bytes, at: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The tag of each field of a shell, and where its content begins and ends. Raises _UnusualError, IndexError."""
    while at < end:
        tag = value[at]
        length, start = _length(value, at + 1)
        at = start + length
        if tag not in _TAGS or at > end:
            raise _UnusualError
        yield tag, start, at


def _length(value: bytes, at: int) -> tuple[int, int]:
    """A length of any size, and where it ends. Raises _UnusualError, IndexError."""
    length = value[at]
    if length < _MORE:
        return length, at + 1
    more = value[at + 1]
    if more < _MORE:  # as nearly all are
        return length + (more - 1) * _MORE, at + 2
    length = 0
    for shift in _SHIFTS:
        byte = value[at]
        at += 1
        if byte < _MORE:
            return length | byte << shift, at
        length |= (byte - _MORE) << shift
    raise _UnusualError


def _first_field(value: bytes, at: int, end: int) -> bytes:
    """Field 1 of a shell that was walked; empty when it has none, and of several the last, as protobuf has it."""
    found = b""
    for tag, start, stop in _fields(value, at, end):
        if tag == _FIRST:
            found = value[start:stop]
    return found


def _is_id(mark: bytes) -> bool:
    return len(mark) == _MARK_BYTES and mark.startswith(ID_MARK)


def _rewritten(value: bytes) -> bytes:
    """The same request as the usual writers make it. Raises DecodeError."""
    try:
        request = _REQUEST.FromString(value)
    except ProtobufError:
        kind = "not_protobuf"
        raise DecodeError(kind, "the bytes are no OTLP export request") from None
    request.DiscardUnknownFields()
    written: bytes = request.SerializeToString()
    return written


_VIEWS = declare(
    "ragmon.view",
    {
        "Scope": (Field("scope", 1, BYTES), Field("items", 2, BYTES, repeated=True)),
        "Group": (Field("resource", 1, BYTES), Field("scopes", 2, "Scope", repeated=True)),
        "Request": (Field("groups", 1, "Group", repeated=True),),
        "SpanHead": (Field("trace_id", 1, BYTES),),
        "LogHead": (Field("time", 1, FIXED64), Field("observed", 11, FIXED64)),
    },
)
_REQUEST, _SPAN_HEAD, _LOG_HEAD = _VIEWS["Request"], _VIEWS["SpanHead"], _VIEWS["LogHead"]
