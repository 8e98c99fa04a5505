"""The topics that ragmon writes, on a local broker."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from exporters.kafka import KafkaCaseLog, KafkaDeadLetters, KafkaFeedbackLog, KafkaVerdictLog
from exporters.kafka_batches import Outgoing
from exporters.kafka_writer import KafkaWriter, RefusedError, TooLargeError
from exporters.messages import decode_case, decode_kept, encode_verdict
from monitor.clock import SystemClock
from monitor.config.settings import Topics
from monitor.errors import SinkError
from monitor.feedback import HeardFeedback
from monitor.protocols import Clock
from monitor.records import Passage, Verdict
from monitor.wire import Record
from tests.brokers import Broker, Message, Tansu, connection, free_ports, produce, read_all, run, unique, until
from tests.dead_letters import decode_dead_letter
from tests.exporters.kafka_samples import CASE, HEARD, LETTER, VERDICT, verdict
from tests.fakes import FakeClock

DAY_S = 86_400.0


def own_topics() -> Topics:
    name = unique("out")
    return Topics(verdicts=f"{name}.verdicts", cases=f"{name}.cases", dead_letters=f"{name}.dead", partitions=3)


@contextlib.asynccontextmanager
async def writer_to(broker: Broker, topics: Topics, clock: Clock | None = None) -> AsyncIterator[KafkaWriter]:
    writer = KafkaWriter(connection(broker), topics, DAY_S, clock or SystemClock())
    await writer.start()
    try:
        yield writer
    finally:
        await writer.stop()


async def until_caught_up(batches: AsyncIterator[Sequence[Verdict]]) -> list[str]:
    """The ids read before the next empty batch."""
    ids: list[str] = []
    async for batch in batches:
        ids += [read.verdict_id for read in batch]
        if not batch:
            break
    return sorted(ids)


def reading(log: KafkaVerdictLog, since_ns: int) -> contextlib.aclosing[Any]:
    return contextlib.aclosing(log.read(since_ns))


def ids_of(numbers: range) -> list[str]:
    return sorted(f"v{number}" for number in numbers)


def test_verdicts_are_read_over_all_partitions_then_caught_up_then_as_they_come(tansu: Tansu) -> None:
    async def go() -> None:
        topics = own_topics()
        counted: list[tuple[str, int]] = []
        async with writer_to(tansu, topics) as writer:
            log = KafkaVerdictLog(connection(tansu), topics, writer, count=lambda *event: counted.append(event))
            await log.append([verdict(number) for number in range(50)])
            await produce(tansu, topics.verdicts, [Message(b"no verdict"), Message(None, b"tombstone")])
            async with reading(log, 0) as batches:
                assert await until_caught_up(batches) == ids_of(range(50))
                assert await until_caught_up(batches) == []  # an idle second
                await log.append([verdict(number) for number in range(50, 60)])
                assert await until_caught_up(batches) == ids_of(range(50, 60))
        assert sum(number for _, number in counted) == 2

    run(go())


def test_only_what_was_written_since_is_read(tansu: Tansu) -> None:
    async def go() -> None:
        topics = own_topics()
        async with writer_to(tansu, topics) as writer:
            log = KafkaVerdictLog(connection(tansu), topics, writer)
            await log.append([verdict(number) for number in range(20)])
            await asyncio.sleep(0.01)  # record timestamps are milliseconds of the real clock
            since_ns = time.time_ns()
            await log.append([verdict(number) for number in range(20, 30)])
            async with reading(log, since_ns) as batches:
                assert await until_caught_up(batches) == ids_of(range(20, 30))

    run(go())


def test_a_log_with_nothing_to_read_is_caught_up_at_once(tansu: Tansu) -> None:
    async def go() -> None:
        topics = own_topics()
        async with writer_to(tansu, topics) as writer:
            log = KafkaVerdictLog(connection(tansu), topics, writer)
            await log.append([verdict(1)])
            async with reading(log, time.time_ns() + 10**12) as batches:
                assert await until_caught_up(batches) == []

    run(go())


def test_cases_and_dead_letters_arrive_as_they_were(tansu: Tansu) -> None:
    async def go() -> None:
        topics = own_topics()
        async with writer_to(tansu, topics) as writer:
            await KafkaCaseLog(topics, writer).append(CASE)
            await KafkaDeadLetters(topics, writer).append(LETTER)
        (case,) = await read_all(tansu, topics.cases)
        (letter,) = await read_all(tansu, topics.dead_letters)
        assert (case.key, decode_case(case.value)) == (CASE.trace.trace_id.encode(), CASE)
        assert decode_dead_letter(letter) == LETTER

    run(go())


def test_feedback_stands_with_the_verdicts_without_text_and_with_the_cases_as_it_is(tansu: Tansu) -> None:
    async def go() -> None:
        topics = own_topics()
        counted: list[tuple[str, int]] = []
        inline = replace(HEARD, feedback_id="f2", inline=True, feedback=replace(HEARD.feedback, trace_id=None))
        async with writer_to(tansu, topics) as writer:
            log = KafkaVerdictLog(connection(tansu), topics, writer, count=lambda *event: counted.append(event))
            await log.append([VERDICT])
            await KafkaFeedbackLog(topics, writer).append([HEARD, inline])
            unknown = encode_verdict(VERDICT).replace(b"ragmon.verdict/1", b"ragmon.thought/1")
            await produce(tansu, topics.verdicts, [Message(unknown)])
            lines: list[Verdict | HeardFeedback] = []
            async with reading(log, 0) as batches:
                async for batch in batches:
                    lines += batch
                    if not batch:
                        break
        (kept,) = await read_all(tansu, topics.cases)
        assert (kept.key, decode_kept(kept.value)) == ((HEARD.feedback.trace_id or "").encode(), HEARD)
        without = [replace(item, feedback=replace(item.feedback, comment=None)) for item in (HEARD, inline)]
        assert sorted(map(repr, lines)) == sorted(map(repr, [VERDICT, *without]))
        assert counted == [("unreadable_verdict", 1)]
        keys = {record.key for record in await read_all(tansu, topics.verdicts)}
        assert keys == {VERDICT.trace_id.encode(), b"chatcmpl-1", None}
        together = [r.partition for r in await read_all(tansu, topics.verdicts) if r.key == VERDICT.trace_id.encode()]
        assert len(together) == 2
        assert len(set(together)) == 1  # so that every board sees them in the same order

    run(go())


def test_what_is_too_large_is_cut_not_retried_for_ever(tansu: Tansu) -> None:
    async def go() -> None:
        topics = own_topics()
        counted: list[tuple[str, int]] = []
        huge = replace(CASE, trace=replace(CASE.trace, contexts=(Passage("x" * (17 << 20)),)))
        async with writer_to(tansu, topics) as writer:
            await KafkaCaseLog(topics, writer, count=lambda *event: counted.append(event)).append(huge)
            letters = KafkaDeadLetters(topics, writer, count=lambda *event: counted.append(event))
            await letters.append(replace(LETTER, value=b"x" * (17 << 20)))
        (case,) = await read_all(tansu, topics.cases)
        (letter,) = await read_all(tansu, topics.dead_letters)
        assert decode_case(case.value).trace.truncated
        assert decode_dead_letter(letter) == replace(LETTER, value=None)
        assert counted == [("shortened_case", 1), ("shortened_dead_letter", 1)]

    run(go())


class Nowhere:
    """An address where nobody listens."""

    def __init__(self) -> None:
        self.address = f"127.0.0.1:{free_ports(0)[0]}"
        self.idempotence = True


def test_a_write_without_a_broker_fails_soon_with_the_reason() -> None:
    async def go() -> None:
        broker = Nowhere()
        async with writer_to(broker, own_topics()) as writer:
            with pytest.raises(SinkError, match=f"{broker.address}: "):
                await writer.write("t", [Outgoing(None, b"value")])

    run(go(), 10)


@dataclass
class Idempotent:
    """A broker that refuses an idempotent producer, asked for one."""

    address: str
    idempotence: bool = True


def test_a_refused_idempotent_producer_is_told_as_what_it_is(tansu: Tansu) -> None:
    async def go() -> str:
        async with writer_to(Idempotent(tansu.address), own_topics()) as writer:
            with pytest.raises(SinkError) as caught:
                await writer.connect()
            assert writer.problem(60) == str(caught.value), "no hiccup, so it is told at once"
        return str(caught.value)

    assert run(go()) == (
        "the broker refuses an idempotent producer (UnknownError): "
        "grant IDEMPOTENT_WRITE or set kafka.idempotence: false"
    )


def test_a_topic_that_is_refused_costs_the_writes_to_the_others_nothing(tansu: Tansu) -> None:
    async def go() -> None:
        topics = own_topics()
        async with writer_to(tansu, topics) as writer:
            await writer.connect()
            producer = writer._batches
            with pytest.raises(RefusedError):
                await writer.write("no topic has blanks", [Outgoing(b"k", b"v")])
            assert writer._batches is producer
            await writer.write(topics.verdicts, [Outgoing(b"k", b"v")])

    run(go())


def test_what_could_not_be_written_for_a_while_is_a_problem_and_a_hiccup_is_none() -> None:
    async def go() -> None:
        clock = FakeClock()
        async with writer_to(Nowhere(), own_topics(), clock) as writer:
            assert writer.problem(60) is None
            for waited, told in ((0, False), (59, False), (1, True)):
                clock.advance(waited)
                with pytest.raises(SinkError) as caught:
                    await writer.write("t", [Outgoing(None, b"value")])
                assert writer.problem(60) == (str(caught.value) if told else None)

    run(go(), 20)


class Forbidden(KafkaWriter):
    """A writer to a broker that allows it to write to some topics only."""

    allowed: tuple[str, ...] = ()
    too_large: tuple[str, ...] = ()
    kind: type[SinkError] = SinkError

    async def _write(self, topic: str, *_: object, **__: object) -> None:
        if topic in self.too_large:
            raise TooLargeError
        if topic not in self.allowed:
            msg = f"cannot write to topic {topic}"
            raise self.kind(msg)


def test_what_the_broker_refuses_is_told_at_once_and_until_it_is_written_or_fails_otherwise() -> None:
    async def go() -> list[str | None]:
        writer = Forbidden(connection(Nowhere()), own_topics(), DAY_S, FakeClock())
        told = []
        for writer.kind, writer.allowed in (
            (RefusedError, ()),
            (RefusedError, ("cases",)),
            (RefusedError, ()),
            (SinkError, ()),
        ):
            with contextlib.suppress(SinkError):
                await writer.write("cases", [Outgoing(None, b"value")])
            told.append(writer.problem(60))
        return told

    assert run(go()) == ["cannot write to topic cases", None, "cannot write to topic cases", None]


def test_a_write_that_succeeds_ends_the_problem_of_its_topic_only() -> None:
    """One log that cannot be written holds judging up, whatever can be written beside it."""

    async def go() -> list[str | None]:
        writer = Forbidden(connection(Nowhere()), own_topics(), DAY_S, FakeClock())
        told = []
        for writer.allowed in ((), ("verdicts",), ("verdicts", "cases")):
            for topic in ("cases", "verdicts"):
                with contextlib.suppress(SinkError):
                    await writer.write(topic, [Outgoing(None, b"value")])
            told.append(writer.problem(0))
        return told

    assert run(go()) == ["cannot write to topic cases", "cannot write to topic cases", None]


def test_a_record_that_is_too_large_is_no_problem_of_its_topic() -> None:
    async def go() -> str | None:
        writer = Forbidden(connection(Nowhere()), own_topics(), DAY_S, FakeClock())
        writer.too_large = ("cases",)
        with pytest.raises(TooLargeError):
            await writer.write("cases", [Outgoing(None, b"value")])
        return writer.problem(0)

    assert run(go()) is None


def test_offsets_of_verdicts_that_can_never_be_read_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Damaged:
        """A tail that passes over three offsets."""

        problem, unreadable = None, 3

        def __init__(self, *_: object) -> None:
            pass

        async def batches(self, _idle: float) -> AsyncIterator[Sequence[Record]]:
            for _ in range(2):
                yield ()

    async def go() -> list[tuple[str, int]]:
        counted: list[tuple[str, int]] = []
        monkeypatch.setattr("exporters.kafka.TopicTail", Damaged)
        async with writer_to(Nowhere(), own_topics()) as writer:
            log = KafkaVerdictLog(
                connection(Nowhere()), own_topics(), writer, count=lambda *event: counted.append(event)
            )
            assert [lines async for lines in log.read(0)] == [[], []]
        return counted

    assert run(go()) == [("unreadable_verdict", 3)]


def test_reading_waits_for_the_topic_and_says_so(tansu: Tansu) -> None:
    async def go() -> None:
        topics = own_topics()
        async with writer_to(tansu, topics) as writer, asyncio.TaskGroup() as group:
            log = KafkaVerdictLog(connection(tansu), topics, writer)
            async with reading(log, 0) as batches:
                read = group.create_task(until_caught_up(batches))
                await until(lambda: "does not exist" in (log.problem() or ""), "the problem is told")
                await log.append([verdict(1)])
                assert await read == ["v1"]

    run(go())
