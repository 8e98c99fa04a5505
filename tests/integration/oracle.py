"""Holds what was produced against what came out, while a monitor works and at the end."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from dataclasses import dataclass

from aiokafka import TopicPartition as ClientPartition

from monitor.config.settings import Settings
from tests.brokers import RealKafka, committed, create_topic, plain_consumer
from tests.integration.ledger import Ledger, Outputs
from tests.integration.monitors import EVALUATIONS, rows_in

log = logging.getLogger(__name__)


@dataclass
class Scene:
    """A broker, what it was given and what it gave. `wanted` are the verdicts that each request must have."""

    kafka: RealKafka
    settings: Settings
    ledger: Ledger
    outputs: Outputs
    partitions: int
    wanted: Counter[str]

    @property
    def topic(self) -> str:
        """Where the service's traces are."""
        return self.settings.source.topics[0]

    async def check_offsets(self) -> None:
        """Nothing may be acknowledged before its effect is durable. Offsets first: outputs only ever grow."""
        judge = await self._committed(self.settings.source.group, self.topic, self.partitions)
        topics = self.settings.topics
        harvest = await self._committed(self.settings.dataset.group, topics.cases, topics.partitions)
        await self.outputs.read()
        assert self.outputs.undone(self.ledger, judge, self.wanted) == []
        rows = {row["trace_id"] for row in rows_in(self.settings)}
        cases = {trace_id for (number, at), trace_id in self.outputs.case_places.items() if at < harvest[number]}
        assert cases <= rows

    async def drain(self, within: float) -> None:
        """Wait until everything that was produced is committed, and every case, too."""
        async with asyncio.timeout(within):
            while not await self._drained():  # noqa: ASYNC110 - the event is in another process
                await asyncio.sleep(0.2)

    async def check_outcomes(self) -> None:
        """Every produced id is in exactly one outcome."""
        await self.check_offsets()
        ledger, outputs = self.ledger, self.outputs
        judged = outputs.judged()
        assert {trace_id: found for trace_id, found in judged.items() if found != self.wanted} == {}
        assert set(judged) == ledger.requests
        assert set(outputs.cases) == ledger.requests
        assert outputs.poison == set(ledger.poison.values())
        rows = rows_in(self.settings)
        assert Counter(row["trace_id"] for row in rows) == Counter(ledger.requests)
        # a trace that came in several records was judged whole
        assert [row["trace_id"] for row in rows if not (row["question"] and row["answer"])] == []
        verdicts = outputs.verdict_records - len(outputs.verdicts)
        cases = outputs.cases.total() - len(outputs.cases)
        log.warning("%d requests; written again: %d verdicts, %d cases", len(ledger.requests), verdicts, cases)

    async def _drained(self) -> bool:
        topics, group = self.settings.topics, self.settings.dataset.group
        return await self._at_end(self.settings.source.group, self.topic, self.partitions) and await self._at_end(
            group, topics.cases, topics.partitions
        )

    async def _at_end(self, group: str, topic: str, partitions: int) -> bool:
        async with plain_consumer(self.kafka) as consumer:
            known = [ClientPartition(topic, number) for number in range(partitions)]
            ends = {tp.partition: offset for tp, offset in (await consumer.end_offsets(known)).items()}
        return await self._committed(group, topic, partitions) == ends

    async def _committed(self, group: str, topic: str, partitions: int) -> dict[int, int]:
        """The committed offsets, 0 where there is none."""
        found = await committed(self.kafka, group, topic, partitions)
        return {number: offset or 0 for number, offset in enumerate(found)}


async def scene_of(
    kafka: RealKafka, settings: Settings, seed: int, *, partitions: int = 4, wanted: Counter[str] | None = None
) -> Scene:
    """A scene whose topics exist."""
    topics = settings.topics
    await create_topic(kafka, settings.source.topics[0], partitions)
    for topic in (topics.verdicts, topics.cases, topics.dead_letters):
        await create_topic(kafka, topic, topics.partitions)
    default = Counter(EVALUATIONS)
    return Scene(kafka, settings, Ledger(seed, partitions), Outputs(settings), partitions, wanted or default)
