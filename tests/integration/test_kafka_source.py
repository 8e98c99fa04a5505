"""The Kafka sources on a local broker. Tansu takes a session timeout to let a member in: few tests, a short session."""

from __future__ import annotations

import asyncio

import pytest

from monitor.config.settings import SourceSettings
from monitor.records import TopicPartition
from tests.brokers import Message, Tansu, committed, connection, create_topic, free_ports, produce, run, unique
from tests.integration.reading import Reading, reading

SESSION_S = 2.0


@pytest.fixture(params=["aiokafka", "librdkafka"])
def client(request: pytest.FixtureRequest) -> str:
    """Each test runs with each client."""
    return str(request.param)


def settings(client: str, topic: str, group: str | None = None, **more: object) -> SourceSettings:
    values = {"client": client, "topics": (topic,), "group": group or unique("group"), "start": "earliest"}
    bounds = {"session_timeout": SESSION_S, "rebalance_timeout": SESSION_S, "max_poll_interval": SESSION_S}
    return SourceSettings.model_validate(values | bounds | more)


def test_records_come_whole_and_commits_stop_at_what_is_open(tansu: Tansu, client: str) -> None:
    """FC-023: with record 5 still open nothing above 5 is committed, and the next start reads from 5 again."""

    async def go() -> None:
        topic, group = unique("open"), unique("group")
        await create_topic(tansu, topic, 2)
        sent = [Message(b"%d" % n, b"key", 0, [("tenant", b"\xff"), ("tenant", b"")]) for n in range(11)]
        await produce(tansu, topic, [*sent, Message(None, b"tombstone", 1)])
        async with reading(
            connection(tansu), settings(client, topic, group), hold={TopicPartition(topic, 0): 5}
        ) as first:
            await first.until(lambda: len(first.values) == 12, "all records")
            assert first.source.problem() is None
            assert set(first.source.lag().values()) == {0}
            await first.source.commit()
            assert await committed(tansu, group, topic, 2) == [5, 1]
        assert sorted(first.records, key=str) == sorted(
            [*((m.key, m.value, tuple(m.headers)) for m in sent), (b"tombstone", None, ())], key=str
        )
        async with reading(connection(tansu), settings(client, topic, group)) as second:
            await second.until(lambda: len(second.values) >= 6, "the open records")
            await second.source.commit(final=True)
        assert second.values == [b"%d" % n for n in range(5, 11)]
        assert await committed(tansu, group, topic, 2) == [11, 1]

    run(go())


def test_a_paused_source_keeps_its_membership_and_delivers_afterwards(tansu: Tansu, client: str) -> None:
    """Longer than the session and the poll interval; the group start at the latest record is kept, too."""

    async def go() -> None:
        topic, group = unique("paused"), unique("group")
        await create_topic(tansu, topic)
        await produce(tansu, topic, [Message(b"before")])
        async with reading(connection(tansu), settings(client, topic, group, start="latest")) as reader:
            reader.source.pause()
            await reader.until(lambda: reader.listener.assignment, "the assignment")
            assert await committed(tansu, group, topic) == [1]
            await produce(tansu, topic, [Message(b"after")])
            await quiet(reader, SESSION_S * 1.5)
            assert (reader.values, reader.source.problem()) == ([], None)
            assert sum(reader.source.lag().values()) <= 1
            reader.source.resume()
            await reader.until(lambda: reader.values, "the record")
            await reader.source.commit()
            assert reader.values == [b"after"]
            assert reader.events == {}
        assert await committed(tansu, group, topic) == [2]

    run(go())


async def quiet(reader: Reading, seconds: float) -> None:
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    await reader.until(lambda: loop.time() >= end, "time")


def test_a_missing_topic_is_named_and_read_once_it_is_there(tansu: Tansu, client: str) -> None:
    async def go() -> None:
        topic = unique("late")
        async with reading(connection(tansu), settings(client, topic, stall_after=2.0)) as reader:
            await reader.until(
                lambda: f"topic {topic} does not exist" in (reader.source.problem() or ""), "the problem"
            )
            await create_topic(tansu, topic)
            await produce(tansu, topic, [Message(b"value")])
            await reader.until(lambda: reader.values, "the record")
            assert reader.source.problem() is None

    run(go())


def test_an_unreachable_broker_is_a_visible_problem_and_stopping_is_quick(client: str) -> None:
    async def go() -> None:
        (port,) = free_ports(0)

        class Nowhere:
            address = f"127.0.0.1:{port}"
            idempotence = True

        async with reading(connection(Nowhere()), settings(client, "t")) as reader:
            await reader.until(lambda: Nowhere.address in (reader.source.problem() or ""), "the problem", 5)
            await reader.source.commit()
            assert (await reader.source.poll(), reader.source.exhausted(), reader.source.lag()) == ([], False, {})
        assert reader.source.problem() == "stopped"

    run(go(), 10)
