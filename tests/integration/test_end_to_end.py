"""The whole program on a local broker, in one process: from the service's traces to every output."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from monitor.config.settings import Settings
from tests.brokers import Broker, Tansu, committed, create_topic, produce, run
from tests.integration.monitors import (
    EVALUATIONS,
    Running,
    cases_in,
    messages,
    metric,
    monitoring,
    once,
    rows_in,
    settings_for,
    traffic,
    verdicts_in,
)

TRACES = 200
PARTITIONS = 2


async def check_endpoints(running: Running, mean: float) -> None:
    """What the web says once everything is judged."""
    assert (await running.get("/healthz")).text == "alive\n"
    await running.until_ready()
    ready = await running.get("/readyz")
    assert (ready.status_code, ready.text) == (200, "ready\n")
    page = (await running.get("/metrics")).text
    whole = {"dimension": "all", "evaluation": "faithfulness"}
    assert metric(page, "ragmon_verdicts_total", outcome="scored", **whole) == [TRACES]
    assert metric(page, "ragmon_score_mean", window="5m", **whole) == [pytest.approx(mean)]
    assert metric(page, "ragmon_stage_passed_total", stage="harvest") == [TRACES]
    assert metric(page, "ragmon_conservation_problems") == [0]
    assert (metric(page, "ragmon_source_up", role="judge"), metric(page, "ragmon_source_up", role="harvest")) == (
        [1],
        [1],
    )
    assert metric(page, "ragmon_harvest_problem") == [0]


async def check_start(broker: Broker, settings: Settings) -> None:
    """Our topics are not there yet, and the group has nothing committed: what a start waits for is in order."""
    topic = settings.source.topics[0]
    await create_topic(broker, topic, PARTITIONS)
    await produce(broker, topic, messages(traffic(5), PARTITIONS))
    with capture_logs() as told:
        async with monitoring(settings) as running:
            await running.until(lambda: running.stage("harvest").passed == 5, "every case is harvested")
    assert [line for line in told if line["log_level"] != "info"] == []
    events = [line["event"] for line in told]
    assert events.index("no records can come yet") < events.index("records can come")
    assert events.count("topic created") == 3


def test_traces_go_in_and_come_out_as_verdicts_numbers_and_rows(tansu: Tansu, tmp_path: Path) -> None:
    async def go() -> None:
        settings = settings_for(tansu, tmp_path)
        topic = settings.source.topics[0]
        await create_topic(tansu, topic, PARTITIONS)
        sent = messages(traffic(TRACES), PARTITIONS)
        await produce(tansu, topic, sent)
        ids = Counter((message.key or b"").decode() for message in sent)
        async with contextlib.AsyncExitStack() as life:
            running = await life.enter_async_context(monitoring(settings))
            await running.until(lambda: running.done(TRACES), "every request is judged")
            await running.until(lambda: running.stage("harvest").passed == TRACES, "every case is harvested")
            await running.until(lambda: running.counted("faithfulness") == TRACES, "the board has heard of all")
            assert running.stage("emit").passed == TRACES * len(EVALUATIONS)
            verdicts = once(await verdicts_in(tansu, settings))
            scores = [verdict.score or 0.0 for verdict in verdicts if verdict.evaluation == "faithfulness"]
            await check_endpoints(running, sum(scores) / len(scores))
            stopping = time.monotonic()
            with capture_logs() as told:
                await life.aclose()
        assert time.monotonic() - stopping < 5
        assert [line for line in told if line["log_level"] != "info"] == []
        assert running.monitor.operational.conservation == ()
        assert Counter((verdict.trace_id, verdict.evaluation) for verdict in verdicts) == Counter(
            (trace_id, evaluation) for trace_id in ids for evaluation in EVALUATIONS
        )
        cases = {case.case_id: case for case in await cases_in(tansu, settings)}  # as with verdicts
        assert Counter(case.trace.trace_id for case in cases.values()) == ids
        assert Counter(row["trace_id"] for row in rows_in(settings)) == ids
        ends = [sum(message.partition == number for message in sent) for number in range(PARTITIONS)]
        assert await committed(tansu, settings.source.group, topic, PARTITIONS) == ends

    run(go())


@pytest.mark.parametrize("client", ["aiokafka", "librdkafka"])
def test_an_ordinary_start_warns_of_nothing(tansu: Tansu, tmp_path: Path, client: str) -> None:
    run(check_start(tansu, settings_for(tansu, tmp_path, source={"client": client})))


def test_a_broker_that_lets_nothing_be_written_is_told_by_readyz_after_a_while(tansu: Tansu, tmp_path: Path) -> None:
    async def go() -> str:
        kafka = {"idempotence": True, "request_timeout": 1}  # the broker has no idempotent producers
        settings = settings_for(tansu, tmp_path, kafka=kafka, source={"stall_after": 1})
        async with monitoring(settings) as running:
            said = ""
            while "judge: " not in said:
                await asyncio.sleep(0.05)
                said = (await running.get("/readyz")).text
        return said

    assert "judge: the broker refuses an idempotent producer (UnknownError): grant IDEMPOTENT_WRITE" in run(go(), 30)
