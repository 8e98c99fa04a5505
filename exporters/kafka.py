"""The topics that ragmon writes: verdicts (read, too), cases, dead letters. What stands in them: `messages.py`.

Feedback has no topic of its own: it stands with the verdicts and cases that it belongs to.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence

import structlog

from exporters.kafka_batches import Outgoing
from exporters.kafka_writer import KafkaWriter, TooLargeError
from exporters.messages import decode_line, encode_case, encode_dead_letter, encode_feedback, encode_verdict
from exporters.shorten import shortened
from monitor.config.settings import Topics
from monitor.errors import DecodeError
from monitor.feedback import HeardFeedback
from monitor.kafka_client.connection import KafkaConnection
from monitor.kafka_client.tail import TopicTail
from monitor.records import Case, Verdict
from monitor.wire import DeadLetter, Record

log = structlog.get_logger(__name__)

_IDLE_S = 0.9  # the contract says "at least every second"

Count = Callable[[str, int], None]
"""Counts events: a name of `EVENTS` and how many."""

EVENTS = ("unreadable_verdict", "shortened_case", "shortened_dead_letter")


def _no_count(_event: str, _number: int) -> None:
    """For callers that count nothing."""


class KafkaVerdictLog:
    """`protocols.VerdictLog` on a topic; the key is the trace id."""

    def __init__(
        self, connection: KafkaConnection, topics: Topics, writer: KafkaWriter, *, count: Count = _no_count
    ) -> None:
        self._connection = connection
        self._topic = topics.verdicts
        self._writer = writer
        self._count = count
        self._tails: list[TopicTail] = []

    async def append(self, verdicts: Sequence[Verdict]) -> None:
        """Write durably; returns when confirmed. Raises SinkError: then some may be written, which is harmless."""
        records = [Outgoing(_key(verdict.trace_id), encode_verdict(verdict)) for verdict in verdicts]
        await self._writer.write(self._topic, records)

    async def read(self, since_ns: int) -> AsyncGenerator[Sequence[Verdict | HeardFeedback]]:
        """See the protocol. Close the iterator (`contextlib.aclosing`) when it is no longer read."""
        tail = TopicTail(self._connection, self._topic, since_ns)
        self._tails.append(tail)
        batches = tail.batches(_IDLE_S)
        try:
            async for records in batches:
                if tail.unreadable:
                    self._count("unreadable_verdict", tail.unreadable)
                    tail.unreadable = 0
                lines = self._decoded(records)
                if lines or not records:
                    yield lines
        finally:
            self._tails.remove(tail)
            await batches.aclose()  # type: ignore[attr-defined]  # an async generator, typed by its use

    def problem(self) -> str | None:
        """Why verdicts cannot be read just now; None when they can, or when nobody reads."""
        return next((tail.problem for tail in self._tails if tail.problem), None)

    def _decoded(self, records: Sequence[Record]) -> list[Verdict | HeardFeedback]:
        lines = []
        reasons: dict[str, int] = {}
        for record in records:
            try:
                lines.append(decode_line(record.value))
            except DecodeError as error:
                reasons[error.kind] = reasons.get(error.kind, 0) + 1
        if reasons:
            self._count("unreadable_verdict", sum(reasons.values()))
            log.warning("verdicts left out", topic=self._topic, reasons=reasons)
        return lines


class KafkaFeedbackLog:
    """`protocols.FeedbackLog` on both topics; the key is the trace id, else the response id."""

    def __init__(self, topics: Topics, writer: KafkaWriter) -> None:
        self._topics = topics
        self._writer = writer

    async def append(self, heard: Sequence[HeardFeedback]) -> None:
        """Write durably; returns when confirmed. Raises SinkError: then some may be written, which is harmless."""
        await self._write(self._topics.cases, [item for item in heard if not item.inline], with_text=True)
        await self._write(self._topics.verdicts, heard, with_text=False)

    async def _write(self, topic: str, heard: Sequence[HeardFeedback], *, with_text: bool) -> None:
        if heard:
            keys = (item.feedback.trace_id or item.feedback.response_id or "" for item in heard)
            lines = (encode_feedback(item, with_text=with_text) for item in heard)
            await self._writer.write(topic, [Outgoing(_key(key), line) for key, line in zip(keys, lines, strict=True)])


class KafkaCaseLog:
    """`protocols.CaseLog` on a topic; the key is the trace id."""

    def __init__(self, topics: Topics, writer: KafkaWriter, *, count: Count = _no_count) -> None:
        self._topic = topics.cases
        self._writer = writer
        self._count = count

    async def append(self, case: Case) -> None:
        """Write durably; returns when confirmed. Raises SinkError. A case that the broker finds too large is cut."""
        try:
            return await self._write(case)
        except TooLargeError as error:
            refused = error
        for shorter in shortened(case):
            try:
                await self._write(shorter)
            except TooLargeError as error:
                refused = error
            else:
                self._count("shortened_case", 1)
                return None
        raise refused

    async def _write(self, case: Case) -> None:
        await self._writer.write(self._topic, [Outgoing(_key(case.trace.trace_id), encode_case(case))])


class KafkaDeadLetters:
    """`protocols.DeadLetters` on a topic: the original record, with a note in a header."""

    def __init__(self, topics: Topics, writer: KafkaWriter, *, count: Count = _no_count) -> None:
        self._topic = topics.dead_letters
        self._writer = writer
        self._count = count

    async def append(self, letter: DeadLetter) -> None:
        """Write durably; returns when confirmed. Raises SinkError. A value that the broker refuses is left out."""
        try:
            await self._write(letter, with_value=True)
        except TooLargeError:
            await self._write(letter, with_value=False)
            self._count("shortened_dead_letter", 1)

    async def _write(self, letter: DeadLetter, *, with_value: bool) -> None:
        value, headers = encode_dead_letter(letter, with_value=with_value)
        await self._writer.write(self._topic, [Outgoing(letter.key, value, headers)], at_once=True)


def _key(trace_id: str) -> bytes:
    return trace_id.encode("utf-8", "replace")
