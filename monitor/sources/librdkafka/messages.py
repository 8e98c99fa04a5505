"""librdkafka's messages as our records: this is the hot path, so nothing is made of those that nobody wants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec
from confluent_kafka import Message

from monitor.records import TopicPartition
from monitor.sampling.presample import Presample
from monitor.wire import Batch


class MessageRecord(msgspec.Struct, gc=False):
    """A `Record` around a message."""

    message: Message

    @property
    def key(self) -> bytes | None:
        """Record key."""
        return self.message.key()

    @property
    def topic(self) -> str:
        """Topic name."""
        return self.message.topic() or ""

    @property
    def partition(self) -> int:
        """Partition number."""
        return self.message.partition() or 0

    @property
    def offset(self) -> int:
        """Offset in the partition."""
        return self.message.offset() or 0

    @property
    def value(self) -> bytes | None:
        """Payload; None is a tombstone."""
        return self.message.value()

    @property
    def timestamp(self) -> int:
        """Milliseconds since the Unix epoch."""
        return self.message.timestamp()[1]

    @property
    def headers(self) -> Sequence[tuple[str, bytes]]:
        """Record headers."""
        return self.message.headers() or ()  # type: ignore[return-value]  # what is read is never text, nor a dict


class Haul:
    """What several reads brought, by partition. What `presample` does not want is let go of here, in one go.

    A thread that hands on one message of a hundred is hardly slower than one that only reads.
    """

    def __init__(self, presample: Presample | None) -> None:
        self._presample = presample
        self._kept: dict[TopicPartition, list[MessageRecord]] = {}
        self._unwanted: Counter[TopicPartition] = Counter()
        self._after: dict[TopicPartition, int] = {}
        self.size = 0
        """Records that are handed on."""
        self.bytes = 0
        """Bytes of their values."""

    def add(self, tp: TopicPartition, messages: Sequence[Message], after: int) -> None:
        """Take the next messages of a partition, none of which is an error; `after` is the position behind them."""
        kept = messages
        if self._presample is not None:
            wanted = self._presample.wanted(tp.topic, list(map(Message.key, messages)))
            kept = [messages[at] for at in wanted]
        self._kept.setdefault(tp, []).extend(map(MessageRecord, kept))
        self._unwanted[tp] += len(messages) - len(kept)
        self._after[tp] = after
        self.size += len(kept)
        self.bytes += sum(map(len, kept))

    def drop(self, partitions: Iterable[TopicPartition]) -> None:
        """Forget what was brought of these."""
        for tp in partitions:
            for record in self._kept.pop(tp, ()):
                self.size -= 1
                self.bytes -= len(record.message)
            self._unwanted.pop(tp, None)
            self._after.pop(tp, None)

    def batches(self) -> list[Batch]:
        """All of it, a batch for each partition, in the order in which the partitions came."""
        return [Batch(tp, kept, self._after[tp], self._unwanted[tp]) for tp, kept in self._kept.items()]


def place(message: Message) -> TopicPartition:
    """Where the message comes from."""
    return TopicPartition(message.topic() or "", message.partition() or 0)


def by_partition(messages: Iterable[Message], *, one_topic: bool) -> dict[TopicPartition, list[Message]]:
    """Messages by partition, in their order. With `one_topic` runs are told apart by the partition number alone."""
    found: dict[TopicPartition, list[Message]] = {}
    for _, group in groupby(messages, Message.partition if one_topic else place):
        run = list(group)
        tp = place(run[0])
        if tp in found:
            found[tp] += run
        else:
            found[tp] = run
    return found
