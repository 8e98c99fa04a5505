"""Reading parts of one topic for a person: no consumer group, no commit, and a missing topic stays missing."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import NamedTuple, Self

from aiokafka import TopicPartition as ClientPartition
from aiokafka import errors

from monitor.errors import InputError, SourceError
from monitor.kafka_client.connection import KafkaConnection
from monitor.kafka_client.isolation import Fault
from monitor.kafka_client.open_topic import OpenTopic
from monitor.kafka_client.reader import CarefulReader
from monitor.records import TopicPartition
from monitor.wire import Record

_POLL_S = 0.25
_POLL_RECORDS = 500
_FETCH_WAIT_MS = 100
_FETCH_BYTES = 1 << 20
_AT_ONCE = 32
"""Partitions that are read at the same time when their ends are known: the client holds a fetch of each in memory."""
_FIRST_FETCH_S = 1.0
_NO_END = (1 << 63) - 1
"""Beyond every offset."""

Take = Callable[[TopicPartition, Sequence[Record]], None]
"""Gets consecutive records of a partition, in order of offset."""


class Offsets(NamedTuple):
    """Offsets from `begin` (included) to `end` (excluded)."""

    begin: int
    end: int


class TopicReader:
    """A connection to read one topic; an asynchronous context manager. Committed records only, of any compression.

    Connecting raises InputError (no such topic), ConfigError, or SourceError with what a person should read.
    """

    def __init__(self, connection: KafkaConnection, topic: str) -> None:
        self._topic = topic
        self._opened = OpenTopic(
            connection, topic, max_partition_fetch_bytes=_FETCH_BYTES, fetch_max_wait_ms=_FETCH_WAIT_MS
        )
        self._failures: dict[tuple[str, str], None] = {}  # in order, each once however often a place is read

    async def __aenter__(self) -> Self:
        try:
            await self._opened.open()
        except errors.UnknownTopicOrPartitionError:
            await self._opened.close()
            raise self._missing() from None
        except (errors.KafkaError, OSError) as error:
            await self._opened.close()
            raise SourceError(await self._why(error)) from error
        except BaseException:
            await self._opened.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._opened.close()

    def failures(self) -> Sequence[tuple[str, str]]:
        """Where something could not be read, and why."""
        return tuple(self._failures)

    async def offsets(self) -> Mapping[TopicPartition, Offsets]:
        """What each partition holds now, up to its last committed record. Raises SourceError."""
        partitions = self._opened.partitions()
        try:
            begin = await self._opened.begins(partitions)
            end = await self._ends(partitions)
        except (errors.KafkaError, OSError) as error:
            raise SourceError(await self._why(error)) from error
        return {TopicPartition(*tp): Offsets(begin[tp], end[tp]) for tp in partitions}

    async def read(self, ranges: Mapping[TopicPartition, Offsets], take: Take) -> None:
        """Hand on the records of each range. Raises SourceError; what cannot be read for ever is in `failures`."""
        for part in _parts(ranges):
            await self._read(part, take, None)

    async def follow(self, starts: Mapping[TopicPartition, int], take: Take, seconds: float) -> None:
        """Hand on the records from these offsets on that come within so many seconds. Raises SourceError."""
        deadline = asyncio.get_running_loop().time() + seconds
        await self._read({tp: Offsets(start, _NO_END) for tp, start in starts.items()}, take, deadline)

    def _missing(self) -> InputError:
        near = difflib.get_close_matches(self._topic, sorted(self._opened.names), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        return InputError(f"topic {self._topic} does not exist, or we may not see it{hint}")

    async def _ends(self, partitions: Sequence[ClientPartition]) -> dict[ClientPartition, int]:
        """The end of each partition, as a fetch there tells it: Tansu lists ends short of the last batch."""
        consumer = self._opened.consumer
        listed = await self._opened.ends(partitions)
        consumer.assign(partitions)
        for tp in partitions:
            consumer.seek(tp, listed[tp])
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FIRST_FETCH_S):
                while any(consumer.last_stable_offset(tp) is None for tp in partitions):  # noqa: ASYNC110 - aiokafka has no event for it
                    await asyncio.sleep(0.02)
        return {tp: max(listed[tp], consumer.last_stable_offset(tp) or 0) for tp in partitions}

    # ------------------------------------------------------------------------------------------------------- reading

    async def _read(self, ranges: Mapping[TopicPartition, Offsets], take: Take, deadline: float | None) -> None:
        loop = asyncio.get_running_loop()
        reader = CarefulReader(self._opened.consumer, _POLL_RECORDS, bury=self._unreadable)
        self._opened.consumer.assign([ClientPartition(*tp) for tp in ranges])
        reader.begin({tp: item.begin for tp, item in ranges.items()})
        unread = set(ranges)
        while unread and not unread <= reader.blocked():
            wait = _POLL_S if deadline is None else min(_POLL_S, deadline - loop.time())
            if wait <= 0:
                break
            await self._poll(reader, ranges, take, wait)
            if deadline is None:
                for tp in [tp for tp in unread if await self._position(reader, tp) >= ranges[tp].end]:
                    unread.remove(tp)
                    self._opened.consumer.pause(ClientPartition(*tp))
        if problem := reader.problem():
            self._failures[self._topic, problem] = None

    async def _poll(
        self, reader: CarefulReader, ranges: Mapping[TopicPartition, Offsets], take: Take, wait: float
    ) -> None:
        try:
            try:
                for batch in await reader.read(wait):
                    end = ranges[batch.partition].end
                    take(batch.partition, [record for record in batch.records if record.offset < end])
                await self._opened.probe()
            except errors.OffsetOutOfRangeError as error:
                await self._opened.begin_again(reader, error)
        except (errors.KafkaError, OSError) as error:
            raise SourceError(await self._why(error)) from error

    async def _position(self, reader: CarefulReader, tp: TopicPartition) -> int:
        """Where the partition is read on: the client also knows of offsets behind the last record that are none."""
        client: int = await self._opened.consumer.position(ClientPartition(*tp))
        return max(reader.positions[tp], client)

    async def _unreadable(self, tp: TopicPartition, first: int, end: int, _fault: Fault, detail: str) -> None:
        text = f"offsets {first} to {end - 1} cannot be read: {detail}"
        self._failures[f"{tp.topic}/{tp.partition}", text] = None

    async def _why(self, error: Exception) -> str:
        return await self._opened.why(error, "Kafka cannot be reached")


def _parts(ranges: Mapping[TopicPartition, Offsets]) -> Iterator[dict[TopicPartition, Offsets]]:
    """The ranges that hold an offset, some partitions at a time."""
    filled = sorted((tp, item) for tp, item in ranges.items() if item.begin < item.end)
    for first in range(0, len(filled), _AT_ONCE):
        yield dict(filled[first : first + _AT_ONCE])
