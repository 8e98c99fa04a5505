"""The whole program on a real Apache Kafka: restart, replicas, security, faults of the broker, bad input."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from pathlib import Path

import pytest
import yaml

from monitor.config.loading import load
from monitor.config.settings import Settings
from tests.brokers import (
    Mechanism,
    Message,
    RealKafka,
    committed,
    create_topic,
    produce,
    read_all,
    run,
    unique,
)
from tests.integration.monitors import (
    EVALUATIONS,
    Running,
    config_for,
    messages,
    metric,
    monitoring,
    once,
    rows_in,
    settings_for,
    traffic,
    verdicts_in,
)
from tests.integration.oracle import Scene, scene_of
from tests.integration.test_end_to_end import check_start

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

PARTITIONS = 4
WHOLE = {"dimension": "all", "evaluation": "faithfulness"}
POISON = b"\xff\xfe no encoding has this"


async def given(kafka: RealKafka, settings: Settings, count: int, seed: int = 1) -> Counter[str]:
    """Produce traces of the demo's service into the topic, which exists from then on; gives their ids."""
    topic = settings.source.topics[0]
    with contextlib.suppress(Exception):  # the second time it is there
        await create_topic(kafka, topic, PARTITIONS)
    sent = messages(traffic(count, seed), PARTITIONS)
    await produce(kafka, topic, sent)
    return Counter((message.key or b"").decode() for message in sent)


async def finished(running: Running, requests: int) -> None:
    """Wait until so many requests are judged and harvested."""
    await running.until(lambda: running.done(requests), f"{requests} requests are judged", 60)
    await running.until(lambda: running.stage("harvest").passed >= requests, f"{requests} cases are harvested", 60)


@pytest.mark.parametrize("client", ["aiokafka", "librdkafka"])
def test_an_ordinary_start_warns_of_nothing(kafka: RealKafka, tmp_path: Path, client: str) -> None:
    run(check_start(kafka, settings_for(kafka, tmp_path, source={"client": client})), 90)


def test_a_restart_restores_the_windows_and_judges_nothing_twice(kafka: RealKafka, tmp_path: Path) -> None:
    """The windows come from the topic, totals start at zero, and what is read again is known by its verdicts."""

    async def go() -> None:
        settings = settings_for(kafka, tmp_path)
        ids = await given(kafka, settings, 100)
        await produce(kafka, settings.source.topics[0], [Message(POISON, partition=n) for n in range(PARTITIONS)])
        async with monitoring(settings) as first:
            await finished(first, 100)
            await first.until(lambda: first.dropped("decode", "dead_letter") == PARTITIONS, "poison is buried")
            await first.until(lambda: first.counted("faithfulness") == 100, "the board has heard of all")
            page = (await first.get("/metrics")).text
            assert metric(page, "ragmon_score_count", **WHOLE) == [100]
            assert first.stage("emit").passed == 100 * len(EVALUATIONS)
        letters = await read_all(kafka, settings.topics.dead_letters)
        assert [letter.value for letter in letters] == [POISON] * PARTITIONS
        again = settings.model_copy(
            update={"source": settings.source.model_copy(update={"group": unique("another-group")})}
        )
        async with monitoring(again) as second:
            await second.until(lambda: second.dropped("judge", "already_judged") == 100, "all are known", 60)
            await second.until(
                lambda: any(window.n == 100 for window in second.monitor.snapshot.windows), "the windows hold all"
            )
            page = (await second.get("/metrics")).text
            assert metric(page, "ragmon_score_count", **WHOLE) in ([], [0])
            assert metric(page, "ragmon_window_verdicts", window="5m", **WHOLE) == [100]
            assert second.stage("judge").passed == 0
        verdicts = once(await verdicts_in(kafka, settings))
        assert Counter((verdict.trace_id, verdict.evaluation) for verdict in verdicts) == Counter(
            (trace_id, evaluation) for trace_id in ids for evaluation in EVALUATIONS
        )
        assert Counter(row["trace_id"] for row in rows_in(settings)) == ids

    run(go(), 150)


def test_replicas_that_come_and_go_under_load_lose_nothing_and_count_nothing_twice(
    kafka: RealKafka, tmp_path: Path
) -> None:
    async def go() -> None:
        settings = settings_for(kafka, tmp_path, source={"session_timeout": 3, "rebalance_timeout": 6})
        scene = await scene_of(kafka, settings, 5, partitions=PARTITIONS)
        stop = asyncio.Event()
        async with scene.outputs.opened(kafka), monitoring(settings) as first, asyncio.TaskGroup() as group:
            producing = group.create_task(scene.ledger.produce(kafka, scene.topic, 40.0, stop))
            for _ in range(4):
                await share_and_leave(scene, first)
            stop.set()
            await producing
            await scene.drain(90)
            assert first.monitor.operational.conservation == ()
            await scene.check_outcomes()

    run(go(), 220)


async def share_and_leave(scene: Scene, first: Running) -> None:
    """A second replica joins, judges, and leaves again; both stay well."""
    async with monitoring(scene.settings) as second:
        await second.until(lambda: second.monitor.operational.source.assigned, "the second one has partitions")
        await first.until(
            lambda: first.monitor.operational.source.assigned < PARTITIONS, "the first one gave some away"
        )
        await second.until(lambda: second.stage("judge").passed >= 20, "the second one judges")
        await scene.check_offsets()
    assert second.monitor.operational.conservation == ()
    await first.until(lambda: first.monitor.operational.source.assigned == PARTITIONS, "the first one has all again")


