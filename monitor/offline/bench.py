"""Judges at work on rows: a bounded number at a time, the verdicts in the order of the rows."""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from monitor.building import build_redactor
from monitor.building_judges import build_calibrations, build_panel, evaluations_of
from monitor.clock import SystemClock
from monitor.config.judges import JudgeSettings, ReferenceJudge
from monitor.config.settings import Settings
from monitor.judges.panel import Panel
from monitor.judges.reference.evaluations import EVALUATIONS
from monitor.judges.reference.references import Reference
from monitor.offline.choice import asked_for, choose
from monitor.offline.rows import Row
from monitor.offline.unjudged import endpoints_of, explained, unreached
from monitor.offline.waits import Waits
from monitor.privacy.redactor import Redactor
from monitor.records import Judgement, RagTrace

Item = TypeVar("Item")
Result = TypeVar("Result")

_AT_ONCE = 64
_REMOTE_DEADLINE_S = 86_400.0
"""Nobody waits for a row of a file: it may wait for its turn and for limits. Each call has a `total_timeout`."""


def with_references(evaluation: str, settings: Settings) -> Settings:
    """The settings with a judge for an evaluation that needs no more than the references that rows bring."""
    if evaluation not in EVALUATIONS or any(evaluation in evaluations_of(judge) for judge in settings.judges):
        return settings
    configured = next((judge for judge in settings.judges if isinstance(judge, ReferenceJudge)), None)
    asked = (configured or ReferenceJudge()).model_copy(update={"evaluations": (evaluation,)})
    judges = tuple(asked if judge is configured else judge for judge in settings.judges)
    return settings.model_copy(update={"judges": judges if configured else (*judges, asked)})


def build_task(evaluation: str, judge_name: str | None, settings: Settings) -> JudgingTask:
    """What judges rows by the one judge that is meant. Raises InputError and ConfigError."""
    settings = with_references(evaluation, settings)
    return JudgingTask(build_bench([choose(evaluation, judge_name, settings)], [evaluation], settings), evaluation)


def build_bench(judges: Sequence[JudgeSettings], evaluations: Collection[str], settings: Settings) -> Bench:
    """These judges at work on these evaluations, in place of the configured judges of their names.

    Tells which calibrations do not count. Raises ConfigError.
    """
    given: dict[str, Reference] = {}
    at_work = {judge.name: asked_for(evaluations, judge) for judge in judges}
    others = tuple(at_work.get(judge.name, judge) for judge in settings.judges)
    settings = settings.model_copy(update={"judges": others})
    endpoints = endpoints_of(settings)
    panel = build_panel(settings, SystemClock(), list(at_work.values()), given, Waits(endpoints).tell)
    for warning in build_calibrations(settings).warnings([member.judge for member in panel.members], evaluations):
        sys.stderr.write(f"ragmon: {warning}\n")
    deadline_s = settings.judging.deadline
    if any(member.judge.remote for member in panel.members):
        deadline_s = max(deadline_s, _REMOTE_DEADLINE_S)
    return Bench(panel, build_redactor(settings), deadline_s, given, endpoints)


@dataclass(frozen=True, slots=True)
class Bench:
    """Judges that are asked about rows, with a bounded number in flight."""

    panel: Panel
    redactor: Redactor
    deadline_s: float
    given: dict[str, Reference] = field(default_factory=dict)
    """References of the rows that are being judged, by trace id; the panel looks them up here."""
    endpoints: Mapping[str, str] = field(default_factory=dict)
    """Where remote judges are asked, by name, for a person."""

    def unreached(self, item: Judgement) -> str:
        """Why the endpoint of a judge gave no score, with its address; empty for whatever else happened."""
        return unreached(item, self.endpoints)

    async def each(
        self, items: Iterable[Item], work: Callable[[Item], Awaitable[Result]], done: Callable[[Item, Result], None]
    ) -> None:
        """Work on all items, hand on each result in the order of the items, then close the judges."""
        waiting: deque[tuple[Item, asyncio.Task[Result]]] = deque()
        try:
            async with asyncio.TaskGroup() as group:
                for item in items:
                    waiting.append((item, group.create_task(_of(work(item)))))
                    if len(waiting) >= _AT_ONCE:
                        first, task = waiting.popleft()
                        done(first, await task)
                for first, task in waiting:
                    done(first, await task)
        finally:
            await self.panel.close()

    async def judge(self, trace: RagTrace, reference: Reference | None = None) -> tuple[Judgement, ...]:
        """What all the judges give for one request."""
        hits = self.redactor.scan(trace)
        redacted = self.redactor.redact(trace, hits)
        if reference is not None:
            self.given[trace.trace_id] = reference
        judgements = await self.panel.judge(trace, redacted, hits, self.panel.members, self.deadline_s)
        self.given.pop(trace.trace_id, None)
        return judgements


async def _of(work: Awaitable[Result]) -> Result:
    return await work


@dataclass(frozen=True, slots=True)
class JudgingTask:
    """Judges rows under one evaluation, and gives the verdicts in the order of the rows."""

    bench: Bench
    evaluation: str

    @property
    def panel(self) -> Panel:
        """The judges."""
        return self.bench.panel

    async def run(self, rows: Iterator[Row], write: Callable[[Row, dict[str, object]], None]) -> None:
        """Judge all rows, then close the judge."""
        await self.bench.each(rows, self._verdict, write)

    async def _verdict(self, row: Row) -> dict[str, object]:
        if row.trace is None:
            return _line(row, self.evaluation, "not_scorable", "unreadable_row", explanation=row.problem)
        judgements = await self.bench.judge(row.trace, row.reference)
        judgement = next(item for item in judgements if item.evaluation == self.evaluation)
        return _line(
            row,
            self.evaluation,
            judgement.outcome,
            judgement.reason,
            score=judgement.score,
            label=judgement.label,
            explanation=explained(judgement, row.keys, self.bench.endpoints),
            evidence=msgspec.to_builtins(judgement.evidence),
            judge=msgspec.to_builtins(judgement.judge),
            coverage=judgement.coverage,
            flags=list(judgement.flags),
            cause=judgement.cause,
            cause_evidence=judgement.cause_evidence,
        )


_UNJUDGED: Mapping[str, object] = {
    "score": None,
    "label": "",
    "explanation": "",
    "evidence": [],
    "judge": None,
    "coverage": None,
    "flags": [],
    "cause": "",
    "cause_evidence": "",
}
"""What is said of a row before anyone judged it; every line has these keys."""


def _line(row: Row, evaluation: str, outcome: str, reason: str, **more: object) -> dict[str, object]:
    head = {"id": row.id, "evaluation": evaluation, "outcome": str(outcome), "reason": reason}
    return {**head, **_UNJUDGED, **more, "language": row.trace.language if row.trace else None}
