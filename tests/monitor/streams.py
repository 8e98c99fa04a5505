"""Records of small RAG requests, and a pipeline over doubles to send them through."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from monitor.accounting import Accounting
from monitor.building import build_intake
from monitor.config.settings import Settings
from monitor.judges.panel import Panel, PanelMember
from monitor.offline.memory import MemoryDeadLetters, MemoryFeedback, MemoryVerdicts
from monitor.pipeline import Pipeline
from monitor.protocols import Clock, Judge
from monitor.records import Outcome, RagTrace, TopicPartition
from monitor.stages.intake import Intake
from monitor.wire import RawRecord
from tests import virtual_time
from tests.fakes import SECOND, FakeSource, Flaky, MemoryCases, ScriptedJudge
from tests.virtual_time import VirtualClock

TOPIC = "otlp_spans"
BASE_NS = 1_790_000_000 * SECOND
EVERYTHING: Mapping[str, Any] = {"sampling": {"base": 1, "content_share": 1}}


def record(value: bytes | None, offset: int = 0, partition: int = 0, key: bytes | None = None) -> RawRecord:
    return RawRecord(TOPIC, partition, offset, key, value, timestamp=BASE_NS // 1_000_000)


def plain(trace_id: str, **changes: object) -> bytes:
    """A plain record; the text names the request, so that it can be told apart."""
    fields = {
        "trace_id": trace_id,
        "question": f"Question {trace_id}?",
        "answer": f"Answer {trace_id}.",
        "contexts": [f"Answer {trace_id}."],
        "end_time": "2026-09-21T12:00:00Z",
    }
    return json.dumps(fields | changes).encode()


def tps(*partitions: int) -> tuple[TopicPartition, ...]:
    return tuple(TopicPartition(TOPIC, number) for number in partitions or (0,))


def plain_topic(trace_ids: Iterable[str]) -> list[RawRecord]:
    """One partition, one request a record."""
    return [record(plain(trace_id), offset) for offset, trace_id in enumerate(trace_ids)]


# ------------------------------------------------------------------------------------------------------------- spans


def entry(trace_id: str, question: str = "", answer: str = "") -> dict[str, object]:
    """The entry span of a request."""
    return _span(
        trace_id,
        "d1" * 8,
        {
            "gen_ai.operation.name": "invoke_workflow",
            "gen_ai.input.messages": _message("user", question or f"Question {trace_id}?"),
            "gen_ai.output.messages": _message("assistant", answer or f"Answer {trace_id}."),
        },
    )


def retrieval(trace_id: str, text: str = "") -> dict[str, object]:
    """The retriever's span below `entry`."""
    documents = json.dumps([{"id": "k1", "content": text or f"Answer {trace_id}."}])
    attributes = {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.documents": documents}
    return _span(trace_id, "d2" * 8, attributes) | {"parentSpanId": "d1" * 8}


def said(trace_id: str, **changes: object) -> bytes:
    """A plain record that only says what somebody thinks of an earlier request."""
    feedback = {"label": "thumbs_down", "comment": f"On {trace_id}."}
    return json.dumps({"trace_id": trace_id, "feedback": feedback | changes}).encode()


def carrier(trace_id: str, target: str, **changes: str) -> dict[str, object]:
    """A root span that carries feedback on another trace."""
    attributes = {"gen_ai.evaluation.name": "user_feedback", "gen_ai.evaluation.score.label": "thumbs_down"}
    event = {
        "name": "gen_ai.evaluation.result",
        "timeUnixNano": str(BASE_NS),
        "attributes": [_attribute(key, value) for key, value in (attributes | changes).items()],
    }
    link = {"traceId": target, "spanId": "d1" * 8}
    return _span(trace_id, "d4" * 8, {}) | {"events": [event], "links": [link] if target else []}


def idle(trace_id: str) -> dict[str, object]:
    """A root span of something else."""
    return _span(trace_id, "d3" * 8, {})


def otlp(*spans: Mapping[str, object], service: str = "support-rag") -> bytes:
    """One OTLP/JSON export request."""
    resource = {"attributes": [_attribute("service.name", service)]}
    scope = {"scope": {"name": "demo"}, "spans": list(spans)}
    return json.dumps({"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}).encode()


def _span(trace_id: str, span_id: str, attributes: Mapping[str, str]) -> dict[str, object]:
    return {
        "traceId": trace_id,
        "spanId": span_id,
        "name": "span",
        "kind": 3,
        "startTimeUnixNano": str(BASE_NS),
        "endTimeUnixNano": str(BASE_NS + SECOND),
        "attributes": [_attribute(key, value) for key, value in attributes.items()],
    }


def _attribute(key: str, value: str) -> dict[str, object]:
    return {"key": key, "value": {"stringValue": value}}


def _message(role: str, text: str) -> str:
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


# ------------------------------------------------------------------------------------------------------------ the rig


def _never(_id: str, _end_ns: int) -> bool:
    return False


@dataclass
class Rig:
    """A pipeline over a source, with everything that it writes to."""

    source: FakeSource
    clock: Clock
    judges: Sequence[Judge] = field(default_factory=lambda: [ScriptedJudge()])
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Sections over `EVERYTHING`."""
    judged_before: Callable[[str, int], bool] = _never
    one_in: int = 1
    members: Sequence[PanelMember] = ()
    """In the place of `judges`, where these do not all see the same share."""
    verdicts: MemoryVerdicts = field(default_factory=MemoryVerdicts)
    cases: MemoryCases = field(default_factory=MemoryCases)
    feedback: MemoryFeedback = field(default_factory=MemoryFeedback)
    dead_letters: MemoryDeadLetters = field(default_factory=MemoryDeadLetters)
    failing_verdicts: Flaky[Any] = field(init=False)
    failing_cases: Flaky[Any] = field(init=False)
    failing_feedback: Flaky[Any] = field(init=False)
    failing_dead_letters: Flaky[Any] = field(init=False)
    accounting: Accounting = field(default_factory=Accounting)
    pipeline: Pipeline = field(init=False)

    def __post_init__(self) -> None:
        settings = Settings.model_validate({**EVERYTHING, **self.settings})
        self.failing_verdicts = Flaky(self.verdicts)
        self.failing_cases = Flaky(self.cases)
        self.failing_feedback = Flaky(self.feedback)
        self.failing_dead_letters = Flaky(self.dead_letters)
        self.pipeline = Pipeline(
            source=self.source,
            intake=build_intake(settings, self.accounting),
            panel=Panel(self.members or [PanelMember(judge, self.one_in) for judge in self.judges], self.clock),
            verdicts=_Verdicts(self.failing_verdicts),
            cases=self.failing_cases,
            feedback=self.failing_feedback,
            dead_letters=self.failing_dead_letters,
            judged_before=self.judged_before,
            clock=self.clock,
            settings=settings.judging,
            commit_every_s=settings.source.commit_every,
        )
        self.source.check = self.check

    def check(self) -> None:
        """The accounts add up at this moment."""
        assert self.accounting.problems(self.pipeline.in_flight()) == []

    def dropped(self, stage: str) -> dict[str, int]:
        """What the stage dropped, without the reasons that did not occur."""
        (count,) = (count for count in self.accounting.counts() if count.stage == stage)
        return {reason: number for reason, number in count.dropped.items() if number}

    def judged(self) -> set[str]:
        """Traces with a scored verdict."""
        return {verdict.trace_id for verdict in self.verdicts.items if verdict.outcome is Outcome.SCORED}

    def outcomes(self) -> list[tuple[str, str, str]]:
        """Trace, outcome and reason of every verdict, sorted."""
        return sorted((item.trace_id, item.outcome.value, item.reason) for item in self.verdicts.items)


class _Verdicts(MemoryVerdicts):
    """A VerdictLog whose appends go through something that may fail."""

    __slots__ = ("_inner",)

    def __init__(self, inner: Flaky[Any]) -> None:
        super().__init__()
        self._inner = inner

    async def append(self, verdicts: Sequence[Any]) -> None:
        await self._inner.append(verdicts)


# -------------------------------------------------------------------------------------------------- running it


def run(source: FakeSource, *judges: ScriptedJudge, **settings: object) -> Rig:
    """Everything through the pipeline, to the end of the source."""

    async def main(clock: VirtualClock) -> Rig:
        rig = Rig(source, clock, judges or [ScriptedJudge()], settings)
        await rig.pipeline.run(asyncio.Event())
        rig.check()
        return rig

    return virtual_time.run(main)


def live(
    source: FakeSource,
    act: Callable[[Rig, asyncio.Event], Awaitable[None]],
    *judges: ScriptedJudge,
    **settings: object,
) -> Rig:
    """The pipeline over an endless source while `act` happens; stopped at its end."""

    async def main(clock: VirtualClock) -> Rig:
        rig = Rig(source, clock, judges or [ScriptedJudge()], settings)
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            group.create_task(rig.pipeline.run(stop))
            await act(rig, stop)
            stop.set()
        rig.check()
        return rig

    return virtual_time.run(main)


def slow(seconds: float) -> ScriptedJudge:
    async def score(_trace: RagTrace) -> float:
        await asyncio.sleep(seconds)
        return 1.0

    return ScriptedJudge(score)


def hanging(*trace_ids: str) -> ScriptedJudge:
    """A judge that never answers on these."""

    async def score(trace: RagTrace) -> float:
        if trace.trace_id in trace_ids:
            await asyncio.Event().wait()
        return 1.0

    return ScriptedJudge(score)


def crashing(*trace_ids: str) -> Callable[[RagTrace], Awaitable[float]]:
    async def score(trace: RagTrace) -> float:
        if trace.trace_id in trace_ids:
            raise ValueError(trace.answer)
        return 1.0

    return score


def exhaust(intake: Intake) -> None:
    """Use up the budget, so that the rates fall."""
    request = RagTrace("f" * 32, "", question="q", answer="a")
    for number in range(60):
        intake.chooser.sampler.decide(request, safety_hit=False, by_key=True)
        intake.chooser.sampler.judged(number / 1000)
