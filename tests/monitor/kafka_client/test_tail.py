"""What the log says while a topic cannot be read."""

from __future__ import annotations

import asyncio
import random

import pytest
from aiokafka import errors
from structlog.testing import capture_logs

from monitor.config.settings import Kafka
from monitor.kafka_client.connection import KafkaConnection
from monitor.kafka_client.open_topic import OpenTopic
from monitor.kafka_client.tail import Put, TopicTail
from tests import virtual_time
from tests.virtual_time import VirtualClock

MISSING = errors.UnknownTopicOrPartitionError()
REFUSED = errors.TopicAuthorizationFailedError()


class Failing(TopicTail):
    """A tail that gets no further than this error."""

    error: Exception

    async def _read(self, opened: OpenTopic, put: Put) -> None:
        del opened, put
        raise self.error


@pytest.mark.parametrize(("error", "at_first"), [(MISSING, "info"), (REFUSED, "warning")])
def test_a_topic_that_is_not_there_yet_is_a_warning_only_once_that_has_lasted(error: Exception, at_first: str) -> None:
    async def main(_: VirtualClock) -> list[set[str]]:
        tail = Failing(KafkaConnection(Kafka()), "rag.verdicts", 0, rng=random.Random(1))
        tail.error = error

        async def read() -> None:
            async for _ in tail.batches(1.0):
                pass

        reading = asyncio.create_task(read())
        seen = []
        for seconds in (29.9, 30.0):
            with capture_logs() as lines:
                await asyncio.sleep(seconds)
            seen.append({line["log_level"] for line in lines})
        reading.cancel()
        await asyncio.wait({reading})
        return seen

    assert virtual_time.run(main) == [{at_first}, {"warning"}]
