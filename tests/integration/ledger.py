"""A producer that remembers what it produced, and what has to become of it: the oracle of the tests under faults."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka import TopicPartition as ClientPartition
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from exporters.messages import decode_case, decode_verdict
from monitor.config.settings import Settings
from monitor.demo.corpus import DOCUMENTS
from monitor.demo.service import Service
from tests.brokers import Broker, plain_consumer
from tests.dead_letters import decode_dead_letter

_LATER_S = 0.4
"""Parts of a split trace follow within this time each."""


@dataclass(order=True)
class _Part:
    due: float
    number: int
    trace_id: str = field(compare=False)
    value: bytes = field(compare=False)


class Ledger:
    """Produces whole, split and plain requests and poison, all seeded, and keeps the books."""

    def __init__(self, seed: int, partitions: int) -> None:
        self._rng = random.Random(seed)
        self._partitions = partitions
        self._service = Service(random.Random(seed))
        self._later: list[_Part] = []
        self._numbers = itertools.count()
        self.requests: set[str] = set()
        """Trace ids of requests, each of which must be judged and harvested once."""
        self.poison: dict[str, bytes] = {}
        """Unreadable values by the trace id in their key: they must be in the dead letters."""
        self.places: dict[tuple[int, int], str] = {}
        """Partition and offset of each confirmed record: the trace id."""

    async def produce(self, broker: Broker, topic: str, per_second: float, stop: asyncio.Event) -> None:
        """Produce until `stop` is set; then the parts that are due later, and wait until all is confirmed."""
        producer = AIOKafkaProducer(bootstrap_servers=broker.address, acks="all", enable_idempotence=broker.idempotence)
        await producer.start()
        loop = asyncio.get_running_loop()
        sent: set[asyncio.Task[None]] = set()
        try:
            while not stop.is_set():
                for trace_id, value in [*self._due(loop.time()), *self._next(loop.time())]:
                    sent.add(asyncio.create_task(self._send(producer, topic, trace_id, value)))
                sent = {task for task in sent if not _finished(task)}
                await asyncio.sleep(1 / per_second)
            for trace_id, value in self._due(float("inf")):
                sent.add(asyncio.create_task(self._send(producer, topic, trace_id, value)))
            for task in sent:
                await task
        finally:
            await producer.stop()

    async def _send(self, producer: AIOKafkaProducer, topic: str, trace_id: str, value: bytes) -> None:
        partition = int(trace_id[-6:], 16) % self._partitions
        done = await producer.send_and_wait(topic, value, trace_id.encode(), partition=partition)
        self.places[done.partition, done.offset] = trace_id

    def _next(self, now: float) -> Iterator[tuple[str, bytes]]:
        kind = self._rng.choices(("whole", "split", "plain", "poison"), (6, 3, 2, 1))[0]
        if kind == "poison":
            trace_id = f"{self._rng.getrandbits(128):032x}"
            value = b"\xff\xfe no encoding has this: " + trace_id.encode()
            self.poison[trace_id] = value
            yield trace_id, value
        elif kind == "plain":
            trace_id, value = self._plain()
            self.requests.add(trace_id)
            yield trace_id, value
        else:
            (record,) = self._service.ask()
            trace_id = record.key.decode()
            self.requests.add(trace_id)
            parts = _split(record.value) if kind == "split" else [record.value]
            yield trace_id, parts[0]
            for part in parts[1:]:  # the entry span comes last, as it ends last
                now += self._rng.uniform(0, _LATER_S)
                heapq.heappush(self._later, _Part(now, next(self._numbers), trace_id, part))

    def _due(self, now: float) -> Iterator[tuple[str, bytes]]:
        while self._later and self._later[0].due <= now:
            part = heapq.heappop(self._later)
            yield part.trace_id, part.value

    def _plain(self) -> tuple[str, bytes]:
        document = self._rng.choice(DOCUMENTS)
        trace_id = f"{self._rng.getrandbits(128):032x}"
        row = {
            "trace_id": trace_id,
            "question": document.questions[0],
            "answer": document.text,
            "contexts": [{"id": document.id, "text": document.text}],
        }
        return trace_id, json.dumps(row).encode()


def _finished(task: asyncio.Task[None]) -> bool:
    """Whether a record is confirmed; its failure is raised here."""
    if task.done():
        task.result()
    return task.done()


def _split(value: bytes) -> list[bytes]:
    """One record for each span, in the order in which they ended."""
    whole = ExportTraceServiceRequest.FromString(value)
    parts = []
    for resource_spans in whole.resource_spans:
        for scope_spans in resource_spans.scope_spans:
            for span in scope_spans.spans:
                part = ExportTraceServiceRequest()
                copied = part.resource_spans.add(resource=resource_spans.resource)
                copied.scope_spans.add(scope=scope_spans.scope).spans.append(span)
                parts.append(part.SerializeToString())
    return parts


class Outputs:
    """What stands in the three topics, read on from where the last look ended."""

    def __init__(self, settings: Settings) -> None:
        self._topics = settings.topics
        self._consumer: AIOKafkaConsumer | None = None
        self.verdicts: dict[str, tuple[str, str]] = {}
        """By verdict id: trace id and evaluation."""
        self.verdict_records = 0
        self.cases: Counter[str] = Counter()
        """How often each trace id came."""
        self.case_places: dict[tuple[int, int], str] = {}
        """Partition and offset of each case: the trace id."""
        self.poison: set[bytes] = set()

    @contextlib.asynccontextmanager
    async def opened(self, broker: Broker) -> AsyncIterator[None]:
        """Connected for the time of a block; the topics must exist."""
        async with plain_consumer(broker, auto_offset_reset="earliest") as consumer:
            partitions = []
            for topic in (self._topics.verdicts, self._topics.cases, self._topics.dead_letters):
                partitions += [ClientPartition(topic, n) for n in await consumer._client._wait_on_metadata(topic)]
            consumer.assign(partitions)
            self._consumer = consumer
            yield

    async def read(self) -> None:
        """Read to the end as of now."""
        assert self._consumer is not None
        ends = await self._consumer.end_offsets(self._consumer.assignment())
        left = {tp for tp, end in ends.items() if await self._consumer.position(tp) < end}
        while left:
            for tp, records in (await self._consumer.getmany(*left, timeout_ms=500)).items():
                for record in records:
                    self._take(tp.topic, record)
            left = {tp for tp in left if await self._consumer.position(tp) < ends[tp]}

    def _take(self, topic: str, record: object) -> None:
        value: bytes = record.value  # type: ignore[attr-defined]  # aiokafka is untyped
        if topic == self._topics.verdicts:
            verdict = decode_verdict(value)
            self.verdicts[verdict.verdict_id] = (verdict.trace_id, verdict.evaluation)
            self.verdict_records += 1
        elif topic == self._topics.cases:
            trace_id = decode_case(value).trace.trace_id
            self.cases[trace_id] += 1
            self.case_places[record.partition, record.offset] = trace_id  # type: ignore[attr-defined]
        else:
            self.poison.add(decode_dead_letter(record).value or b"")  # type: ignore[arg-type]

    def judged(self) -> Mapping[str, Counter[str]]:
        """For each trace id how many different verdicts there are of each evaluation."""
        found: dict[str, Counter[str]] = {}
        for trace_id, evaluation in self.verdicts.values():
            found.setdefault(trace_id, Counter())[evaluation] += 1
        return found

    def undone(self, ledger: Ledger, committed: Mapping[int, int], whole: Counter[str]) -> list[str]:
        """What lies below the committed offsets although its verdicts (`whole`), case or dead letter are not there."""
        judged = self.judged()
        return [
            f"{partition}/{offset} {trace_id}: {dict(judged.get(trace_id, {}))}, {self.cases[trace_id]} cases"
            for (partition, offset), trace_id in ledger.places.items()
            if offset < committed.get(partition, 0)
            and (
                ledger.poison[trace_id] not in self.poison
                if trace_id in ledger.poison
                else judged.get(trace_id) != whole or not self.cases[trace_id]
            )
        ]
