"""The Kafka sources against a real Apache Kafka: rebalances, faults, security, damage. One rule for both clients."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import struct
import time
from collections import Counter
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer
from aiokafka import TopicPartition as ClientPartition
from aiokafka.admin import AIOKafkaAdminClient, RecordsToDelete
from aiokafka.record.util import calc_crc32c

from monitor.config.settings import SourceSettings
from monitor.records import TopicPartition
from monitor.sampling.presample import Presample
from monitor.sampling.randomness import threshold
from monitor.wire import DeadLetter
from tests.brokers import (
    Mechanism,
    Message,
    RealKafka,
    committed,
    connection,
    create_topic,
    produce,
    run,
    unique,
    until,
)
from tests.integration.reading import Reading, reading

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

PARTITIONS = 4


@pytest.fixture(params=["aiokafka", "librdkafka"])
def client(request: pytest.FixtureRequest) -> str:
    """Each test runs with each client."""
    return str(request.param)


def settings(client: str, topic: str, group: str, **more: object) -> SourceSettings:
    values = {"client": client, "topics": (topic,), "group": group, "start": "earliest"}
    bounds = {"session_timeout": 6, "rebalance_timeout": 10, "stall_after": 8}
    return SourceSettings.model_validate(values | bounds | more)


def numbered(numbers: range) -> list[Message]:
    return [Message(b"%d" % number, b"key", number % PARTITIONS) for number in numbers]


async def topic_of(kafka: RealKafka) -> tuple[str, str]:
    topic = unique("topic")
    await create_topic(kafka, topic, PARTITIONS)
    return topic, unique("group")


def total(offsets: list[int | None]) -> int:
    return sum(offset or 0 for offset in offsets)


def test_two_members_share_the_work_and_lose_nothing(kafka: RealKafka, client: str) -> None:
    """A member comes and goes under load: every record is delivered, and both commit before they give away."""

    async def go() -> None:
        topic, group = await topic_of(kafka)
        await produce(kafka, topic, numbered(range(1000)))
        async with reading(connection(kafka), settings(client, topic, group)) as first, asyncio.TaskGroup() as tasks:
            await first.until(lambda: len(first.values) >= 1000, "the first records")
            running = tasks.create_task(first.for_ever())
            async with reading(connection(kafka), settings(client, topic, group)) as second:
                joining = tasks.create_task(second.for_ever())
                await until(
                    lambda: len(second.listener.assignment) == 2 and len(first.listener.own) <= 2,
                    "the partitions are shared",
                )
                # all 1000 were finished by the first one, and committed when it gave the partitions away
                assert await committed(kafka, group, topic, PARTITIONS) == [250] * PARTITIONS
                await produce(kafka, topic, numbered(range(1000, 2000)))
                await until(lambda: len(set(first.values + second.values)) == 2000, "every record came")
                joining.cancel()
                await asyncio.wait({joining})
                await second.source.commit(final=True)
            await produce(kafka, topic, numbered(range(2000, 3000)))
            await until(lambda: len(set(first.values + second.values)) == 3000, "every record came")
            running.cancel()
            await asyncio.wait({running})
            await first.source.commit(final=True)
        twice = {value: count for value, count in Counter(first.values + second.values).items() if count > 1}
        assert twice == {}
        assert total(await committed(kafka, group, topic, PARTITIONS)) == 3000
        kinds = [kind for kind, _ in first.listener.told]
        assert kinds[:4] == ["assigned", "revoked", "lost", "assigned"]

    run(go(), 120)


def test_what_nobody_wants_by_its_key_is_left_out_counted_and_committed(kafka: RealKafka) -> None:
    """librdkafka's thread drops it before it costs a hand-over; aiokafka's records are dropped by the intake."""

    async def go() -> None:
        topic, group = await topic_of(kafka)
        ids = [hashlib.blake2b(b"%d" % number, digest_size=16).hexdigest().encode() for number in range(4000)]
        presample = Presample(threshold(20))
        wanted = [ids[at] for at in presample.wanted(topic, ids)]
        assert 100 < len(wanted) < 300
        await produce(kafka, topic, [Message(key, key, number % PARTITIONS) for number, key in enumerate(ids)])
        chosen = settings("librdkafka", topic, group, poll_records=50)
        async with reading(connection(kafka), chosen, presample=presample) as reader:
            await reader.until(lambda: reader.unwanted + len(reader.values) >= 4000, "everything was read")
            await reader.source.commit(final=True)
        assert sorted(reader.values, key=repr) == sorted(wanted, key=repr)
        assert reader.unwanted == 4000 - len(wanted)
        assert total(await committed(kafka, group, topic, PARTITIONS)) == 4000

    run(go(), 60)


def test_a_member_joins_once_and_two_that_start_at_once_get_their_partitions(
    kafka: RealKafka, client: str, caplog: pytest.LogCaptureFixture
) -> None:
    """A client that joins once for each of two strategies restarts the other's rebalance, at times without an end."""
    caplog.set_level(logging.INFO, "aiokafka.consumer.group_coordinator")

    async def go() -> None:
        topic, group = await topic_of(kafka)
        async with reading(connection(kafka), settings(client, topic, group)) as alone:
            await alone.until(lambda: len(alone.listener.assignment) == PARTITIONS, "it has all partitions")
        if client == "aiokafka":
            [joined] = [record for record in caplog.messages if record.startswith("Joined group")]
            assert "(generation 1)" in joined
        for _ in range(3):
            async with (
                reading(connection(kafka), settings(client, topic, group)) as first,
                reading(connection(kafka), settings(client, topic, group)) as second,
                asyncio.TaskGroup() as tasks,
            ):
                members = (first, second)
                polling = [tasks.create_task(member.for_ever()) for member in members]
                await until(
                    lambda: [member.source.vitals().assigned for member in members] == [PARTITIONS // 2] * 2,  # noqa: B023 - called in this turn only
                    "both have their share",
                )
                for task in polling:
                    task.cancel()

    run(go(), 90)


@pytest.mark.parametrize("fault", ["kill", "freeze"])
def test_reading_goes_on_by_itself_after_the_broker_was_away(kafka: RealKafka, client: str, fault: str) -> None:
    """Longer away than `stall_after`; nothing is lost, the problem is visible, commits work again."""

    async def go() -> None:
        topic, group = await topic_of(kafka)
        await produce(kafka, topic, numbered(range(400)))
        bounds = connection(kafka, request_timeout=2.0)
        async with reading(bounds, settings(client, topic, group, stall_after=4)) as reader:
            await reader.until(lambda: len(reader.values) == 400, "the first records")
            await reader.source.commit()
            await asyncio.to_thread(getattr(kafka, fault))
            began = time.monotonic()
            await reader.until(reader.source.problem, "the problem is seen", 15)
            await reader.until(lambda: time.monotonic() - began > 12, "the fault lasts")
            await asyncio.wait_for(reader.source.commit(), 6)
            await asyncio.to_thread(kafka.heal)
            await produce(kafka, topic, numbered(range(400, 800)))
            await reader.until(lambda: len(set(reader.values)) == 800, "all records", 60)
            await commit_all(reader, kafka, topic, group, 800)
            assert reader.source.problem() is None

    run(go(), 150)


async def commit_all(reader: Reading, kafka: RealKafka, topic: str, group: str, expected: int) -> None:
    for _ in range(20):
        await reader.poll()
        await reader.source.commit()
        if total(await committed(kafka, group, topic, PARTITIONS)) == expected:
            return
    pytest.fail("the offsets were not committed")


@pytest.mark.parametrize("fault", ["kill", "freeze"])
def test_stopping_is_quick_whatever_the_broker_does(kafka: RealKafka, client: str, fault: str) -> None:
    async def go() -> float:
        topic, group = await topic_of(kafka)
        await produce(kafka, topic, numbered(range(40)))
        async with reading(connection(kafka), settings(client, topic, group)) as reader:
            await reader.until(lambda: len(reader.values) == 40, "the records")
            await asyncio.to_thread(getattr(kafka, fault))
            await reader.poll()
            began = time.monotonic()
            await reader.source.commit(final=True)
        return time.monotonic() - began

    seconds = run(go(), 60)
    assert seconds < 10


def test_a_broker_that_comes_up_later_is_found(kafka: RealKafka, client: str) -> None:
    async def go() -> None:
        topic, group = await topic_of(kafka)
        await produce(kafka, topic, numbered(range(40)))
        await asyncio.to_thread(kafka.stop)
        async with reading(connection(kafka), settings(client, topic, group)) as reader:
            await reader.until(lambda: kafka.address in (reader.source.problem() or ""), "the problem")
            await asyncio.to_thread(kafka.start)
            await reader.until(lambda: len(reader.values) == 40, "the records")
            assert reader.source.problem() is None

    run(go(), 90)


@pytest.mark.parametrize("tls", [False, True], ids=["sasl_plaintext", "sasl_ssl"])
@pytest.mark.parametrize("mechanism", ["plain", "scram-sha-256", "scram-sha-512"])
def test_records_are_read_over_every_kind_of_security(
    kafka: RealKafka, client: str, mechanism: Mechanism, *, tls: bool
) -> None:
    async def go() -> None:
        topic, group = await topic_of(kafka)
        await produce(kafka, topic, numbered(range(8)))
        async with reading(kafka.secured(mechanism, tls=tls), settings(client, topic, group)) as reader:
            await reader.until(lambda: len(reader.values) == 8, "the records")
            await reader.source.commit()
        assert total(await committed(kafka, group, topic, PARTITIONS)) == 8

    run(go(), 60)


@pytest.mark.parametrize("mechanism", ["plain", "scram-sha-512"])
def test_a_wrong_password_is_told(kafka: RealKafka, client: str, mechanism: Mechanism) -> None:
    async def go() -> None:
        wrong = kafka.secured(mechanism, tls=True, password="wrong")  # noqa: S106 - that is the point
        async with reading(wrong, settings(client, "t", unique("group"))) as reader:
            await reader.until(lambda: "authentication failed" in (reader.source.problem() or ""), "the problem")
            assert "kafka.security" in (reader.source.problem() or "")
            assert "wrong" not in (reader.source.problem() or "")

    run(go(), 60)


def test_an_unknown_authority_is_told(kafka: RealKafka, client: str) -> None:
    async def go() -> None:
        secured = kafka.secured("plain", tls=True)
        security = secured.kafka.security.model_copy(update={"ca_file": None})
        connection = type(secured)(secured.kafka.model_copy(update={"security": security}), secured.password)
        async with reading(connection, settings(client, "t", unique("group"))) as reader:
            await reader.until(lambda: "certificate refused" in (reader.source.problem() or ""), "the problem")
            assert "kafka.security.ca_file" in (reader.source.problem() or "")

    run(go(), 60)


def test_a_pattern_takes_in_topics_that_come_later(kafka: RealKafka) -> None:
    """aiokafka does so within half a minute, too, but reads again what was not committed yet."""

    async def go() -> None:
        stem, group = unique("stem"), unique("group")
        await create_topic(kafka, f"{stem}-1")
        pattern = {"topics": (), "pattern": rf"{stem}-\d$"}
        async with reading(connection(kafka), settings("librdkafka", "", group, **pattern, stall_after=4)) as reader:
            await produce(kafka, f"{stem}-1", [Message(b"first")])
            await reader.until(lambda: reader.values == [b"first"], "the record")
            await create_topic(kafka, f"{stem}-other")
            await create_topic(kafka, f"{stem}-2")
            await produce(kafka, f"{stem}-2", [Message(b"second")])
            await reader.until(lambda: len(reader.values) > 1, "the later topic", 60)
            assert reader.values == [b"first", b"second"]
            assert {tp.topic for tp in reader.listener.assignment} == {f"{stem}-1", f"{stem}-2"}

    run(go(), 100)


def test_markers_of_transactions_are_passed_and_aborted_records_are_not_read(kafka: RealKafka) -> None:
    """librdkafka tells the end of a partition, so that nothing seems to lag behind; aiokafka waits for a record."""

    async def go() -> None:
        topic, group = unique("topic"), unique("group")
        await create_topic(kafka, topic)
        producer = AIOKafkaProducer(bootstrap_servers=kafka.address, transactional_id=unique("transactions"))
        async with producer:
            async with producer.transaction():
                await producer.send_and_wait(topic, b"committed", partition=0)
            await producer.begin_transaction()
            await producer.send_and_wait(topic, b"aborted", partition=0)
            await producer.abort_transaction()
        async with reading(connection(kafka), settings("librdkafka", topic, group)) as reader:
            tp = TopicPartition(topic, 0)
            await reader.until(lambda: reader.listener.own.get(tp) == 4, "the end")
            assert (reader.values, reader.source.lag()) == ([b"committed"], {tp: 0})
            await reader.source.commit()
        assert await committed(kafka, group, topic) == [4]

    run(go(), 60)


def test_a_position_that_retention_took_away_is_counted_and_reading_goes_on(kafka: RealKafka, client: str) -> None:
    async def go() -> None:
        topic, group = await topic_of(kafka)
        await produce(kafka, topic, numbered(range(40)))
        async with reading(connection(kafka), settings(client, topic, group)) as reader:
            await reader.until(lambda: len(reader.values) == 40, "the records")
            await reader.source.commit()
        await produce(kafka, topic, numbered(range(40, 80)))
        admin = AIOKafkaAdminClient(bootstrap_servers=kafka.address)
        await admin.start()
        await admin.delete_records({ClientPartition(topic, 0): RecordsToDelete(before_offset=15)})
        await admin.close()
        async with reading(connection(kafka), settings(client, topic, group)) as reader:
            await reader.until(lambda: len(reader.values) == 35, "what is left")
            await reader.source.commit()
            assert reader.events["out_of_range"] == 5
        assert await committed(kafka, group, topic, PARTITIONS) == [20, 20, 20, 20]

    run(go(), 60)


class Letters:
    """Dead letters in memory."""

    def __init__(self) -> None:
        self.letters: list[DeadLetter] = []

    async def append(self, letter: DeadLetter) -> None:
        self.letters.append(letter)


def damage(log: Path, batch: int, *, codec: int | None = None) -> None:
    """Flip a byte of a batch on disk, or give it another compression codec with a right checksum."""
    data = bytearray(log.read_bytes())
    start = 0
    for _ in range(batch):
        start += 12 + struct.unpack_from(">i", data, start + 8)[0]
    end = start + 12 + struct.unpack_from(">i", data, start + 8)[0]
    if codec is None:
        data[end - 1] ^= 0xFF
    else:
        (attributes,) = struct.unpack_from(">h", data, start + 21)
        struct.pack_into(">h", data, start + 21, attributes & ~7 | codec)
        struct.pack_into(">I", data, start + 17, calc_crc32c(memoryview(data)[start + 21 : end]))
    log.write_bytes(data)


def test_damage_on_the_brokers_disk_costs_the_damaged_batch_only(kafka: RealKafka, client: str) -> None:
    """Partition 1 has a batch with a wrong checksum, partition 2 one in an unknown codec; 0 and 3 are whole."""

    async def go() -> None:
        topic, group = await topic_of(kafka)
        for first in range(0, 120, 40):  # three batches of ten in each partition
            await produce(kafka, topic, numbered(range(first, first + 40)), linger_ms=200)
        await asyncio.to_thread(kafka.stop)
        segment = "00000000000000000000.log"
        damage(kafka.folder / "data" / f"{topic}-1" / segment, 1)
        damage(kafka.folder / "data" / f"{topic}-2" / segment, 1, codec=5)
        await asyncio.to_thread(kafka.start)
        letters = Letters()
        async with reading(connection(kafka), settings(client, topic, group), dead_letters=letters) as reader:
            await reader.until(lambda: len(reader.values) == 30 + 20 + 10 + 30 and reader.source.problem(), "the rest")
            problem = reader.source.problem() or ""
            assert problem.startswith(f"{topic}/2 offset 10 cannot be read")
            assert [(x.position[:3], x.error, x.value) for x in letters.letters] == [
                ((topic, 1, 10), "corrupt_batch", None)
            ]
            assert letters.letters[0].detail.startswith("offsets 10 to 19 cannot be read")
            assert reader.events["unreadable"] == 10
            await reader.source.commit()
        assert await committed(kafka, group, topic, PARTITIONS) == [30, 30, 10, 30]
        whole = {m.value for m in numbered(range(120)) if m.partition in {0, 3}}
        assert whole <= set(reader.values)
        assert TopicPartition(topic, 2) in reader.listener.assignment

    run(go(), 120)
