"""kill -9 at a random moment under load, again and again: nothing is lost, nothing is counted twice."""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from monitor.config.settings import Settings
from tests.brokers import RealKafka, run
from tests.integration.monitors import EVALUATIONS, config_for
from tests.integration.oracle import Scene, scene_of
from tests.integration.processes import Ragmon, ended_for_sure
from tests.judge_server import MODEL, Canned, JudgeServer, sensible

log = logging.getLogger(__name__)
pytestmark = [pytest.mark.slow, pytest.mark.timeout(480)]

SEED = 20_261_129
KILLS = 26
PER_SECOND = 30.0
KILLED_AT_START = 0.25
"""Share of the runs that are killed while the program starts; the others under load."""
START_S, LOAD_S = 3.0, 2.5
DRAIN_S = 150.0
SLOWEST_S = 0.2
"""The remote judge takes up to this: many requests are under way at any moment, and finish in any order."""
WANTED = Counter((*EVALUATIONS, "faithfulness"))
"""Verdicts of a request: those of the local judges and the remote one's."""


def configured(kafka: RealKafka, folder: Path, judge: JudgeServer) -> dict[str, Any]:
    """All roles, three judges, many workers; members that were killed are forgotten soon."""
    llm = {"type": "llm", "base_url": judge.url, "model": MODEL, "allow_private": True, "max_concurrency": 24}
    config = config_for(
        kafka,
        folder,
        source={"session_timeout": 1.5, "rebalance_timeout": 3, "commit_every": 0.1},
        judging={"workers": 24},
        dataset={"flush_every": 0.4},
    )
    return config | {"judges": [{"type": "embedded"}, {"type": "scanner"}, llm]}


async def kill_and_check(scene: Scene, program: Ragmon, rng: random.Random, number: int) -> None:
    """One run of the program, from its start to its sudden end."""
    program.start()
    at_start = rng.random() < KILLED_AT_START
    seconds = rng.uniform(0, START_S if at_start else LOAD_S)
    if not at_start:
        await program.until("/readyz", "ready\n")
    await asyncio.sleep(seconds)
    program.kill()
    await scene.check_offsets()
    moment = "its start" if at_start else "it was ready"
    produced, judged = len(scene.ledger.places), len(scene.outputs.cases)
    log.warning("kill %d: %.2f s after %s; %d produced, %d judged", number, seconds, moment, produced, judged)


def test_every_request_has_one_outcome_however_often_the_process_is_killed(kafka: RealKafka, tmp_path: Path) -> None:
    delays = random.Random(SEED)

    def slow(request: Mapping[str, Any]) -> Canned:
        return replace(sensible(request), delay=delays.uniform(0, SLOWEST_S))

    async def go(judge: JudgeServer) -> None:
        config = configured(kafka, tmp_path, judge)
        program = Ragmon(tmp_path, config)
        scene = await scene_of(kafka, Settings.model_validate(config), SEED, wanted=WANTED)
        rng, stop = random.Random(SEED), asyncio.Event()
        log.warning("seed %d", SEED)
        async with scene.outputs.opened(kafka), ended_for_sure(program), asyncio.TaskGroup() as group:
            producing = group.create_task(scene.ledger.produce(kafka, scene.topic, PER_SECOND, stop))
            for number in range(1, KILLS + 1):
                await kill_and_check(scene, program, rng, number)
            stop.set()
            await producing
            program.start()
            await scene.drain(DRAIN_S)
            assert await program.stop() == 0, program.tail()
            await scene.check_outcomes()

    with JudgeServer([slow]) as judge:
        run(go(judge), 450)
