"""What a judge spent is known to every replica, and after a restart, from the verdict topic alone."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from monitor.config.settings import Settings
from tests.brokers import Tansu, create_topic, produce, run
from tests.integration.monitors import Running, config_for, messages, monitoring, traffic, verdicts_in
from tests.judge_server import MODEL, JudgeServer

TRACES = 30


async def until_known(running: Running, spent: float) -> None:
    """Wait until the monitor shows so much money of the last day."""

    def known() -> bool:
        fills = [fill.used for load in running.monitor.operational.judges for fill in load.limits]
        return fills == pytest.approx([spent])

    await running.until(known, f"it knows of {spent}")


def test_replicas_and_restarts_know_what_was_spent(tansu: Tansu, tmp_path: Path) -> None:
    async def go(judge: JudgeServer) -> None:
        llm = {
            "type": "llm",
            "base_url": judge.url,
            "model": MODEL,
            "allow_private": True,
            "prices": {"*": {"input": 10, "output": 100}},
            "cost_per_day": 1000,
        }
        config = config_for(tansu, tmp_path) | {"judges": [llm]}
        settings = Settings.model_validate(config)
        await create_topic(tansu, settings.source.topics[0], 2)
        async with contextlib.AsyncExitStack() as replicas:
            first, second = [await replicas.enter_async_context(monitoring(settings)) for _ in range(2)]
            await produce(tansu, settings.source.topics[0], messages(traffic(TRACES), 2))
            await first.until(
                lambda: first.stage("judge").passed + second.stage("judge").passed >= TRACES, "all is judged"
            )
            spent = sum(verdict.cost for verdict in await verdicts_in(tansu, settings))
            assert spent > 0
            await until_known(first, spent)
            await until_known(second, spent)
        async with monitoring(settings, {"judge"}) as third:
            await until_known(third, spent)

    with JudgeServer() as judge:
        run(go(judge))
