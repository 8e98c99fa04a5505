"""Records from Kafka topics: a supervisor around one consumer at a time.

The consumer (`kafka_session.py`) hides no trouble and repairs what it can; what it cannot repair is repaired here, by
building a new one. Records are aiokafka's own objects: nothing is done for each record.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from aiokafka import AIOKafkaConsumer, errors
from aiokafka.coordinator.assignors.range import RangePartitionAssignor
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor

from monitor.errors import ConfigError
from monitor.kafka_client.backoff import backoff
from monitor.kafka_client.connection import KafkaConnection
from monitor.kafka_client.diagnosis import describe, why_unreachable
from monitor.kafka_client.isolation import Fault
from monitor.kafka_client.reader import CarefulReader
from monitor.protocols import Clock, DeadLetters, RebalanceListener
from monitor.records import Position, TopicPartition
from monitor.settings import SourceSettings
from monitor.sources.kafka_events import EVENTS, Count, SourceVitals
from monitor.sources.kafka_session import ConsumerSession
from monitor.wire import Batch, DeadLetter

__all__ = ["EVENTS", "KafkaSource"]

log = structlog.get_logger(__name__)

_POLL_S = 0.25
_CLOSE_S = 3.0
_FINAL_COMMIT_S = 3.0
_FETCH_WAIT_MS = 250
_MAX_HEARTBEAT_S = 3.0
_JOIN_MARGIN_S = 5.0


def _no_count(_event: str, _number: int) -> None:
    """For callers that count nothing."""


class KafkaSource:
    """`protocols.Source` on a consumer group.

    `count` gets events of `EVENTS`. With `dead_letters`, a batch that can never be read is written there (offsets only)
    before it is skipped. A group without committed offsets that starts at the latest record commits that place at once.
    """

    def __init__(
        self,
        connection: KafkaConnection,
        settings: SourceSettings,
        clock: Clock,
        *,
        dead_letters: DeadLetters | None = None,
        count: Count = _no_count,
        rng: random.Random | None = None,
    ) -> None:
        self._connection = connection
        self._settings = settings
        self._clock = clock
        self._dead_letters = dead_letters
        self._count = count
        self._rng = rng or random.Random()  # noqa: S311 - jitter
        self._session: ConsumerSession | None = None
        self._supervisor: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._problem: str | None = "not started"
        self._paused = False

    async def start(self, listener: RebalanceListener) -> None:
        """Check the configuration and begin to connect. Raises ConfigError with every problem."""
        await asyncio.to_thread(self._connection.check)
        self._problem = "connecting"
        self._supervisor = asyncio.create_task(self._supervise(listener), name="Kafka source")

    async def poll(self) -> Sequence[Batch]:
        """The next batches; empty after a quarter of a second without any."""
        self._surface()
        session = self._session
        if session is not None:
            return await session.poll(_POLL_S)
        self._changed.clear()
        try:
            async with asyncio.timeout(_POLL_S):
                await self._changed.wait()
        except TimeoutError:
            pass
        return []

    def pause(self) -> None:
        """Deliver nothing until `resume`; polling goes on. Idempotent."""
        self._paused = True
        if self._session is not None:
            self._session.pause()

    def resume(self) -> None:
        """Deliver again. Idempotent."""
        self._paused = False
        if self._session is not None:
            self._session.resume()

    async def commit(self, *, final: bool = False) -> None:
        """Commit what the listener says now. Failures are counted; bounded, more tightly when `final`."""
        if self._session is not None:
            bound = self._connection.kafka.request_timeout
            await self._session.commit(min(bound, _FINAL_COMMIT_S) if final else bound)

    async def stop(self) -> None:
        """Leave the group and close, within about five seconds. Idempotent."""
        supervisor, self._supervisor = self._supervisor, None
        self._problem = "stopped"
        if supervisor is not None:
            supervisor.cancel()
            await asyncio.wait({supervisor})
            if not supervisor.cancelled() and (error := supervisor.exception()) is not None:
                log.error("the Kafka source had failed", error=repr(error))

    def problem(self) -> str | None:
        """Why no records can come just now; None when all is well."""
        session = self._session
        return self._problem if session is None else session.problem()

    def exhausted(self) -> bool:
        """Never: a topic has no end."""
        return False

    def lag(self) -> Mapping[TopicPartition, int]:
        """For each own partition, how many offsets are not handed on yet, as last seen; empty while unconnected."""
        return {} if self._session is None else self._session.lag()

    def vitals(self) -> SourceVitals:
        """How the consumer is doing; the defaults while there is none."""
        return SourceVitals() if self._session is None else self._session.vitals()

    # ---------------------------------------------------------------------------------------------------- supervisor

    def _surface(self) -> None:
        if self._supervisor is not None and self._supervisor.done():
            self._supervisor.result()

    async def _supervise(self, listener: RebalanceListener) -> None:
        failures = 0
        while True:
            session = await self._open(listener)
            if session is None:
                failures += 1
            else:
                failures = 1 if await self._serve(session) else failures + 1
            await asyncio.sleep(backoff(failures, self._rng))

    async def _serve(self, session: ConsumerSession) -> bool:
        """Hand out a session until it breaks; whether it had been of use (then the next try comes soon)."""
        began = self._clock.monotonic()
        if self._paused:
            session.pause()
        self._session = session
        self._changed.set()
        try:
            self._problem = await session.watch()
            log.warning("the Kafka consumer is rebuilt", why=self._problem)
            self._count("rebuild", 1)
        finally:
            self._session = None
            await session.close(_CLOSE_S)
        return self._clock.monotonic() - began > self._settings.stall_after

    async def _open(self, listener: RebalanceListener) -> ConsumerSession | None:
        """A connected session, or None with the reason in `_problem`."""
        bound = self._connection.kafka.request_timeout
        try:
            options = await asyncio.to_thread(self._connection.options)
        except ConfigError as error:  # a renewed certificate that is not complete yet
            self._problem = str(error)
            return None
        consumer = AIOKafkaConsumer(**options, **self._consumer_options())
        reader = CarefulReader(consumer, self._settings.poll_records, bury=self._bury)
        session = ConsumerSession(
            consumer, reader, self._settings, listener, self._clock, bound=bound, count=self._count
        )
        try:
            await session.connect()
        except (errors.KafkaError, OSError) as error:
            await session.close(_CLOSE_S)
            lost = isinstance(error, OSError | errors.KafkaConnectionError)
            why = await why_unreachable(options, bound) if lost else describe(error)
            self._problem = f"Kafka cannot be reached: {why}"
            log.warning("Kafka cannot be reached", why=self._problem)
            return None
        except BaseException:
            await session.close(_CLOSE_S)
            raise
        return session

    def _consumer_options(self) -> dict[str, Any]:
        settings = self._settings
        # a JoinGroup waits for the other members; with a shorter bound every slow rebalance would begin anew
        join = max(settings.rebalance_timeout, settings.session_timeout) + _JOIN_MARGIN_S
        longest = max(self._connection.kafka.request_timeout, join)
        return {
            "group_id": settings.group,
            "enable_auto_commit": False,
            "auto_offset_reset": "none",  # the session decides: "latest" would jump over records without a word
            "isolation_level": "read_committed",
            # range first: partition k of every topic goes to one member, so that spans and logs of a trace meet
            "partition_assignment_strategy": (RangePartitionAssignor, RoundRobinPartitionAssignor),
            "request_timeout_ms": _ms(longest),
            "session_timeout_ms": _ms(settings.session_timeout),
            "heartbeat_interval_ms": _ms(min(_MAX_HEARTBEAT_S, settings.session_timeout / 5)),
            "rebalance_timeout_ms": _ms(settings.rebalance_timeout),
            "max_poll_interval_ms": _ms(settings.max_poll_interval),
            "max_partition_fetch_bytes": settings.fetch_bytes,
            "fetch_max_wait_ms": _FETCH_WAIT_MS,
        }

    async def _bury(self, tp: TopicPartition, first: int, end: int, fault: Fault, detail: str) -> None:
        """A dead letter of offsets only: the bytes cannot be had."""
        log.error("unreadable records", topic=tp.topic, partition=tp.partition, first=first, end=end, why=detail)
        if self._dead_letters is not None:
            text = f"offsets {first} to {end - 1} cannot be read: {detail}"
            position = Position(tp.topic, tp.partition, first)
            await self._dead_letters.append(
                DeadLetter(position, None, None, (), fault.value, text, self._clock.now_ns())
            )
        self._count("unreadable", end - first)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
