"""`ragmon record` against a real Apache Kafka: transactions, codecs, security, faults, damage, a large topic."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from aiokafka import AIOKafkaProducer
from aiokafka import TopicPartition as ClientPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic, RecordsToDelete
from confluent_kafka.admin import (  # type: ignore[attr-defined]  # its types do not name what it exports
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourcePatternType,
    ResourceType,
)

from monitor.kafka_client.connection import KafkaConnection
from tests.brokers import Message, RealKafka, create_topic, produce, real_kafka, run, unique
from tests.integration.recorded import ENCODINGS, produce_again, records_of
from tests.integration.recording import contents, record, recorded, recording, there, unfinished
from tests.integration.test_kafka_real_source import damage
from tests.monitor.terminal import Ended, ragmon, spawn

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

WIRE = Path(__file__).parents[1] / "data" / "wire"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_was_produced_byte_for_byte_is_recorded_so(kafka: RealKafka, tmp_path: Path, encoding: str) -> None:
    topic, out = unique("topic"), tmp_path / "out.jsonl.zst"

    async def fill() -> None:
        await create_topic(kafka, topic, 4)
        await produce_again(kafka, topic, records_of(encoding))

    run(fill())
    assert record(kafka, topic, out).code == 0
    original = WIRE / f"{encoding}.jsonl.gz"
    assert contents(recorded(out)) == contents(recorded(original))
    first, again = (ragmon("extract", path) for path in (original, out))
    assert (first.code, again.code) == (0, 0)
    assert Counter(first.out.replace(str(original), "").splitlines()) == Counter(
        again.out.replace(str(out), "").splitlines()
    )


@pytest.mark.parametrize("compression", [None, "gzip", "snappy", "lz4", "zstd"])
def test_every_codec_is_read(kafka: RealKafka, tmp_path: Path, compression: str | None) -> None:
    topic, out = unique("topic"), tmp_path / "out.jsonl"
    odd = [Message(b"%d" % n * 100, b"\xff%d" % n if n % 2 else None, n % 3, [("h", b"\xfe")]) for n in range(500)]

    async def fill() -> None:
        await create_topic(kafka, topic, 3)
        await produce(kafka, topic, [*odd, Message(None, b"gone")], compression=compression)

    run(fill())
    assert record(kafka, topic, out).code == 0
    assert contents(recorded(out)) == run(there(kafka, topic))
    assert len(recorded(out)) == 501


@pytest.mark.parametrize("last", ["5", "20", "1000"])
def test_the_last_records_are_counted_without_markers_and_aborted_ones(
    kafka: RealKafka, tmp_path: Path, last: str
) -> None:
    """Every third transaction is aborted, and one is still open at the end: its partition ends before it."""
    topic, out = unique("topic"), tmp_path / "out.jsonl"

    async def go() -> Ended:
        await create_topic(kafka, topic, 2)
        async with AIOKafkaProducer(
            bootstrap_servers=kafka.address, transactional_id=unique("transactions")
        ) as producer:
            for number in range(60):
                await producer.begin_transaction()
                await producer.send_and_wait(topic, b"%d" % number, partition=number % 2)
                await (producer.abort_transaction() if number % 3 == 0 else producer.commit_transaction())
            await producer.begin_transaction()
            await producer.send_and_wait(topic, b"open", partition=0)
            await produce(kafka, topic, [Message(b"behind it", None, 0)])
            try:
                return await asyncio.to_thread(record, kafka, topic, out, "--last", last)
            finally:
                await producer.abort_transaction()

    assert run(go()).code == 0
    committed = [n for n in range(60) if n % 3]
    got = recorded(out)
    assert len(got) == min(int(last), 40)
    for partition in range(2):
        values = [int(item.value or b"") for item in got if item.partition == partition]
        there = [n for n in committed if n % 2 == partition]
        assert values == there[len(there) - len(values) :]
        assert abs(len(values) - len(got) / 2) <= 0.5


def test_a_partition_of_which_little_is_left_gives_way_to_the_others(kafka: RealKafka, tmp_path: Path) -> None:
    topic, out = unique("topic"), tmp_path / "out.jsonl"

    async def fill() -> None:
        await create_topic(kafka, topic, 2)
        await produce(kafka, topic, [Message(b"%d" % n, None, n % 2) for n in range(400)])
        admin = AIOKafkaAdminClient(bootstrap_servers=kafka.address)
        await admin.start()
        await admin.delete_records({ClientPartition(topic, 0): RecordsToDelete(before_offset=197)})
        await admin.close()

    run(fill())
    assert record(kafka, topic, out, "--last", "50").code == 0
    got = [(item.partition, item.offset) for item in sorted(recorded(out), key=lambda item: item.partition)]
    assert got == [(0, n) for n in range(197, 200)] + [(1, n) for n in range(153, 200)]


def test_a_compacted_topic_gives_the_records_that_are_left(kafka: RealKafka, tmp_path: Path) -> None:
    """What the log cleaner took away leaves gaps of thousands of offsets."""
    topic, out = unique("topic"), tmp_path / "out.jsonl"
    settings = {
        "cleanup.policy": "compact",
        "segment.bytes": "1048576",
        "min.cleanable.dirty.ratio": "0.001",
        "max.compaction.lag.ms": "1",
        "segment.ms": "500",
    }

    async def fill() -> None:
        admin = AIOKafkaAdminClient(bootstrap_servers=kafka.address)
        await admin.start()
        await admin.create_topics([NewTopic(topic, 1, 1, topic_configs=settings)])
        await admin.close()
        await produce(kafka, topic, [Message(b"%d" % n * 20, b"%d" % (n % 3)) for n in range(5000)])

        async def compacted() -> bool:
            await produce(kafka, topic, [Message(b"tick", b"tick")])
            return len(await there(kafka, topic)) < 1000

        while not await compacted():  # noqa: ASYNC110 - the event is in another process
            await asyncio.sleep(1)

    run(fill(), 120)
    left, taken = run(there(kafka, topic)), None
    while left != taken:  # the cleaner may go on meanwhile
        taken = left
        assert record(kafka, topic, out, "--last", str(len(taken) - 1), "--force").code == 0
        left = run(there(kafka, topic))
    assert contents(recorded(out)) == left[1:]


@pytest.mark.parametrize("fault", ["kill", "freeze"])
def test_when_kafka_goes_away_the_records_so_far_are_kept(kafka: RealKafka, tmp_path: Path, fault: str) -> None:
    topic, out, config = unique("topic"), tmp_path / "out.jsonl", tmp_path / "ragmon.yaml"
    config.write_text(yaml.safe_dump({"kafka": {"request_timeout": 2.0}}))

    async def go() -> tuple[int, str]:
        await create_topic(kafka, topic, 2)
        with recording(kafka, topic, out, "--seconds", "120", "-c", config) as process:

            def writing() -> bool:
                file = unfinished(out)
                return file is not None and file.stat().st_size > 20_000

            while not writing():
                await produce(kafka, topic, [Message(os.urandom(2000), None, n % 2) for n in range(10)])
            await asyncio.to_thread(getattr(kafka, fault))
            code = await asyncio.to_thread(process.wait, 60)
            assert process.stderr is not None
            return code, process.stderr.read().decode()

    code, told = run(go(), 120)
    kept = len(recorded(out))
    lines = told.splitlines()
    assert (code, len(lines)) == (1, 2)
    assert lines[1].startswith("ragmon: Kafka cannot be reached: ")
    assert lines[1].endswith(f"; the {kept} records so far are in {out}")
    assert kept >= 10
    assert {path.name for path in tmp_path.iterdir()} == {"out.jsonl", "ragmon.yaml"}


def config_of(connection: KafkaConnection, folder: Path) -> Path:
    """A configuration file for a secured connection."""
    kafka = connection.kafka.model_dump(mode="json", exclude_none=True)
    (folder / "password").write_text(connection.password or "")
    kafka["security"]["password"] = {"file": str(folder / "password")}
    (folder / "ragmon.yaml").write_text(yaml.safe_dump({"kafka": kafka}))
    return folder / "ragmon.yaml"


def test_the_configured_security_is_used_and_a_wrong_password_is_told(kafka: RealKafka, tmp_path: Path) -> None:
    topic = unique("topic")

    async def fill() -> None:
        await create_topic(kafka, topic)
        await produce(kafka, topic, [Message(b"a")])

    run(fill())
    config = config_of(kafka.secured("scram-sha-512", tls=True), tmp_path)
    ended = spawn("record", topic, "--out", tmp_path / "out", "-c", config)
    assert (ended.code, [item.value for item in recorded(tmp_path / "out")]) == (0, [b"a"])
    config = config_of(kafka.secured("scram-sha-512", tls=True, password="wrong"), tmp_path)  # noqa: S106 - that is the point
    ended = spawn("record", topic, "--out", tmp_path / "other", "-c", config)
    assert (ended.code, len(ended.told)) == (1, 1)
    assert "authentication failed; see kafka.security.username" in ended.told[0]


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealKafka]:
    """A Kafka that allows nothing without an access rule, and creates topics that are asked for."""
    properties = (
        "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer\nsuper.users=User:ANONYMOUS"
    )
    more = {"KAFKA_TEST_PROPERTIES": properties, "KAFKA_TEST_AUTO_CREATE": "true"}
    with real_kafka(tmp_path_factory.mktemp("strict"), secure=True, **more) as broker:
        yield broker


def test_a_topic_that_one_may_not_read_is_told_and_a_missing_one_stays_missing(
    strict: RealKafka, tmp_path: Path
) -> None:
    hidden, seen, missing = unique("hidden"), unique("seen"), unique("missing")
    for topic in (hidden, seen):
        run(create_topic(strict, topic))
    run(produce(strict, seen, [Message(b"a")]))
    admin = AdminClient({"bootstrap.servers": strict.address})
    rule = AclBinding(
        ResourceType.TOPIC,
        seen,
        ResourcePatternType.LITERAL,
        f"User:{strict.user}",
        "*",
        AclOperation.DESCRIBE,
        AclPermissionType.ALLOW,
    )
    for future in admin.create_acls([rule]).values():
        future.result(20)
    config = config_of(strict.secured("plain", tls=False), tmp_path)
    ended = {topic: spawn("record", topic, "--out", tmp_path / topic, "-c", config) for topic in (hidden, seen)}
    ended[missing] = record(strict, missing, tmp_path / missing)
    assert {topic: end.code for topic, end in ended.items()} == {hidden: 2, seen: 1, missing: 2}
    assert all(len(end.told) == 1 for end in ended.values())
    assert ended[hidden].told[0] == f"topic {hidden} does not exist, or we may not see it"
    assert "not allowed on the topic; give the user READ" in ended[seen].told[0]
    assert missing not in run(_topics(strict))


async def _topics(broker: RealKafka) -> list[str]:
    admin = AIOKafkaAdminClient(bootstrap_servers=broker.address)
    await admin.start()
    try:
        return list(await admin.list_topics())
    finally:
        await admin.close()


def test_damage_on_the_brokers_disk_costs_the_damaged_records_only(kafka: RealKafka, tmp_path: Path) -> None:
    """Partition 1 has a batch with a wrong checksum, partition 2 one in an unknown codec; 0 is whole."""
    topic, out = unique("topic"), tmp_path / "out.jsonl"

    async def go() -> Ended:
        await create_topic(kafka, topic, 3)
        for _ in range(3):  # three batches of ten in each partition
            await produce(kafka, topic, [Message(b"%d" % n, None, n % 3) for n in range(30)], linger_ms=200)
        await asyncio.to_thread(kafka.stop)
        segment = "00000000000000000000.log"
        damage(kafka.folder / "data" / f"{topic}-1" / segment, 1)
        damage(kafka.folder / "data" / f"{topic}-2" / segment, 1, codec=5)
        await asyncio.to_thread(kafka.start)
        return await asyncio.to_thread(record, kafka, topic, out)

    ended = run(go(), 120)
    assert ended.code == 1
    assert any(line.startswith(f"{topic}/1: offsets 10 to 19 cannot be read") for line in ended.told)
    assert any(f"{topic}/2 offset 10 cannot be read" in line for line in ended.told)
    assert Counter(item.partition for item in recorded(out)) == {0: 30, 1: 20, 2: 10}


def test_memory_does_not_grow_with_the_topic(kafka: RealKafka, tmp_path: Path) -> None:
    """400 MB in 40 partitions need no more than 120 MB beyond what the command needs for one record."""
    topic, out = unique("topic"), tmp_path / "out.jsonl.zst"

    async def fill() -> None:
        await create_topic(kafka, topic, 40)
        for _ in range(10):
            await produce(kafka, topic, [Message(os.urandom(1_000_000), None, n) for n in range(40)], linger_ms=0)

    def largest(*arguments: str) -> int:
        """KB in memory at most."""
        code = "from monitor import cli\ntry: cli.main()\nfinally: print(open('/proc/self/status').read())"
        command = [sys.executable, "-c", code, "record", topic, "--brokers", kafka.address, *arguments]
        done = subprocess.run(command, capture_output=True, check=True, timeout=100, text=True)
        (line,) = (line for line in done.stdout.splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1])

    run(fill(), 120)
    one = largest("--out", str(out), "--last", "1")
    everything = largest("--out", str(out), "--last", "400", "--force")
    assert len(recorded(out)) == 400
    assert everything - one < 120_000
