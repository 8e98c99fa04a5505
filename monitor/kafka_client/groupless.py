"""Consumers without a group: each reads what it likes of one topic, and commits nothing."""

from __future__ import annotations

import asyncio
from typing import Any

from aiokafka import AIOKafkaConsumer, TopicPartition

_LOOK_AGAIN_S = 0.02


def groupless_consumer(options: dict[str, Any], bound: float, **fetching: int) -> Any:  # noqa: ANN401 - aiokafka is untyped
    """A consumer that is not started yet. It reads committed records only, and from no place that nobody told it.

    `options` are those of the connection, `bound` the seconds of a request, `fetching` aiokafka's sizes and times.
    """
    return AIOKafkaConsumer(
        **options,
        request_timeout_ms=round(bound * 1000),
        group_id=None,
        enable_auto_commit=False,
        auto_offset_reset="none",
        isolation_level="read_committed",
        **fetching,
    )


async def learn_partitions(consumer: Any, topic: str) -> None:  # noqa: ANN401 - as above
    """Wait until a started consumer knows the partitions of a topic that exists; whoever calls bounds the time."""
    consumer.assign([TopicPartition(topic, 0)])  # tells the client which topic to ask for
    while not consumer.partitions_for_topic(topic):  # noqa: ASYNC110 - aiokafka has no event for it
        await asyncio.sleep(_LOOK_AGAIN_S)
