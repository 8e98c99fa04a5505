"""Where the parts of an OTLP protobuf request stand, by the lengths in it; nothing is copied but what is chosen.

For requests that protobuf takes: a second parse would copy all of them. What no usual writer makes is refused, by
IndexError, KeyError or ValueError, and has to be parsed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

_FIRST, _SECOND, _THIRD = 0x0A, 0x12, 0x1A
"""Tags of what a shell holds. Field 1: groups, a resource, a scope; field 2: scopes, items; field 3: a schema's URL."""
_MORE = 0x80
"""The bit of a length's byte that says that another byte follows; seven bits are of the length."""
_MANY_GROUPS = 8
_FEW_IDS = 4
"""So few traces are sought among so many groups: to enter each of them would cost more."""
_Bytes = bytes | memoryview


class Scope(NamedTuple):
    """A scope. `resource`, one object for all scopes of a group, and `name` are in pieces where they come twice."""

    resource: Sequence[_Bytes]
    name: Sequence[_Bytes]
    items: Sequence[_Bytes]


def items_with(value: bytes, ids: Counter[bytes], id_of: Callable[[bytes], bytes]) -> Sequence[Scope] | None:
    """The items with these ids, of each as many as counted here; None where that would not pay.

    `id_of` reads the id of an item.
    """
    _, start, end = next(_fields(memoryview(value)))
    many = (end - start) * _MANY_GROUPS < len(value)
    return _sought(value, ids, id_of) if many and len(ids) <= _FEW_IDS else None


def items_at(scopes: Sequence[Scope], numbers: Sequence[int]) -> Sequence[Scope]:
    """The items with these ascending numbers, of all in the scopes."""
    picked: list[Scope] = []
    begun = first = 0
    for scope in scopes:
        behind = first + len(scope.items)
        ended = bisect_left(numbers, behind, begun)
        if ended > begun:
            picked.append(scope._replace(items=[scope.items[number - first] for number in numbers[begun:ended]]))
        begun, first = ended, behind
    return picked


def scopes_until(value: bytes, last: int) -> Sequence[Scope]:
    """The scopes up to the one with this item."""
    found: list[Scope] = []
    for group in _parts(memoryview(value))[_FIRST]:
        scopes = _scopes(group)
        found += scopes
        last -= sum(len(scope.items) for scope in scopes)
        if last < 0:
            break
    return found


def _sought(value: bytes, left: Counter[bytes], id_of: Callable[[bytes], bytes]) -> Sequence[Scope]:
    """An item's id stands in its bytes, so groups without one are passed over; none is missed, as all are counted."""
    found: list[Scope] = []
    view = memoryview(value)
    places = {trace_id: value.index(trace_id) for trace_id in left}
    at = min(places.values())
    for tag, start, end in _fields(view):
        if tag != _FIRST:
            raise ValueError(tag)
        if at >= end:
            continue
        for scope in _scopes(view[start:end]):
            pairs = [(id_of(item), item) for item in map(bytes, scope.items)]
            found.append(scope._replace(items=[item for trace_id, item in pairs if trace_id in left]))
            left -= Counter(trace_id for trace_id, _ in pairs)
        places = {its: at if at >= end else value.index(its, end) for its, at in places.items() if its in left}
        if not places:
            break
        at = min(places.values())
    return found


def _scopes(group: memoryview) -> Sequence[Scope]:
    """The scopes of a group."""
    around = _parts(group)
    scopes = map(_parts, around[_SECOND])
    return [Scope(around[_FIRST], parts[_FIRST], parts[_SECOND]) for parts in scopes]


def _parts(shell: memoryview) -> Mapping[int, list[memoryview]]:
    """What the fields of a shell hold, by tag."""
    parts: dict[int, list[memoryview]] = {_FIRST: [], _SECOND: [], _THIRD: []}
    for tag, start, end in _fields(shell):
        parts[tag].append(shell[start:end])
    return parts


def _fields(shell: memoryview) -> Iterator[tuple[int, int, int]]:
    """The tag of each field, and where its content starts and ends."""
    at, end = 0, len(shell)
    while at < end:
        tag, length, start = shell[at], shell[at + 1], at + 2
        if length >= _MORE:
            more = shell[start]
            length, start = length + (more - 1) * _MORE, start + 1
            if more >= _MORE:
                length, start = _length(shell, at + 1)
        at = start + length
        yield tag, start, at


def _length(shell: memoryview, at: int) -> tuple[int, int]:
    """A length of up to five bytes, and where it ends. Raises ValueError."""
    length = 0
    for shift in range(0, 35, 7):
        byte = shell[at]
        at += 1
        length |= (byte & ~_MORE) << shift
        if byte < _MORE:
            return length, at
    raise ValueError(length)
