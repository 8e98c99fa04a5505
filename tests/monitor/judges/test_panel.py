"""Rules of the panel."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

import pytest
import structlog

from monitor.errors import JudgeUnavailable
from monitor.judges.panel import GRACE_S, Panel, PanelMember
from monitor.operational import JudgeLoad
from monitor.protocols import Clock
from monitor.records import (
    ContextsSource,
    JudgeIdentity,
    Judgement,
    Outcome,
    Passage,
    RagTrace,
    SensitiveHit,
)
from tests import virtual_time
from tests.virtual_time import VirtualClock

RAW = RagTrace(
    trace_id="0" * 32,
    request_id="0" * 16,
    question="When does it open?",
    answer="It opens at ten; call 555 0100.",
    contexts=(Passage("It opens at ten."),),
    contexts_source=ContextsSource.SPAN,
)
REDACTED = replace(RAW, answer="It opens at ten; call <PHONE_1>.")
IDENTITY = JudgeIdentity("scripted", "0123456789ab")
Behaviour = Callable[["ScriptedJudge"], Awaitable[Sequence[Judgement]]]


def scored(evaluation: str, score: float = 1.0) -> Judgement:
    return Judgement(evaluation, IDENTITY, Outcome.SCORED, score=score)


async def correct(judge: "ScriptedJudge") -> Sequence[Judgement]:
    return [scored(evaluation) for evaluation in judge.evaluations]


class ScriptedJudge:
    """A judge that behaves as told and remembers what it was asked."""

    name = "scripted"

    def __init__(
        self, behaviour: Behaviour = correct, evaluations: tuple[str, ...] = ("faithfulness",), *, remote: bool = False
    ) -> None:
        self.behaviour = behaviour
        self.evaluations = evaluations
        self.remote = remote
        self.asked: list[RagTrace] = []
        self.deadlines: list[float] = []
        self.closed = 0

    def identity(self, evaluation: str) -> JudgeIdentity:
        assert evaluation in self.evaluations
        return IDENTITY

    def load(self) -> JudgeLoad:
        return JudgeLoad(self.name, calls=len(self.asked))

    async def judge(self, trace: RagTrace, hits: Sequence[SensitiveHit], deadline: float) -> Sequence[Judgement]:
        assert not hits
        self.asked.append(trace)
        self.deadlines.append(deadline)
        return await self.behaviour(self)

    async def close(self) -> None:
        self.closed += 1


async def ask(
    clock: Clock, *judges: ScriptedJudge, seconds: float = 10.0, raw: RagTrace = RAW, redacted: RagTrace = REDACTED
) -> tuple[Judgement, ...]:
    members = [PanelMember(judge, 1) for judge in judges]
    return await Panel(members, clock).judge(raw, redacted, (), members, seconds)


def asked(*judges: ScriptedJudge, seconds: float = 10.0, raw: RagTrace = RAW) -> tuple[Judgement, ...]:
    return virtual_time.run(lambda clock: ask(clock, *judges, seconds=seconds, raw=raw))


def summary(judgements: Sequence[Judgement]) -> list[tuple[str, Outcome, str]]:
    return [(judgement.evaluation, judgement.outcome, judgement.reason) for judgement in judgements]


async def hang(judge: ScriptedJudge) -> Sequence[Judgement]:
    await asyncio.Event().wait()
    return await correct(judge)


async def crash(_judge: ScriptedJudge) -> Sequence[Judgement]:
    msg = "user text that must not be logged"
    raise ValueError(msg)


async def unavailable(_judge: ScriptedJudge) -> Sequence[Judgement]:
    raise JudgeUnavailable("connect")


async def own_timeout(_judge: ScriptedJudge) -> Sequence[Judgement]:
    raise TimeoutError


async def cancel_itself(_judge: ScriptedJudge) -> Sequence[Judgement]:
    raise asyncio.CancelledError


async def nothing(_judge: ScriptedJudge) -> Sequence[Judgement]:
    return []


async def foreign(_judge: ScriptedJudge) -> Sequence[Judgement]:
    return [scored("safety.harm")]


async def twice(_judge: ScriptedJudge) -> Sequence[Judgement]:
    return [scored("faithfulness", 1.0), scored("faithfulness", 0.0)]


async def one_too_many(_judge: ScriptedJudge) -> Sequence[Judgement]:
    return [scored("faithfulness"), scored("safety.harm")]


async def reversed_order(judge: ScriptedJudge) -> Sequence[Judgement]:
    return [scored(evaluation) for evaluation in reversed(judge.evaluations)]


def test_local_judges_see_the_raw_request_and_remote_ones_the_redacted_one() -> None:
    local, remote = ScriptedJudge(), ScriptedJudge(remote=True)
    asked(local, remote)
    assert (local.asked, remote.asked) == ([RAW], [REDACTED])


def test_all_judges_get_the_same_deadline_and_run_at_the_same_time() -> None:
    async def slow(judge: ScriptedJudge) -> Sequence[Judgement]:
        await asyncio.sleep(6)
        return await correct(judge)

    async def main(clock: VirtualClock) -> float:
        started = clock.monotonic()
        await ask(clock, *judges)
        return clock.monotonic() - started

    judges = [ScriptedJudge(slow), ScriptedJudge(slow)]
    assert virtual_time.run(main) == pytest.approx(6.0)
    assert judges[0].deadlines == judges[1].deadlines


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        (hang, "deadline"),
        (crash, "internal"),
        (unavailable, "connect"),
        (own_timeout, "internal"),
        (cancel_itself, "internal"),
        (nothing, "internal"),
        (foreign, "internal"),
        (twice, "internal"),
    ],
)
def test_a_judge_that_fails_gives_a_judge_error_and_costs_the_others_nothing(behaviour: Behaviour, reason: str) -> None:
    with structlog.testing.capture_logs() as lines:
        judgements = asked(ScriptedJudge(behaviour), ScriptedJudge(evaluations=("safety.pii",)))
    assert summary(judgements) == [
        ("faithfulness", Outcome.JUDGE_ERROR, reason),
        ("safety.pii", Outcome.SCORED, ""),
    ]
    assert "user text" not in str(lines)


def test_a_judge_that_hangs_is_stopped_at_the_deadline_and_a_moment() -> None:
    async def main(clock: VirtualClock) -> float:
        started = clock.monotonic()
        await ask(clock, ScriptedJudge(hang))
        return clock.monotonic() - started

    assert virtual_time.run(main) == pytest.approx(10.0 + GRACE_S)


def test_a_judgement_of_another_evaluation_is_left_out() -> None:
    assert summary(asked(ScriptedJudge(one_too_many))) == [("faithfulness", Outcome.SCORED, "")]


def test_judgements_come_in_the_order_of_the_evaluations() -> None:
    judge = ScriptedJudge(reversed_order, ("safety.pii", "safety.fraud"))
    assert [judgement.evaluation for judgement in asked(judge)] == ["safety.pii", "safety.fraud"]


def test_one_lost_evaluation_does_not_cost_the_other() -> None:
    judge = ScriptedJudge(foreign, ("faithfulness", "safety.harm"))
    assert summary(asked(judge)) == [
        ("faithfulness", Outcome.JUDGE_ERROR, "internal"),
        ("safety.harm", Outcome.SCORED, ""),
    ]


def test_fc_010_a_remote_judge_is_not_asked_what_cannot_be_scored() -> None:
    judge = ScriptedJudge(remote=True)
    declining = replace(RAW, answer="I don't know.")
    judgements = virtual_time.run(lambda clock: ask(clock, judge, raw=declining, redacted=declining))
    assert (summary(judgements), judge.asked) == ([("faithfulness", Outcome.NOT_SCORABLE, "abstention")], [])


def test_a_remote_judge_is_asked_when_one_of_its_evaluations_applies() -> None:
    judge = ScriptedJudge(evaluations=("faithfulness", "safety.harm"), remote=True)
    declining = replace(RAW, answer="I don't know.")
    virtual_time.run(lambda clock: ask(clock, judge, raw=declining, redacted=declining))
    assert judge.asked == [declining]


def test_cancellation_from_outside_passes_through() -> None:
    async def main(clock: VirtualClock) -> None:
        task = asyncio.create_task(ask(clock, ScriptedJudge(hang)))
        await asyncio.sleep(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    virtual_time.run(main)


def test_nobody_selected_means_no_judgement() -> None:
    assert asked() == ()


def test_evaluations_are_named_once() -> None:
    members = [PanelMember(ScriptedJudge(evaluations=names), 1) for names in (("a", "b"), ("b", "c"))]
    assert virtual_time.run(lambda clock: _evaluations(members, clock)) == ("a", "b", "c")


async def _evaluations(members: list[PanelMember], clock: Clock) -> tuple[str, ...]:
    return Panel(members, clock).evaluations


def test_the_panel_counts_what_a_judge_was_asked_and_how_long_it_took() -> None:
    async def main(clock: VirtualClock) -> JudgeLoad:
        members = [PanelMember(ScriptedJudge(hang, ("faithfulness", "safety.harm")), 1)]
        panel = Panel(members, clock)
        await panel.judge(RAW, REDACTED, (), members, 10.0)
        (load,) = panel.loads()
        return load

    load = virtual_time.run(main)
    assert load == JudgeLoad("scripted", judgements=2, duration_s=load.duration_s, calls=1)
    assert load.duration_s == pytest.approx(2 * (10.0 + GRACE_S))  # over 2 judgements it is the mean latency


def test_every_judge_is_closed_even_when_one_cannot() -> None:
    class Stuck(ScriptedJudge):
        async def close(self) -> None:
            await super().close()
            raise OSError

    judges = [Stuck(), ScriptedJudge()]
    virtual_time.run(lambda clock: Panel([PanelMember(judge, 1) for judge in judges], clock).close())
    assert [judge.closed for judge in judges] == [1, 1]
