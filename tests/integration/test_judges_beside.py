"""A shadow and the anchor set in whole processes: beside the service's numbers, and shared by replicas."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import structlog

from monitor.config.settings import Settings
from tests.brokers import Tansu, create_topic, produce, run
from tests.integration.monitors import Running, config_for, messages, metric, monitoring, traffic, verdicts_in
from tests.judge_server import MODEL, JudgeServer

TRACES = 30
ROWS = 8


def settings_of(broker: Tansu, folder: Path, judge: JudgeServer, **candidate: object) -> Settings:
    anchors = folder / "anchors.jsonl"
    rows = [
        {"answer": f"The desk has {number} chairs.", "contexts": ["The desk has 3 chairs."]} for number in range(ROWS)
    ]
    anchors.write_text("\n".join(map(json.dumps, rows)))
    llm = {"type": "llm", "name": "candidate", "base_url": judge.url, "model": MODEL, "allow_private": True}
    judges = [{"type": "embedded"}, llm | candidate] if "shadow_of" in candidate else [llm | candidate]
    return Settings.model_validate(config_for(broker, folder) | {"judges": judges, "anchors": anchors})


async def until_anchored(running: Running, judges: set[str]) -> None:
    def known() -> bool:
        seen = {one.judge: one.rows for one in running.monitor.snapshot.anchors}
        return seen == dict.fromkeys(judges, ROWS)

    await running.until(known, f"all anchors are judged by {judges}")


def pairs(running: Running) -> int:
    return sum(one.pairs for one in running.monitor.snapshot.shadows)


def test_a_shadow_and_anchors_stand_beside_the_numbers_and_a_swap_is_told(tansu: Tansu, tmp_path: Path) -> None:
    async def go(judge: JudgeServer) -> list[str]:
        settings = settings_of(tansu, tmp_path, judge, shadow_of="embedded")
        await create_topic(tansu, settings.source.topics[0], 2)
        async with contextlib.AsyncExitStack() as replicas:
            first, second = [await replicas.enter_async_context(monitoring(settings)) for _ in range(2)]
            await produce(tansu, settings.source.topics[0], messages(traffic(TRACES), 2))
            await first.until(
                lambda: first.stage("judge").passed + second.stage("judge").passed >= TRACES, "all is judged"
            )
            for replica in (first, second):
                await until_anchored(replica, {"embedded", "candidate"})
            await first.until(lambda: pairs(first) >= TRACES // 2, "the candidate is compared")
            page = (await first.get("/metrics")).text
        assert {window.judge for window in first.monitor.snapshot.windows} == {"embedded"}
        assert set(metric(page, "ragmon_judge_anchor_rows")) == {ROWS}
        assert metric(page, "ragmon_shadow_pairs", shadow_of="embedded") >= [TRACES // 2]
        assert not metric(page, "ragmon_verdicts_total", judge="candidate")
        written = [verdict for verdict in await verdicts_in(tansu, settings) if verdict.anchor]
        assert len({verdict.verdict_id for verdict in written}) == 2 * ROWS
        swapped = settings_of(tansu, tmp_path, judge).model_copy(
            update={"source": settings.source, "topics": settings.topics}
        )
        with structlog.testing.capture_logs() as logged:
            async with monitoring(swapped, {"judge"}) as third:
                await third.until(lambda: third.monitor.operational.source.up, "it judges")
        again = [verdict for verdict in await verdicts_in(tansu, settings) if verdict.anchor]
        assert len({verdict.verdict_id for verdict in again}) <= 3 * ROWS
        return [why for line in logged if line["event"] == "judges changed" for why in line["why"]]

    with JudgeServer() as judge:
        (told,) = run(go(judge))
    assert told.startswith("faithfulness was judged by embedded so far and is judged by candidate from now on")
