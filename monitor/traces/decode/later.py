"""What of a record need not be read at once: each trace's items, made into a record of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from monitor.protocols import Wanted
from monitor.wire import Part

_TIMES = 4
_BESIDES = 1 << 20
"""So many times a record's size, and so many bytes, all its parts hold at most: each has a resource of its own."""
Around = tuple[bytes, bytes]
"""What stands around an item: its resource, one object for all items that have it, and its instrumentation scope."""


class Later:
    """The items of wanted traces that need not be read at once. Where nobody says what is wanted, all is."""

    def __init__(self, wanted: Wanted | None, size: int) -> None:
        self._wanted = wanted
        self._room = size * _TIMES + _BESIDES
        self._kept: dict[str, list[tuple[Around, bytes]]] = {}

    def keeps(self, trace_id: str | None, around: Around, item: bytes) -> bool:
        """Whether the item stays unread; one without a usable id never does, nor what there is no room for."""
        if self._wanted is None or trace_id is None or self._wanted.at_once(trace_id):
            return False
        kept = self._kept.get(trace_id, ())
        beside = kept and kept[-1][0] is around
        self._room -= len(item) + (0 if beside else sum(map(len, around)))
        if self._room < 0:
            return False
        self._kept.setdefault(trace_id, []).append((around, item))
        return True

    def parts(self, enclosed: Callable[[Sequence[tuple[Around, bytes]]], bytes]) -> Iterator[Part]:
        """A part for each trace; `enclosed` writes its items as a record."""
        for trace_id, items in self._kept.items():
            yield Part(trace_id, enclosed(items), len(items))
