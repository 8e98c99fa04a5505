"""`ragmon record` as a process of its own, what it wrote, and what it should have written."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from aiokafka import AIOKafkaProducer

from monitor.sources.files import FileReader
from monitor.sources.streams import open_stream
from monitor.wire import RawRecord, Record
from tests.brokers import Broker, read_all
from tests.monitor.terminal import Ended, spawn


class Content(NamedTuple):
    """What of a record must stay the same wherever it goes."""

    partition: int
    key: bytes | None
    value: bytes | None
    timestamp: int
    headers: tuple[tuple[str, bytes], ...]


def record(broker: Broker, topic: str, out: Path, *arguments: str | Path) -> Ended:
    """Run the command to its end."""
    return spawn("record", topic, "--out", out, "--brokers", broker.address, *arguments)


@contextlib.contextmanager
def recording(broker: Broker, topic: str, out: Path, *arguments: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    """The command while it runs; it is always ended."""
    command = [sys.executable, "-m", "monitor", "record", topic, "--out", str(out), "--brokers", broker.address]
    process = subprocess.Popen(
        [*command, *map(str, arguments)], stderr=subprocess.PIPE, env=os.environ | {"NO_COLOR": "1"}
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def unfinished(out: Path) -> Path | None:
    """The file under its temporary name."""
    return next(out.parent.glob(f".{out.name}.*.part"), None)


def recorded(path: Path) -> list[RawRecord]:
    """The records of a file, as the replay source reads them; all of it can be read."""
    with contextlib.ExitStack() as cleanup:
        stream, _ = open_stream(str(path), lambda: False, cleanup)
        reader = FileReader(str(path))
        records = list(reader.records(stream))
    assert reader.failures == []
    return records


def contents(records: Iterable[Record]) -> list[Content]:
    """The records without their places, in order of partition and offset."""
    ordered = sorted(records, key=lambda record: (record.partition, record.offset))
    return [Content(r.partition, r.key, r.value, r.timestamp, tuple(r.headers)) for r in ordered]


async def there(broker: Broker, topic: str) -> list[Content]:
    """What a topic holds."""
    return contents(await read_all(broker, topic))


async def produce_contents(broker: Broker, topic: str, records: Iterable[Content]) -> None:
    """Write records as they are."""
    producer = AIOKafkaProducer(bootstrap_servers=broker.address, acks="all", max_request_size=16 << 20)
    await producer.start()
    try:
        for item in records:
            await producer.send_and_wait(
                topic,
                item.value,
                item.key,
                partition=item.partition,
                timestamp_ms=item.timestamp,
                headers=list(item.headers),
            )
    finally:
        await producer.stop()
