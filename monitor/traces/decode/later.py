"""What of a record may stay unread for now: each trace's items, made into a record of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from monitor.protocols import Wanted
from monitor.wire import Part

F = TypeVar("F")
I = TypeVar("I")  # noqa: E741 - an item, as F is what stands around it


class Later(Generic[F, I]):
    """The items of traces that are wanted, but not now. Where nobody says what is wanted, all is wanted now."""

    def __init__(self, wanted: Wanted | None) -> None:
        self._wanted = wanted
        self._kept: dict[str, list[tuple[F, I]]] = {}

    def keeps(self, trace_id: str | None, around: F, item: I) -> bool:
        """Whether the item stays unread; one without a usable id never does."""
        if self._wanted is None or trace_id is None or self._wanted.now(trace_id):
            return False
        self._kept.setdefault(trace_id, []).append((around, item))
        return True

    def parts(self, enclosed: Callable[[Sequence[tuple[F, I]]], bytes]) -> Iterator[Part]:
        """A part for each trace; `enclosed` writes its items as a record."""
        for trace_id, items in self._kept.items():
            yield Part(trace_id, enclosed(items), len(items))