@pytest.mark.parametrize(
    ("mechanism", "tls"),
    [("plain", False), ("plain", True), ("scram-sha-256", True), ("scram-sha-512", False)],
)
def test_everything_works_over_a_secured_listener_as_configured_in_the_file(
    kafka: RealKafka, tmp_path: Path, mechanism: Mechanism, *, tls: bool
) -> None:
    secret, file = tmp_path / "password", tmp_path / "ragmon.yaml"
    secret.write_text(f"{kafka.password}\n", encoding="utf-8")
    security = {
        "protocol": "sasl_ssl" if tls else "sasl_plaintext",
        "mechanism": mechanism,
        "username": kafka.user,
        "password": {"file": str(secret)},
    }
    address = f"localhost:{kafka.port + 2}" if tls else f"127.0.0.1:{kafka.port + 1}"
    if tls:
        security["ca_file"] = str(kafka.folder / "ca.pem")
    config = config_for(kafka, tmp_path, kafka={"brokers": [address], "security": security})
    file.write_text(yaml.safe_dump(config), encoding="utf-8")
    settings = load(file)

    async def go() -> None:
        ids = await given(kafka, settings, 20)
        async with monitoring(settings) as running:
            await finished(running, 20)
            assert running.monitor.operational.source.problem == ""
        assert Counter(row["trace_id"] for row in rows_in(settings)) == ids

    run(go(), 90)


@pytest.mark.parametrize("fault", ["kill", "freeze"])
def test_it_comes_back_by_itself_when_the_broker_was_away(kafka: RealKafka, tmp_path: Path, fault: str) -> None:
    """Away for longer than every bound: the reason is visible, liveness is not touched, nothing is lost."""

    async def go() -> None:
        changes = {"kafka": {"request_timeout": 2}, "source": {"stall_after": 4}}
        settings = settings_for(kafka, tmp_path, **changes)
        ids = await given(kafka, settings, 40)
        async with monitoring(settings) as running:
            await running.until(lambda: running.stage("judge").passed >= 10, "some are judged")
            await asyncio.to_thread(getattr(kafka, fault))
            await running.until(lambda: running.monitor.operational.source.problem, "the problem is seen")
            ready = await running.get("/readyz")
            assert ready.status_code == 503
            assert "source: " in ready.text
            assert (await running.get("/healthz")).status_code == 200
            assert metric((await running.get("/metrics")).text, "ragmon_source_up", role="judge") == [0]
            loop = asyncio.get_running_loop()
            over = loop.time() + 8
            await running.until(lambda: loop.time() > over, "the fault lasts")
            await asyncio.to_thread(kafka.heal)
            ids += await given(kafka, settings, 40, seed=2)
            await finished(running, 80)
            await running.until(lambda: not running.monitor.operational.source.problem, "all is well")
            await running.until(lambda: sum(running.monitor.operational.source.lag.values()) == 0, "no lag")
            await running.until_ready()
        found = {(verdict.trace_id, verdict.evaluation) for verdict in await verdicts_in(kafka, settings)}
        assert found == {(trace_id, evaluation) for trace_id in ids for evaluation in EVALUATIONS}
        assert Counter(row["trace_id"] for row in rows_in(settings)) == ids
        offsets = await committed(kafka, settings.source.group, settings.source.topics[0], PARTITIONS)
        assert sum(offset or 0 for offset in offsets) == 80

    run(go(), 150)


def test_a_missing_topic_is_named_and_read_once_it_is_there(kafka: RealKafka, tmp_path: Path) -> None:
    async def go() -> None:
        settings = settings_for(kafka, tmp_path)
        async with monitoring(settings) as running:
            await running.until(lambda: running.monitor.operational.source.problem.startswith("topic "), "the problem")
            assert f"topic {settings.source.topics[0]} does not exist" in (await running.get("/readyz")).text
            await given(kafka, settings, 10)
            await finished(running, 10)

    run(go(), 90)


def test_a_wrong_encoding_stops_before_the_topic_is_emptied_into_the_dead_letters(
    kafka: RealKafka, tmp_path: Path
) -> None:
    async def go() -> None:
        settings = settings_for(kafka, tmp_path, source={"encoding": "otlp_json", "poll_records": 200})
        topic = settings.source.topics[0]
        await create_topic(kafka, topic, PARTITIONS)
        sent = messages(traffic(50), PARTITIONS)
        await produce(kafka, topic, sent * 60)
        async with monitoring(settings) as running:
            await running.until(
                lambda: "source.encoding" in running.monitor.operational.source.problem, "the reason", 90
            )
            assert "source.encoding" in (await running.get("/readyz")).text
            seen = running.stage("decode").received
            assert seen < 3000
        letters = await read_all(kafka, settings.topics.dead_letters)
        assert 1000 <= len(letters) < 3000
        offsets = await committed(kafka, settings.source.group, topic, PARTITIONS)
        assert sum(offset or 0 for offset in offsets) <= len(letters)

    run(go(), 150)
