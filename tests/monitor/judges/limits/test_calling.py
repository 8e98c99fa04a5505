from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from monitor.config import judges as judge_settings
from monitor.judges.limits.calling import Exchange, Limits, Result
from monitor.judges.reasons import RETRYABLE, Failure, Reason
from monitor.judges.servers.wire import ChatReply
from monitor.operational import BreakerState
from monitor.records import Usage
from tests import virtual_time
from tests.virtual_time import VirtualClock

OK = ChatReply("{}", "m", Usage(1, 10, 5, 0.5), usage_known=True)


def config(  # the settings that these tests turn
    *, retries: int = 2, retry_budget: float = 0.1, max_concurrency: int = 8, total_timeout: float = 45.0
) -> judge_settings.LlmJudge:
    return judge_settings.LlmJudge(
        base_url="http://judge.example/v1",
        model="m",
        retries=retries,
        retry_budget=retry_budget,
        max_concurrency=max_concurrency,
        total_timeout=total_timeout,
    )


@dataclass
class Endpoint:
    """Answers by a function of the time; remembers when it was called, and how many calls ran at once."""

    clock: VirtualClock
    answer: Callable[[float], Result]
    takes: float = 0.1
    calls: list[float] = field(default_factory=list)
    running: int = 0
    most: int = 0

    async def send(self) -> Result:
        self.calls.append(self.clock.monotonic())
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await asyncio.sleep(self.takes)
        finally:
            self.running -= 1
        return self.answer(self.clock.monotonic())


def limits(clock: VirtualClock, conf: judge_settings.LlmJudge | None = None, seed: int = 1) -> Limits:
    return Limits(conf or config(), clock, random.Random(seed), asyncio.sleep)


async def many(
    guard: Limits, endpoint: Endpoint, cases: int, *, every: float, deadline: float = 60.0
) -> list[Exchange]:
    """One case each `every` seconds, each with a deadline of its own."""
    clock = endpoint.clock

    async def case(index: int) -> Exchange:
        await asyncio.sleep(index * every)
        return await guard.call(endpoint.send, clock.monotonic() + deadline)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(case(index)) for index in range(cases)]
    return [task.result() for task in tasks]


def reason(exchange: Exchange) -> Reason | None:
    return exchange.result.reason if isinstance(exchange.result, Failure) else None


@pytest.mark.parametrize("why", sorted(RETRYABLE))
@pytest.mark.parametrize("every", [0.01, 0.5, 20.0])
def test_during_a_total_outage_there_are_at_most_1_1_calls_a_case(why: Reason, every: float) -> None:
    async def main(clock: VirtualClock) -> list[Exchange]:
        return await many(limits(clock), Endpoint(clock, lambda _: Failure(why)), 300, every=every)

    exchanges = virtual_time.run(main)
    calls = sum(exchange.usage.calls for exchange in exchanges)
    assert calls <= 1.1 * len(exchanges)
    assert {reason(exchange) for exchange in exchanges} <= {why, Reason.CIRCUIT_OPEN}


def test_a_third_of_the_calls_failing_costs_a_tenth_more_calls() -> None:
    async def main(clock: VirtualClock) -> Endpoint:
        faults = random.Random(4)
        endpoint = Endpoint(clock, lambda _: OK if faults.random() > 0.33 else Failure(Reason.SERVER_ERROR))
        await many(limits(clock), endpoint, 500, every=0.5)
        return endpoint

    calls = len(virtual_time.run(main).calls)
    assert 500 < calls <= 500 * 1.1 + 3


def test_an_outage_ends_within_30_s_of_its_end_and_is_logged_once_a_change() -> None:
    async def main(clock: VirtualClock) -> tuple[float, list[Exchange], BreakerState]:
        back = clock.monotonic() + 300
        endpoint = Endpoint(clock, lambda now: OK if now >= back else Failure(Reason.SERVER_ERROR))
        guard = limits(clock)
        exchanges = await many(guard, endpoint, 2000, every=0.2)
        first = next(when for when in endpoint.calls if when >= back)
        return first - back, exchanges, guard.breaker

    with capture_logs() as lines:
        delay, exchanges, state = virtual_time.run(main)
    assert delay <= 30.0
    assert (reason(exchanges[-1]), state) == (None, BreakerState.CLOSED)
    levels = [line["log_level"] for line in lines]
    assert (1 <= levels.count("warning") <= 20, levels.count("info"), levels[-1]) == (True, 1, "info")


def test_no_call_is_made_before_the_time_that_the_server_named() -> None:
    async def main(clock: VirtualClock) -> tuple[float, list[float]]:
        start = clock.monotonic()
        endpoint = Endpoint(clock, lambda now: Failure(Reason.RATE_LIMITED, wait_s=20) if now < start + 0.15 else OK)
        await many(limits(clock), endpoint, 40, every=0.5)
        return start + 0.1 + 20, endpoint.calls

    until, calls = virtual_time.run(main)
    assert [when for when in calls[1:] if when < until] == []
    assert len(calls) == 41


