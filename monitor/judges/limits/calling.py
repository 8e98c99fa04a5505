"""One call under every limit: concurrency, money, circuit breaker, the server's wish to wait, deadline, retry budget.

The only layer that retries. The parts decide (`concurrency`, `allowance`, `breaker`, `retry`); this is their thin async
shell.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog

from monitor.config import judges as judge_settings
from monitor.judges.limits.allowance import Allowance
from monitor.judges.limits.breaker import Breaker, Change, Ticket
from monitor.judges.limits.concurrency import AimdLimit, Slots
from monitor.judges.limits.patience import MOST_TRIES, Held, Patience
from monitor.judges.limits.retry import Gate, RetryBudget, delay_s
from monitor.judges.reasons import OVERLOAD, RETRYABLE, Failure, Reason
from monitor.judges.servers.pricing import add
from monitor.judges.servers.wire import ChatReply
from monitor.operational import BreakerState, LimitFill
from monitor.protocols import Clock
from monitor.records import Usage

log = structlog.get_logger(__name__)
_NOTHING = Usage()
_ONE_CALL = Usage(calls=1)
_NOT_ASKED = "judge is not asked for a while"

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
    seconds: float = 0.0
    """Of the attempts themselves: without the waiting of ours before and between them."""

    def then(self, later: Exchange) -> Exchange:
        """The later result, with the cost and the time of both."""
        usage, is_known = add(self.usage, later.usage), self.usage_known and later.usage_known
        return Exchange(later.result, usage, is_known, self.seconds + later.seconds)


class Limits:
    """Guards one endpoint: every call of a judge goes through `call`."""

    def __init__(
        self,
        config: judge_settings.LlmJudge,
        clock: Clock,
        rng: random.Random,
        sleep: Sleep,
        patience: Patience | None = None,
    ) -> None:
        """With `patience` calls wait for an endpoint that takes none just now; else they are left out."""
        self._config = config
        self._clock = clock
        self._rng = rng
        self._sleep = sleep
        self._limit = AimdLimit(config.max_concurrency)
        self._slots = Slots(self._limit)
        self._breaker = Breaker(rng)
        self._gate = Gate()
        self._budget = RetryBudget(config.retry_budget)
        self._allowance = Allowance(config)
        self._patience = patience
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

    @property
    def paused(self) -> str:
        """Why no calls are made; empty while they are."""
        return self._breaker.reason

    @property
    def slowdown(self) -> float:
        """What the judge's share of the sample is divided by just now, at least 1."""
        return self._allowance.slowdown(self._clock.monotonic())

    @property
    def fills(self) -> tuple[LimitFill, ...]:
        """How much of each limit on calls, tokens and money is used."""
        return self._allowance.fills(self._clock.monotonic())

    def heard(self, usage: Usage, age_s: float) -> None:
        """Another replica, or an earlier run of this one, spent this so many seconds ago."""
        self._allowance.heard(usage, age_s, self._clock.monotonic())

    async def call(self, send: Send, deadline: float, *, estimate: Usage = _ONE_CALL, again: bool = False) -> Exchange:
        """Attempt until there is an answer, a failure that no retry helps, or no time or budget left.

        `estimate` is what an attempt may cost. `again` marks a call that repeats another one in other words: it earns
        no retries. `deadline` is in `Clock.monotonic` seconds. A failure with `asked=False` means that no attempt was
        made.
        """
        if not again:
            self._budget.earn()
        exchange = await self._attempt(send, deadline, estimate)
        for retry in itertools.count():
            failure = exchange.result
            if not isinstance(failure, Failure) or not failure.asked or failure.reason not in RETRYABLE:
                break
            pause_s = delay_s(retry, failure.wait_s, self._rng)
            if not self._may_retry(failure.reason, retry, pause_s, deadline):
                break
            await self._sleep(pause_s)
            next_one = await self._attempt(send, deadline, estimate)
            if isinstance(next_one.result, Failure) and not next_one.result.asked:
                break  # the first failure says more than "the circuit opened meanwhile"
            self.totals.retries += 1
            exchange = exchange.then(next_one)
        return exchange

    def may_repeat(self) -> bool:
        """Whether a call may be made once more for another cause (a truncated reply); takes from the same budget."""
        return self._budget.spend()

    def _may_retry(self, reason: Reason, retry: int, pause_s: float, deadline: float) -> bool:
        """Whether retry number `retry` (from 0) is made after such a pause; takes its token of the budget."""
        now = self._clock.monotonic()
        if now + pause_s >= deadline:
            return False
        if retry < self._config.retries and self._budget.spend():
            return True
        if self._patience is None or reason is not Reason.RATE_LIMITED or retry >= MOST_TRIES:
            return False
        return self._patience.waits(Held(pause_s, reason), reason, now)

    async def _attempt(self, send: Send, deadline: float, estimate: Usage) -> Exchange:
        try:
            async with asyncio.timeout(self._left(deadline)) as waiting, self._slots.place():
                refused = await self._pass_gates(deadline, estimate)
                if refused is not None:
                    return _not_asked(refused.reason, refused.detail)
                waiting.reschedule(None)
                return await self._guarded(send, deadline, estimate)
        except TimeoutError:
            return _not_asked(Reason.DEADLINE)

    async def _pass_gates(self, deadline: float, estimate: Usage) -> Held | None:
        """Wait as the server asked, and for room within our limits; what holds the call when it cannot be waited for.

        With patience also for a circuit that is open.
        """
        while True:
            now = self._clock.monotonic()
            held = self._held(estimate, now)
            if held.seconds <= 0:
                return None
            if now + held.seconds >= deadline or not self._is_waited_for(held, now):
                return held
            await self._sleep(held.seconds)

    def _held(self, estimate: Usage, now: float) -> Held:
        """What holds a call longest."""
        held = [Held(*self._allowance.wait(estimate, now)), Held(self._gate.wait_s(now), Reason.RATE_LIMITED)]
        if self._patience is not None:
            held.append(Held(self._breaker.wait_s(now), Reason.CIRCUIT_OPEN, self._breaker.reason))
        return max(held, key=lambda one: one.seconds)

    def _is_waited_for(self, held: Held, now: float) -> bool:
        """Whether to wait. For a limit of ours always: it passes by itself."""
        if self._patience is None:
            return True
        if held.reason is Reason.CIRCUIT_OPEN:
            return self._patience.waits(held, Reason(held.detail), now)
        if not held.detail:
            return self._patience.waits(held, held.reason, now)
        self._patience.tell(held)
        return True

    async def _guarded(self, send: Send, deadline: float, estimate: Usage) -> Exchange:
        started = self._clock.monotonic()
        if started >= deadline:
            return _not_asked(Reason.DEADLINE)
        ticket = self._breaker.admit(started)
        if ticket is None:
            return _not_asked(Reason.CIRCUIT_OPEN, self._breaker.reason)
        self._allowance.hold(estimate)
        usage = estimate
        try:
            result = await self._timed(send, deadline, estimate)
            usage = result.usage
        except BaseException:
            self._breaker.unknown(ticket)
            raise
        finally:
            self._allowance.settle(estimate, usage, self._clock.monotonic())
        self._learn(result, ticket, started)
        return Exchange(result, result.usage, result.usage_known, self._clock.monotonic() - started)

    async def _timed(self, send: Send, deadline: float, estimate: Usage) -> Result:
        left_s = self._left(deadline)
        self.totals.calls += 1
        try:
            async with asyncio.timeout(min(left_s, self._config.total_timeout)):
                return await send()
        except TimeoutError:
            reason = Reason.DEADLINE if left_s < self._config.total_timeout else Reason.TIMEOUT
            return Failure(reason, "total", usage=estimate, usage_known=False)

    def _learn(self, result: Result, ticket: Ticket, started: float) -> None:
        """Tell every part what the attempt says about the endpoint."""
        now = self._clock.monotonic()
        self.totals.usage = add(self.totals.usage, result.usage)
        if not isinstance(result, Failure):
            self._limit.succeeded()
            self._answered(ticket)
            return
        if result.wait_s > 0:
            self._gate.close_until(now + result.wait_s)
        if result.reason in OVERLOAD:
            self._limit.overloaded(started, now)
        if result.counts:
            if self._patience is not None:
                self._patience.failed(now)
            self._log(self._breaker.failed(ticket, result.reason, result.wait_s, now))
        elif result.reason is Reason.DEADLINE:
            self._breaker.unknown(ticket)
        else:
            self._answered(ticket)

    def _answered(self, ticket: Ticket) -> None:
        """The endpoint answered like a judge."""
        if self._patience is not None:
            self._patience.succeeded()
        self._log(self._breaker.succeeded(ticket))

    def _log(self, change: Change | None) -> None:
        if change is None:
            return
        if change.state is BreakerState.CLOSED:
            log.info("judge answers again", judge=self._config.name, after=change.reason, ends=_NOT_ASKED)
        else:
            pause_s = round(change.pause_s, 1)
            log.warning(_NOT_ASKED, judge=self._config.name, reason=change.reason, pause_s=pause_s)

    def _left(self, deadline: float) -> float:
        return max(0.0, deadline - self._clock.monotonic())


def _not_asked(reason: Reason, detail: str = "") -> Exchange:
    return Exchange(Failure(reason, detail, asked=False, usage=_NOTHING))
