from __future__ import annotations

import asyncio
import dataclasses
import random
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest

from monitor.judges.llm import LlmJudge
from monitor.judges.reuse import MOST_BYTES, Key, Reuse
from monitor.records import ANCHOR, JudgeIdentity, Judgement, Outcome, Passage, RagTrace, Usage
from tests import virtual_time
from tests.fakes import FakeClock
from tests.judge_server import Canned
from tests.monitor.judges.scripted import TRACE, ScriptedTransport, Step, chat, config, judge_all
from tests.virtual_time import VirtualClock

USAGE = {"prompt_tokens": 10, "completion_tokens": 2}
OTHERS = [
    dataclasses.replace(TRACE, question="How long is it?"),
    dataclasses.replace(TRACE, answer="The warranty lasts 2 years."),
    dataclasses.replace(TRACE, contexts=TRACE.contexts[:1]),
    dataclasses.replace(TRACE, contexts=TRACE.contexts[::-1]),
    dataclasses.replace(TRACE, contexts=(*TRACE.contexts[:1], Passage(TRACE.contexts[1].text + " "))),
    dataclasses.replace(TRACE, search_query="warranty"),
    dataclasses.replace(TRACE, language="zh"),
]


def without_cost(judgement: Judgement) -> Judgement:
    flags = tuple(flag for flag in judgement.flags if flag != "reused")
    return dataclasses.replace(judgement, usage=Usage(), latency_s=0.0, flags=flags)


def test_the_same_content_is_judged_once_and_costs_once() -> None:
    transport = ScriptedTransport(chat("supported", "not_found", usage=USAGE))
    again = dataclasses.replace(TRACE, trace_id="t2", request_id="s9", end_ns=5)
    (first, second), judge = judge_all(transport, [TRACE, again], reuse=10)
    assert len(transport.requests) == 1
    assert (first.usage.calls, "reused" in first.flags) == (1, False)
    assert (second.usage, second.flags[-1]) == (Usage(), "reused")
    assert without_cost(first) == without_cost(second)
    assert (judge.load().reused, judge.load().calls) == (1, 1)


def test_an_anchor_is_neither_remembered_nor_given_again() -> None:
    transport = ScriptedTransport(chat("supported"), chat("not_found"), chat("not_found"), chat("supported"))
    anchor = dataclasses.replace(TRACE, trace_id="t2", convention=ANCHOR)
    judged, judge = judge_all(transport, [anchor, TRACE, anchor, TRACE, anchor], reuse=10)
    assert [item.score for item in judged] == [1.0, 0.0, 0.0, 0.0, 1.0]
    assert ["reused" in item.flags for item in judged] == [False, False, False, True, False]
    assert judge.load().reused == 1


@pytest.mark.parametrize("other", OTHERS)
def test_other_content_is_another_case(other: RagTrace) -> None:
    transport = ScriptedTransport(chat("supported"))
    judge_all(transport, [TRACE, other], reuse=10)
    assert len(transport.requests) == 2


@pytest.mark.parametrize(
    "settings",
    [{"reuse": 0}, {"reuse": 10, "temperature": 0.7}, {"reuse": 10, "extra_body": {"temperature": 1}}],
)
def test_where_a_second_verdict_is_a_draw_of_its_own_it_is_asked_for(settings: Mapping[str, Any]) -> None:
    transport = ScriptedTransport(chat("supported"))
    judge_all(transport, [TRACE, TRACE], **settings)
    assert len(transport.requests) == 2


@pytest.mark.parametrize("bad", [Canned.chat("no verdict"), Canned.error(400, {"message": "no"}), chat()])
def test_an_error_is_never_given_again(bad: Step) -> None:
    transport = ScriptedTransport(bad, bad, bad, bad, chat("supported"))
    judged, _ = judge_all(transport, [TRACE] * 6, reuse=10, structured="json_schema")
    outcomes = [(item.outcome, "reused" in item.flags) for item in judged]
    scored = outcomes.index((Outcome.SCORED, False))
    assert outcomes[:scored] == [(Outcome.JUDGE_ERROR, False)] * scored
    assert scored > 0
    assert set(outcomes[scored + 1 :]) == {(Outcome.SCORED, True)}


def test_the_case_that_was_wanted_least_lately_is_forgotten_first() -> None:
    transport = ScriptedTransport(chat("supported"))
    one, two, three = (dataclasses.replace(TRACE, question=f"Question {number}?") for number in range(3))
    judged, _ = judge_all(transport, [one, two, one, three, one, two], reuse=2)
    assert ["reused" in item.flags for item in judged] == [False, False, True, False, True, False]


def remembering(clock: FakeClock, *sizes: int, seconds: float = 3600.0) -> Reuse:
    """After cases with an explanation so long each, one every 10 s."""
    reuse = Reuse(config(reuse=1000, reuse_for=seconds), clock, lambda: True)

    async def main() -> None:
        for number, size in enumerate(sizes):
            await reuse.get(key_of(number), answer_of("x" * size), 1e9)
            clock.advance(10)

    asyncio.run(main())
    return reuse


