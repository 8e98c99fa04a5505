"""`ragmon run` as a process on a real Apache Kafka: start without a broker, signals, a read-only root."""

from __future__ import annotations

import asyncio
import shutil
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from monitor.config.settings import Settings
from tests.brokers import Message, RealKafka, create_topic, produce, run
from tests.integration.monitors import config_for, messages, metric, rows_in, traffic, verdicts_in
from tests.integration.processes import Ragmon, ended_for_sure

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

PARTITIONS = 4
TRACES = 40
DRAIN_S = 3
LATEST_S = DRAIN_S + 10
SECOND = "a second signal ends at once"


async def given(kafka: RealKafka, config: dict[str, Any], count: int = TRACES) -> list[Message]:
    """Produce traces into a new topic."""
    topic = config["source"]["topics"][0]
    await create_topic(kafka, topic, PARTITIONS)
    sent = messages(traffic(count), PARTITIONS)
    await produce(kafka, topic, sent)
    return sent


async def harvested(program: Ragmon, count: int, within: float = 60.0) -> None:
    """Wait until so many cases are in the sample set."""
    async with asyncio.timeout(within):
        while True:
            answer = await program.get("/metrics")
            if answer is not None and metric(answer.text, "ragmon_stage_passed_total", stage="harvest") == [count]:
                return
            assert program.process.poll() is None, program.tail()
            await asyncio.sleep(0.1)


def test_without_a_broker_it_starts_says_why_and_works_once_the_broker_is_there(
    kafka: RealKafka, tmp_path: Path
) -> None:
    async def go() -> None:
        config = config_for(kafka, tmp_path, kafka={"request_timeout": 2})
        await given(kafka, config)
        await asyncio.to_thread(kafka.stop)
        program = Ragmon(tmp_path, config)
        async with ended_for_sure(program):
            program.start()
            ready = await program.until("/readyz", kafka.address)
            assert ready.status_code == 503
            health = await program.get("/healthz")
            assert health is not None
            assert (health.status_code, health.text) == (200, "alive\n")
            assert f"Kafka cannot be reached: {kafka.address}" in program.log.read_text(encoding="utf-8")
            await asyncio.to_thread(kafka.start)
            await harvested(program, TRACES)
            assert (await program.until("/readyz", "ready\n")).status_code == 200
            assert await program.stop() == 0

    run(go(), 120)


@pytest.mark.parametrize("fault", [None, "kill", "freeze"])
def test_sigterm_ends_it_in_good_order_within_its_bound(kafka: RealKafka, tmp_path: Path, fault: str | None) -> None:
    """Under load, whatever the broker does; what was not finished is finished by the next start."""

    async def go() -> None:
        config = config_for(kafka, tmp_path, judging={"drain": DRAIN_S})
        sent = await given(kafka, config, 300)
        program = Ragmon(tmp_path, config)
        async with ended_for_sure(program):
            program.start()
            await program.until("/metrics", 'outcome="scored"')
            if fault:
                await asyncio.to_thread(getattr(kafka, fault))
            began = time.monotonic()
            assert await program.stop(LATEST_S + 5) == 0
            assert time.monotonic() - began < LATEST_S
            await asyncio.to_thread(kafka.heal)
            program.start()
            ids = Counter((message.key or b"").decode() for message in sent)
            settings = Settings.model_validate(config)
            async with asyncio.timeout(60):
                while Counter(row["trace_id"] for row in rows_in(settings)) != ids:  # noqa: ASYNC110 - in another process
                    await asyncio.sleep(0.2)
            assert await program.stop() == 0
        found = {verdict.verdict_id for verdict in await verdicts_in(kafka, settings)}
        assert len(found) == 6 * len(sent)

    run(go(), 150)


def test_a_second_sigterm_ends_it_at_once(kafka: RealKafka, tmp_path: Path) -> None:
    async def go() -> None:
        config = config_for(kafka, tmp_path, judging={"drain": 30})
        await given(kafka, config)
        program = Ragmon(tmp_path, config)
        async with ended_for_sure(program):
            program.start()
            await program.until("/readyz", "ready\n")
            await asyncio.to_thread(kafka.freeze)
            program.process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(5):
                while SECOND not in program.log.read_text(encoding="utf-8"):  # noqa: ASYNC110 - in another process
                    await asyncio.sleep(0.02)
            began = time.monotonic()
            assert await program.stop(5) == 1
            assert time.monotonic() - began < 1

    run(go(), 60)


def test_it_writes_nothing_but_the_sample_set(kafka: RealKafka, tmp_path: Path) -> None:
    """As in a container with a read-only root: one folder can be written, the working folder and /tmp cannot."""
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-m", "true"], check=False).returncode:
        pytest.skip("needs the right to make a mount namespace (root)")

    async def go() -> None:
        volume, elsewhere = tmp_path / "volume", tmp_path / "elsewhere"
        elsewhere.mkdir()
        config = config_for(kafka, volume)
        await given(kafka, config)
        program = Ragmon(volume, config, cwd=elsewhere)
        sealed = f"mount --bind {volume} {volume} && mount -o remount,bind,ro / && ! touch {elsewhere}/x 2>/dev/null"
        program.prefix = ("unshare", "-m", "sh", "-c", f'{sealed} && exec "$0" "$@"')
        async with ended_for_sure(program):
            program.start()
            await harvested(program, TRACES)
            assert await program.stop() == 0, program.tail()
        assert list(elsewhere.iterdir()) == []

    run(go(), 90)
