"""Keeps one Kafka consumer alive: a session hides no trouble and repairs what it can; else a new one is built here."""

from __future__ import annotations

import asyncio
import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Protocol

import structlog

from monitor.config.settings import SourceSettings
from monitor.errors import SourceError
from monitor.kafka_client.backoff import backoff
from monitor.kafka_client.connection import KafkaConnection
from monitor.kafka_client.isolation import Fault
from monitor.protocols import Clock, DeadLetters, RebalanceListener
from monitor.records import Position, TopicPartition
from monitor.sampling.presample import Presample
from monitor.sources.kafka_events import Count, SourceVitals, no_count
from monitor.wire import Batch, DeadLetter

log = structlog.get_logger(__name__)

CLOSE_S = 3.0
"""How long a session may take to close in good order."""
STOPPED = "stopped"
"""The problem of a source that was told to stop."""
_POLL_S = 0.25
_FINAL_COMMIT_S = 3.0


class Session(Protocol):
    """One consumer from its start until it is broken or no longer wanted."""

    async def poll(self, timeout: float) -> list[Batch]:  # noqa: ASYNC109 - a poll time, not a bound
        """The next batches, empty when none came in time, in a rebalance, or when the consumer is broken."""
        ...

    def pause(self) -> None:
        """Deliver nothing until `resume`; partitions that come later are paused, too."""
        ...

    def resume(self) -> None:
        """Deliver again."""
        ...

    async def commit(self, bound: float) -> None:
        """Commit what the listener says, within `bound` seconds. Never raises for Kafka's sake."""
        ...

    async def watch(self) -> str:
        """Returns why the consumer has to be replaced, once it has to."""
        ...

    async def close(self, within: float) -> None:
        """Leave the group if the broker lets us, and free everything. Never raises."""
        ...

    def problem(self) -> str | None:
        """Why records cannot come, or not all of them; None when all is well."""
        ...

    def lag(self) -> Mapping[TopicPartition, int]:
        """For each own partition, how many offsets lie between what was handed on and the end last seen."""
        ...

    def vitals(self) -> SourceVitals:
        """How the consumer is doing."""
        ...


class SupervisedSource(ABC):
    """`protocols.Source` on a consumer group, whatever the client; a subclass says how a session is opened.

    `count` gets events of `EVENTS`. With `dead_letters`, a batch that can never be read is written there (offsets only)
    before it is skipped. A group without committed offsets that starts at the latest record commits that place at once.
    With `presample`, a client that can drop records sooner leaves out what that does not want.
    """

    def __init__(
        self,
        connection: KafkaConnection,
        settings: SourceSettings,
        clock: Clock,
        *,
        dead_letters: DeadLetters | None = None,
        presample: Presample | None = None,
        count: Count = no_count,
        rng: random.Random | None = None,
    ) -> None:
        self._connection = connection
        self._settings = settings
        self._clock = clock
        self._dead_letters = dead_letters
        self._presample = presample
        self._count = count
        self._rng = rng or random.Random()  # noqa: S311 - jitter
        self._session: Session | None = None
        self._supervisor: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._problem: str | None = "not started"
        self._paused = False

    @abstractmethod
    async def _open(self, listener: RebalanceListener) -> Session:
        """A connected session. Raises SourceError with what a person should read, everything freed."""

    def check(self) -> None:
        """Raise ConfigError with every problem that needs no broker to be seen. Reads files."""
        self._connection.check()

    async def start(self, listener: RebalanceListener) -> None:
        """Check the configuration and begin to connect. Raises ConfigError with every problem."""
        await asyncio.to_thread(self.check)
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
        self._problem = STOPPED
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
            try:
                session = await self._open(listener)
            except SourceError as error:
                self._problem = str(error)
                log.warning("no Kafka consumer yet", why=self._problem)
                failures += 1
            else:
                failures = 1 if await self._serve(session) else failures + 1
            await asyncio.sleep(backoff(failures, self._rng))

    async def _serve(self, session: Session) -> bool:
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
            await session.close(CLOSE_S)
        return self._clock.monotonic() - began > self._settings.stall_after

    async def _bury(self, tp: TopicPartition, first: int, end: int, fault: Fault, detail: str) -> None:
        """A dead letter of offsets only: the bytes cannot be had. Raises SinkError."""
        log.error("unreadable records", topic=tp.topic, partition=tp.partition, first=first, end=end, why=detail)
        if self._dead_letters is not None:
            text = f"offsets {first} to {end - 1} cannot be read: {detail}"
            position = Position(tp.topic, tp.partition, first)
            await self._dead_letters.append(
                DeadLetter(position, None, None, (), fault.value, text, self._clock.now_ns())
            )
        self._count("unreadable", end - first)
