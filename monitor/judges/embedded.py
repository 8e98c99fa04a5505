"""The embedded judge: faithfulness by what the passages say, on the CPU, without a key or a network.

Each checkable sentence of the answer is held against the passages: how much of its words and phrases they hold, in the
window of three sentences that comes closest and anywhere, which numbers, dates and names they lack, a negation that the
sentences closest to it lack. Another passage never lowers a score. A small model, linear terms and boosted trees with
fixed signs, gives the sentence's risk. It sees what is missing. It hardly sees a wrong number, name or role that stands
elsewhere in the passages, and takes a translation for an invention where both languages part words by blanks.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from monitor.config.judges import EmbeddedJudge as EmbeddedSettings
from monitor.errors import ConfigError
from monitor.judges.grounding.assessment import (
    MAX_ANSWER,
    MAX_CLAIMS,
    MAX_PASSAGES,
    SUPPORTED,
    UNSUPPORTED,
    Assessment,
    assess,
    explain,
)
from monitor.judges.grounding.encoder import HINT, MODEL, TOKENIZER
from monitor.judges.grounding.trees import load
from monitor.judges.identity import fingerprint
from monitor.judges.scorable import NO_CLAIMS, unscorable
from monitor.operational import JudgeLoad
from monitor.protocols import Clock
from monitor.records import Evidence, JudgeIdentity, Judgement, Outcome, Passage, PassageKind, RagTrace, SensitiveHit

METHOD = "grounding-9"
"""Changes with anything that changes a score: it is part of the fingerprint."""
VECTORS = "vectors-1"
"""As above, beside `METHOD`, for a judge with sentence vectors."""
Nearest = Callable[[Sequence[str], Sequence[str], Callable[[], bool]], NDArray[np.float32]]
"""`Vectors.nearest`: claims, sentences of the passages, and whether to stop."""
FAITHFULNESS = "faithfulness"
ANSWER_TRUNCATED = "answer_truncated"
"""Flag of a verdict on the first part of an answer."""
INLINE = 8_000
"""Characters of answer and passages up to which the event loop judges by itself. An answer of 800
over passages of 4,000 takes 10 ms in English and 23 ms in Chinese, one of 2,500 over 5,300 full of numbers 22 and 58.
A thread costs 50 us of CPU and a turn of its own, and holds the interpreter as long: it pays above only."""


def evidence_texts(trace: RagTrace) -> list[str]:
    """The passages as evidence, in order.

    A tool's result is read together with the question: it answers the question without repeating it.
    """
    return [_evidence_text(passage, trace.question) for passage in trace.contexts]


def _evidence_text(passage: Passage, question: str | None) -> str:
    if passage.kind is PassageKind.TOOL and question:
        return f"{question.rstrip(' ?？')} {passage.text}"
    return passage.text


def _in_passage(piece: Evidence, trace: RagTrace) -> Evidence:
    """With offsets into the passage itself instead of its text as evidence, which may begin with the question."""
    passage = trace.contexts[piece.passage - 1] if piece.passage else None
    if passage is None or passage.kind is not PassageKind.TOOL:
        return piece
    before = len(_evidence_text(passage, trace.question)) - len(passage.text)
    if piece.passage_end <= before:  # only the question holds something of it
        return replace(piece, passage_start=-1, passage_end=-1)
    return replace(piece, passage_start=max(0, piece.passage_start - before), passage_end=piece.passage_end - before)


def identity_of(name: str, unsupported: float = UNSUPPORTED, *, embeddings: bool = False) -> JudgeIdentity:
    """An embedded judge with that bound: method, models, bounds and limits in one fingerprint. Not calibrated."""
    spaced = "spaced_vectors" if embeddings else "spaced"
    parameters: dict[str, object] = {
        "models": [load(spaced).digest, load("unspaced").digest],
        "bounds": [SUPPORTED, unsupported],
        "limits": [MAX_ANSWER, MAX_CLAIMS, MAX_PASSAGES],
    }
    if embeddings:
        parameters["vectors"] = [VECTORS, MODEL.sha256, TOKENIZER.sha256]
    return JudgeIdentity(name, fingerprint("embedded", METHOD, parameters))


def load_nearest() -> Nearest:
    """The cosines of this process. Raises ConfigError where a package of the extra is missing or another version."""
    try:
        from monitor.judges.grounding.vectors import load as load_vectors  # noqa: PLC0415 - an extra: may be missing
    except ModuleNotFoundError as error:
        if error.name not in {"onnxruntime", "tokenizers"}:
            raise
        raise ConfigError([f"{HINT} ({error.name} is missing)"]) from None
    return load_vectors().nearest


class EmbeddedJudge:
    """A local `Judge` of faithfulness. Explanation and evidence quote the answer: redact them before they leave."""

    evaluations: tuple[str, ...] = (FAITHFULNESS,)
    remote = False

    def __init__(self, settings: EmbeddedSettings, clock: Clock, unsupported: float = UNSUPPORTED) -> None:
        """`unsupported` is the bound below which a sentence is not supported: a calibration may have another.

        Raises ConfigError when the settings ask for embeddings and the extra is missing.
        """
        self.name = settings.name
        self._identity = identity_of(settings.name, unsupported, embeddings=settings.embeddings)
        self._worker = _Worker(load_nearest()) if settings.embeddings else None
        self._unsupported = unsupported
        self._settings = settings
        self._clock = clock

    def identity(self, evaluation: str) -> JudgeIdentity:
        """Who judges, see `identity_of`."""
        del evaluation
        return self._identity

    async def judge(self, trace: RagTrace, hits: Sequence[SensitiveHit], deadline: float) -> tuple[Judgement, ...]:
        """One judgement.

        Up to `INLINE` characters are judged at once, so that the loop waits for a few milliseconds. Longer texts are
        read in a thread; at the deadline the wait for it ends, and the thread ends by itself soon. With embeddings
        one thread judges all answers, one after the other.
        """
        del hits
        started = self._clock.monotonic()
        passages = evidence_texts(trace)
        inline = len(trace.answer or "") + sum(map(len, passages)) <= INLINE
        reason = unscorable(trace, FAITHFULNESS) if inline else await asyncio.to_thread(unscorable, trace, FAITHFULNESS)
        if reason is not None:
            return (self._without_score(Outcome.NOT_SCORABLE, reason),)
        if sum(map(len, passages)) > MAX_PASSAGES:
            return (self._without_score(Outcome.JUDGE_ERROR, "too_long"),)
        try:
            assessment = await self._assess_by(deadline - started, trace, passages, inline=inline)
        except TimeoutError:
            return (self._without_score(Outcome.JUDGE_ERROR, "deadline"),)
        return (self._judgement(trace, assessment, self._clock.monotonic() - started),)

    def at(self, unsupported: float) -> EmbeddedJudge:
        """The same judge with another bound of its labels."""
        return EmbeddedJudge(self._settings, self._clock, unsupported)

    def load(self) -> JudgeLoad:
        """Nothing of its own: it calls nobody and nothing limits it."""
        return JudgeLoad(self.name)

    async def close(self) -> None:
        """Free the thread of the embeddings."""
        if self._worker is not None:
            self._worker.close()

    async def _assess_by(self, seconds: float, trace: RagTrace, passages: Sequence[str], *, inline: bool) -> Assessment:
        """`assess` on the loop or in a thread; raises TimeoutError when that takes longer than `seconds`."""
        if seconds <= 0.0:
            raise TimeoutError
        answer, question = trace.answer or "", trace.question or ""
        if self._worker is not None:
            async with asyncio.timeout(seconds):
                return await self._worker.assess(answer, passages, self._unsupported, question)
        if inline:
            return assess(answer, passages, self._unsupported, question=question)
        async with asyncio.timeout(seconds):
            return await asyncio.to_thread(assess, answer, passages, self._unsupported, None, question)

    def _without_score(self, outcome: Outcome, reason: str) -> Judgement:
        return Judgement(FAITHFULNESS, self._identity, outcome, reason)

    def _judgement(self, trace: RagTrace, assessment: Assessment, latency_s: float) -> Judgement:
        if assessment.score is None:
            outcome = Outcome.NOT_SCORABLE if assessment.reason == NO_CLAIMS else Outcome.JUDGE_ERROR
            return self._without_score(outcome, assessment.reason)
        return Judgement(
            FAITHFULNESS,
            self._identity,
            Outcome.SCORED,
            score=assessment.score,
            label=assessment.label,
            explanation=explain(assessment),
            evidence=tuple(_in_passage(piece, trace) for piece in assessment.evidence),
            coverage=assessment.coverage,
            latency_s=latency_s,
            flags=(ANSWER_TRUNCATED,) if assessment.truncated else (),
        )


class _Worker:
    """One thread that judges by sentence vectors, so that this takes one core at most whatever the traffic."""

    def __init__(self, nearest: Nearest) -> None:
        self._nearest = nearest
        self._thread = ThreadPoolExecutor(1, "sentence-vectors")

    async def assess(self, answer: str, passages: Sequence[str], unsupported: float, question: str) -> Assessment:
        """`assess` in the thread; when the caller stops waiting, so does the thread within a batch of sentences."""
        stopped = threading.Event()

        def nearest(claims: Sequence[str], sentences: Sequence[str]) -> NDArray[np.float32]:
            return self._nearest(claims, sentences, stopped.is_set)

        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, assess, answer, passages, unsupported, nearest, question)
        finally:
            stopped.set()

    def close(self) -> None:
        """Wait for nothing: what still runs ends by itself."""
        self._thread.shutdown(wait=False, cancel_futures=True)
