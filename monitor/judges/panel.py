"""The panel: several judges on one request, at the same time, under one deadline; never a missing judgement.

Judgements quote the request: explanations and evidence of a local judge are raw content. The pipeline redacts them
(`Redactor.redact_text`) before a case leaves the process; verdicts carry none of it.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import structlog

from monitor.errors import JudgeError, where
from monitor.judges.calibrated import asked
from monitor.judges.cascade import Cascade
from monitor.judges.causes import with_causes
from monitor.judges.scorable import Scorable
from monitor.operational import Asked, JudgeLoad
from monitor.protocols import Clock, Judge
from monitor.records import Judgement, Outcome, RagTrace, SensitiveHit, Usage

DEADLINE = "deadline"
INTERNAL = "internal"
"""The judge raised, or did not give exactly one judgement for each of its evaluations."""
GRACE_S = 0.5
"""Time beyond the deadline for a judge to hand in what it has; then it is stopped."""
HEAD_START = 4
"""How far a limit slows the rest down before it begins to slow requests in doubt, too. More would cost the judge's mean
much of its precision (bench/cascade.py), and the bucket of a limit more than the two allowances that this takes."""

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Tally:
    """What one judge was asked so far. `seconds` is the sum over its judgements."""

    judgements: int = 0
    seconds: float = 0.0
    in_flight: int = 0


class Spender(Protocol):
    """A judge that may spend only so much."""

    def slowdown(self) -> float:
        """What its share of the sample is divided by just now, at least 1, so that it stays within its limits."""
        ...

    def heard(self, usage: Usage, age_s: float) -> None:
        """Another replica, or an earlier run of this one, spent this so many seconds ago."""
        ...


@dataclass(frozen=True, slots=True)
class PanelMember:
    """A judge and its share of the sample: it sees one in `one_in` of the sampled requests (0: none).

    `spender` is the judge as one whose limits lower that share; None where it has none. With a `cascade` that is its
    share of the requests that are not in doubt.
    """

    judge: Judge
    one_in: int
    spender: Spender | None = None
    cascade: Cascade | None = None

    @property
    def one_in_now(self) -> int:
        """The k of its share 1/k that is in force; it depends on what was spent for earlier requests only."""
        return self.one_in if self.spender is None else math.ceil(self.one_in * self.spender.slowdown())

    @property
    def uncertain_one_in_now(self) -> int:
        """The same of its share of requests in doubt: it falls only when that of the others fell by `HEAD_START`."""
        one_in = self.one_in if self.cascade is None else self.cascade.one_in
        return one_in if self.spender is None else math.ceil(one_in * max(1.0, self.spender.slowdown() / HEAD_START))


def _nobody(_judgements: Sequence[Judgement]) -> Sequence[PanelMember]:
    return ()


class Panel:
    """All judges of this process.

    `first` are the members that can be asked at once, `second` those that are asked when the first ones have judged:
    none, or, when any has a cascade, these and the remote ones, so that a cascade never waits for a remote judge.
    """

    def __init__(self, members: Sequence[PanelMember], clock: Clock) -> None:
        self.members = tuple(members)
        waits = any(member.cascade for member in members)
        self.second = tuple(one for one in members if waits and (one.cascade or one.judge.remote))
        self.first = tuple(one for one in members if not (waits and (one.cascade or one.judge.remote)))
        self._clock = clock
        self._tallies = {member.judge.name: _Tally() for member in self.members}

    @property
    def evaluations(self) -> tuple[str, ...]:
        """What the members judge, each name once, in the order of the members."""
        return tuple(dict.fromkeys(name for member in self.members for name in member.judge.evaluations))

    def loads(self) -> tuple[JudgeLoad, ...]:
        """What each judge did since the start, and what holds it back."""
        loads = []
        for member in self.members:
            tally = self._tallies[member.judge.name]
            load = member.judge.load()
            loads.append(
                replace(load, judgements=tally.judgements, duration_s=tally.seconds, in_flight=tally.in_flight)
            )
        return tuple(loads)

    def asked(self) -> tuple[Asked, ...]:
        """Who judges what now; without shadows, which are in no quality number."""
        judges = [member.judge for member in self.members]
        found = (asked(judge, name) for judge in judges for name in judge.evaluations)
        return tuple(item for item in found if not item.judge.shadow_of)

    async def judge(
        self,
        raw: RagTrace,
        redacted: RagTrace,
        hits: Sequence[SensitiveHit],
        selected: Sequence[PanelMember],
        deadline_s: float,
        then: Callable[[Sequence[Judgement]], Sequence[PanelMember]] = _nobody,
    ) -> tuple[Judgement, ...]:
        """Judge one request: one judgement for each evaluation of each selected member, in their order, shadows first.

        `then` gets what they said, and selects those that are asked afterwards. `deadline_s` is the time for all of
        them in seconds from now. A local judge gets the `raw` request, a remote one the `redacted` one. A judge that
        raises, is late or breaks its contract gives `judge_error` for its evaluations; only cancellation from outside
        passes through. Low scores carry their cause, but those of shadows, which are no part of the cause either.
        """
        deadline = self._clock.monotonic() + deadline_s

        async def ask(members: Sequence[PanelMember]) -> list[Judgement]:
            given = [(member.judge, redacted if member.judge.remote else raw) for member in members]
            return await _all([self._ask(judge, trace, hits, deadline) for judge, trace in given])

        given = await ask(selected)
        given += await ask(then(given))
        if not given:
            return ()
        counting = [judgement for judgement in given if not judgement.judge.shadow_of]
        shadows = [judgement for judgement in given if judgement.judge.shadow_of]
        return (*shadows, *await with_causes(raw, counting))

    async def close(self) -> None:
        """Close every judge, also after one of them failed to close. Idempotent."""
        for member in self.members:
            try:
                await member.judge.close()
            except Exception as error:  # noqa: BLE001 - shutdown goes on; the next judge must be closed, too
                _report(member.judge, error)

    async def _ask(
        self, judge: Judge, trace: RagTrace, hits: Sequence[SensitiveHit], deadline: float
    ) -> tuple[Judgement, ...]:
        """The judgements of one judge; failures are judgements, too."""
        if judge.remote:
            reasons = list(map(Scorable(trace).why_not, judge.evaluations))
            if all(reasons):  # it would say so itself, and count as judgements that took no time
                return tuple(_not_scorable(judge, reasons))
        started, tally = self._clock.monotonic(), self._tallies[judge.name]
        tally.in_flight += 1
        try:
            judged = self._checked(judge, await self._answer(judge, trace, hits, deadline), started)
        except JudgeError as error:
            judged = self._failed(judge, error.reason, started)
        except Exception as error:  # noqa: BLE001 - the stage boundary: one judge must not cost the others' judgements
            _report(judge, error)
            judged = self._failed(judge, INTERNAL, started)
        finally:
            tally.in_flight -= 1
        tally.judgements += len(judged)
        tally.seconds += sum(judgement.latency_s for judgement in judged)
        return judged

    async def _answer(
        self, judge: Judge, trace: RagTrace, hits: Sequence[SensitiveHit], deadline: float
    ) -> Sequence[Judgement]:
        """What the judge says. Raises JudgeError at the deadline, and whatever the judge raises."""
        limit = asyncio.timeout(max(0.0, deadline - self._clock.monotonic()) + GRACE_S)
        try:
            async with limit:
                return await judge.judge(trace, hits, deadline)
        except TimeoutError as error:
            if limit.expired():
                raise JudgeError(DEADLINE) from error
            raise
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            msg = "the judge cancelled itself"
            raise JudgeError(INTERNAL, msg) from error

    def _failed(self, judge: Judge, reason: str, started: float) -> tuple[Judgement, ...]:
        return tuple(self._failure(judge, evaluation, reason, started) for evaluation in judge.evaluations)

    def _failure(self, judge: Judge, evaluation: str, reason: str, started: float) -> Judgement:
        latency_s = self._clock.monotonic() - started
        return Judgement(evaluation, judge.identity(evaluation), Outcome.JUDGE_ERROR, reason, latency_s=latency_s)

    def _checked(self, judge: Judge, given: Sequence[Judgement], started: float) -> tuple[Judgement, ...]:
        """Exactly one judgement for each evaluation: none, two or a foreign one is an error of the judge."""
        if tuple(judgement.evaluation for judgement in given) == judge.evaluations:
            return tuple(given)
        result = []
        for evaluation in judge.evaluations:
            found = [judgement for judgement in given if judgement.evaluation == evaluation]
            result.append(found[0] if len(found) == 1 else self._failure(judge, evaluation, INTERNAL, started))
        if len(given) != len(judge.evaluations) or any(one.reason == INTERNAL for one in result):
            _log.error("a judge broke its contract", judge=judge.name, expected=len(result), given=len(given))
        return tuple(result)


async def _all(asked: Sequence[Coroutine[None, None, tuple[Judgement, ...]]]) -> list[Judgement]:
    """What they give, in their order; all are asked at the same time."""
    if not asked:
        return []
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(other) for other in asked[:-1]]
        last = await asked[-1]  # here, without a task: most panels have one judge that waits at most
    return [*(judgement for task in tasks for judgement in task.result()), *last]


def _not_scorable(judge: Judge, reasons: Iterable[str | None]) -> Iterable[Judgement]:
    for evaluation, reason in zip(judge.evaluations, reasons, strict=True):
        yield Judgement(evaluation, judge.identity(evaluation), Outcome.NOT_SCORABLE, reason or "")


def _report(judge: Judge, error: Exception) -> None:
    _log.error("a judge failed", judge=judge.name, **where(error))
