"""Records from Kafka topics by aiokafka. Records are aiokafka's own objects: nothing is done for each record."""

from __future__ import annotations

import asyncio
from typing import Any

from aiokafka import AIOKafkaConsumer, errors
from aiokafka.coordinator.assignors.range import RangePartitionAssignor

from monitor.config.settings import SourceSettings
from monitor.errors import ConfigError, SourceError
from monitor.kafka_client.diagnosis import describe, why_unreachable
from monitor.kafka_client.reader import CarefulReader
from monitor.protocols import RebalanceListener
from monitor.sources.kafka_events import EVENTS
from monitor.sources.kafka_session import ConsumerSession
from monitor.sources.supervisor import CLOSE_S, SupervisedSource

__all__ = ["EVENTS", "KafkaSource"]

_FETCH_WAIT_MS = 250
_MAX_HEARTBEAT_S = 3.0
_JOIN_MARGIN_S = 5.0


class KafkaSource(SupervisedSource):
    """`protocols.Source` on an aiokafka consumer."""

    async def _open(self, listener: RebalanceListener) -> ConsumerSession:
        bound = self._connection.kafka.request_timeout
        try:
            options = await asyncio.to_thread(self._connection.options)
        except ConfigError as error:  # a renewed certificate that is not complete yet
            raise SourceError(str(error)) from None
        consumer = AIOKafkaConsumer(**options, **_consumer_options(self._settings, bound))
        reader = CarefulReader(consumer, self._settings.poll_records, bury=self._bury)
        session = ConsumerSession(
            consumer, reader, self._settings, listener, self._clock, bound=bound, count=self._count
        )
        try:
            await session.connect()
        except (errors.KafkaError, OSError) as error:
            await session.close(CLOSE_S)
            lost = isinstance(error, OSError | errors.KafkaConnectionError)
            why = await why_unreachable(options, bound) if lost else describe(error)
            raise SourceError(f"Kafka cannot be reached: {why}") from error
        except BaseException:
            await session.close(CLOSE_S)
            raise
        return session


def _consumer_options(settings: SourceSettings, request_timeout: float) -> dict[str, Any]:
    # a JoinGroup waits for the other members; with a shorter bound every slow rebalance would begin anew
    join = max(settings.rebalance_timeout, settings.session_timeout) + _JOIN_MARGIN_S
    return {
        "group_id": settings.group,
        "enable_auto_commit": False,
        "auto_offset_reset": "none",  # the session decides: "latest" would jump over records without a word
        "isolation_level": "read_committed",
        # range: partition k of every topic goes to one member, so that spans and logs of a trace meet. Never two
        # strategies: aiokafka 0.14 joins once for each (its pull request 1168), and two members then start each
        # other's rebalance anew without an end
        "partition_assignment_strategy": (RangePartitionAssignor,),
        "request_timeout_ms": _ms(max(request_timeout, join)),
        "session_timeout_ms": _ms(settings.session_timeout),
        "heartbeat_interval_ms": _ms(min(_MAX_HEARTBEAT_S, settings.session_timeout / 5)),
        "rebalance_timeout_ms": _ms(settings.rebalance_timeout),
        "max_poll_interval_ms": _ms(settings.max_poll_interval),
        "max_partition_fetch_bytes": settings.fetch_bytes,
        "fetch_max_wait_ms": _FETCH_WAIT_MS,
    }


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
