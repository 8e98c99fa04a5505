"""A cascade in the judge role: what is written, and what happens when its records are read again."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest

from monitor.judges.cascade import UNCERTAIN, Cascade
from monitor.judges.panel import PanelMember
from monitor.records import JudgeIdentity, Outcome, RagTrace
from tests import virtual_time
from tests.fakes import FakeSource, ScriptedJudge
from tests.monitor.streams import Rig, plain_topic
from tests.virtual_time import VirtualClock

RATE = 10
CASCADE = Cascade("cheap", frozenset(["faithfulness"]), (0.2, 0.6), 2)
TRACES = [random.Random(seed).randbytes(16).hex() for seed in range(400)]


def is_in_doubt(trace_id: str) -> bool:
    return int(trace_id[0], 16) < 6


def is_within(trace_id: str, one_in: int) -> bool:
    region = 1 << 56
    return int(trace_id[-14:], 16) >= region - region // one_in


async def says(trace: RagTrace) -> float:
    return 0.4 if is_in_doubt(trace.trace_id) else 0.9


class Dear(ScriptedJudge):
    """With verdict ids of its own."""

    def identity(self, evaluation: str) -> JudgeIdentity:
        return replace(super().identity(evaluation), fingerprint="ba9876543210")


def run(known: frozenset[str] = frozenset(), settings: dict[str, object] | None = None) -> tuple[Rig, ScriptedJudge]:
    """The traces through a cascade; `known` are the verdicts of the log."""
    dear = Dear(name="dear", remote=True)

    async def main(clock: VirtualClock) -> Rig:
        rig = Rig(
            FakeSource(plain_topic(TRACES), per_poll=50),
            clock,
            members=[PanelMember(ScriptedJudge(says, name="cheap"), 1), PanelMember(dear, RATE, cascade=CASCADE)],
            settings=settings or {},
            judged_before=lambda verdict_id, _: verdict_id in known,
        )
        await rig.pipeline.run(asyncio.Event())
        return rig

    rig = virtual_time.run(main)
    rig.check()
    return rig, dear


def test_requests_in_doubt_go_to_the_dear_judge_more_often_and_its_verdicts_say_so() -> None:
    rig, _ = run()
    written = {
        item.trace_id: (item.weight, item.policies, item.probability)
        for item in rig.verdicts.items
        if item.judge == "dear"
    }
    expected = {
        trace: (2, ("base", UNCERTAIN), pytest.approx(1 / 2)) if is_in_doubt(trace) else (RATE, ("base",), 0.1)
        for trace in TRACES
        if is_within(trace, 2 if is_in_doubt(trace) else RATE)
    }
    assert written == expected
    assert {item.weight for item in rig.verdicts.items if item.judge == "cheap"} == {1}
    assert {len(case.judgements) for case in rig.cases.items} == {1, 2}


def test_what_is_read_again_is_not_paid_again_and_has_the_same_verdicts() -> None:
    first, _ = run()
    ids = frozenset(item.verdict_id for item in first.verdicts.items)
    second, dear = run(ids)
    assert dear.asked == []
    assert {item.verdict_id for item in second.verdicts.items} < ids
    assert second.dropped("judge")["already_judged"] > len(TRACES) / 2


def test_of_what_was_judged_in_part_the_rest_is_asked_for() -> None:
    """The process ended between the two verdicts."""
    first, whole = run()
    cheap = frozenset(item.verdict_id for item in first.verdicts.items if item.judge == "cheap")
    second, dear = run(cheap)
    assert {trace.trace_id for trace in dear.asked} == {trace.trace_id for trace in whole.asked}
    assert {item.verdict_id for item in second.verdicts.items} >= {
        item.verdict_id for item in first.verdicts.items if item.judge == "dear"
    }


def test_a_request_that_is_shed_is_missing_from_the_share_of_those_in_doubt() -> None:
    rig, dear = run(settings={"judging": {"when_full": "shed", "queue": 1, "workers": 1}})
    shed = [item for item in rig.verdicts.items if item.outcome is Outcome.SKIPPED]
    of_dear = [item for item in shed if item.judge == "dear"]
    assert of_dear
    assert {(item.weight, item.policies) for item in of_dear} == {(2, ("base", UNCERTAIN))}
    assert len({item.trace_id for item in shed}) == rig.dropped("judge")["shed"]
    assert not {item.trace_id for item in of_dear} & {trace.trace_id for trace in dear.asked}
