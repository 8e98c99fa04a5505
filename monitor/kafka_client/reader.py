"""Reading batches from an aiokafka consumer without losing any.

When something raises inside `getmany` for one partition, the records that it had taken from the others in that call
are thrown away although their positions moved (aiokafka 0.14, measured). So the reader remembers what it handed on;
after such an error it seeks every partition back there and reads one partition per call, until the unreadable place
is found (`isolation.py`) and has been quiet for a while.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import structlog
from aiokafka import ConsumerStoppedError, IllegalOperation, errors
from aiokafka import TopicPartition as ClientPartition

from monitor.errors import SinkError, SourceError
from monitor.kafka_client.diagnosis import describe
from monitor.kafka_client.isolation import Fault, Isolation
from monitor.records import TopicPartition
from monitor.wire import Batch

log = structlog.get_logger(__name__)

_GRACE_S = 1.0  # `getmany` waits without a bound for a rebalance to end
_SINGLE_FOR_S = 60.0
_STUCK_RETRY_S = 10.0
_SINGLE_WAIT_MS = 20
_SINGLE_PAUSE_S = 0.02

Bury = Callable[[TopicPartition, int, int, Fault, str], Awaitable[None]]
"""Makes it durable that offsets from the first (included) to the second (excluded) cannot be read; raises SinkError."""


async def _bury_nothing(tp: TopicPartition, first: int, end: int, fault: Fault, detail: str) -> None:
    log.error("unreadable records skipped", partition=tp, first=first, end=end, fault=fault, why=detail)


class CarefulReader:
    """Reads batches; knows for each partition the next offset that was not handed on yet.

    One task calls `read`; `begin` may be called between two reads by the rebalance callback. OffsetOutOfRangeError and
    NoOffsetForPartitionError go to the caller, who knows where to begin; SourceError means that the client is broken.
    """

    def __init__(self, consumer: Any, max_records: int, *, bury: Bury | None = None) -> None:  # noqa: ANN401 - untyped
        self._consumer = consumer
        self._max_records = max_records
        self._bury = bury or _bury_nothing
        self._next: dict[TopicPartition, int] = {}
        self._isolated: dict[TopicPartition, Isolation] = {}
        self._wait_until: dict[TopicPartition, float] = {}
        self._single_until = 0.0
        self._turn = 0
        self._problems: dict[TopicPartition, str] = {}
        self.skipped = 0
        """Offsets given up as unreadable, since the start."""

    @property
    def positions(self) -> Mapping[TopicPartition, int]:
        """For each partition, the next offset that was not handed on yet."""
        return self._next

    def begin(self, starts: Mapping[TopicPartition, int]) -> None:
        """Seek to these offsets and forget every other partition. The partitions must be assigned."""
        for tp, offset in starts.items():
            self._consumer.seek(tp, offset)
        self._next = dict(starts)
        self._isolated.clear()
        self._wait_until.clear()
        self._problems.clear()

    def restart(self, tp: TopicPartition, offset: int) -> None:
        """Seek one partition to another offset."""
        self._consumer.seek(tp, offset)
        self._next[tp] = offset
        self._settled(tp)

    def problem(self) -> str | None:
        """Which partitions cannot be read on, and why; None when all can."""
        return "; ".join(self._problems[tp] for tp in sorted(self._problems)) or None

    def stuck(self) -> frozenset[TopicPartition]:
        """Partitions that wait for a person."""
        return frozenset(self._problems)

    def blocked(self) -> frozenset[TopicPartition]:
        """Stuck partitions whose unreadable place is known and cannot be passed, however long one waits."""
        return frozenset(tp for tp, search in self._isolated.items() if search.stuck())

    async def read(self, timeout: float) -> list[Batch]:  # noqa: ASYNC109 - a poll time, not a bound
        """The next batches; empty when none came within `timeout` seconds (or a little more, in a rebalance)."""
        if self._isolated or asyncio.get_running_loop().time() < self._single_until:
            return await self._read_single(timeout)
        try:
            async with asyncio.timeout(timeout + _GRACE_S):
                fetched = await self._consumer.getmany(timeout_ms=round(timeout * 1000), max_records=self._max_records)
        except TimeoutError:
            return []
        except Exception as error:  # noqa: BLE001 - a decompressor may raise anything; what is not a record's fault goes on
            fault = _fault(error)
            log.warning("a fetch could not be decoded; partitions are read one by one", fault=fault, error=str(error))
            self._single_until = asyncio.get_running_loop().time() + _SINGLE_FOR_S
            self._seek_back()
            return []
        return [await self._batch(tp, records) for tp, records in fetched.items()]

    def _seek_back(self) -> None:
        for tp in self._consumer.assignment():
            if tp in self._next:
                self._consumer.seek(tp, self._next[TopicPartition(*tp)])

    async def _batch(self, tp: Any, records: Any) -> Batch:  # noqa: ANN401 - aiokafka is untyped
        """Records as a batch. The client's position may lie behind the last record (compaction, transactions)."""
        after = records[-1].offset + 1
        with contextlib.suppress(errors.KafkaError):  # revoked this moment: the last record will do
            after = max(after, await self._consumer.position(ClientPartition(*tp)))
        partition = TopicPartition(*tp)
        self._next[partition] = after
        return Batch(partition, records, after)

    # -------------------------------------------------------------------------------------- one partition per call

    async def _read_single(self, within: float) -> list[Batch]:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + within
        while True:
            self._turn += 1
            partitions = sorted(self._consumer.assignment() - self._consumer.paused())
            start = self._turn % len(partitions) if partitions else 0
            for tp in partitions[start:] + partitions[:start]:
                batch = await self._read_one(TopicPartition(*tp))
                if batch is not None:
                    return [batch]
            if loop.time() >= deadline:
                return []
            await asyncio.sleep(_SINGLE_PAUSE_S)

    async def _read_one(self, tp: TopicPartition) -> Batch | None:
        now = asyncio.get_running_loop().time()
        if tp not in self._next or self._wait_until.get(tp, 0.0) > now:
            return None
        search = self._isolated.get(tp)
        size = self._max_records if search is None else search.size
        wait_ms = 0 if search is None else _SINGLE_WAIT_MS
        try:
            async with asyncio.timeout(wait_ms / 1000 + _GRACE_S):
                fetched = await self._consumer.getmany(ClientPartition(*tp), timeout_ms=wait_ms, max_records=size)
        except TimeoutError:
            return None
        except Exception as error:  # noqa: BLE001 - as in `read`
            self._failed(tp, error, size, now)
            return None
        records = fetched.get(tp, [])
        if search is None:
            return await self._batch(tp, records) if records else None
        return await self._searched(tp, search, records)

    def _failed(self, tp: TopicPartition, error: Exception, size: int, now: float) -> None:
        fault = _fault(error)
        self._single_until = now + _SINGLE_FOR_S
        search = self._isolated.setdefault(tp, Isolation(size, self._next[tp]))
        search.failed(search.probe, fault)
        if search.stuck():
            self._wait_until[tp] = now + _STUCK_RETRY_S
            self._problems[tp] = f"{tp.topic}/{tp.partition} offset {search.probe} cannot be read: {describe(error)}"
        elif search.bad_from is not None:
            self._problems[tp] = (
                f"{tp.topic}/{tp.partition} is unreadable from offset {search.bad_from} on: {describe(error)}"
            )
        self._consumer.seek(tp, search.probe)

    async def _searched(self, tp: TopicPartition, search: Isolation, records: Any) -> Batch | None:  # noqa: ANN401 - see above
        """What a read without error means for the search: go on, or the unreadable run has ended."""
        if search.bad_from is None:
            if not records:
                return None
            batch = await self._batch(tp, records)
            if search.read_to(batch.next_offset):
                self._settled(tp)
            return batch
        end = records[0].offset if records else self._end(tp)
        if end is None or (search.probe < end and not records):
            return None
        return await self._skip(tp, search.bad_from, end, records)

    async def _skip(self, tp: TopicPartition, first: int, end: int, records: Any) -> Batch | None:  # noqa: ANN401 - see above
        """Move past an unreadable run, but not before it stands in the dead letters."""
        try:
            await self._bury(tp, first, end, Fault.CORRUPT, self._problems.get(tp, ""))
        except SinkError as error:
            log.warning("unreadable records are not skipped before their dead letter is written", error=str(error))
            if tp in self._consumer.assignment() and tp in self._next:
                self._consumer.seek(tp, end)
            return None
        if self._next.get(tp) != first:  # the partition went away, or was moved, in the meantime
            return None
        self.skipped += end - first
        self._settled(tp)
        if records:
            return await self._batch(tp, records)
        self._next[tp] = end
        return Batch(tp, (), end)

    def _end(self, tp: TopicPartition) -> int | None:
        highwater: int | None = self._consumer.highwater(tp)
        return highwater

    def _settled(self, tp: TopicPartition) -> None:
        self._isolated.pop(tp, None)
        self._wait_until.pop(tp, None)
        self._problems.pop(tp, None)


def _fault(error: Exception) -> Fault:
    """The fault of one place in a partition; everything else is raised on."""
    match error:
        case errors.UnsupportedCodecError():
            return Fault.CODEC
        case errors.CorruptRecordException() | errors.RecordTooLargeError():
            return Fault.CORRUPT
        case errors.OffsetOutOfRangeError() | errors.NoOffsetForPartitionError():
            raise error
        case errors.KafkaError() | ConsumerStoppedError() | IllegalOperation() | OSError() | MemoryError():
            raise SourceError(describe(error)) from error
        case _:
            return Fault.CORRUPT
