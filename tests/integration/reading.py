"""Driving a Kafka source as the pipeline does: poll, take, commit. `source.client` says which one."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping

from monitor.building import build_source
from monitor.clock import SystemClock
from monitor.config.settings import SourceSettings
from monitor.kafka_client.connection import KafkaConnection
from monitor.protocols import DeadLetters
from monitor.records import TopicPartition
from monitor.sampling.presample import Presample
from tests.integration.listeners import Listener


class Reading:
    """A started source, what it told, and what it gave."""

    def __init__(
        self,
        connection: KafkaConnection,
        settings: SourceSettings,
        *,
        hold: Mapping[TopicPartition, int] | None = None,
        dead_letters: DeadLetters | None = None,
        presample: Presample | None = None,
    ) -> None:
        self.events: Counter[str] = Counter()
        self.listener = Listener((hold or {}).items())
        self.source = build_source(
            connection, settings, SystemClock(), dead_letters=dead_letters, presample=presample, count=self._count
        )
        self.unwanted = 0
        self.records: list[tuple[bytes | None, bytes | None, tuple[tuple[str, bytes], ...]]] = []

    def _count(self, event: str, number: int) -> None:
        self.events[event] += number

    @property
    def values(self) -> list[bytes | None]:
        """Values in the order in which they came."""
        return self.listener.values

    async def poll(self) -> None:
        """One turn of the pipeline's loop."""
        batches = await self.source.poll()
        self.listener.take(batches)
        self.unwanted += sum(batch.unwanted for batch in batches)
        self.records += [(r.key, r.value, tuple(r.headers)) for batch in batches for r in batch.records]

    async def until(self, true: Callable[[], object], what: str, within: float = 40.0) -> None:
        """Poll until something is true; AssertionError when it does not become so."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + within
        while not true():
            assert loop.time() < deadline, f"did not happen within {within:.0f} s: {what}; {self.source.problem()}"
            await self.poll()

    async def for_ever(self, commit_every: float = 0.5) -> None:
        """Poll and commit until cancelled."""
        loop = asyncio.get_running_loop()
        due = loop.time() + commit_every
        while True:
            await self.poll()
            if loop.time() >= due:
                await self.source.commit()
                due = loop.time() + commit_every


@contextlib.asynccontextmanager
async def reading(
    connection: KafkaConnection,
    settings: SourceSettings,
    *,
    hold: Mapping[TopicPartition, int] | None = None,
    dead_letters: DeadLetters | None = None,
    presample: Presample | None = None,
) -> AsyncIterator[Reading]:
    """A source for the time of a block; it is always stopped."""
    reader = Reading(connection, settings, hold=hold, dead_letters=dead_letters, presample=presample)
    await reader.source.start(reader.listener)
    try:
        yield reader
    finally:
        await reader.source.stop()