def is_known(reuse: Reuse, number: int) -> bool:
    before = reuse.reused
    asyncio.run(reuse.get(key_of(number), answer_of(""), 1e9))
    return reuse.reused > before


def key_of(number: int) -> Key:
    return Key(bytes([number]), ("0" * 12,))


def answer_of(explanation: str) -> Callable[[], Awaitable[tuple[Judgement, ...]]]:
    async def answer() -> tuple[Judgement, ...]:
        return (Judgement("e", JudgeIdentity("llm", "0" * 12), Outcome.SCORED, score=1.0, explanation=explanation),)

    return answer


def test_what_is_remembered_takes_no_more_than_so_many_bytes() -> None:
    half = MOST_BYTES // 4  # characters
    assert remembering(FakeClock(), half - 1000, half - 1000).size == 2
    full = remembering(FakeClock(), 10, half, half, 10)
    assert (full.size, is_known(full, 3), is_known(full, 1)) == (2, True, False)


def test_a_case_that_never_fits_drives_no_other_one_out() -> None:
    reuse = remembering(FakeClock(), 10, MOST_BYTES, 10)
    assert (reuse.size, is_known(reuse, 0)) == (2, True)


def test_what_is_too_old_is_forgotten_without_being_asked_for() -> None:
    assert remembering(FakeClock(), *[1000] * 20, seconds=25.0).size <= 6


def test_after_some_time_it_is_asked_again() -> None:
    transport = ScriptedTransport(chat("supported"))
    other = dataclasses.replace(TRACE, question="Another?")  # takes 0.1 s
    judged, _ = judge_all(transport, [TRACE, TRACE, other, TRACE], reuse=2, reuse_for=0.05)
    assert ["reused" in item.flags for item in judged] == [False, True, False, False]


def test_a_new_snapshot_is_another_judge() -> None:
    """The reply that tells of the new snapshot is one to another request: from then on the old verdicts are no use."""
    other = dataclasses.replace(TRACE, question="Another?")
    transport = ScriptedTransport(chat("supported", model="m-1"), chat("supported", model="m-2"))
    judged, _ = judge_all(transport, [TRACE, TRACE, other, TRACE], reuse=10)
    assert ["reused" in item.flags for item in judged] == [False, True, False, False]
    fingerprints = [item.judge.fingerprint for item in judged]
    assert fingerprints[0] == fingerprints[1] != fingerprints[2] == fingerprints[3]


def test_flags_of_the_call_are_not_given_again() -> None:
    transport = ScriptedTransport(chat("supported", usage={}))
    (first, second), _ = judge_all(transport, [TRACE] * 2, reuse=10)
    assert (first.flags, second.flags) == (("usage_unknown",), ("reused",))


async def all_at_once(clock: VirtualClock, transport: ScriptedTransport, deadlines: list[float]) -> list[Judgement]:
    judge = LlmJudge(config(reuse=10), clock, api_key=None, rng=random.Random(1), transport=transport)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(judge.judge(TRACE, (), clock.monotonic() + left)) for left in deadlines]
    return [task.result()[0] for task in tasks]


def test_those_that_come_at_the_same_time_share_one_call() -> None:
    transport = ScriptedTransport(chat("supported", usage=USAGE))
    judged = virtual_time.run(lambda clock: all_at_once(clock, transport, [60.0] * 5))
    assert (len(transport.requests), sum(item.usage.calls for item in judged)) == (1, 1)
    assert ["reused" in item.flags for item in judged] == [False] + [True] * 4


def test_when_the_shared_call_fails_the_next_one_asks_for_itself() -> None:
    transport = ScriptedTransport(Canned.chat("no verdict"), chat("supported"))
    judged = virtual_time.run(lambda clock: all_at_once(clock, transport, [60.0] * 3))
    errors = [item for item in judged if item.outcome is Outcome.JUDGE_ERROR]
    scored = [item for item in judged if item.outcome is Outcome.SCORED]
    assert len(errors) + len(scored) == 3
    assert all("reused" not in item.flags for item in errors)
    assert scored


def test_whoever_waits_for_a_shared_call_keeps_its_own_deadline() -> None:
    transport = ScriptedTransport(chat("supported"))
    judged = virtual_time.run(lambda clock: all_at_once(clock, transport, [60.0, 0.05]))
    assert [(item.outcome, item.reason) for item in judged] == [(Outcome.SCORED, ""), (Outcome.SKIPPED, "deadline")]


def test_a_call_that_is_cut_sets_those_free_that_wait_for_it() -> None:
    async def main(clock: VirtualClock) -> list[Judgement]:
        transport = ScriptedTransport(chat("supported"))
        judge = LlmJudge(config(reuse=10), clock, api_key=None, rng=random.Random(1), transport=transport)
        first, second = (asyncio.create_task(judge.judge(TRACE, (), clock.monotonic() + 60)) for _ in range(2))
        await asyncio.sleep(0.05)
        first.cancel()
        return list(await second)

    (judgement,) = virtual_time.run(main)
    assert (judgement.outcome, judgement.usage.calls) == (Outcome.SCORED, 1)
