"""What of a record may stay unread for now: each trace's items, made into a record of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from monitor.protocols import Wanted
from monitor.wire import Part

Around = TypeVar("Around")
"""What stands around an item: its resource and scope."""
Item = TypeVar("Item")


class Later(Generic[Around, Item]):
    """The items of traces that are wanted, but not now. Where nobody says what is wanted, all is wanted now."""

    def __init__(self, wanted: Wanted | None) -> None:
        self._wanted = wanted
        self._kept: dict[str, list[tuple[Around, Item]]] = {}

    def keeps(self, trace_id: str | None, around: Around, item: Item) -> bool:
        """Whether the item stays unread; one without a usable id never does."""
        if self._wanted is None or trace_id is None or self._wanted.now(trace_id):
            return False
        self._kept.setdefault(trace_id, []).append((around, item))
        return True

    def parts(self, enclosed: Callable[[Sequence[tuple[Around, Item]]], bytes]) -> Iterator[Part]:
        """A part for each trace; `enclosed` writes its items as a record."""
        for trace_id, items in self._kept.items():
            yield Part(trace_id, enclosed(items), len(items))
