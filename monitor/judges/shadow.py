"""A judge that runs beside another one: it judges as it is, and each of its judgements says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from monitor.operational import JudgeLoad
from monitor.protocols import Judge
from monitor.records import JudgeIdentity, Judgement, RagTrace, SensitiveHit


class ShadowJudge:
    """A `Judge` whose scores are compared with those of `shadow_of`, and count nowhere else."""

    def __init__(self, judge: Judge, shadow_of: str) -> None:
        self.name = judge.name
        self.evaluations: tuple[str, ...] = judge.evaluations
        self.remote = judge.remote
        self._judge = judge
        self._shadow_of = shadow_of

    def identity(self, evaluation: str) -> JudgeIdentity:
        """See `Judge`."""
        return replace(self._judge.identity(evaluation), shadow_of=self._shadow_of)

    def load(self) -> JudgeLoad:
        """See `Judge`."""
        return self._judge.load()

    async def judge(self, trace: RagTrace, hits: Sequence[SensitiveHit], deadline: float) -> tuple[Judgement, ...]:
        """See `Judge`."""
        given = await self._judge.judge(trace, hits, deadline)
        return tuple(replace(one, judge=replace(one.judge, shadow_of=self._shadow_of)) for one in given)

    async def close(self) -> None:
        """See `Judge`."""
        await self._judge.close()
