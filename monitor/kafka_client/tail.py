"""Reading a whole topic from a moment on, and then what comes: every partition, no consumer group."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Final

import structlog
from aiokafka import TopicPartition as ClientPartition
from aiokafka import errors

from monitor.errors import ConfigError, SourceError
from monitor.kafka_client.backoff import backoff
from monitor.kafka_client.connection import KafkaConnection
from monitor.kafka_client.open_topic import OpenTopic
from monitor.kafka_client.reader import CarefulReader
from monitor.records import TopicPartition
from monitor.wire import Record

log = structlog.get_logger(__name__)

_POLL_S = 0.25
_POLL_RECORDS = 2000
_FETCH_BYTES = 4 << 20
_GATHER_BYTES = 1 << 20
_GATHER_MS = 500  # a fetch for each write would cost more than what is read: nobody needs it before the next snapshot
_CREATION_S = 30.0  # until a topic should be there that we, or another process of ours, are about to create
_WAITING_BATCHES = 4  # read ahead of a slow reader; then Kafka waits
_NO_TIME = -1

Put = Callable[[Sequence[Record] | None], Awaitable[None]]

CAUGHT_UP: Final = None
"""Stands in the queue where the end was reached that was known at the start."""


class TopicTail:
    """Reads a topic in the background and hands it on in batches; reconnects where it was. One use only."""

    def __init__(
        self, connection: KafkaConnection, topic: str, since_ns: int, *, rng: random.Random | None = None
    ) -> None:
        self._connection = connection
        self._topic = topic
        self._since_ms = since_ns // 1_000_000
        self._rng = rng or random.Random()  # noqa: S311 - jitter
        self._next: dict[TopicPartition, int] = {}
        self._targets: dict[TopicPartition, int] | None = None
        self._caught_up = False
        self.problem: str | None = "connecting"
        self.unreadable = 0
        """Offsets that can never be read, and were skipped; whoever counts them sets it back to 0."""

    async def batches(self, idle: float) -> AsyncIterator[Sequence[Record]]:
        """Batches as they come; an empty one when caught up, and from then on after `idle` seconds without any."""
        queue: asyncio.Queue[Sequence[Record] | None] = asyncio.Queue(_WAITING_BATCHES)
        task = asyncio.create_task(self._run(queue.put), name=f"read {self._topic}")
        caught_up = False
        try:
            while True:
                batch: Sequence[Record] | None = ()
                try:
                    async with asyncio.timeout(idle):
                        batch = await queue.get()
                except TimeoutError:
                    if task.done():
                        task.result()
                    if not caught_up:
                        continue
                caught_up = caught_up or batch is CAUGHT_UP
                yield batch or ()
        finally:
            task.cancel()
            await asyncio.wait({task})

    async def _run(self, put: Put) -> None:
        failures = 0
        loop = asyncio.get_running_loop()
        expected_until = loop.time() + _CREATION_S
        while True:
            opened = OpenTopic(
                self._connection,
                self._topic,
                max_partition_fetch_bytes=_FETCH_BYTES,
                fetch_min_bytes=_GATHER_BYTES,
                fetch_max_wait_ms=_GATHER_MS,
            )
            try:
                await self._read(opened, put)
            except (errors.KafkaError, OSError, SourceError, ConfigError) as error:
                progress = self.problem is None
                failures = 1 if progress else failures + 1
                self.problem = await opened.why(error, f"topic {self._topic}")
                if isinstance(error, errors.UnknownTopicOrPartitionError) and loop.time() < expected_until:
                    log.info("waiting until the topic is created", topic=self._topic)
                else:
                    log.warning("topic cannot be read just now", topic=self._topic, why=self.problem)
            await asyncio.sleep(backoff(failures, self._rng))

    async def _read(self, opened: OpenTopic, put: Put) -> None:
        """Connect, and read until something goes wrong."""
        try:
            await opened.open()
            reader = CarefulReader(opened.consumer, _POLL_RECORDS)
            await self._begin(opened, reader)
            self.problem = None
            while True:
                try:
                    await self._follow(opened, reader, put)
                except errors.OffsetOutOfRangeError as error:
                    oldest = await opened.begin_again(reader, error)
                    for tp, offset in oldest.items():
                        log.warning("position is out of range", topic=tp.topic, partition=tp.partition, next=offset)
                    self._next |= oldest
        finally:
            await opened.close()

    async def _begin(self, opened: OpenTopic, reader: CarefulReader) -> None:
        """Take up every partition: where we were, or at the moment asked for; a later one at its beginning."""
        known = opened.partitions()
        opened.consumer.assign(known)
        ends = await opened.ends(known)  # before the look-up by time, or what comes in between is lost
        fresh = [tp for tp in known if tp not in self._next]
        if self._targets is None:
            found = await opened.at_time(fresh, self._since_ms)
            for tp in fresh:
                at = found[tp]
                nothing = at is None or at.timestamp == _NO_TIME
                self._next[TopicPartition(*tp)] = ends[tp] if nothing else at.offset
            self._targets = {TopicPartition(*tp): end for tp, end in ends.items()}
        elif fresh:
            begin = await opened.begins(fresh)
            self._next |= {TopicPartition(*tp): offset for tp, offset in begin.items()}
        reader.begin({TopicPartition(*tp): self._next[TopicPartition(*tp)] for tp in known})

    async def _follow(self, opened: OpenTopic, reader: CarefulReader, put: Put) -> None:
        while True:
            for batch in await reader.read(_POLL_S):
                await put(batch.records)
                self._next[batch.partition] = batch.next_offset
            self.problem = reader.problem()
            self.unreadable += reader.skipped
            reader.skipped = 0
            if not self._caught_up and await self._reached(opened):
                self._caught_up = True
                await put(CAUGHT_UP)
            if await opened.probe() and len(opened.partitions()) > len(self._next):
                await self._begin(opened, reader)

    async def _reached(self, opened: OpenTopic) -> bool:
        targets = self._targets or {}
        for tp, end in targets.items():
            if self._next[tp] < end and await opened.consumer.position(ClientPartition(*tp)) < end:
                return False
        return True
