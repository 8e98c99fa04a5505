"""One topic, opened for reading: connected without a group, asked where it begins and ends, looked after, closed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from aiokafka import TopicPartition as ClientPartition
from aiokafka import errors

from monitor.kafka_client.closing import close_client
from monitor.kafka_client.connection import KafkaConnection
from monitor.kafka_client.diagnosis import describe, why_unreachable
from monitor.kafka_client.groupless import groupless_consumer, learn_partitions
from monitor.kafka_client.reader import CarefulReader
from monitor.records import TopicPartition

_PROBE_EVERY_S = 5.0
_CLOSE_S = 2.0


class OpenTopic:
    """A client of its own. Every question is bounded by the request timeout, and raises KafkaError or TimeoutError."""

    def __init__(self, connection: KafkaConnection, topic: str, **fetching: int) -> None:
        """`fetching` are aiokafka's sizes and times of a fetch."""
        self.consumer: Any = None
        self.names: frozenset[str] = frozenset()
        """The topics that there were when it was opened."""
        self._connection = connection
        self._topic = topic
        self._fetching = fetching
        self._bound = connection.kafka.request_timeout
        self._probe_at = 0.0

    async def open(self) -> None:
        """Connect, and learn the partitions. Also raises OSError, ConfigError, and UnknownTopicOrPartitionError.

        A topic that is missing stays missing. Close it whatever was raised.
        """
        options = await asyncio.to_thread(self._connection.options)
        self.consumer = groupless_consumer(options, self._bound, **self._fetching)
        async with asyncio.timeout(self._bound):
            await self.consumer.start()
            self.names = frozenset(await self.consumer.topics())
            if self._topic not in self.names:  # asking for a missing one by name might create it
                msg = "the topic does not exist yet"
                raise errors.UnknownTopicOrPartitionError(msg)
            await learn_partitions(self.consumer, self._topic)

    async def close(self) -> None:
        """Free everything. Never raises for Kafka's sake; without effect where it was not opened."""
        if self.consumer is not None:
            await close_client(self.consumer, _CLOSE_S)

    def partitions(self) -> list[ClientPartition]:
        """Those that are known now, by number."""
        numbers = self.consumer.partitions_for_topic(self._topic) or ()
        return [ClientPartition(self._topic, number) for number in sorted(numbers)]

    async def begins(self, partitions: Sequence[ClientPartition]) -> dict[ClientPartition, int]:
        """The offset of the oldest record of each."""
        async with asyncio.timeout(self._bound):
            found: dict[ClientPartition, int] = await self.consumer.beginning_offsets(partitions)
        return found

    async def ends(self, partitions: Sequence[ClientPartition]) -> dict[ClientPartition, int]:
        """The offset after the last committed record of each, as the broker lists it."""
        async with asyncio.timeout(self._bound):
            found: dict[ClientPartition, int] = await self.consumer.end_offsets(partitions)
        return found

    async def at_time(self, partitions: Sequence[ClientPartition], since_ms: int) -> dict[ClientPartition, Any]:
        """The first record of each from that time on, with its offset and timestamp; None where there is none."""
        async with asyncio.timeout(self._bound):
            found: dict[ClientPartition, Any] = await self.consumer.offsets_for_times(
                dict.fromkeys(partitions, since_ms)
            )
        return found

    async def probe(self) -> bool:
        """Ask the broker something from time to time; whether it was now. A client without its broker is silent."""
        now = asyncio.get_running_loop().time()
        if now < self._probe_at:
            return False
        self._probe_at = now + _PROBE_EVERY_S
        await self.ends(list(self.consumer.assignment()))
        return True

    async def begin_again(
        self, reader: CarefulReader, error: errors.OffsetOutOfRangeError
    ) -> Mapping[TopicPartition, int]:
        """Retention was faster than the reader, or the topic was made anew: on with the oldest record; gives where."""
        found = await self.begins(list(error.args[0]))
        oldest = {TopicPartition(*tp): offset for tp, offset in found.items()}
        for tp, offset in oldest.items():
            reader.restart(tp, offset)
        return oldest

    async def why(self, error: Exception, unreachable: str) -> str:
        """What to tell a person. `unreachable` stands in front where the broker cannot be reached, else the topic."""
        if isinstance(error, errors.KafkaConnectionError | OSError):
            options = await asyncio.to_thread(self._connection.options)
            return f"{unreachable}: {await why_unreachable(options, self._bound)}"
        return f"topic {self._topic}: {describe(error)}"