def test_a_wish_beyond_the_deadline_is_not_waited_for() -> None:
    async def main(clock: VirtualClock) -> tuple[list[Exchange], float]:
        start = clock.monotonic()
        endpoint = Endpoint(clock, lambda _: Failure(Reason.RATE_LIMITED, wait_s=50))
        guard = limits(clock)
        first = await guard.call(endpoint.send, start + 10)
        second = await guard.call(endpoint.send, start + 10)
        return [first, second], clock.monotonic() - start

    (first, second), took = virtual_time.run(main)
    assert took < 1
    assert (reason(first), first.usage.calls) == (Reason.RATE_LIMITED, 1)
    assert isinstance(second.result, Failure)
    assert (second.result.reason, second.result.asked, second.usage.calls) == (Reason.RATE_LIMITED, False, 0)


@pytest.mark.parametrize("why", sorted(set(Reason) - RETRYABLE))
def test_what_a_retry_cannot_help_is_not_retried(why: Reason) -> None:
    async def main(clock: VirtualClock) -> int:
        endpoint = Endpoint(clock, lambda _: Failure(why))
        await limits(clock, config(retry_budget=1.0)).call(endpoint.send, clock.monotonic() + 60)
        return len(endpoint.calls)

    assert virtual_time.run(main) == 1


@pytest.mark.parametrize("why", sorted(RETRYABLE))
def test_a_passing_failure_is_retried_and_all_attempts_are_paid(why: Reason) -> None:
    async def main(clock: VirtualClock) -> Exchange:
        replies: Iterator[Result] = iter([Failure(why, usage=Usage(1, 3, 0, 0.1), usage_known=False), OK])
        endpoint = Endpoint(clock, lambda _: next(replies))
        guard = limits(clock)
        exchange = await guard.call(endpoint.send, clock.monotonic() + 60)
        assert (guard.totals.calls, guard.totals.retries, guard.totals.usage) == (2, 1, exchange.usage)
        return exchange

    exchange = virtual_time.run(main)
    assert (exchange.result, exchange.usage, exchange.usage_known) == (OK, Usage(2, 13, 5, 0.6), False)


def test_the_number_of_retries_is_bounded() -> None:
    async def main(clock: VirtualClock) -> int:
        endpoint = Endpoint(clock, lambda _: Failure(Reason.TIMEOUT))
        await limits(clock, config(retries=3, retry_budget=1.0)).call(endpoint.send, clock.monotonic() + 600)
        return len(endpoint.calls)

    assert virtual_time.run(main) == 4


@given(st.integers(0, 2**32), st.floats(0, 1), st.integers(1, 12), st.floats(0.001, 2))
@hypothesis_settings(max_examples=25, deadline=None)
def test_under_random_faults_calls_places_and_budget_stay_in_bounds(
    seed: int, bad: float, places: int, every: float
) -> None:
    faults = random.Random(seed)

    def answer(_: float) -> Result:
        if faults.random() >= bad:
            return OK
        return Failure(faults.choice(sorted(RETRYABLE)), wait_s=faults.choice([0.0, 0.0, 3.0]))

    async def main(clock: VirtualClock) -> tuple[Endpoint, Limits, list[Exchange]]:
        endpoint = Endpoint(clock, answer, takes=faults.uniform(0.01, 3))
        guard = limits(clock, config(max_concurrency=places), seed)
        return endpoint, guard, await many(guard, endpoint, 80, every=every, deadline=20.0)

    endpoint, guard, exchanges = virtual_time.run(main)
    assert endpoint.most <= places
    assert (guard.in_flight, guard.totals.calls, len(exchanges)) == (0, len(endpoint.calls), 80)
    assert sum(exchange.usage.calls for exchange in exchanges) <= len(endpoint.calls) <= 80 * 1.1 + 3


def test_the_concurrency_falls_under_rate_limits_and_recovers() -> None:
    async def main(clock: VirtualClock) -> list[int]:
        overload_ends = clock.monotonic() + 10

        def answer(now: float) -> Result:
            refused = now < overload_ends and len(endpoint.calls) % 2
            return Failure(Reason.RATE_LIMITED) if refused else OK

        endpoint = Endpoint(clock, answer)
        guard = limits(clock, config(max_concurrency=16))
        seen = []

        async def watch() -> None:
            for _ in range(3):
                seen.append(guard.concurrency_limit)
                await asyncio.sleep(9.9 if len(seen) == 1 else 60)

        async with asyncio.TaskGroup() as group:
            group.create_task(watch())
            group.create_task(many(guard, endpoint, 800, every=0.05))
        return seen

    before, during, after = virtual_time.run(main)
    assert (before, after) == (8, 16)
    assert during < before


