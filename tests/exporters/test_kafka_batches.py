"""Group commit, over a producer in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiokafka import errors

from exporters.kafka_batches import BATCH_BYTES, Outgoing, SharedBatches
from exporters.kafka_topics import MAX_MESSAGE_BYTES
from tests import virtual_time

Sent = tuple[str, int, tuple[bytes, ...]]


@dataclass
class Builder:
    """A batch of values, full at `BATCH_BYTES`; the first one always fits."""

    values: list[bytes] = field(default_factory=list)
    closed: bool = False

    def append(self, *, timestamp: None, key: bytes | None, value: bytes, headers: Sequence[Any]) -> object | None:
        del timestamp, key, headers
        assert not self.closed
        if self.values and sum(map(len, self.values)) + len(value) > BATCH_BYTES:
            return None
        self.values.append(value)
        return object()

    def close(self) -> None:
        self.closed = True


@dataclass
class Producer:
    """Confirms batches unless `refuse` says why not, one in 10 ms."""

    refuse: Callable[[Sent], Exception | None] = lambda _sent: None
    sent: list[Sent] = field(default_factory=list)

    async def partitions_for(self, topic: str) -> set[int]:
        if topic == "missing":
            raise errors.UnknownTopicOrPartitionError(topic)
        return {0, 1, 2, 3}

    def create_batch(self) -> Builder:
        return Builder()

    async def send_batch(self, builder: Builder, topic: str, *, partition: int) -> asyncio.Future[None]:
        assert builder.closed
        sent = (topic, partition, tuple(builder.values))
        self.sent.append(sent)
        return asyncio.ensure_future(self._confirm(sent))

    async def _confirm(self, sent: Sent) -> None:
        await asyncio.sleep(0.01)
        error = self.refuse(sent)
        if error is not None:
            raise error


def one(value: bytes, key: bytes = b"k") -> list[Outgoing]:
    return [Outgoing(key, value)]


def together(
    batches: SharedBatches, *writes: Sequence[Outgoing], topic: str = "t", at_once: bool = False
) -> Coroutine[Any, Any, list[Exception | None]]:
    """What becomes of writes that begin at the same time: None where confirmed, else the error."""

    async def outcome(records: Sequence[Outgoing]) -> Exception | None:
        try:
            await batches.write(topic, records, at_once=at_once)
        except Exception as error:  # noqa: BLE001 - it is the result
            return error
        return None

    async def go() -> list[Exception | None]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(outcome(records)) for records in writes]
        return [task.result() for task in tasks]

    return go()


def test_writes_that_come_together_share_a_batch_for_each_partition() -> None:
    producer = Producer()
    writes = [one(b"%d" % number, b"key %d" % number) for number in range(40)]
    outcomes = virtual_time.run(lambda _: together(SharedBatches(producer, set()), *writes))
    assert outcomes == [None] * 40
    assert [partition for _, partition, _ in sorted(producer.sent)] == [0, 1, 2, 3]
    values = [value for _, _, values in producer.sent for value in values]
    assert sorted(values) == sorted(b"%d" % number for number in range(40))


def test_a_key_goes_to_the_partition_that_every_client_gives_it() -> None:
    producer = Producer()
    keys = [b"21", b"foobar", b"a-little-bit-long-string"]  # with Kafka's own murmur2 values for them
    virtual_time.run(lambda _: together(SharedBatches(producer, set()), *(one(key, key) for key in keys)))
    found = {value: partition for _, partition, values in producer.sent for value in values}
    hashes = [-973932308, -790332482, -985981536]
    assert found == {key: (value & 0x7FFFFFFF) % 4 for key, value in zip(keys, hashes, strict=True)}


def test_a_write_is_confirmed_only_when_all_of_its_batches_are() -> None:
    producer = Producer(refuse=lambda sent: errors.NotEnoughReplicasError() if b"bad" in sent[2] else None)
    good, bad = Outgoing(b"foobar", b"good"), Outgoing(b"a-little-bit-long-string", b"bad")  # two partitions
    whole, part = virtual_time.run(lambda _: together(SharedBatches(producer, set()), [good, bad], [good]))
    assert sorted(values for _, _, values in producer.sent) == [(b"bad",), (b"good", b"good")]
    assert isinstance(whole, errors.NotEnoughReplicasError)
    assert part is None


def test_a_batch_is_no_larger_than_its_bound_unless_one_record_is() -> None:
    producer = Producer()
    half = BATCH_BYTES // 2
    writes = [one(b"x" * size) for size in (half, half, half, 3 * half, 1)]
    virtual_time.run(lambda _: together(SharedBatches(producer, set()), *writes))
    assert [[len(value) for value in values] for _, _, values in producer.sent] == [
        [half, half],
        [half],
        [3 * half],
        [1],
    ]


def test_when_a_shared_batch_is_too_large_the_next_attempts_are_refused_or_confirmed_one_by_one() -> None:
    def refuse(sent: Sent) -> Exception | None:
        return errors.MessageSizeTooLargeError() if sum(map(len, sent[2])) > 1000 else None

    alone: set[str] = set()
    writes = [one(b"x" * size) for size in (600, 600, 2000)]
    first = virtual_time.run(lambda _: together(SharedBatches(Producer(refuse), alone), *writes))
    assert [type(error) for error in first] == [errors.KafkaError] * 3
    again = virtual_time.run(lambda _: together(SharedBatches(Producer(refuse), alone), *writes))
    assert [type(error) for error in again] == [type(None), type(None), errors.MessageSizeTooLargeError]


def test_a_record_above_the_limit_is_refused_before_it_is_sent() -> None:
    producer = Producer()
    huge = one(b"x" * (MAX_MESSAGE_BYTES + 1))
    outcomes = virtual_time.run(lambda _: together(SharedBatches(producer, set()), huge, one(b"y")))
    assert [type(error) for error in outcomes] == [errors.MessageSizeTooLargeError, type(None)]
    assert [values for _, _, values in producer.sent] == [(b"y",)]


def test_a_topic_that_is_missing_fails_its_own_writes_only() -> None:
    batches = SharedBatches(Producer(), set())

    async def go(_: object) -> list[list[Exception | None]]:
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(together(batches, one(b"a"), one(b"b"), topic=topic))
                for topic in ("missing", "there")
            ]
        return [task.result() for task in tasks]

    missing, there = virtual_time.run(go)
    assert [type(error) for error in missing] == [errors.UnknownTopicOrPartitionError] * 2
    assert there == [None, None]


@pytest.mark.parametrize("at_once", [False, True])
def test_a_write_that_is_cancelled_leaves_the_others_alone(*, at_once: bool) -> None:
    async def go(_: object) -> None:
        producer = Producer(refuse=lambda sent: errors.KafkaError() if b"gone" in sent[2] else None)
        batches = SharedBatches(producer, set())
        gone = asyncio.create_task(batches.write("t", one(b"gone", b"other key"), at_once=at_once))
        stays = asyncio.create_task(batches.write("t", one(b"stays"), at_once=at_once))
        await asyncio.sleep(0)
        gone.cancel()
        await stays
        await asyncio.sleep(1)
        assert gone.cancelled()

    virtual_time.run(go)
