"""The reference judge: requests whose question is a golden one, against what is known to be right for it.

Everything runs in the process. Explanations count and name kinds; the evidence of `context_recall` quotes the golden
answer, which is content as the request's own texts are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from monitor.config.judges import ReferenceJudge as ReferenceSettings
from monitor.errors import ConfigError
from monitor.judges.embedded import INLINE, METHOD
from monitor.judges.grounding.trees import load
from monitor.judges.identity import fingerprint
from monitor.judges.reference.book import GoldenBook
from monitor.judges.reference.evaluations import EVALUATIONS, NoScore, Score
from monitor.judges.reference.golden import read_golden
from monitor.judges.reference.references import Absence, Reference, References
from monitor.judges.scorable import unscorable
from monitor.operational import JudgeLoad
from monitor.protocols import Clock
from monitor.records import JudgeIdentity, Judgement, Outcome, RagTrace, SensitiveHit

VERSION = 4
"""Changes with anything that changes a score: it is part of the fingerprint."""


class ReferenceJudge:
    """A local `Judge` of requests that have a reference; the others are `not_scorable{no_reference}`."""

    remote = False

    def __init__(self, settings: ReferenceSettings, clock: Clock, references: References, digest: str = "") -> None:
        """`digest` is that of what `references` holds: other references give other scores."""
        models = [load(name).digest for name in ("spaced", "unspaced")]
        parameters = {"k": settings.k, "recall": [METHOD, *models], "golden": digest, "similarity": settings.similarity}
        self.name = settings.name
        self.evaluations: tuple[str, ...] = settings.evaluations
        self._k = settings.k
        self._references = references
        self._identity = JudgeIdentity(settings.name, fingerprint("reference", VERSION, parameters))
        self._clock = clock

    def identity(self, evaluation: str) -> JudgeIdentity:
        """Who judges: version, models, k and the golden file in one fingerprint. Not calibrated."""
        del evaluation
        return self._identity

    async def judge(self, trace: RagTrace, hits: Sequence[SensitiveHit], deadline: float) -> tuple[Judgement, ...]:
        """One judgement for each evaluation. Long texts are read in a thread, until the deadline."""
        del hits
        started = self._clock.monotonic()
        reference = self._references.of(trace)
        if isinstance(reference, Absence):
            return tuple(self._without_score(name, trace, reference.value) for name in self.evaluations)
        length = len(trace.answer or "") + sum(len(passage.text) for passage in trace.contexts)
        length += sum(map(len, (*reference.answers, *reference.passages)))
        if length <= INLINE:
            return self._judged(trace, reference)
        try:
            async with asyncio.timeout(max(0.0, deadline - started)):
                return await asyncio.to_thread(self._judged, trace, reference)
        except TimeoutError:
            return tuple(Judgement(name, self._identity, Outcome.JUDGE_ERROR, "deadline") for name in self.evaluations)

    def load(self) -> JudgeLoad:
        """Nothing of its own: it calls nobody and nothing limits it."""
        return JudgeLoad(self.name)

    async def close(self) -> None:
        """Nothing to free."""

    def _judged(self, trace: RagTrace, reference: Reference) -> tuple[Judgement, ...]:
        return tuple(self._judgement(name, trace, reference) for name in self.evaluations)

    def _judgement(self, evaluation: str, trace: RagTrace, reference: Reference) -> Judgement:
        started = self._clock.monotonic()
        reason = unscorable(trace, evaluation)
        if reason is not None:
            return Judgement(evaluation, self._identity, Outcome.NOT_SCORABLE, reason)
        match EVALUATIONS[evaluation](trace, reference, self._k):
            case NoScore(outcome, reason):
                return Judgement(evaluation, self._identity, outcome, reason)
            case Score(value, label, explanation, evidence):
                return Judgement(
                    evaluation,
                    self._identity,
                    Outcome.SCORED,
                    score=value,
                    label=label,
                    explanation=explanation,
                    evidence=evidence,
                    latency_s=self._clock.monotonic() - started,
                )

    def _without_score(self, evaluation: str, trace: RagTrace, reason: str) -> Judgement:
        """What the request itself lacks is said first."""
        return Judgement(evaluation, self._identity, Outcome.NOT_SCORABLE, unscorable(trace, evaluation) or reason)


def build_book(settings: ReferenceSettings, where: str) -> GoldenBook | None:
    """The book of the configured golden file; None when there is none. Raises ConfigError with every problem."""
    if settings.golden is None:
        return None
    book = GoldenBook(read_golden(settings.golden, f"{where}.golden"), settings.similarity)
    if pairs := book.contradictions():
        problems = [
            f"{where}.golden: {settings.golden}:{entry.line}: asks the question of line {rival.line} and says "
            "something else, so that neither counts; join the two (`references` take several answers), or leave one out"
            for rival, entry in pairs[:_TOLD]
        ]
        if len(pairs) > _TOLD:
            problems.append(f"{where}.golden: {settings.golden}: and {len(pairs) - _TOLD} more")
        raise ConfigError(problems)
    return book


_TOLD = 50
"""Contradictions of a file that are told."""
