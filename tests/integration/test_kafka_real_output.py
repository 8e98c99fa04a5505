"""The topics that ragmon writes, on a real Apache Kafka: idempotence, faults, creation, new partitions."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewPartitions, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

from exporters.kafka import KafkaCaseLog, KafkaDeadLetters, KafkaVerdictLog
from exporters.kafka_writer import KafkaWriter
from exporters.messages import decode_case, decode_verdict
from monitor.clock import SystemClock
from monitor.config.settings import Topics
from monitor.errors import SinkError
from monitor.kafka_client.connection import KafkaConnection
from monitor.records import Case, Verdict
from tests.brokers import RealKafka, connection, create_topic, read_all, run, unique, until
from tests.dead_letters import decode_dead_letter
from tests.exporters.kafka_samples import CASE, LETTER, verdict

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

WEEK_S = 7 * 86_400.0


def own_topics(**more: object) -> Topics:
    name = unique("out")
    names = {"verdicts": f"{name}.verdicts", "cases": f"{name}.cases", "dead_letters": f"{name}.dead"}
    return Topics.model_validate(names | {"partitions": 3} | more)


async def made_topics(kafka: RealKafka, partitions: int = 3) -> Topics:
    """Topics that are there: making them is no part of a test whose writer has a short bound."""
    topics = own_topics(partitions=partitions)
    for name in (topics.verdicts, topics.cases, topics.dead_letters):
        await create_topic(kafka, name, partitions)
    return topics


@contextlib.asynccontextmanager
async def writer_to(connection: KafkaConnection, topics: Topics) -> AsyncIterator[KafkaWriter]:
    writer = KafkaWriter(connection, topics, WEEK_S, SystemClock())
    await writer.start()
    try:
        yield writer
    finally:
        await writer.stop()


async def write_until_confirmed(log: KafkaVerdictLog, verdicts: Sequence[Verdict], within: float = 60.0) -> int:
    """Write as the pipeline does; how many attempts failed."""
    async with asyncio.timeout(within):
        failed = 0
        while True:
            try:
                await log.append(verdicts)
            except SinkError:
                failed += 1
                await asyncio.sleep(0.2)
            else:
                return failed


async def ids_in(kafka: RealKafka, topic: str) -> set[str]:
    return {decode_verdict(record.value).verdict_id for record in await read_all(kafka, topic)}


async def described(kafka: RealKafka, topic: str) -> dict[str, str]:
    admin = AIOKafkaAdminClient(bootstrap_servers=kafka.address)
    await admin.start()
    try:
        (response,) = await admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, topic)])
        return {name: value for name, value, *_ in response.resources[0][4]}
    finally:
        await admin.close()


def test_missing_topics_are_created_with_their_retention(kafka: RealKafka) -> None:
    async def go() -> None:
        topics = own_topics()
        async with writer_to(connection(kafka), topics) as writer:
            await KafkaVerdictLog(connection(kafka), topics, writer).append([verdict(1)])
            await KafkaCaseLog(topics, writer).append(CASE)
            await KafkaDeadLetters(topics, writer).append(LETTER)
        days = {
            topic: int((await described(kafka, topic))["retention.ms"]) // 86_400_000
            for topic in (topics.verdicts, topics.cases, topics.dead_letters)
        }
        assert list(days.values()) == [8, 3, 14]
        assert (await described(kafka, topics.dead_letters))["max.message.bytes"] == str(16 << 20)
        (case,) = await read_all(kafka, topics.cases)
        (letter,) = await read_all(kafka, topics.dead_letters)
        assert (decode_case(case.value), decode_dead_letter(letter)) == (CASE, LETTER)

    run(go())


def test_a_missing_topic_that_may_not_be_created_is_named(kafka: RealKafka) -> None:
    async def go() -> None:
        topics = own_topics(create=False)
        async with writer_to(connection(kafka, request_timeout=1.0), topics) as writer:
            with pytest.raises(SinkError, match=f"{topics.cases}.*does not exist"):
                await KafkaCaseLog(topics, writer).append(CASE)

    run(go())


def test_one_case_too_large_for_the_topic_costs_no_other_case_that_was_written_with_it(kafka: RealKafka) -> None:
    async def until_confirmed(log: KafkaCaseLog, case: Case) -> None:
        while True:
            try:
                return await log.append(case)
            except SinkError as error:
                if not error.retryable:
                    raise
                await asyncio.sleep(0.2)

    async def go() -> None:
        topics = own_topics(create=False)
        admin = AIOKafkaAdminClient(bootstrap_servers=kafka.address)
        await admin.start()
        await admin.create_topics([NewTopic(topics.cases, 1, 1, topic_configs={"max.message.bytes": "20000"})])
        await admin.close()
        counted: list[tuple[str, int]] = []
        noise = [random.Random(number).randbytes(3000).hex() for number in range(8)]  # compresses by half at most
        cases = [
            replace(CASE, case_id=f"c{number}", trace=replace(CASE.trace, answer=text))
            for number, text in enumerate(noise)
        ]
        huge = replace(CASE, case_id="huge", trace=replace(CASE.trace, answer=random.Random(9).randbytes(30_000).hex()))
        async with writer_to(connection(kafka), topics) as writer, asyncio.timeout(60):
            log = KafkaCaseLog(topics, writer, count=lambda *event: counted.append(event))
            async with asyncio.TaskGroup() as group:
                for case in (*cases, huge):
                    group.create_task(until_confirmed(log, case))
        read = {case.case_id: case for case in map(decode_case, [r.value for r in await read_all(kafka, topics.cases)])}
        assert {case.case_id: read[case.case_id] for case in cases} == {case.case_id: case for case in cases}
        assert read["huge"].trace.truncated
        assert counted == [("shortened_case", 1)]

    run(go(), 120)


@pytest.mark.parametrize("fault", ["kill", "freeze"])
def test_a_write_is_confirmed_or_fails_in_time_and_works_again(kafka: RealKafka, fault: str) -> None:
    async def go() -> None:
        topics = await made_topics(kafka)
        bound = 2.0
        async with writer_to(connection(kafka, request_timeout=bound), topics) as writer:
            log = KafkaVerdictLog(connection(kafka), topics, writer)
            await log.append([verdict(number) for number in range(10)])
            await asyncio.to_thread(getattr(kafka, fault))
            began = time.monotonic()
            async with asyncio.TaskGroup() as group:  # writers that share the producer all hear of it
                writes = [group.create_task(failing(log, number)) for number in range(10, 15)]
            assert time.monotonic() - began < 3 * bound + 2
            assert all(write.result() for write in writes)
            await asyncio.to_thread(kafka.heal)
            await write_until_confirmed(log, [verdict(number) for number in range(10, 20)])
        assert await ids_in(kafka, topics.verdicts) >= {f"v{number}" for number in range(20)}

    run(go(), 120)


async def failing(log: KafkaVerdictLog, number: int) -> bool:
    try:
        await log.append([verdict(number)])
    except SinkError:
        return True
    return False


@pytest.mark.parametrize("fault", ["kill", "freeze"])
def test_the_writer_stops_in_time_whatever_the_broker_does(kafka: RealKafka, fault: str) -> None:
    async def go() -> float:
        topics = await made_topics(kafka)
        async with writer_to(connection(kafka), topics) as writer:
            log = KafkaVerdictLog(connection(kafka), topics, writer)
            await log.append([verdict(1)])
            await asyncio.to_thread(getattr(kafka, fault))
            pending = asyncio.create_task(failing(log, 2))
            await asyncio.sleep(0.2)
            began = time.monotonic()
            await writer.stop()
            took = time.monotonic() - began
            assert await pending
        return took

    assert run(go(), 60) < 8


def test_the_verdict_log_is_read_on_after_a_kill_without_a_gap(kafka: RealKafka) -> None:
    async def go() -> None:
        topics = await made_topics(kafka)
        ids: list[str] = []
        empty = asyncio.Event()

        async def follow(log: KafkaVerdictLog) -> None:
            async with contextlib.aclosing(log.read(0)) as batches:
                async for batch in batches:
                    ids.extend(read.verdict_id for read in batch if isinstance(read, Verdict))
                    if not batch:
                        empty.set()

        async with writer_to(connection(kafka, request_timeout=2.0), topics) as writer:
            log = KafkaVerdictLog(connection(kafka, request_timeout=2.0), topics, writer)
            await log.append([verdict(number) for number in range(100)])
            async with asyncio.TaskGroup() as group:
                following = group.create_task(follow(log))
                await empty.wait()
                assert len(ids) == 100
                await asyncio.to_thread(kafka.kill)
                await until(log.problem, "the problem is seen")
                empty.clear()
                await asyncio.wait_for(empty.wait(), 2)  # the reader's second goes on while the broker is away
                await asyncio.to_thread(kafka.heal)
                await write_until_confirmed(log, [verdict(number) for number in range(100, 200)])
                await until(lambda: len(set(ids)) == 200, "all verdicts are read")
                following.cancel()
        assert len(ids) == 200

    run(go(), 120)


def test_partitions_that_are_added_are_read_too(kafka: RealKafka) -> None:
    async def go() -> None:
        topics = await made_topics(kafka, partitions=1)
        async with writer_to(connection(kafka), topics) as writer:
            log = KafkaVerdictLog(connection(kafka), topics, writer)
            await log.append([verdict(0)])
            seen: set[str] = set()
            async with contextlib.aclosing(log.read(0)) as batches:
                async for batch in batches:
                    seen |= {read.verdict_id for read in batch if isinstance(read, Verdict)}
                    if not batch:
                        break
                admin = AIOKafkaAdminClient(bootstrap_servers=kafka.address)
                await admin.start()
                await admin.create_partitions({topics.verdicts: NewPartitions(4)})
                await admin.close()
                async with writer_to(connection(kafka), topics) as fresh:  # knows the new partitions
                    expected = {f"v{number}" for number in range(40)}
                    later = KafkaVerdictLog(connection(kafka), topics, fresh)
                    await later.append([verdict(number) for number in range(1, 40)])
                async for batch in batches:
                    seen |= {read.verdict_id for read in batch if isinstance(read, Verdict)}
                    if seen == expected:
                        break
        partitions = {record.partition for record in await read_all(kafka, topics.verdicts)}
        assert partitions == {0, 1, 2, 3}

    run(go(), 90)
