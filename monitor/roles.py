"""The other two roles: the board follows the verdict topic, the harvester follows the case topic.

Both are thin shells around synchronous parts: a `quality.board.Board`, a `SampleSet` and the `FeedbackSet` beside it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import structlog

from monitor.accounting import Accounting
from monitor.config.settings import Dataset
from monitor.errors import DecodeError, SinkError, UnfitCasesError
from monitor.feedback import HeardFeedback
from monitor.protocols import Clock, FeedbackSet, SampleSet, Source, VerdictLog
from monitor.quality.board import Board
from monitor.quality.memory import VerdictMemory
from monitor.records import Case, TopicPartition, Verdict
from monitor.wire import Batch

log = structlog.get_logger(__name__)

_NS = 1_000_000_000
_STOP_BOUND_S = 10.0
_RETRY_S = 2.0
_REVOKE_WAIT_S = 5.0
_BREATHE_EVERY = 500
_NAMED = 10


def _ignore(_verdict: Verdict) -> None:
    """For a process that spends nothing."""


@dataclass(slots=True)
class BoardRole:
    """Feeds every line of the verdict topic to the board, from the beginning of its longest window.

    A process that judges and shows no quality has a `VerdictMemory` for its board.
    """

    log: VerdictLog
    board: Board | VerdictMemory
    clock: Clock
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the history has been read."""
    observe: Callable[[Verdict], None] = _ignore
    """Called with each verdict of the topic, those of the history first."""

    async def run(self) -> None:
        """Follow the topic until cancelled."""
        since = self.clock.now_ns() - round(self.board.horizon_s * _NS)
        async with contextlib.aclosing(self.log.read(since)) as batches:
            async for lines in batches:
                if not lines and not self.ready.is_set():
                    self.board.mark_caught_up()
                    self.ready.set()
                await self._add(lines)

    async def _add(self, lines: Sequence[Verdict | HeardFeedback]) -> None:
        live = self.ready.is_set()
        for index, line in enumerate(lines, 1):
            now_ns = self.clock.now_ns()
            match line:
                case Verdict():
                    self.board.add(line, now_ns, live=live)
                    self.observe(line)
                case HeardFeedback():
                    self.board.hear(line, now_ns, live=live)
            if index % _BREATHE_EVERY == 0:
                await asyncio.sleep(0)


