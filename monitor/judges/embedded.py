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
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from monitor.judge_settings import EmbeddedJudge as EmbeddedSettings
from monitor.judges.grounding.encoder import MODEL, TOKENIZER, Nearest, load_nearest
from monitor.judges.grounding.features import FEATURES, Grounding, Measured
from monitor.judges.grounding.reasons import reason_for
from monitor.judges.grounding.trees import load
from monitor.judges.identity import fingerprint
from monitor.judges.scorable import NO_CLAIMS, unscorable
from monitor.judges.text.claims import Claim, claims_of
from monitor.judges.text.scripts import is_unspaced, scripts_of
from monitor.protocols import Clock
from monitor.records import Evidence, JudgeIdentity, Judgement, Outcome, Passage, PassageKind, RagTrace, SensitiveHit
from monitor.snapshot import JudgeLoad

METHOD = "grounding-5"
"""Changes with anything that changes a score: it is part of the fingerprint."""
VECTORS = "vectors-1"
"""As above, beside `METHOD`, for a judge with sentence vectors."""
FAITHFULNESS = "faithfulness"
FOREIGN_SCRIPT = "foreign_script"
"""Reason of `judge_error`: answer and passages are in scripts that share no words, such as Chinese over English."""
ANSWER_TRUNCATED = "answer_truncated"
"""Flag of a verdict on the first part of an answer."""
MAX_ANSWER = 20_000
"""Characters of an answer that are judged; the rest lowers `coverage`, and the verdict is flagged."""
MAX_CLAIMS = 300
"""Sentences of an answer that are judged; as above."""
MAX_PASSAGES = 400_000
"""Characters of passages that are read; above it there is no verdict, as evidence left unread would look missing."""
INLINE = 8_000
"""Characters of answer and passages up to which the event loop judges by itself. That many take 1.2 ms in English, 5 ms
in Chinese and 15 ms in the worst text known. A thread costs 50 us of CPU and a turn of its own: it pays above only."""

SUPPORTED = 0.6
UNSUPPORTED = 0.4
"""A sentence from `SUPPORTED` up is supported, one below `UNSUPPORTED` is not, and one between is partly supported.
Balanced accuracy with one source left out is flat from 0.35 to 0.45 (bench/train_embedded.py)."""
HALF = 0.5
"""Share of a sentence's words that passages in another script must hold for it to be judged."""
MAX_NAMED = 5
"""Sentences of each kind that an explanation quotes."""


_WINDOW, _NEAREST = FEATURES.index("window"), FEATURES.index("nearest")


@dataclass(frozen=True, slots=True)
class Assessment:
    """How far an answer is supported: the mean over its claims (0 to 1), None with a `reason` when none was judged.

    `evidence` has one entry for each judged sentence, in order. `coverage` is the share of the answer that was judged:
    of its characters up to the limits, and of the sentences in a script that the passages share.
    """

    score: float | None
    evidence: tuple[Evidence, ...] = ()
    coverage: float = 1.0
    reason: str = ""
    truncated: bool = False
    """Whether the answer goes on beyond the limits."""

    @property
    def unsupported(self) -> tuple[Evidence, ...]:
        """The sentences that the passages do not support."""
        return self._labelled("unsupported")

    @property
    def partial(self) -> tuple[Evidence, ...]:
        """The sentences that the passages support in part."""
        return self._labelled("partial")

    @property
    def label(self) -> str:
        """`unfaithful` when a sentence is unsupported, else `faithful`, be it that some are only partly supported.

        The label follows the worst sentence and the score is the mean, so neither can be had from the other: nine
        sentences of the passages beside one invention are `unfaithful` with a score near 0.9. A `faithful` answer has
        a score of at least `UNSUPPORTED`, and one below `SUPPORTED` has partly supported sentences, which `explain`
        names.
        """
        return "unfaithful" if self.unsupported else "faithful"

    def _labelled(self, label: str) -> tuple[Evidence, ...]:
        return tuple(piece for piece in self.evidence if piece.label == label)


def assess(
    answer: str,
    passages: Sequence[str],
    unsupported: float = UNSUPPORTED,
    nearest: Callable[[Sequence[str], Sequence[str]], NDArray[np.float32]] | None = None,
) -> Assessment:
    """Hold each sentence of `answer` against `passages`; one that scores below `unsupported` is not supported.

    With `nearest`, the cosine of each claim with the sentence that comes closest, claims in scripts with blanks are
    judged by these too.
    Synchronous and pure. Time is linear in the length of the passages for an answer of `MAX_CLAIMS` sentences.
    Without any passage text every claim is unsupported: callers rule that case out first.
    """
    claims = claims_of(answer[:MAX_ANSWER])
    if not claims:
        return Assessment(None, reason=NO_CLAIMS)
    read = claims[:MAX_CLAIMS]
    grounding = Grounding(passages, [claim.tokens for claim in read])
    scripts = frozenset().union(*(scripts_of(passage) for passage in passages if passage.strip()))
    measured = [(claim, grounding.measure(claim.tokens)) for claim in read]
    comparable = [one for one in measured if _is_comparable(*one, scripts)]
    if not comparable:
        return Assessment(None, coverage=0.0, reason=FOREIGN_SCRIPT)
    spaced = "spaced"
    if nearest is not None:
        spaced = "spaced_vectors"
        said = [(claim.sentence.text, found) for claim, found in comparable if not is_unspaced(claim.sentence.text)]
        cosines = nearest([text for text, _ in said], grounding.passages.texts() if said else [])
        for (_, found), cosine in zip(said, cosines, strict=True):
            found.values[:, _NEAREST] = cosine
    least = _least_risks(
        [is_unspaced(claim.sentence.text) for claim, _ in comparable], [m.values for _, m in comparable], spaced
    )
    evidence = tuple(
        _evidence(claim, found, window, risk, grounding, unsupported)
        for (claim, found), (window, risk) in zip(comparable, least, strict=True)
    )
    length = min(len(answer), MAX_ANSWER) if len(claims) <= MAX_CLAIMS else claims[MAX_CLAIMS - 1].sentence.end
    coverage = length / len(answer) * len(evidence) / len(read)
    score = float(np.array([piece.score for piece in evidence]).mean())
    return Assessment(score, evidence, coverage, truncated=length < len(answer))


