"""The careful reader on real batches: an unreadable place costs itself only."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import pytest
from aiokafka import AIOKafkaConsumer, errors
from aiokafka import TopicPartition as ClientPartition

from monitor.errors import SinkError
from monitor.kafka_client.isolation import Fault
from monitor.kafka_client.reader import CarefulReader
from monitor.records import TopicPartition
from tests.brokers import Message, Tansu, create_topic, produce, run, unique

PARTITIONS = 4
EACH = 40


class Graveyard:
    """Where unreadable runs are written; refuses the first `refusals` of them."""

    def __init__(self, refusals: int = 0) -> None:
        self.runs: list[tuple[TopicPartition, int, int, Fault]] = []
        self.refusals = refusals

    async def bury(self, tp: TopicPartition, first: int, end: int, fault: Fault, detail: str) -> None:
        assert detail
        if self.refusals:
            self.refusals -= 1
            msg = "no broker"
            raise SinkError(msg)
        self.runs.append((tp, first, end, fault))


def poison(error: Exception) -> Callable[[bytes], bytes]:
    """A deserializer stands for a decompressor or checksum that fails inside `getmany`: the same code path."""

    def read(value: bytes) -> bytes:
        if value.startswith(b"poison"):
            raise error
        return value

    return read


async def topic_with(broker: Tansu, bad: dict[int, set[int]]) -> tuple[str, list[bytes]]:
    """A topic with `EACH` records in each partition, poison at these offsets; and the values that are not poison."""
    topic = unique("reader")
    await create_topic(broker, topic, PARTITIONS)
    messages = [
        Message(
            (b"poison" if offset in bad.get(number, set()) else b"good") + b" %d/%d" % (number, offset), None, number
        )
        for offset in range(EACH)
        for number in range(PARTITIONS)
    ]
    await produce(broker, topic, messages)
    return topic, sorted(m.value for m in messages if m.value is not None and m.value.startswith(b"good"))


@contextlib.asynccontextmanager
async def reader_of(broker: Tansu, topic: str, error: Exception, graveyard: Graveyard) -> AsyncIterator[CarefulReader]:
    consumer = AIOKafkaConsumer(
        bootstrap_servers=broker.address, auto_offset_reset="none", value_deserializer=poison(error)
    )
    await consumer.start()
    try:
        tps = [ClientPartition(topic, number) for number in range(PARTITIONS)]
        consumer.assign(tps)
        reader = CarefulReader(consumer, 16, bury=graveyard.bury)
        reader.begin({TopicPartition(*tp): 0 for tp in tps})
        yield reader
    finally:
        await consumer.stop()


async def drain(reader: CarefulReader, wanted: int, polls: int = 2000) -> list[bytes | None]:
    values: list[bytes | None] = []
    for _ in range(polls):
        for batch in await reader.read(0.05):
            assert [record.offset for record in batch.records] == sorted({record.offset for record in batch.records})
            values += [record.value for record in batch.records]
        if len(values) >= wanted:
            break
    return values


def test_an_unreadable_place_in_one_of_four_partitions_costs_only_itself(tansu: Tansu) -> None:
    async def go() -> None:
        topic, good = await topic_with(tansu, {2: {7, 8, 9}})
        graveyard = Graveyard(refusals=1)
        async with reader_of(tansu, topic, ValueError("bad checksum"), graveyard) as reader:
            values = await drain(reader, len(good))
            assert sorted(value for value in values if value is not None) == good
            assert graveyard.runs == [(TopicPartition(topic, 2), 7, 10, Fault.CORRUPT)]
            assert (reader.problem(), reader.skipped) == (None, 3)

    run(go())


def test_an_unreadable_end_of_a_partition_is_passed_without_waiting_for_more(tansu: Tansu) -> None:
    async def go() -> None:
        topic, good = await topic_with(tansu, {0: {EACH - 1}})
        graveyard = Graveyard()
        async with reader_of(tansu, topic, errors.CorruptRecordException("bad checksum"), graveyard) as reader:
            values = await drain(reader, len(good))
            while not graveyard.runs:
                await reader.read(0.05)
            assert len(values) == len(good)
            assert graveyard.runs == [(TopicPartition(topic, 0), EACH - 1, EACH, Fault.CORRUPT)]
            assert set(reader.positions.values()) == {EACH}

    run(go())


def test_an_unsupported_codec_is_a_problem_and_never_skipped(tansu: Tansu) -> None:
    async def go() -> None:
        topic, good = await topic_with(tansu, {1: {5}})
        graveyard = Graveyard()
        async with reader_of(tansu, topic, errors.UnsupportedCodecError("codec 5"), graveyard) as reader:
            behind = EACH - 6
            values = await drain(reader, len(good) - behind)
            while reader.problem() is None:
                await reader.read(0.05)
            assert len(values) == len(good) - behind
            assert (reader.problem() or "").startswith(f"{topic}/1 offset 5 cannot be read: ")
            assert (graveyard.runs, reader.positions[TopicPartition(topic, 1)]) == ([], 5)

    run(go())


@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4", "zstd"])
def test_every_codec_is_read(tansu: Tansu, codec: str) -> None:
    async def go() -> None:
        topic = unique("codec")
        await create_topic(tansu, topic, PARTITIONS)
        value = codec.encode() * 1000
        await produce(tansu, topic, [Message(value, b"key", 0, [("name", b"\xff")])], compression=codec)
        async with reader_of(tansu, topic, ValueError(), Graveyard()) as reader:
            batch = (await asyncio.wait_for(first(reader), 10))[0]
            assert (batch, reader.positions[TopicPartition(topic, 0)]) == ((b"key", value, (("name", b"\xff"),)), 1)

    run(go())


async def first(reader: CarefulReader) -> list[tuple[bytes | None, bytes | None, object]]:
    while True:
        for batch in await reader.read(0.1):
            return [(record.key, record.value, record.headers) for record in batch.records]
