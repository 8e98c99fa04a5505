"""Over files calls wait for a pause and for a limit of a minute; in live traffic they are left out."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable

import pytest

from monitor.config import judges as judge_settings
from monitor.judges.limits.calling import Exchange, Limits, Result
from monitor.judges.limits.patience import LONGEST_S, Held, Patience
from monitor.judges.reasons import PERMANENT, Failure, Reason
from monitor.records import Usage
from tests import virtual_time
from tests.monitor.judges.limits.test_calling import OK, Endpoint
from tests.virtual_time import VirtualClock

DAY_S = 86_400.0
SMALL = Usage(1, 100, 100)
BURST = Failure(Reason.RATE_LIMITED, wait_s=1)


def run(
    answer: Callable[[float], Result], rows: int = 60, estimate: Usage = SMALL, **settings: object
) -> tuple[list[Exchange], float, Counter[tuple[Reason, str]]]:
    """All rows at once, by an endpoint that answers by the seconds since the start; how long it took, what was said."""
    config = judge_settings.LlmJudge.model_validate({"base_url": "http://judge.example/v1", "model": "m", **settings})
    told = Counter[tuple[Reason, str]]()

    def tell(judge: str, held: Held) -> None:
        told[held.reason, held.detail] += judge == config.name

    async def main(clock: VirtualClock) -> tuple[list[Exchange], float]:
        start = clock.monotonic()
        endpoint = Endpoint(clock, lambda now: answer(now - start))
        guard = Limits(config, clock, random.Random(1), asyncio.sleep, Patience(config.name, tell))
        async with asyncio.TaskGroup() as group:
            calls = [
                group.create_task(guard.call(endpoint.send, start + DAY_S, estimate=estimate)) for _ in range(rows)
            ]
        return [call.result() for call in calls], clock.monotonic() - start

    return (*virtual_time.run(main), told)


def reasons(exchanges: list[Exchange]) -> Counter[Reason | None]:
    return Counter(one.result.reason if isinstance(one.result, Failure) else None for one in exchanges)


def test_a_burst_of_429_at_the_start_loses_no_row() -> None:
    exchanges, took, told = run(lambda now: BURST if now < 20 else OK)
    assert reasons(exchanges) == {None: 60}
    assert 20 < took < 90
    assert told[Reason.RATE_LIMITED, ""] > 0


def test_an_outage_between_answers_is_waited_for() -> None:
    outage = Failure(Reason.SERVER_ERROR)
    exchanges, took, told = run(lambda now: outage if 0.5 < now < 100 else OK)
    assert reasons(exchanges)[Reason.CIRCUIT_OPEN] == 0
    assert reasons(exchanges)[None] >= 50  # those that met the outage themselves are lost
    assert told[Reason.CIRCUIT_OPEN, Reason.SERVER_ERROR] > 0
    assert 100 < took < 140


@pytest.mark.parametrize("why", sorted(PERMANENT | {Reason.CONNECT, Reason.SERVER_ERROR, Reason.TIMEOUT}))
def test_an_endpoint_that_never_answered_or_must_be_mended_is_not_waited_for(why: Reason) -> None:
    exchanges, took, told = run(lambda _: Failure(why))
    assert reasons(exchanges).keys() == {why, Reason.CIRCUIT_OPEN}
    assert took < 20
    assert not told


def test_an_endpoint_that_does_not_come_back_is_given_up() -> None:
    exchanges, took, _ = run(lambda now: OK if now < 0.5 else Failure(Reason.CONNECT), rows=200)
    assert reasons(exchanges)[Reason.CIRCUIT_OPEN] > 0
    assert LONGEST_S / 2 < took < LONGEST_S + 40


def test_429_without_an_end_is_given_up() -> None:
    exchanges, took, _ = run(lambda _: BURST)
    assert reasons(exchanges).keys() == {Reason.RATE_LIMITED, Reason.CIRCUIT_OPEN}
    assert took < LONGEST_S + 40


def test_a_call_that_alone_gets_429_ends_while_others_are_answered() -> None:
    async def main(clock: VirtualClock) -> Exchange:
        guard = Limits(
            judge_settings.LlmJudge(base_url="http://judge.example/v1", model="m"),
            clock,
            random.Random(1),
            asyncio.sleep,
            Patience("llm", lambda *_: None),
        )
        too_large, others = Endpoint(clock, lambda _: BURST), Endpoint(clock, lambda _: OK)
        call = asyncio.create_task(guard.call(too_large.send, clock.monotonic() + DAY_S))
        while not call.done():
            await guard.call(others.send, clock.monotonic() + DAY_S)
        return await call

    assert reasons([virtual_time.run(main)]) == {Reason.RATE_LIMITED: 1}


def test_a_limit_of_a_minute_is_waited_for_and_said() -> None:
    exchanges, took, told = run(lambda _: OK, rows=62, requests_per_minute=20)
    assert reasons(exchanges) == {None: 62}
    assert 180 < took < 200
    assert told[Reason.RATE_LIMITED, "requests_per_minute"] > 0


def test_a_call_that_no_limit_of_a_minute_lets_through_is_not_waited_for() -> None:
    exchanges, took, _ = run(lambda _: OK, rows=3, estimate=Usage(1, 9000, 2000), tokens_per_minute=10_000)
    assert reasons(exchanges) == {Reason.RATE_LIMITED: 3}
    assert {one.result.detail for one in exchanges if isinstance(one.result, Failure)} == {"tokens_per_minute"}
    assert took == 0


def test_a_limit_of_money_ends_the_calls_at_once() -> None:
    exchanges, took, _ = run(lambda _: OK, estimate=Usage(1, 10, 5, 0.5), cost_per_day=3.0, input_price=1)
    assert reasons(exchanges)[None] >= 5
    assert reasons(exchanges)[Reason.OVER_BUDGET] >= 50
    assert took < 60
