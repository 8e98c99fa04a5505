"""Which traces a test wants."""

from __future__ import annotations

from collections.abc import Callable, Sequence

ID_BYTES = 16


class Wish:
    """Wants the traces that `accepts` says yes to, by default all at once, and remembers what it was asked."""

    def __init__(self, accepts: Callable[[str], bool], at_once: Callable[[str], bool] | None = None) -> None:
        self._accepts = accepts
        self._at_once = at_once
        self.asked: set[str] = set()

    def __call__(self, trace_id: str, /) -> bool:
        """Whether the trace is wanted."""
        self.asked.add(trace_id)
        return self._accepts(trace_id)

    def among(self, ids: bytes, size: int, /) -> Sequence[int]:
        """The numbers of the wanted ones."""
        ends = range(size, len(ids) + 1, size)
        return [number for number, end in enumerate(ends) if self(ids[end - ID_BYTES : end].hex())]

    def at_once(self, trace_id: str, /) -> bool:
        """Whether it is to be read at once."""
        return self._at_once is None or self._at_once(trace_id)


def only(*trace_ids: str) -> Wish:
    """Wants these traces."""
    return Wish(frozenset(trace_ids).__contains__)
