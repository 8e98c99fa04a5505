"""Writing until it is confirmed: anything else would either lose what is written or commit past it."""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog

from monitor.errors import SinkError
from monitor.protocols import Clock

log = structlog.get_logger(__name__)

_RETRY_S = (0.2, 0.5, 1.0, 2.0, 5.0)
_QUIET_S = 5.0  # between two warnings about the same outage, however many writes wait for its end


@dataclass(slots=True)
class Persistence:
    """Retries writes, with growing delays, for as long as a retry can help."""

    clock: Clock
    _warned: dict[str, float] = field(default_factory=dict)
    """When (monotonic seconds) a failing write was last told of, by what it writes."""

    async def until_durable(
        self, what: str, write: Callable[[], Awaitable[None]], give_up: Callable[[], bool] = lambda: False
    ) -> bool:
        """Write until it is confirmed: True. `what` is a bounded word for the log.

        `give_up` is asked after a failure; then the result is False. Raises SinkError when no retry can help.
        """
        delays = itertools.chain(_RETRY_S, itertools.repeat(_RETRY_S[-1]))
        while True:
            try:
                await write()
            except SinkError as error:
                if not error.retryable:
                    raise
                if give_up():
                    return False
                self._warn(what, error)
                await asyncio.sleep(next(delays))
            else:
                return True

    def _warn(self, what: str, error: SinkError) -> None:
        now = self.clock.monotonic()
        if now - self._warned.get(what, -math.inf) >= _QUIET_S:
            self._warned[what] = now
            log.warning("write not confirmed; trying again until it is", what=what, error=str(error))
