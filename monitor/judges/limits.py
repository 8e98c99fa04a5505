"""One call under every limit: concurrency, circuit breaker, the server's wish to wait, deadline, retry budget.

The only layer that retries. The parts decide (`concurrency`, `breaker`, `retry`); this is their thin async shell.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog

from monitor import judge_settings
from monitor.judges.breaker import Breaker, Change, Ticket
from monitor.judges.concurrency import AimdLimit, Slots
from monitor.judges.pricing import add
from monitor.judges.reasons import OVERLOAD, RETRYABLE, Failure, Reason
from monitor.judges.retry import Gate, RetryBudget, delay_s
from monitor.judges.servers.wire import ChatReply
from monitor.protocols import Clock
from monitor.records import Usage
from monitor.snapshot import BreakerState

_log = structlog.get_logger(__name__)
_NOTHING = Usage()

Result = ChatReply | Failure
Send = Callable[[], Awaitable[Result]]
"""Makes one attempt; raises nothing but cancellation."""
Sleep = Callable[[float], Awaitable[None]]


@dataclass(slots=True)
class Totals:
    """What was asked so far, for the operator."""

    calls: int = 0
    retries: int = 0
    usage: Usage = field(default_factory=Usage)


_NOT_YET = Failure(Reason.DEADLINE, asked=False, usage=_NOTHING)


@dataclass(frozen=True, slots=True)
class Exchange:
    """How a call ended, and what all its attempts cost together. `usage_known`: whether every reply said so.

    The default is the state before any attempt.
    """

    result: Result = _NOT_YET
    usage: Usage = _NOTHING
    usage_known: bool = True

    def then(self, later: Exchange) -> Exchange:
        """The later result, with the cost of both."""
        return Exchange(later.result, add(self.usage, later.usage), self.usage_known and later.usage_known)


class Limits:
    """Guards one endpoint: every call of a judge goes through `call`."""

    def __init__(self, config: judge_settings.LlmJudge, clock: Clock, rng: random.Random, sleep: Sleep) -> None:
        self._config = config
        self._clock = clock
        self._rng = rng
        self._sleep = sleep
        self._limit = AimdLimit(config.max_concurrency)
        self._slots = Slots(self._limit)
        self._breaker = Breaker(rng)
        self._gate = Gate()
        self._budget = RetryBudget(config.retry_budget)
        self.totals = Totals()

    @property
    def in_flight(self) -> int:
        """Calls that hold a place just now."""
        return self._slots.in_flight

    @property
    def concurrency_limit(self) -> int:
        """Calls allowed at once just now."""
        return self._limit.limit

    @property
    def breaker(self) -> BreakerState:
        """State of the circuit."""
        return self._breaker.state

    async def call(self, send: Send, deadline: float, *, again: bool = False) -> Exchange:
        """Attempt until there is an answer, a failure that no retry helps, or no time or budget left.

        `again` marks a call that repeats another one in other words: it earns no retries. `deadline`
        is in `Clock.monotonic` seconds. A failure with `asked=False` means that no attempt was made.
        """
        if not again:
            self._budget.earn()
        exchange = await self._attempt(send, deadline)
        for retry in range(self._config.retries):
            failure = exchange.result
            if not isinstance(failure, Failure) or not failure.asked or failure.reason not in RETRYABLE:
                break
            pause_s = delay_s(retry, failure.wait_s, self._rng)
            if self._clock.monotonic() + pause_s >= deadline or not self._budget.spend():
                break
            await self._sleep(pause_s)
            next_one = await self._attempt(send, deadline)
            if isinstance(next_one.result, Failure) and not next_one.result.asked:
                break  # the first failure says more than "the circuit opened meanwhile"
            self.totals.retries += 1
            exchange = exchange.then(next_one)
        return exchange

    def may_repeat(self) -> bool:
        """Whether a call may be made once more for another cause (a truncated reply); takes from the same budget."""
        return self._budget.spend()

    async def _attempt(self, send: Send, deadline: float) -> Exchange:
        try:
            async with asyncio.timeout(self._left(deadline)) as waiting, self._slots.place():
                if not await self._pass_gate(deadline):
                    return _not_asked(Reason.RATE_LIMITED)
                waiting.reschedule(None)
                return await self._guarded(send, deadline)
        except TimeoutError:
            return _not_asked(Reason.DEADLINE)

    async def _pass_gate(self, deadline: float) -> bool:
        """Wait as the server asked; whether the time for it was there."""
        while (pause_s := self._gate.wait_s(self._clock.monotonic())) > 0:
            if self._clock.monotonic() + pause_s >= deadline:
                return False
            await self._sleep(pause_s)
        return True

    async def _guarded(self, send: Send, deadline: float) -> Exchange:
        started = self._clock.monotonic()
        if started >= deadline:
            return _not_asked(Reason.DEADLINE)
        ticket = self._breaker.admit(started)
        if ticket is None:
            return _not_asked(Reason.CIRCUIT_OPEN)
        try:
            result = await self._timed(send, deadline)
        except BaseException:
            self._breaker.unknown(ticket)
            raise
        self._learn(result, ticket, started)
        return Exchange(result, result.usage, result.usage_known)

    async def _timed(self, send: Send, deadline: float) -> Result:
        left_s = self._left(deadline)
        self.totals.calls += 1
        try:
            async with asyncio.timeout(min(left_s, self._config.total_timeout)):
                return await send()
        except TimeoutError:
            reason = Reason.DEADLINE if left_s < self._config.total_timeout else Reason.TIMEOUT
            return Failure(reason, "total", usage_known=False)

    def _learn(self, result: Result, ticket: Ticket, started: float) -> None:
        """Tell every part what the attempt says about the endpoint."""
        now = self._clock.monotonic()
        self.totals.usage = add(self.totals.usage, result.usage)
        if not isinstance(result, Failure):
            self._limit.succeeded()
            self._log(self._breaker.succeeded(ticket))
            return
        if result.wait_s > 0:
            self._gate.close_until(now + result.wait_s)
        if result.reason in OVERLOAD:
            self._limit.overloaded(started, now)
        if result.counts:
            self._log(self._breaker.failed(ticket, result.reason, result.wait_s, now))
        elif result.reason is Reason.DEADLINE:
            self._breaker.unknown(ticket)
        else:
            self._log(self._breaker.succeeded(ticket))

    def _log(self, change: Change | None) -> None:
        if change is None:
            return
        if change.state is BreakerState.CLOSED:
            _log.info("judge answers again", judge=self._config.name, after=change.reason)
        else:
            pause_s = round(change.pause_s, 1)
            _log.warning(
                "judge is not asked for a while", judge=self._config.name, reason=change.reason, pause_s=pause_s
            )

    def _left(self, deadline: float) -> float:
        return max(0.0, deadline - self._clock.monotonic())


def _not_asked(reason: Reason) -> Exchange:
    return Exchange(Failure(reason, asked=False, usage=_NOTHING))
