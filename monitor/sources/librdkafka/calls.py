"""Calls to librdkafka that wait for brokers, in our own terms; all raise SourceError."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from confluent_kafka import Consumer
from confluent_kafka import TopicPartition as ClientPartition

from monitor.errors import SourceError
from monitor.records import TopicPartition
from monitor.sources.librdkafka.faults import describe, translated


def edges(
    consumer: Consumer, partitions: Iterable[TopicPartition], edge: int, bound: float
) -> dict[TopicPartition, int]:
    """Where the partitions begin (OFFSET_BEGINNING) or end (OFFSET_END), as their leaders say."""
    # in the protocol these are "times" of -2 and -1, so all partitions can be asked for in one call
    asked = placed(dict.fromkeys(partitions, edge))
    if not asked:
        return {}
    with translated():
        found = consumer.offsets_for_times(asked, timeout=bound)
    _refuse_errors(found)
    return {TopicPartition(p.topic, p.partition): p.offset for p in found}


def committed(
    consumer: Consumer, partitions: Iterable[TopicPartition], bound: float
) -> dict[TopicPartition, int | None]:
    """The group's committed offsets; None where there is none."""
    asked = named(partitions)
    if not asked:
        return {}
    with translated():
        found = consumer.committed(asked, timeout=bound)
    _refuse_errors(found)
    return {TopicPartition(p.topic, p.partition): p.offset if p.offset >= 0 else None for p in found}


def commit(consumer: Consumer, offsets: Mapping[TopicPartition, int]) -> None:
    """Commit; returns when the broker has confirmed. Without a coordinator it takes as long as a session timeout."""
    with translated():
        done = consumer.commit(offsets=placed(offsets), asynchronous=False)
    _refuse_errors(done)


def named(partitions: Iterable[TopicPartition]) -> list[ClientPartition]:
    """The client's own partitions."""
    return [ClientPartition(*tp) for tp in partitions]


def placed(offsets: Mapping[TopicPartition, int]) -> list[ClientPartition]:
    """The client's own partitions, with an offset each."""
    return [ClientPartition(*tp, offset) for tp, offset in offsets.items()]


def _refuse_errors(partitions: Iterable[ClientPartition]) -> None:
    for partition in partitions:
        if partition.error is not None:
            raise SourceError(f"{partition.topic}/{partition.partition}: {describe(partition.error)}")


class Asker:
    """A client of its own that only asks: calls on one client wait for each other, and a question may take seconds."""

    def __init__(self, options: Mapping[str, Any], bound: float) -> None:
        self._options = options
        self._bound = bound
        self._consumer: Consumer | None = None

    def topics(self) -> frozenset[str]:
        """Names of the topics that we may see."""
        consumer = self._polled()
        with translated():
            return frozenset(consumer.list_topics(timeout=self._bound).topics)

    def edges(self, partitions: Iterable[TopicPartition], edge: int) -> dict[TopicPartition, int]:
        """See `edges`."""
        return edges(self._polled(), partitions, edge, self._bound)

    def close(self) -> None:
        """Free everything. Idempotent."""
        if self._consumer is not None:
            self._consumer.close()

    def _polled(self) -> Consumer:
        """The client, with its events taken out: they would pile up."""
        if self._consumer is None:
            with translated():
                self._consumer = Consumer(dict(self._options))
        self._consumer.poll(0)
        return self._consumer
