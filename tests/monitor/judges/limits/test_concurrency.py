from __future__ import annotations

import asyncio
import random

from monitor.judges.limits.concurrency import AimdLimit, Slots
from tests import virtual_time
from tests.virtual_time import VirtualClock


def test_the_limit_starts_at_half_and_grows_to_the_maximum() -> None:
    limit = AimdLimit(8)
    seen = [limit.limit]
    for _ in range(60):
        limit.succeeded()
        seen.append(limit.limit)
    assert (seen[0], seen[-1], seen == sorted(seen)) == (4, 8, True)


def test_it_takes_about_limit_successes_for_one_more() -> None:
    limit = AimdLimit(100)
    for _ in range(52):
        limit.succeeded()
    assert limit.limit == 51


def test_one_flight_of_failures_halves_the_limit_once() -> None:
    limit = AimdLimit(16)
    for finished in range(8):
        limit.overloaded(started=100.0, now=101.0 + finished)
    assert limit.limit == 4
    limit.overloaded(started=110.0, now=111.0)
    assert limit.limit == 2


def test_one_call_is_always_allowed() -> None:
    limit = AimdLimit(1)
    for now in range(10):
        limit.overloaded(float(now), float(now))
    assert limit.limit == 1


def test_never_more_calls_than_the_limit_and_none_is_starved() -> None:
    async def main(clock: VirtualClock) -> tuple[int, list[int]]:
        limit = AimdLimit(6)
        slots = Slots(limit)
        order: list[int] = []
        worst = 0

        async def call(index: int) -> None:
            nonlocal worst
            async with slots.place():
                order.append(index)
                worst = max(worst, slots.in_flight)
                await asyncio.sleep(1 + index % 3)

        async with asyncio.TaskGroup() as group:
            for index in range(30):
                group.create_task(call(index))
        del clock
        return worst, order

    assert virtual_time.run(main) == (3, list(range(30)))


def test_cancelled_waiters_and_holders_give_their_places_back() -> None:
    async def main(clock: VirtualClock) -> tuple[int, bool]:
        slots = Slots(AimdLimit(4))
        rng = random.Random(3)

        async def call() -> None:
            async with slots.place():
                await asyncio.sleep(rng.random())

        for _ in range(200):
            task = asyncio.create_task(call())
            await asyncio.sleep(rng.choice([0, 0, 0.01, 0.3]))
            if rng.random() < 0.7:
                task.cancel()
        await asyncio.sleep(300)
        async with asyncio.timeout(1), slots.place(), slots.place():
            free = True
        del clock
        return slots.in_flight, free

    assert virtual_time.run(main) == (0, True)


def test_a_place_given_and_cancelled_in_the_same_step_goes_to_the_next() -> None:
    async def main(clock: VirtualClock) -> list[str]:
        slots = Slots(AimdLimit(1))
        done: list[str] = []

        async def call(name: str) -> None:
            async with slots.place():
                done.append(name)

        async with slots.place():
            second = asyncio.create_task(call("second"))
            third = asyncio.create_task(call("third"))
            await asyncio.sleep(0)
        second.cancel()  # its place was assigned by the line above
        async with asyncio.timeout(1):
            await third
        del clock
        return done

    assert virtual_time.run(main) == ["third"]
