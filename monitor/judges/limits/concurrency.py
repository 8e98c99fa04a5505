"""How many calls may run at once: additive increase, multiplicative decrease on signs of overload.

Latency is no signal here: an LLM judge is slow when the text is long (reliability.md section 2).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator

DECREASE = 0.5


class AimdLimit:
    """The adaptive number: pure, told of each result. Between 1 and `maximum`; starts at half of it."""

    def __init__(self, maximum: int) -> None:
        self._maximum = float(maximum)
        self._limit = max(1.0, maximum / 2)
        self._decreased_at = float("-inf")

    @property
    def limit(self) -> int:
        """Calls allowed at once just now."""
        return int(self._limit)

    def succeeded(self) -> None:
        """A call came back well: one more after about `limit` of them."""
        self._limit = min(self._maximum, self._limit + 1.0 / self._limit)

    def overloaded(self, started: float, now: float) -> None:
        """A call that began at `started` met overload.

        Halves the limit once per flight: what was under way at the last decrease says nothing about the new limit.
        """
        if started < self._decreased_at:
            return
        self._limit = max(1.0, self._limit * DECREASE)
        self._decreased_at = now


class Slots:
    """Places for calls under an `AimdLimit`, first come first served."""

    def __init__(self, limit: AimdLimit) -> None:
        self._limit = limit
        self._waiting: deque[asyncio.Future[None]] = deque()
        self.in_flight = 0

    @contextlib.asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold a place; waits for one. Cancelling is safe at any moment."""
        await self._enter()
        try:
            yield
        finally:
            self.in_flight -= 1
            self._admit()

    async def _enter(self) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                with contextlib.suppress(ValueError):  # already skipped by `_admit`
                    self._waiting.remove(turn)
            else:  # admitted and cancelled in the same step: hand the place on
                self.in_flight -= 1
                self._admit()
            raise

    def _admit(self) -> None:
        while self._waiting and self.in_flight < self._limit.limit:
            turn = self._waiting.popleft()
            if not turn.done():
                self.in_flight += 1
                turn.set_result(None)
