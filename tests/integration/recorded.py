"""Records that a real Collector wrote (`tests/data/wire`), and what `ragmon extract` finds in the captures it got."""

from __future__ import annotations

import base64
import gzip
import io
import json
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from aiokafka import AIOKafkaProducer

from monitor.config.settings import Settings
from monitor.offline import extract
from monitor.records import Case
from tests.brokers import Broker

_DATA = Path(__file__).parents[1] / "data"
ENCODINGS = (
    "otlp_proto",
    "otlp_proto_nokey",
    "otlp_json",
    "jaeger_proto",
    "jaeger_json",
    "zipkin_proto",
    "zipkin_json",
)


class Request(NamedTuple):
    """What of a request must be the same, however it was transported."""

    trace_id: str
    question: str | None
    answer: str | None
    contexts: tuple[tuple[str | None, str, float | None], ...]


@cache
def expected() -> Counter[Request]:
    """The requests of all captures that the Collector was sent, read together: two pairs of them share a trace."""
    files = [path for path in sorted((_DATA / "traces").glob("*.pb")) if not path.name.endswith(".logs.pb")]
    out = io.StringIO()
    assert extract.main([str(path) for path in files], "otlp_proto", Settings(), out) == 0
    return Counter(_of_row(json.loads(line)) for line in out.getvalue().splitlines())


def found(cases: Iterable[Case]) -> Counter[Request]:
    """The requests of the case topic."""
    return Counter(
        Request(
            case.trace.trace_id,
            case.trace.question,
            case.trace.answer,
            tuple((passage.id, passage.text, passage.score) for passage in case.trace.contexts),
        )
        for case in cases
    )


def _of_row(row: dict[str, Any]) -> Request:
    contexts = tuple((item["id"], item["text"], item["score"]) for item in row["contexts"])
    return Request(row["trace_id"], row["question"], row["answer"], contexts)


def records_of(encoding: str) -> list[dict[str, Any]]:
    """The recorded records of an encoding, in order of offset."""
    with gzip.open(_DATA / "wire" / f"{encoding}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


async def produce_again(broker: Broker, topic: str, records: Iterable[dict[str, Any]]) -> None:
    """Write the records byte for byte: value, key, headers, timestamp, partition."""
    producer = AIOKafkaProducer(bootstrap_servers=broker.address, acks="all", max_request_size=16 << 20)
    await producer.start()
    try:
        for record in records:
            await producer.send_and_wait(
                topic,
                base64.b64decode(record["value"]),
                record["key"].encode() if record["key"] is not None else None,
                partition=record["partition"],
                timestamp_ms=record["timestamp"],
                headers=[(name, value.encode()) for name, value in record["headers"]],
            )
    finally:
        await producer.stop()
