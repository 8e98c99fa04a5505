from __future__ import annotations

import asyncio
import threading

import pytest

from monitor.errors import SourceError
from monitor.sources.librdkafka.worker import Worker
from tests.brokers import run


def test_calls_are_made_in_their_order_and_their_outcomes_come_back() -> None:
    async def go() -> list[int]:
        worker, seen = Worker("test"), list[int]()
        first, second = worker.submit(lambda: seen.append(1)), worker.submit(lambda: 1 // 0)
        third = worker.submit(lambda: len(seen))
        with pytest.raises(ZeroDivisionError):
            await second
        assert await third == 1
        assert first.done()
        worker.finish()
        with pytest.raises(SourceError):
            await worker.submit(lambda: seen.append(2))
        return seen

    assert run(go()) == [1]


def test_a_call_that_was_given_up_before_its_turn_is_not_made() -> None:
    async def go() -> list[str]:
        worker, gate, seen = Worker("test"), threading.Event(), list[str]()
        worker.submit(gate.wait)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await worker.submit(lambda: seen.append("late"))
        gate.set()
        await worker.submit(lambda: seen.append("next"))
        return seen

    assert run(go()) == ["next"]


def test_the_loop_ends_while_a_call_hangs() -> None:
    gate = threading.Event()

    async def go() -> None:
        hanging = Worker("test").submit(gate.wait)
        await asyncio.wait({hanging}, timeout=0)
        assert not hanging.done()

    run(go(), 2)
    gate.set()