@dataclass(slots=True)
class HarvestRole:
    """Appends cases to the sample set, and feedback beside it.

    A version and the offsets it took in become visible together; offsets are committed when both sets hold them.
    """

    source: Source
    sample_set: SampleSet
    feedback_set: FeedbackSet
    decode: Callable[[bytes], Case | HeardFeedback]
    clock: Clock
    settings: Dataset
    accounting: Accounting
    _cases: list[Case] = field(default_factory=list)
    _heard: list[HeardFeedback] = field(default_factory=list)
    _next: dict[TopicPartition, int] = field(default_factory=dict)
    """For each partition, the offset after the last record that was read and is not flushed."""
    _durable: dict[TopicPartition, int] = field(default_factory=dict)
    """For each partition, the offset after the last record that this process has put into the sets."""
    _writing: int = 0
    _keeping: int = 0
    _flushing: asyncio.Lock = field(default_factory=asyncio.Lock)  # a revoke may flush while the loop does
    _unwritten: str | None = None

    def problem(self) -> str | None:
        """Why nothing is harvested just now, in words for a person; None when all is well."""
        return self._unwritten or self.source.problem()

    def in_flight(self) -> Mapping[str, int]:
        """Cases and feedback read but not in their sets yet, for the conservation check."""
        return {"harvest": len(self._cases) + self._writing, "keep": len(self._heard) + self._keeping}

    async def run(self, stop: asyncio.Event) -> None:
        """Harvest until `stop` is set or the source is exhausted; what was read is flushed before it returns."""
        await self.source.start(self)
        last = self.clock.monotonic()
        try:
            while not (stop.is_set() or self.source.exhausted()):
                for batch in await self.source.poll():
                    self._take(batch)
                now = self.clock.monotonic()
                full = max(len(self._cases), len(self._heard)) >= self.settings.flush_cases
                if self._next and (full or now - last >= self.settings.flush_every):
                    await self._flush()
                    await self.source.commit()
                    last = now
        finally:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_STOP_BOUND_S):
                    await self._flush()
                    await self.source.commit(final=True)
                    await self.source.stop()

    def _take(self, batch: Batch) -> None:
        stage = self.accounting.stage("harvest")
        for record in batch.records:
            if not record.value:
                stage.received()
                stage.dropped("empty")
            else:
                self._add(record.value, batch.partition, record.offset)
        self._next[batch.partition] = batch.next_offset

    def _add(self, value: bytes, partition: TopicPartition, offset: int) -> None:
        harvest, keep = self.accounting.stage("harvest"), self.accounting.stage("keep")
        try:
            line = self.decode(value)
        except DecodeError as error:
            harvest.received()
            harvest.dropped("unreadable")
            log.warning("left out of the sample set", topic=partition.topic, offset=offset, error=str(error))
            return
        match line:
            case Case():
                harvest.received()
                self._cases.append(line)
            case HeardFeedback():
                keep.received()
                self._heard.append(line)

    async def _flush(self) -> None:
        async with self._flushing:
            cases, heard, positions = self._forget()
            if not positions:
                return
            self._writing, self._keeping = len(cases), len(heard)
            try:
                await self._write_cases(cases, positions)
                await self._write_feedback(heard, positions)
            except asyncio.CancelledError:
                # uncommitted, so it is read again
                self.accounting.stage("harvest").dropped("revoked", self._writing)
                self.accounting.stage("keep").dropped("revoked", self._keeping)
                raise
            finally:
                self._writing = self._keeping = 0
            for partition, offset in positions.items():  # a write that a rebalance overtook may be ahead of this one
                self._durable[partition] = max(offset, self._durable.get(partition, 0))

    async def _write_cases(self, cases: list[Case], positions: dict[TopicPartition, int]) -> None:
        stage = self.accounting.stage("harvest")
        added, unfit = await self._append(cases, positions)
        self._writing = 0
        stage.passed(added)
        stage.dropped("unreadable", unfit)
        stage.dropped("duplicate", len(cases) - added - unfit)

    async def _write_feedback(self, heard: list[HeardFeedback], positions: dict[TopicPartition, int]) -> None:
        if not heard:
            return
        stage = self.accounting.stage("keep")
        added = await self._until_written(partial(self.feedback_set.append, heard, positions))
        self._keeping = 0
        stage.passed(added)
        stage.dropped("duplicate", len(heard) - added)

    async def _append(self, cases: list[Case], positions: dict[TopicPartition, int]) -> tuple[int, int]:
        """How many cases were new, and how many do not fit the sample set."""
        fitting = cases
        while True:
            try:
                added = await self._until_written(partial(self.sample_set.append, fitting, positions))
                return added, len(cases) - len(fitting)
            except UnfitCasesError as error:
                log.warning("cases left out of the sample set", cases=sorted(error.case_ids)[:_NAMED], error=str(error))
                fitting = [case for case in fitting if case.case_id not in error.case_ids]

    async def _until_written(self, write: Callable[[], int]) -> int:
        while True:
            try:
                written = await asyncio.to_thread(write)
            except SinkError as error:
                log.warning("sample set not written; trying again", error=str(error), delay_s=_RETRY_S)
                self._unwritten = f"the sample set cannot be written: {error}"
                await asyncio.sleep(_RETRY_S)
            else:
                self._unwritten = None
                return written

    def _forget(self) -> tuple[list[Case], list[HeardFeedback], dict[TopicPartition, int]]:
        read = self._cases, self._heard, self._next
        self._cases, self._heard, self._next = [], [], {}
        return read

    # ------------------------------------------------------------------------------- as the source's RebalanceListener

    async def assigned(self, partitions: Iterable[TopicPartition]) -> None:
        """Begin anew: what was read after the committed offsets comes again, and the set knows its cases by id."""
        del partitions
        self._durable.clear()

    async def revoked(self, partitions: Iterable[TopicPartition]) -> None:
        """Flush in the time that the group waits; the rest is uncommitted and read again by whoever owns it next."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_REVOKE_WAIT_S):
                await self._flush()
        await self.lost(partitions)

    async def lost(self, partitions: Iterable[TopicPartition]) -> None:
        """Forget what was not flushed. Rebalances are eager: every partition starts again at its committed offset."""
        del partitions
        cases, heard, _ = self._forget()
        self.accounting.stage("harvest").dropped("revoked", len(cases))
        self.accounting.stage("keep").dropped("revoked", len(heard))

    def committable(self) -> Mapping[TopicPartition, int]:
        """What both sets hold durably."""
        return self._durable
