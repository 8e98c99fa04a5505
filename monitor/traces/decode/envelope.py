"""The items of an OTLP protobuf request, and which trace each is of, as protobuf itself reads them.

Traces, logs and metrics share this outer shape (request > resource > scope > item). It is declared with the id of an
item and nothing else of it, so the choice among the items is one parse in C, and it is right for whatever bytes
protobuf takes: fields in any order, fields that come twice, lengths of any size. One broken item costs only itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from google.protobuf.message import DecodeError as ProtobufError
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from monitor.errors import DecodeError
from monitor.protocols import Wanted
from monitor.traces.decode.declare import BYTES, FIXED64, Field, declare
from monitor.traces.decode.framing import Scope, items_at, items_with, scopes_until
from monitor.traces.decode.ids import TRACE_ID_BYTES
from monitor.traces.decode.later import Around
from monitor.traces.decode.limits import MAX_UNUSABLE, refuse_unusable
from monitor.traces.decode.wire_format import WireError, contents

_GROUPS, _SCOPES, _OLD_SCOPES, _ITEMS = 1, 2, 1000, 2
"""Field numbers. Until June 2022 scopes could stand in field 1000 of a group, in the same layout. OTLP's rule of that
time: where there are some in field 2, those of field 1000 are the same spans once more, and ignored."""
_MARK = bytes((0x12, 2 + TRACE_ID_BYTES, 0x0A, TRACE_ID_BYTES))
"""How protobuf writes an item that has nothing but a whole id: field 2 of 18 bytes, in it field 1 of 16."""
_MARKED_BYTES = len(_MARK) + TRACE_ID_BYTES
_LARGE_BYTES = 4 << 20
_MAX_FRAMING_BYTES = 4 << 20
"""Of tags and lengths around the parts of a request: as many as 64 MB of spans of 60 bytes have."""
_MAX_COUNTED_BYTES = 4096
"""Of unknown fields: in more of them they are not counted one by one."""
_GROUP_FIELDS = ("resource", "scopes", "schema_url", "old_scopes")
_REQUEST_FIELDS = ("groups",)
_SCOPE_FIELDS = ("scope", "schema_url")


class Frame(NamedTuple):
    """The bytes of a resource (one object for all scopes of a group) and of an instrumentation scope, or nothing."""

    resource: bytes
    scope: bytes


class Envelope:
    """An export request opened as far as its items, which are numbered in its order.

    `strange` counts the fields that are none of OTLP's around resources and scopes, and in scopes if there is no item:
    nothing in them is read. Where they are very many it is 1 for a level. Raises DecodeError `not_protobuf`,
    `too_many_unusable`.
    """

    __slots__ = ("_count", "_ids", "_parsed", "_value", "strange")

    def __init__(self, value: bytes) -> None:
        self._value = value
        self._ids, self.strange = _look(value)
        self._parsed = [] if self._ids else _parse(value)
        self._count = len(self._ids) // _MARKED_BYTES or sum(len(scope.items) for scope in self._parsed)

    def __len__(self) -> int:
        """How many items there are."""
        return self._count

    @property
    def has_ids(self) -> bool:
        """Whether each item is known to have an id of 16 bytes where a span has its trace's."""
        return bool(self._ids)

    def among(self, wanted: Wanted) -> Sequence[int]:
        """The numbers of the items that are of a wanted trace, and of those that have no id of 16 bytes."""
        if self._ids:
            return wanted.among(self._ids, _MARKED_BYTES)
        ids = [first_field(bytes(item)) for scope in self._parsed for item in scope.items]
        return [number for number, raw in enumerate(ids) if len(raw) != TRACE_ID_BYTES or wanted(raw.hex())]

    def items(self, numbers: Sequence[int]) -> Iterator[tuple[Frame, Iterator[bytes]]]:
        """The items with these ascending numbers, by what stands around them."""
        pieces, resource = None, b""
        for scope in self._chosen(numbers) if numbers else ():
            if not scope.items:
                continue
            if scope.resource is not pieces:
                pieces, resource = scope.resource, b"".join(scope.resource)
            yield Frame(resource, b"".join(scope.name)), map(bytes, scope.items)

    def _chosen(self, numbers: Sequence[int]) -> Sequence[Scope]:
        """The scopes of these items, with no others in them."""
        scopes = self._parsed
        if self._ids:
            try:
                if len(numbers) < len(self):
                    found = items_with(self._value, Counter(map(self._id, numbers)), first_field)
                    if found is not None:
                        return found
                scopes = scopes_until(self._value, numbers[-1])
            except (IndexError, KeyError, ValueError):
                scopes = _parse(self._value)
        return items_at(scopes, numbers)

    def _id(self, number: int) -> bytes:
        end = (number + 1) * _MARKED_BYTES
        return self._ids[end - TRACE_ID_BYTES : end]


def enclosed(items: Sequence[tuple[Around, bytes]]) -> bytes:
    """A request of these items, each with what stands around it."""
    request = _REQUEST()
    last = scope = None
    for around, item in items:
        if scope is None or around is not last:
            group = request.groups.add()
            group.resource.append(around[0])
            scope = group.scopes.add()
            scope.scope.append(around[1])
            last = around
        scope.items.append(item)
    written: bytes = request.SerializeToString()
    return written


