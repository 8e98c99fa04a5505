"""Rules of the judge role over doubles, in virtual time: back-pressure, sinks, drain."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass

import pytest
import structlog

from monitor.errors import SinkError
from monitor.judges.llm import LlmJudge
from monitor.judges.panel import PanelMember
from monitor.records import Case, DecisionKind, Outcome
from monitor.stages.verdicts import case_id
from tests import virtual_time
from tests.fakes import FakeSource, ScriptedJudge
from tests.monitor import streams
from tests.monitor.judges import scripted
from tests.monitor.streams import (
    Rig,
    entry,
    live,
    otlp,
    plain,
    plain_topic,
    record,
    retrieval,
    run,
    slow,
    tps,
)
from tests.virtual_time import VirtualClock

REGION = 1 << 56


def test_a_full_queue_pauses_the_source_which_is_polled_on_and_resumed() -> None:
    source = FakeSource(plain_topic(f"t{number}" for number in range(40)))
    rig = run(source, slow(2), judging={"workers": 1, "queue": 3})
    assert (source.pauses > 1, source.paused) == (True, False)
    assert source.polls > 40  # at least every quarter of a second, for 80 seconds
    assert len(rig.judged()) == 40


def test_a_trace_is_not_quiet_while_the_source_is_paused() -> None:
    """Its other span waits in Kafka behind the requests that the source is paused for."""
    trace = "a" * 32
    before, behind = ([plain(f"{place}{number}") for number in range(4)] for place in ("before", "behind"))
    values = [otlp(entry(trace)), *before, *behind, otlp(retrieval(trace))]
    source = FakeSource([record(value, offset) for offset, value in enumerate(values)], per_poll=4)
    rig = run(source, slow(10), judging={"workers": 1, "queue": 2})
    assert source.pauses
    assert trace in rig.judged()
    assert (rig.dropped("assemble"), rig.dropped("extract")) == ({}, {})


def test_a_trace_is_not_quiet_while_a_dead_letter_is_waited_for() -> None:
    trace = "a" * 32
    values = [b"\xff", otlp(entry(trace)), otlp(retrieval(trace))]
    source = FakeSource([record(value, offset) for offset, value in enumerate(values)], per_poll=2, endless=True)

    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        rig.failing_dead_letters.failures = 6
        await source.done.wait()

    rig = live(source, act)
    assert rig.judged() == {trace}
    assert rig.dropped("assemble") == {}


def test_traces_that_are_due_at_the_same_moment_are_handed_on_as_there_is_room() -> None:
    """The workers do not wait until the last of them is extracted, and the queue keeps its bound."""
    ids = [f"{number:032x}" for number in range(1, 41)]
    source = FakeSource(
        [record(otlp(entry(id_), retrieval(id_)), n) for n, id_ in enumerate(ids)], per_poll=40, endless=True
    )

    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        await asyncio.sleep(10)
        assert rig.pipeline.intake.behind()
        while len(rig.judged()) < len(ids):
            assert rig.pipeline.waiting() <= 3
            assert source.paused or not rig.pipeline.intake.behind()
            await asyncio.sleep(0.5)

    live(source, act, slow(2), judging={"workers": 1, "queue": 3})
    assert source.committed == source.ends


def test_a_full_queue_that_sheds_gives_skipped_verdicts_with_weights() -> None:
    source = FakeSource(plain_topic(f"t{number}" for number in range(10)), per_poll=10)
    rig = run(source, slow(2), judging={"workers": 1, "queue": 3, "when_full": "shed"})
    skipped = [item for item in rig.verdicts.items if item.outcome == "skipped"]
    assert {(item.reason, item.score, item.weight) for item in skipped} == {("queue_full", None, 1)}
    assert rig.dropped("judge") == {"shed": len(skipped)}
    assert len(rig.judged()) + len(skipped) == 10
    assert len(skipped) > 3
    kinds = {case.trace.trace_id: case.decision.kind for case in rig.cases.items}
    assert {kinds[item.trace_id] for item in skipped} == {DecisionKind.SHED}
    assert source.committed == source.ends


@pytest.mark.parametrize("sink", ["failing_cases", "failing_verdicts", "failing_dead_letters"])
def test_nothing_is_committed_until_every_write_is_confirmed(sink: str) -> None:
    topic = [record(plain("a"), 0), record(b"\xff", 1), record(plain("b"), 2)]

    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        flaky = getattr(rig, sink)
        flaky.failures = float("inf")
        await asyncio.sleep(60)
        assert rig.source.committed == {tps()[0]: 0}
        flaky.failures = 2
        await asyncio.sleep(60)
        assert rig.source.committed == rig.source.ends

    rig = live(FakeSource(topic, endless=True), act)
    assert rig.judged() == {"a", "b"}
    assert [letter.position.offset for letter in rig.dead_letters.items] == [1]


def test_the_next_requests_are_judged_while_the_last_are_written_up_to_a_bound() -> None:
    judge = ScriptedJudge()

    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        rig.failing_cases.failures = float("inf")
        await asyncio.sleep(60)
        assert len(judge.asked) == 1 + 128
        rig.check()
        rig.failing_cases.failures = 0
        await asyncio.sleep(60)
        assert rig.source.committed == rig.source.ends

    source = FakeSource(plain_topic(f"t{number}" for number in range(200)), per_poll=50, endless=True)
    rig = live(source, act, judge, judging={"workers": 1})
    assert len(rig.judged()) == 200


def test_a_case_is_durable_before_its_verdicts_are() -> None:
    written: list[str] = []

    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        rig.failing_cases.failures = 3
        for log, name in ((rig.failing_cases, "case"), (rig.failing_verdicts, "verdicts")):
            log.log = _Noted(log.log, name, written)
        await asyncio.sleep(60)

    live(FakeSource(plain_topic("a"), endless=True), act)
    assert written == ["case", "verdicts"]


@dataclass
class _Noted:
    log: object
    name: str
    written: list[str]

    async def append(self, _item: object) -> None:
        self.written.append(self.name)


@pytest.mark.parametrize("sink", ["failing_cases", "failing_verdicts", "failing_dead_letters"])
def test_a_write_that_is_refused_for_good_costs_one_record_and_is_logged(sink: str) -> None:
    class RefusedError(SinkError):
        retryable = False

    topic = [record(plain("a"), 0), record(b"\xff", 1), record(plain("b"), 2)]

    async def act(rig: Rig, _stop: asyncio.Event) -> None:
        flaky = getattr(rig, sink)
        flaky.failures, flaky.error = 1, RefusedError("too large")
        await asyncio.sleep(30)

    with structlog.testing.capture_logs() as lines:
        rig = live(FakeSource(topic, endless=True), act)
    told = [(line["log_level"], line["event"]) for line in lines]
    assert [level for level, event in told if not event.startswith("a record cannot be understood")] == ["error"]
    (unread,) = (line for line in lines if line["event"].startswith("a record cannot be understood: "))
    assert (unread["log_level"], unread["partition"], unread["offset"]) == ("warning", 0, 1)
    assert unread["detail"]
    left = (
        3 if sink == "failing_cases" else 2
    )  # a case that is refused costs the sample set a row, not the numbers a verdict
    assert len(rig.judged()) + len(rig.dead_letters.items) == left
    assert rig.source.committed == rig.source.ends


def test_a_stop_is_heard_while_a_dead_letter_cannot_be_written() -> None:
    async def act(rig: Rig, stop: asyncio.Event) -> None:
        rig.failing_dead_letters.failures = float("inf")
        await asyncio.sleep(30)
        stop.set()

    source = FakeSource([record(plain("a"), 0), record(b"\xff", 1), record(plain("b"), 2)], endless=True)
    rig = live(source, act)
    assert source.stopped
    assert source.committed == {tps()[0]: 0}
    assert rig.dead_letters.items == []


def test_a_stop_drains_what_is_running_within_the_drain_time_and_leaves_the_rest_uncommitted() -> None:
    async def main(clock: VirtualClock) -> tuple[Rig, float]:
        source = FakeSource(plain_topic("abcdef"), endless=True)
        rig = Rig(source, clock, [slow(4)], {"judging": {"workers": 2, "drain": 6}})
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            group.create_task(rig.pipeline.run(stop))
            await asyncio.sleep(1)
            stop.set()
            told = clock.monotonic()
        return rig, clock.monotonic() - told

    rig, took = virtual_time.run(main)
    rig.check()
    assert took < 6.5
    assert rig.judged() == {"a", "b"}
    assert rig.source.committed == {tps()[0]: 2}
    assert rig.source.stopped


def test_a_dear_judge_sees_its_share_and_its_verdicts_weigh_more() -> None:
    rng = random.Random(3)
    names = [rng.randbytes(16).hex() for _ in range(200)]
    cheap, dear = ScriptedJudge(), ScriptedJudge(name="dear")

    async def main(clock: VirtualClock) -> Rig:
        members = [PanelMember(cheap, 1), PanelMember(dear, 10)]
        rig = Rig(FakeSource(plain_topic(names), per_poll=50), clock, members=members)
        await rig.pipeline.run(asyncio.Event())
        return rig

    rig = virtual_time.run(main)
    assert len(cheap.asked) == 200
    assert {trace.trace_id for trace in dear.asked} == {
        name for name in names if int(name[-14:], 16) >= REGION - round(REGION / 10)
    }
    weights = {item.judge: item.weight for item in rig.verdicts.items}
    assert weights == {"scripted": 1, "dear": 10}


def test_a_judge_over_its_budget_sees_less_and_its_verdicts_say_how_much() -> None:
    rng = random.Random(4)
    names = [rng.randbytes(16).hex() for _ in range(1500)]
    settings = scripted.config(prices={"*": {"input": 0, "output": 100}}, cost_per_hour=2)
    reply = scripted.chat("supported", quote="", usage={"prompt_tokens": 500, "completion_tokens": 100})  # costs 0.01

    async def main(clock: VirtualClock) -> Rig:
        transport = scripted.ScriptedTransport(reply)
        dear = LlmJudge(settings, clock, api_key=None, rng=random.Random(1), transport=transport)
        members = [PanelMember(ScriptedJudge(), 1), PanelMember(dear, 1, dear)]
        rig = Rig(FakeSource(plain_topic(names), per_poll=5, pace=6.0), clock, members=members)
        await rig.pipeline.run(asyncio.Event())
        return rig

    rig = virtual_time.run(main)
    dear = [item for item in rig.verdicts.items if item.judge == "llm"]
    assert len(rig.verdicts.items) == len(names) + len(dear)
    assert 0.7 < sum(item.cost for item in dear) <= 2.0  # in half an hour, of 15 that all would cost
    assert {item.reason for item in dear if item.outcome is Outcome.SKIPPED} == set()
    assert all(item.weight == round(1 / item.probability) for item in dear)
    assert (min(item.weight for item in dear), max(item.weight for item in dear) > 8) == (1, True)
    assert sum(item.weight for item in dear) == pytest.approx(len(names), rel=0.3)


def test_cases_carry_their_position_and_ids_that_depend_on_the_request_alone() -> None:
    rig = run(FakeSource(plain_topic("a")))
    (case,) = rig.cases.items
    assert isinstance(case, Case)
    assert case.case_id == case_id("a", "")
    assert case.position[:3] == (streams.TOPIC, 0, 0)
    assert case.harvest_reason == "base"