def _is_comparable(claim: Claim, found: Measured, scripts: frozenset[str]) -> bool:
    """Whether a claim is in a script of the passages, or the passages hold it in its own."""
    if not scripts or found.values[:, _WINDOW].max() >= HALF:
        return True
    said = scripts_of(claim.sentence.text)
    return not said or not said.isdisjoint(scripts)


def _least_risks(
    unspaced: Sequence[bool], rows: Sequence[NDArray[np.float64]], spaced: str
) -> Iterator[tuple[int, float]]:
    """For each claim the window in which its risk is least, and that risk, by the model of its script."""
    counts = list(map(len, rows))
    values, of = np.concatenate(rows), np.repeat(unspaced, counts)
    risks = np.zeros(len(values))
    for name, chosen in ((spaced, ~of), ("unspaced", of)):
        if chosen.any():
            risks[chosen] = load(name).risk(values[chosen])
    for own in np.split(risks, np.cumsum(counts)[:-1]):
        window = int(own.argmin())
        yield window, float(own[window])


def _evidence(
    claim: Claim, measured: Measured, chosen: int, risk: float, grounding: Grounding, unsupported: float
) -> Evidence:
    """The verdict on one sentence; why it is not supported is in the note."""
    sentence, window, score = claim.sentence, measured.windows[chosen], round(1.0 - risk, 4)
    label = label_of(score, unsupported)
    note = "" if label == "supported" else reason_for(claim.tokens, measured, window, sentence.text)
    passage, start, end = 0, -1, -1
    if window.sentences is not None:
        passage = grounding.passages.passage_of(window.sentences[0])
        start, end = grounding.passages.place_of(*window.sentences)
    return Evidence(sentence.text, score, passage, sentence.start, sentence.end, label, note, start, end)


def label_of(score: float, unsupported: float = UNSUPPORTED) -> str:
    """`supported`, `partial` or `unsupported`."""
    if score < unsupported:
        return "unsupported"
    return "supported" if score >= SUPPORTED else "partial"


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
        "limits": [MAX_ANSWER, MAX_PASSAGES],
    }
    if embeddings:
        parameters["vectors"] = [VECTORS, MODEL.sha256, TOKENIZER.sha256]
    return JudgeIdentity(name, fingerprint("embedded", METHOD, parameters))


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
        judged in a thread; at the deadline the wait for it ends, and the thread ends by itself soon. With embeddings
        one thread judges all answers, one after the other.
        """
        del hits
        started = self._clock.monotonic()
        reason = unscorable(trace, FAITHFULNESS)
        if reason is not None:
            return (self._without_score(Outcome.NOT_SCORABLE, reason),)
        passages = evidence_texts(trace)
        if sum(map(len, passages)) > MAX_PASSAGES:
            return (self._without_score(Outcome.JUDGE_ERROR, "too_long"),)
        try:
            assessment = await self._assess_by(deadline - started, trace.answer or "", passages)
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

    async def _assess_by(self, seconds: float, answer: str, passages: Sequence[str]) -> Assessment:
        """`assess` on the loop or in a thread; raises TimeoutError when that takes longer than `seconds`."""
        if seconds <= 0.0:
            raise TimeoutError
        if self._worker is not None:
            async with asyncio.timeout(seconds):
                return await self._worker.assess(answer, passages, self._unsupported)
        if len(answer) + sum(map(len, passages)) <= INLINE:
            return assess(answer, passages, self._unsupported)
        async with asyncio.timeout(seconds):
            return await asyncio.to_thread(assess, answer, passages, self._unsupported)

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

    async def assess(self, answer: str, passages: Sequence[str], unsupported: float) -> Assessment:
        """`assess` in the thread; when the caller stops waiting, so does the thread within a batch of sentences."""
        stopped = threading.Event()

        def nearest(claims: Sequence[str], sentences: Sequence[str]) -> NDArray[np.float32]:
            return self._nearest(claims, sentences, stopped.is_set)

        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, assess, answer, passages, unsupported, nearest)
        finally:
            stopped.set()

    def close(self) -> None:
        """Wait for nothing: what still runs ends by itself."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def explain(assessment: Assessment) -> str:
    """For a person: how many sentences are supported, and which are not or only in part (the first few, quoted)."""
    supported = len(assessment.evidence) - len(assessment.unsupported) - len(assessment.partial)
    text = f"{supported} of {len(assessment.evidence)} sentences supported by the passages."
    return text + _named("Not supported", assessment.unsupported) + _named("Partly supported", assessment.partial)


def _named(heading: str, pieces: Sequence[Evidence]) -> str:
    quoted = [f'"{piece.text}"' + (f" ({piece.note})" if piece.note else "") for piece in pieces[:MAX_NAMED]]
    return f" {heading}: {'; '.join(quoted)}" if quoted else ""