def first_field(message: bytes) -> bytes:
    """The bytes of a message's field 1, which is the trace id of a span; empty when it has none or is unreadable."""
    try:
        found: bytes = _ITEM.FromString(message).trace_id
    except ProtobufError:
        return b""
    return found


def is_log(item: bytes) -> bool:
    """Whether an item is a log record: fields 1 and 11 are 64-bit times there, and something else in a span."""
    try:
        head = _LOG_HEAD.FromString(item)
    except ProtobufError:
        return False
    return bool(head.time or head.observed)


def _look(value: bytes) -> tuple[bytes, int]:
    """The ids of all items, each behind its mark, and how many fields around them nobody knows.

    No ids if an item has none, is broken, or is in an old field.
    """
    if len(value) > _LARGE_BYTES:
        _refuse_bomb(value)
    try:
        request = _MERGED.FromString(value)
    except ProtobufError:
        return b"", 0
    group = request.groups
    scope = group.scopes
    count = len(scope.items)
    strange = 0 if count else _strange(scope, _SCOPE_FIELDS)  # beside items it would take a second serialisation
    for field in _SCOPE_FIELDS:
        scope.ClearField(field)
    scope.DiscardUnknownFields()
    ids: bytes = scope.SerializeToString()
    whole = len(ids) == count * _MARKED_BYTES and not group.HasField("old_scopes")
    strange += _strange(group, _GROUP_FIELDS) + _strange(request, _REQUEST_FIELDS)
    usual = whole and all(ids[at::_MARKED_BYTES] == _MARK[at : at + 1] * count for at in range(len(_MARK)))
    return ids if usual else b"", strange


def _strange(shell: Message, known: Sequence[str]) -> int:
    """How many fields of a shell nobody knows; all others are cleared. There is an object for each only if few."""
    for field in known:
        shell.ClearField(field)
    size = shell.ByteSize()
    if size > _MAX_COUNTED_BYTES:
        return 1
    return len(UnknownFieldSet(shell)) if size else 0


def _refuse_bomb(value: bytes) -> None:
    """Refuse millions of empty parts before there is an object for each. Raises DecodeError."""
    try:
        if len(value) - _SIZED.FromString(value).ByteSize() <= _MAX_FRAMING_BYTES:
            return
    except ProtobufError:
        pass
    try:  # slow, but nothing is kept
        for group in contents(value, _GROUPS):
            for field in (_SCOPES, _OLD_SCOPES):
                for scope in contents(group, field):
                    for _ in contents(scope, _ITEMS):
                        pass
    except WireError:
        raise _not_protobuf() from None


def _parse(value: bytes) -> Sequence[Scope]:
    """All scopes. Raises DecodeError."""
    try:
        groups = _REQUEST.FromString(value).groups
    except ProtobufError:
        raise _not_protobuf() from None
    found: list[Scope] = []
    empty = 0
    for group in groups:
        resource = list(group.resource)
        for scope in group.scopes or group.old_scopes:
            found.append(Scope(resource, scope.scope, scope.items))
            empty += not scope.items
            if empty > MAX_UNUSABLE:
                refuse_unusable()
    return found


def _not_protobuf() -> DecodeError:
    return DecodeError("not_protobuf", "the bytes are no OTLP export request")


_VIEWS = declare(
    "ragmon.view",
    {
        "Item": (Field("trace_id", 1, BYTES),),
        "LogHead": (Field("time", 1, FIXED64), Field("observed", 11, FIXED64)),
        "Scope": (Field("scope", 1, BYTES, repeated=True), Field("items", _ITEMS, BYTES, repeated=True)),
        "Group": (
            Field("resource", 1, BYTES, repeated=True),
            Field("scopes", _SCOPES, "Scope", repeated=True),
            Field("old_scopes", _OLD_SCOPES, "Scope", repeated=True),
        ),
        "Request": (Field("groups", _GROUPS, "Group", repeated=True),),
    },
)
_REQUEST, _ITEM, _LOG_HEAD = _VIEWS["Request"], _VIEWS["Item"], _VIEWS["LogHead"]
_MERGED = declare(
    "ragmon.merged",
    {
        "Item": (Field("trace_id", 1, BYTES),),
        "Scope": (
            Field("scope", 1, BYTES),
            Field("items", _ITEMS, "Item", repeated=True),
            Field("schema_url", 3, BYTES),
        ),
        "Group": (
            Field("resource", 1, BYTES),
            Field("scopes", _SCOPES, "Scope"),
            Field("schema_url", 3, BYTES),
            Field("old_scopes", _OLD_SCOPES, "Scope"),
        ),
        "Request": (Field("groups", _GROUPS, "Group"),),
    },
)["Request"]
"""A request of one group with one scope. Where a field may come once protobuf merges all that come, so that the items
of all scopes are one list, in their order."""
_SIZED = declare(
    "ragmon.sized",
    {
        "Item": (),
        "Scope": (Field("items", _ITEMS, "Item"),),
        "Group": (Field("scopes", _SCOPES, "Scope"), Field("old_scopes", _OLD_SCOPES, "Scope")),
        "Request": (Field("groups", _GROUPS, "Group"),),
    },
)["Request"]
"""As above with the items merged, too: its size lacks the tags and lengths of the parts, and no more."""
