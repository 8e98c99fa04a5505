"""One producer for everything that ragmon writes: confirmed, bounded, rebuilt when it no longer delivers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import structlog
from aiokafka import AIOKafkaProducer, errors

from exporters.kafka_batches import BATCH_BYTES, TOO_LARGE, Outgoing, SharedBatches
from exporters.kafka_topics import MAX_MESSAGE_BYTES, create_topics
from monitor.config.settings import Topics
from monitor.errors import SinkError
from monitor.kafka_client.closing import abandon_producer, close_client
from monitor.kafka_client.connection import KafkaConnection
from monitor.kafka_client.diagnosis import describe, why_unreachable
from monitor.protocols import Clock

log = structlog.get_logger(__name__)

_STOP_S = 3.0
_CONNECTION = ""
"""Stands for the connection among the topics that cannot be written; no topic has this name."""


class TooLargeError(SinkError):
    """The broker or the producer refuses the record for its size: the same record will be refused again."""

    retryable = False


_REFUSALS_OF_A_TOPIC = (
    errors.InvalidTopicError,
    errors.PolicyViolationError,
    errors.TopicAuthorizationFailedError,
    errors.UnknownTopicOrPartitionError,
)
"""Answers about one topic: what is on its way to the others is well, so they keep their producer."""
_REFUSALS = (
    *_REFUSALS_OF_A_TOPIC,
    errors.AuthenticationFailedError,
    errors.AuthenticationMethodNotSupported,
    errors.ClusterAuthorizationFailedError,
    errors.SaslAuthenticationFailed,
    errors.UnsupportedSaslMechanismError,
)
"""Answers that stay the same until a person grants, creates or configures something."""


class RefusedError(SinkError):
    """The broker answers and refuses: it goes on until a person has changed something, so it is tried again, slowly."""


class KafkaWriter:
    """Writes records durably (acks=all). Connects with the first write, and again after a failure.

    Missing topics are created then, if the settings allow it; `longest_window` (seconds) is how long verdicts are kept
    at least. Safe to use from many tasks: they share batches.
    """

    def __init__(self, connection: KafkaConnection, topics: Topics, longest_window: float, clock: Clock) -> None:
        self._connection = connection
        self._topics = topics
        self._longest_window = longest_window
        self._clock = clock
        self._bound = connection.kafka.request_timeout
        self._batches: SharedBatches | None = None
        self._alone: set[str] = set()
        self._starting = asyncio.Lock()  # one producer, however many writers wait for it
        self._topics_ready = not topics.create
        self._stopped = False
        self._failing: dict[str, tuple[float, str]] = {}
        """Since when (monotonic seconds) every write to a topic failed, and why the last one did."""
        self._refused: dict[str, str] = {}
        """Of these, those that the broker refused the last time."""

    async def start(self) -> None:
        """Check the configuration; does not connect. Raises ConfigError."""
        await asyncio.to_thread(self._connection.check)

    async def connect(self) -> None:
        """Connect, and create missing topics, before the first write. Raises SinkError."""
        with self._remembered(_CONNECTION):
            await self._ready()

    def problem(self, patience: float) -> str | None:
        """Why something could not be written for `patience` seconds, in words for a person; None when all is well.

        What the broker refuses is told at once: it is no hiccup. A write that is refused for the size of its record is
        none of it.
        """
        now = self._clock.monotonic()
        lasting = (why for since, why in self._failing.values() if now - since >= patience)
        return next(iter(self._refused.values()), None) or next(lasting, None)

    async def write(self, topic: str, records: Sequence[Outgoing], *, at_once: bool = False) -> None:
        """Returns when all are confirmed. Raises SinkError (some of them may be written), TooLargeError.

        Waits a moment for other writes, to share their batches; `at_once` does not, for who writes one at a time. Takes
        at most three times the request timeout: connect, hand over, confirm.
        """
        if records:
            with self._remembered(topic):
                await self._write(topic, records, at_once=at_once)

    async def stop(self) -> None:
        """Flush and close, within about five seconds. Idempotent."""
        self._stopped = True
        batches, self._batches = self._batches, None
        if batches is not None:
            await close_client(batches.producer, _STOP_S)

    async def _write(self, topic: str, records: Sequence[Outgoing], *, at_once: bool) -> None:
        batches = await self._ready()
        try:
            async with asyncio.timeout(self._bound * 2):
                await batches.write(topic, records, at_once=at_once)
        except TOO_LARGE as error:
            raise TooLargeError(describe(error)) from error
        except (errors.KafkaError, OSError) as error:
            if not isinstance(error, _REFUSALS_OF_A_TOPIC):
                await self._retire(batches, describe(error))
            msg = f"cannot write to topic {topic}: {_words(error, topic)}"
            raise (RefusedError if isinstance(error, _REFUSALS) else SinkError)(msg) from error

    @contextlib.contextmanager
    def _remembered(self, what: str) -> Iterator[None]:
        """Keep in mind how the attempt ends, for `problem`."""
        try:
            yield
        except SinkError as error:
            if error.retryable:
                since, _ = self._failing.get(what, (self._clock.monotonic(), ""))
                self._failing[what] = (since, str(error))
            if isinstance(error, RefusedError):
                self._refused[what] = str(error)
            else:
                self._refused.pop(what, None)
            raise
        else:
            self._failing.pop(what, None)
            self._refused.pop(what, None)

    async def _ready(self) -> SharedBatches:
        async with self._starting:
            if self._stopped:
                msg = "the Kafka writer is stopped"
                raise SinkError(msg)
            if self._batches is None:
                self._batches = SharedBatches(await self._connect(), self._alone)
            return self._batches

    async def _connect(self) -> Any:  # noqa: ANN401 - aiokafka is untyped
        options = await asyncio.to_thread(self._connection.options)
        await self._create_topics(options)
        producer = AIOKafkaProducer(
            **options,
            request_timeout_ms=round(self._bound * 1000),
            acks="all",
            enable_idempotence=self._connection.kafka.idempotence,
            compression_type="lz4",
            max_batch_size=BATCH_BYTES,
            max_request_size=MAX_MESSAGE_BYTES,
        )
        try:
            async with asyncio.timeout(self._bound):
                await producer.start()
        except (errors.KafkaError, OSError) as error:
            await abandon_producer(producer)
            kind = RefusedError if self._is_refusal(error) else SinkError
            raise kind(await self._why_not_started(error, options)) from error
        except BaseException:
            await abandon_producer(producer)
            raise
        return producer

    def _is_refusal(self, error: Exception) -> bool:
        """Whether a start fails for what the broker answers, not for want of an answer."""
        if not isinstance(error, errors.KafkaError) or isinstance(error, _REFUSALS):
            return isinstance(error, _REFUSALS)
        passes = bool(error.retriable) or isinstance(error, errors.KafkaTimeoutError)
        return self._connection.kafka.idempotence and not passes

    async def _why_not_started(self, error: Exception, options: dict[str, Any]) -> str:
        if isinstance(error, errors.KafkaConnectionError | OSError):
            return f"Kafka cannot be reached: {await why_unreachable(options, self._bound)}"
        if self._connection.kafka.idempotence:  # once it is connected, a producer asks for nothing but its id
            refusal = f"the broker refuses an idempotent producer ({type(error).__name__})"
            return f"{refusal}: grant IDEMPOTENT_WRITE or set kafka.idempotence: false"
        return f"Kafka cannot be reached: {describe(error)}"

    async def _create_topics(self, options: dict[str, Any]) -> None:
        """Without the right to create we go on: perhaps they exist, or come later."""
        if self._topics_ready:
            return
        try:
            problems = await create_topics(options, self._topics, self._longest_window, self._bound)
        except (errors.KafkaError, OSError) as error:
            problems = [describe(error)]
        self._topics_ready = not problems
        for problem in problems:
            log.warning("a topic is not ready", why=problem)

    async def _retire(self, batches: SharedBatches, why: str) -> None:
        if self._batches is batches:
            self._batches = None
            # other writes that are on their way only hear that it was closed
            log.warning("the producer is given up; the next write connects anew", why=why)
            await abandon_producer(batches.producer)


def _words(error: Exception, topic: str) -> str:
    if isinstance(error, errors.UnknownTopicOrPartitionError):
        return f"it does not exist; create it, or set topics.create ({topic})"
    return describe(error)
