"""librdkafka's messages as our records: this is the hot path, so that only keys are taken out of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import overload

import msgspec
from confluent_kafka import Message

from monitor.records import TopicPartition


class MessageRecord(msgspec.Struct, gc=False):
    """A `Record` around a message."""

    key: bytes | None
    message: Message

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


class MessageRecords(Sequence[MessageRecord]):
    """Records around messages that are no errors. Each is made when somebody asks for it: 1 of 100, by its key."""

    __slots__ = ("_messages", "keys")

    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = messages
        self.keys: Sequence[bytes | None] = list(map(Message.key, messages))

    def __len__(self) -> int:
        """How many there are."""
        return len(self._messages)

    @overload
    def __getitem__(self, at: int) -> MessageRecord: ...
    @overload
    def __getitem__(self, at: slice) -> MessageRecords: ...
    def __getitem__(self, at: int | slice) -> MessageRecord | MessageRecords:
        """One of them, or a run."""
        if isinstance(at, slice):
            return MessageRecords(self._messages[at])
        return MessageRecord(self.keys[at], self._messages[at])

    def __iter__(self) -> Iterator[MessageRecord]:
        """All of them in their order."""
        return map(MessageRecord, self.keys, self._messages)


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
