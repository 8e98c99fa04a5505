"""Creating the topics that ragmon writes."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import structlog
from aiokafka import errors
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

from monitor.config.settings import Topics
from monitor.kafka_client.diagnosis import describe

log = structlog.get_logger(__name__)

MAX_MESSAGE_BYTES = 16 << 20
"""Largest record of the case and dead-letter topics: dead letters hold whole records of other people's topics."""

_DAY_S = 86_400
_CASES_S = 3 * _DAY_S
_DEAD_LETTERS_S = 14 * _DAY_S
_DEFAULT_REPLICATION = -1
_REPLICATION = "default.replication.factor"


def wanted_topics(topics: Topics, longest_window: float, replication: int) -> list[NewTopic]:
    """The three topics with their retention: verdicts outlive the longest window (seconds) by a day.

    Cases hold content: three days, time enough for a harvester that was down over a weekend.
    """
    retention = {
        topics.verdicts: longest_window + _DAY_S,
        topics.cases: _CASES_S,
        topics.dead_letters: _DEAD_LETTERS_S,
    }
    result = []
    for name, seconds in retention.items():
        config = {"retention.ms": str(round(seconds * 1000)), "cleanup.policy": "delete"}
        if name != topics.verdicts:
            config["max.message.bytes"] = str(MAX_MESSAGE_BYTES)
        result.append(NewTopic(name, topics.partitions, replication, topic_configs=config))
    return result


async def create_topics(options: dict[str, Any], topics: Topics, longest_window: float, bound: float) -> list[str]:
    """Create those that are missing; what went wrong, one clause for each topic. Raises KafkaError, TimeoutError."""
    admin = AIOKafkaAdminClient(**options, request_timeout_ms=round(bound * 1000))
    try:
        async with asyncio.timeout(bound):
            await admin.start()
            existing = set(await admin.list_topics())
            replication = topics.replication
            if replication == _DEFAULT_REPLICATION:  # aiokafka's request is too old to say "the broker's default"
                replication = await _default_replication(admin)
            missing = [t for t in wanted_topics(topics, longest_window, replication) if t.name not in existing]
            if not missing:
                return []
            return _problems(await admin.create_topics(missing))
    finally:
        await admin.close()


async def _default_replication(admin: Any) -> int:  # noqa: ANN401 - aiokafka is untyped
    """What the broker says; where it does not, three copies, or as many as there are brokers."""
    brokers = (await admin.describe_cluster())["brokers"]
    question = ConfigResource(ConfigResourceType.BROKER, str(brokers[0]["node_id"]), configs={_REPLICATION: None})
    with contextlib.suppress(errors.KafkaError):
        for response in await admin.describe_configs([question]):
            for _code, _message, _type, _name, entries in response.resources:
                for name, value, *_ in entries:
                    if name == _REPLICATION:
                        return int(value)
    return min(3, len(brokers))


def _problems(response: Any) -> list[str]:  # noqa: ANN401 - aiokafka is untyped
    problems = []
    for name, code, *message in response.topic_errors:
        error = errors.for_code(code)
        if error is errors.NoError:
            log.info("topic created", topic=name)
        elif error is not errors.TopicAlreadyExistsError:
            problems.append(f"topic {name} could not be created: {describe(error(*message))}")
    return problems
