"""Group commit: writes to a topic that come at about the same time share one batch for each partition.

A producer's own batches cost a coroutine, a future and a hash of the key for each record; these cost them once for each
write or batch. A write is confirmed when every batch with a record of it is, and fails with the first one that fails.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from aiokafka import errors
from aiokafka.partitioner import DefaultPartitioner

from exporters.kafka_topics import MAX_MESSAGE_BYTES

GATHER_S = 0.05
"""How long a write waits for others: next to nothing beside the seconds that a trace waits for its spans."""
BATCH_BYTES = 256 << 10
"""Of a batch with several records, before compression: a quarter of what brokers take by default."""
TOO_LARGE = (errors.MessageSizeTooLargeError, errors.RecordListTooLargeError, errors.RecordTooLargeError)

_partition_of = DefaultPartitioner()


class Outgoing(NamedTuple):
    """A record to write. Headers in order; a value is always there."""

    key: bytes | None
    value: bytes
    headers: Sequence[tuple[str, bytes]] = ()

    @property
    def size(self) -> int:
        """Bytes, without what the format adds."""
        return len(self.key or b"") + len(self.value) + sum(len(name) + len(value) for name, value in self.headers)


@dataclass(slots=True, eq=False)
class _Write:
    """Records that somebody waits for. `open` counts the batches that hold some of them and are not confirmed yet."""

    records: Sequence[Outgoing]
    confirmed: asyncio.Future[None]
    open: int = 0

    def settle(self) -> None:
        self.open -= 1
        if self.open == 0 and not self.confirmed.done():
            self.confirmed.set_result(None)

    def fail(self, error: BaseException) -> None:
        if not self.confirmed.done():
            self.confirmed.set_exception(error)


@dataclass(slots=True)
class _Batch:
    partition: int
    builder: Any
    writes: set[_Write] = field(default_factory=set)


class SharedBatches:
    """Writes through a started `producer`, whose `max_batch_size` is `BATCH_BYTES`.

    `alone` are the topics whose broker found a batch of several writes too large, also through an earlier producer: a
    write to them has batches of its own. Then the error says whose record it was, and no other is refused with it.
    """

    def __init__(self, producer: Any, alone: set[str]) -> None:  # noqa: ANN401 - aiokafka is untyped
        self.producer = producer
        self._alone = alone
        self._waiting: dict[str, list[_Write]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def write(self, topic: str, records: Sequence[Outgoing], *, at_once: bool) -> None:
        """Returns when all are confirmed; there is at least one. Raises KafkaError: then some may be written.

        The errors in `TOO_LARGE` are about this very write; that a shared batch was too large is another KafkaError.
        """
        if any(record.size > MAX_MESSAGE_BYTES for record in records):
            msg = f"a record of more than {MAX_MESSAGE_BYTES} bytes"
            raise errors.MessageSizeTooLargeError(msg)
        loop = asyncio.get_running_loop()
        write = _Write(records, loop.create_future())
        write.confirmed.add_done_callback(_noted)
        if at_once or topic in self._alone:
            self._start(topic, [write])
        elif topic in self._waiting:
            self._waiting[topic].append(write)
        else:
            self._waiting[topic] = [write]
            loop.call_later(GATHER_S, self._start_waiting, topic)
        await write.confirmed

    def _start_waiting(self, topic: str) -> None:
        self._start(topic, self._waiting.pop(topic))

    def _start(self, topic: str, writes: Sequence[_Write]) -> None:
        self._run(self._send_all(topic, writes), writes)

    def _run(self, job: Coroutine[Any, Any, None], writes: Iterable[_Write]) -> None:
        """Run a job in the background; whatever it raises is told to the writes."""

        def over(task: asyncio.Task[None]) -> None:
            self._tasks.discard(task)
            error = errors.ProducerClosed() if task.cancelled() else task.exception()
            if error is not None:
                for write in writes:
                    write.fail(error)

        task = asyncio.create_task(job, name="write to Kafka")
        self._tasks.add(task)
        task.add_done_callback(over)

    async def _send_all(self, topic: str, writes: Sequence[_Write]) -> None:
        partitions = sorted(await self.producer.partitions_for(topic))
        for batch in list(self._packed(writes, partitions)):
            # by a task each: a partition without a leader must not hold up the others
            self._run(self._send(topic, batch), batch.writes)

    def _packed(self, writes: Sequence[_Write], partitions: list[int]) -> Iterator[_Batch]:
        filling: dict[int, _Batch] = {}
        for write in writes:
            key, partition = None, -1
            for record in write.records:
                if partition < 0 or record.key != key:
                    key, partition = record.key, _partition_of(record.key, partitions, partitions)
                batch = filling.get(partition)
                if batch is None or not _added(batch, record):
                    if batch is not None:
                        yield batch
                    batch = filling[partition] = _Batch(partition, self.producer.create_batch())
                    _added(batch, record)  # the first record of a batch fits, whatever its size
                if write not in batch.writes:
                    batch.writes.add(write)
                    write.open += 1
        yield from filling.values()

    async def _send(self, topic: str, batch: _Batch) -> None:
        batch.builder.close()  # a batch that is left open waits for more
        try:
            await (await self.producer.send_batch(batch.builder, topic, partition=batch.partition))
        except TOO_LARGE as error:
            if len(batch.writes) == 1:
                raise
            self._alone.add(topic)
            msg = "a batch of several writes is too large; from now on each has its own"
            raise errors.KafkaError(msg) from error
        for write in batch.writes:
            write.settle()


def _added(batch: _Batch, record: Outgoing) -> bool:
    """Whether there was room for the record."""
    added = batch.builder.append(timestamp=None, key=record.key, value=record.value, headers=list(record.headers))
    return added is not None


def _noted(confirmed: asyncio.Future[None]) -> None:
    """A writer that was cancelled does not ask any more; asyncio would complain about the exception."""
    if not confirmed.cancelled():
        confirmed.exception()