@pytest.mark.parametrize(("deadline", "why"), [(100.0, Reason.TIMEOUT), (5.0, Reason.DEADLINE)])
def test_a_hanging_call_ends_at_the_total_timeout_or_the_deadline(deadline: float, why: Reason) -> None:
    async def main(clock: VirtualClock) -> tuple[Exchange, float, BreakerState]:
        start = clock.monotonic()
        endpoint = Endpoint(clock, lambda _: OK, takes=1e6)
        guard = limits(clock, config(retries=0, total_timeout=45.0))
        exchange = await guard.call(endpoint.send, start + deadline)
        return exchange, clock.monotonic() - start, guard.breaker

    exchange, took, state = virtual_time.run(main)
    assert (reason(exchange), took, state) == (why, min(45.0, deadline), BreakerState.CLOSED)
    assert (exchange.usage.calls, exchange.usage_known) == (1, False)


def test_waiting_for_a_place_beyond_the_deadline_is_no_call() -> None:
    async def main(clock: VirtualClock) -> list[Exchange]:
        endpoint = Endpoint(clock, lambda _: OK, takes=30.0)
        return await many(limits(clock, config(max_concurrency=1)), endpoint, 3, every=0.0, deadline=40.0)

    first, second, third = virtual_time.run(main)
    assert (reason(first), reason(second), reason(third)) == (None, Reason.DEADLINE, Reason.DEADLINE)
    assert [exchange.usage.calls for exchange in (first, second, third)] == [1, 1, 0]
    assert isinstance(third.result, Failure)
    assert not third.result.asked


def test_a_deadline_that_has_passed_is_no_call() -> None:
    async def main(clock: VirtualClock) -> tuple[Exchange, int]:
        endpoint = Endpoint(clock, lambda _: OK)
        return await limits(clock).call(endpoint.send, clock.monotonic()), len(endpoint.calls)

    exchange, calls = virtual_time.run(main)
    assert (reason(exchange), calls, exchange.usage.calls) == (Reason.DEADLINE, 0, 0)


def test_no_quota_pauses_the_judge_by_name_and_it_resumes_by_itself() -> None:
    async def main(clock: VirtualClock) -> tuple[list[float], list[Exchange], list[str]]:
        paid = clock.monotonic() + 700
        endpoint = Endpoint(clock, lambda now: OK if now > paid else Failure(Reason.QUOTA))
        guard = limits(clock)
        exchanges = await many(guard, endpoint, 600, every=1.0)
        paused = [guard.paused]
        exchanges += await many(guard, endpoint, 800, every=1.0)
        return endpoint.calls, exchanges, [*paused, guard.paused]

    with capture_logs() as lines:
        calls, exchanges, paused = virtual_time.run(main)
    unpaid = [exchange for exchange in exchanges if reason(exchange) is Reason.QUOTA]
    skipped = [exchange.result for exchange in exchanges if reason(exchange) is Reason.CIRCUIT_OPEN]
    assert len(unpaid) <= 9  # probes at 5, 10, 20, ... s, at most 15 min apart
    assert {(item.detail, item.asked) for item in skipped if isinstance(item, Failure)} == {("quota", False)}
    assert (paused, reason(exchanges[-1])) == (["quota", ""], None)
    assert len(calls) == len(exchanges) - len(skipped)
    assert len(lines) == len(unpaid) + 1


@pytest.mark.parametrize("why", [Reason.TRUNCATED, Reason.PARSE, Reason.REFUSED, Reason.TOO_LONG, Reason.BAD_REQUEST])
def test_a_judge_that_answers_uselessly_is_still_asked(why: Reason) -> None:
    async def main(clock: VirtualClock) -> BreakerState:
        guard = limits(clock)
        await many(guard, Endpoint(clock, lambda _: Failure(why)), 50, every=0.1)
        return guard.breaker

    assert virtual_time.run(main) is BreakerState.CLOSED


def test_cancelling_at_any_moment_frees_the_place_and_the_probe() -> None:
    async def main(clock: VirtualClock) -> tuple[int, Reason | None]:
        good_from = clock.monotonic() + 500
        endpoint = Endpoint(clock, lambda now: OK if now > good_from else Failure(Reason.CONNECT), takes=2.0)
        guard = limits(clock)
        rng = random.Random(5)
        for _ in range(100):
            task = asyncio.create_task(guard.call(endpoint.send, clock.monotonic() + 60))
            await asyncio.sleep(rng.uniform(0, 6))
            task.cancel()
        await asyncio.sleep(1000)
        last = await guard.call(endpoint.send, clock.monotonic() + 60)
        return guard.in_flight, reason(last)

    assert virtual_time.run(main) == (0, None)
