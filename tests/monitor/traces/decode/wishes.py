"""Which traces a test wants."""

from __future__ import annotations

from collections.abc import Callable, Sequence

ID_BYTES = 16


class Wish:
    """Wants the traces that `accepts` says yes to, all `now` unless told otherwise, and remembers what it was asked."""

    def __init__(self, accepts: Callable[[str], bool], now: Callable[[str], bool] | None = None) -> None:
        self._accepts = accepts
        self._now = now
        self.asked: set[str] = set()

    def __call__(self, trace_id: str, /) -> bool:
        """Whether the trace is wanted."""
        self.asked.add(trace_id)
        return self._accepts(trace_id)

    def among(self, ids: bytes, size: int, /) -> Sequence[int]:
        """The numbers of the wanted ones."""
        ends = range(size, len(ids) + 1, size)
        return [number for number, end in enumerate(ends) if self(ids[end - ID_BYTES : end].hex())]

    def now(self, trace_id: str, /) -> bool:
        """Whether it is wanted now."""
        return self._now is None or self._now(trace_id)


def only(*trace_ids: str) -> Wish:
    """Wants these traces."""
    return Wish(frozenset(trace_ids).__contains__)
