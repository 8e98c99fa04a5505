"""The evaluations with a reference at hand, each a pure function of the request and its reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from monitor.judges.embedded import evidence_texts
from monitor.judges.grounding.assessment import FOREIGN_SCRIPT, MAX_PASSAGES, Assessment, assess
from monitor.judges.reference import overlap
from monitor.judges.reference.correctness import agreement
from monitor.judges.reference.references import Reference
from monitor.judges.reference.sources import relevant_ranks
from monitor.judges.scorable import NO_CLAIMS, NO_REFERENCE, UNKNOWN_SOURCES
from monitor.records import Evidence, Outcome, RagTrace

SUPPORTED = "supported"
RELEVANT, IRRELEVANT = "relevant", "irrelevant"


@dataclass(frozen=True, slots=True)
class Score:
    """A score from 0 to 1 with its reasons."""

    value: float
    label: str = ""
    explanation: str = ""
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class NoScore:
    """Why there is none."""

    outcome: Outcome
    reason: str


Evaluate = Callable[[RagTrace, Reference, int], Score | NoScore]
"""Of a request, its reference and k."""

_WITHOUT_REFERENCE = NoScore(Outcome.NOT_SCORABLE, NO_REFERENCE)


def _correctness(trace: RagTrace, reference: Reference, k: int) -> Score | NoScore:
    """See `correctness.agreement`; of several references the best."""
    del k
    question, answer = trace.question or "", trace.answer or ""
    if not reference.answers:
        return _WITHOUT_REFERENCE
    best = max((agreement(question, answer, text) for text in reference.answers), key=lambda found: found.score)
    return Score(best.score, best.label, f"{best.why[:1].upper()}{best.why[1:]}.")


def _by_words(measure: Callable[[overlap.Words, overlap.Words], float]) -> Evaluate:
    """An overlap of the answer's words with those of the best reference."""

    def evaluate(trace: RagTrace, reference: Reference, k: int) -> Score | NoScore:
        del k
        if not reference.answers:
            return _WITHOUT_REFERENCE
        answer = overlap.words_of(trace.answer or "")
        return Score(max(measure(answer, overlap.words_of(text)) for text in reference.answers))

    return evaluate


def _context_recall(trace: RagTrace, reference: Reference, k: int) -> Score | NoScore:
    """The share of the sentences of a reference answer that the passages support, by the embedded judge's model.

    0 when nothing was retrieved. Of several references the best.
    """
    del k
    if not reference.answers:
        return _WITHOUT_REFERENCE
    passages = evidence_texts(trace)
    if sum(map(len, passages)) > MAX_PASSAGES:
        return NoScore(Outcome.JUDGE_ERROR, "too_long")
    assessed = [assess(text, passages) for text in reference.answers]
    recalled = [found for found in assessed if found.evidence]
    if not recalled:
        foreign = any(found.reason == FOREIGN_SCRIPT for found in assessed)
        return NoScore(Outcome.JUDGE_ERROR, FOREIGN_SCRIPT) if foreign else NoScore(Outcome.NOT_SCORABLE, NO_CLAIMS)
    best = max(recalled, key=_recall)
    supported = sum(piece.label == SUPPORTED for piece in best.evidence)
    explanation = f"{supported} of {len(best.evidence)} sentences of the reference supported by the passages."
    return Score(_recall(best), "", explanation, best.evidence)


def _recall(found: Assessment) -> float:
    return sum(piece.label == SUPPORTED for piece in found.evidence) / len(found.evidence)


def _hit_at_k(trace: RagTrace, reference: Reference, k: int) -> Score | NoScore:
    """1.0 when one of the first k passages is of a relevant document, else 0.0; 0.0 when nothing was retrieved."""
    ranks = _ranks(trace, reference)
    if isinstance(ranks, NoScore):
        return ranks
    hit = any(rank <= k for rank in ranks)
    return Score(float(hit), "hit" if hit else "miss", _told(ranks, trace), _relevance(ranks, trace))


def _mrr(trace: RagTrace, reference: Reference, k: int) -> Score | NoScore:
    """One over the rank of the first passage of a relevant document, 0.0 without one (Voorhees 1999)."""
    del k
    ranks = _ranks(trace, reference)
    if isinstance(ranks, NoScore):
        return ranks
    return Score(1.0 / ranks[0] if ranks else 0.0, "", _told(ranks, trace), _relevance(ranks, trace))


def _ranks(trace: RagTrace, reference: Reference) -> Sequence[int] | NoScore:
    if not reference.sources and not reference.passages:
        return _WITHOUT_REFERENCE
    ranks = relevant_ranks(trace.contexts, reference)
    return NoScore(Outcome.NOT_SCORABLE, UNKNOWN_SOURCES) if ranks is None else ranks


def _told(ranks: Sequence[int], trace: RagTrace) -> str:
    found = f"the first is number {ranks[0]}" if ranks else "none"
    return f"Relevant passages: {len(ranks)} of {len(trace.contexts)}, {found}."


def _relevance(ranks: Sequence[int], trace: RagTrace) -> tuple[Evidence, ...]:
    """One for each passage, without its text."""
    numbers = range(1, len(trace.contexts) + 1)
    return tuple(
        Evidence("", 1.0, number, label=RELEVANT) if number in ranks else Evidence("", 0.0, number, label=IRRELEVANT)
        for number in numbers
    )


EVALUATIONS: Mapping[str, Evaluate] = {
    "correctness": _correctness,
    "context_recall": _context_recall,
    "hit_at_k": _hit_at_k,
    "mrr": _mrr,
    "exact_match": _by_words(overlap.exact_match),
    "f1": _by_words(overlap.f1),
    "rouge_l": _by_words(overlap.rouge_l),
    "bleu": _by_words(overlap.bleu),
}
