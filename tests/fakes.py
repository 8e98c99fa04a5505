"""Doubles: small real classes that stand behind the Protocols."""

from __future__ import annotations

SECOND = 1_000_000_000


class FakeClock:
    """A Clock that moves only when told."""

    def __init__(self, now_ns: int = 1_790_000_000 * SECOND) -> None:
        self._now_ns = now_ns
        self._monotonic = 1000.0

    def now_ns(self) -> int:
        return self._now_ns

    def monotonic(self) -> float:
        return self._monotonic

    def advance(self, seconds: float) -> None:
        self._now_ns += round(seconds * SECOND)
        self._monotonic += seconds
