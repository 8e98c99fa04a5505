"""Writing until it is confirmed."""

from __future__ import annotations

import asyncio

import structlog

from monitor.errors import SinkError
from monitor.stages.durable import Persistence
from tests import virtual_time
from tests.virtual_time import VirtualClock


def test_an_outage_is_told_of_every_few_seconds_however_many_writes_wait_for_its_end() -> None:
    async def go(clock: VirtualClock) -> None:
        over = clock.monotonic() + 60
        persistence = Persistence(clock)

        async def write() -> None:
            if clock.monotonic() < over:
                msg = "the broker is away"
                raise SinkError(msg)

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(persistence.until_durable("case", write)) for _ in range(100)]
        assert all(task.result() for task in tasks)
        assert clock.monotonic() < over + 6

    with structlog.testing.capture_logs() as lines:
        virtual_time.run(go)
    assert 8 <= len(lines) <= 13
    assert {(line["log_level"], line["what"]) for line in lines} == {("warning", "case")}


def test_who_is_told_to_give_up_is_asked_after_a_failure_only() -> None:
    async def go(clock: VirtualClock) -> list[bool]:
        async def fails() -> None:
            raise SinkError

        async def works() -> None:
            pass

        persistence = Persistence(clock)
        return [await persistence.until_durable("letter", write, lambda: True) for write in (fails, works)]

    assert virtual_time.run(go) == [False, True]
