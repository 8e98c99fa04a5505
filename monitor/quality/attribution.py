"""Why a score is low: one cause for each low judgement of a request, by fixed rules over what its judges found.

The rules ask in the order in which a request runs: was it answered at all, was a relevant passage retrieved, did it
stand high, does the answer keep to it, is it complete. The first no is the cause. What nobody measured is `unknown`,
and so is a low score where none of these failed.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from monitor.cause import Cause
from monitor.records import Judgement, Outcome
from monitor.snapshot import BAD_BELOW

BAD_LABELS = frozenset({"unfaithful", "incorrect", "incomplete", "declined"})
"""Labels of a low judgement whatever its score: the worst sentence decides a label, the mean is the score."""
SUPPORTED = "supported"
"""Label of a claim that a passage supports."""
RELEVANT = 0.4
"""Share of a question's words, weighted by rarity, that a relevant passage holds (bench/causes.py)."""
NEARLY = 0.8
"""A passage with at least this share of the best one's words is as relevant as that."""
HALF = 0.5
HIGH = 3
"""Passages from the top that a model surely reads; of fewer than six the upper half."""

_RETRIEVAL = frozenset({"hit_at_k", "mrr", "context_relevance", "context_recall"})
"""Evaluations that look at the passages only."""
_ANSWER = frozenset(
    {"faithfulness", "answer_relevance", "completeness", "correctness", "exact_match", "f1", "rouge_l", "bleu"}
)
_COMPLETE = ("completeness", "correctness", "answer_relevance")
"""Evaluations that a supported answer fails when it does not say enough."""


class Basis(enum.StrEnum):
    """How it is known which passages are relevant, the surest first."""

    REFERENCE = "reference"
    JUDGE = "judge"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Relevance:
    """Which passages are relevant, by rank from 1: `ranks` in rising order, of `passages` in all."""

    ranks: tuple[int, ...]
    passages: int
    basis: Basis

    @property
    def ranked_low(self) -> bool:
        """Whether the first relevant passage stands below the first three, or in the lower half of fewer than six."""
        return bool(self.ranks) and self.ranks[0] > min(HIGH, (self.passages + 1) / 2)

    def __str__(self) -> str:
        by = {Basis.REFERENCE: "by the reference", Basis.JUDGE: "by a judge", Basis.WORDS: "by the question's words"}
        first = f"number {self.ranks[0]} of {self.passages}" if self.ranks else f"none of {self.passages}"
        return f"first relevant passage: {first}, {by[self.basis]}"


@dataclass(frozen=True, slots=True)
class Found:
    """The cause of one low score, and what speaks for it: names and numbers, no content."""

    cause: Cause
    evidence: str


def attribute(
    judgements: Sequence[Judgement], by_words: Sequence[float] | None, beside: Sequence[Judgement] = ()
) -> tuple[Judgement, ...]:
    """The judgements of one request, the low ones with their cause and its evidence.

    `by_words` says of each passage how much of the question it holds, 0 to 1; None when that says nothing. What stands
    `beside` the judgements is known of the request, too, and is not given back. Judgements that are not low are given
    back as they are.
    """
    known = (*judgements, *beside)
    relevance = relevance_of(known, by_words)
    return tuple(_attributed(one, known, relevance) if is_low(one) else one for one in judgements)


def is_low(judgement: Judgement) -> bool:
    """Whether a judgement asks for a cause: scored, not of safety, and its score is low or its label bad."""
    if judgement.score is None or judgement.evaluation.startswith("safety."):
        return False
    return judgement.score < BAD_BELOW or judgement.label in BAD_LABELS


def relevance_of(judgements: Iterable[Judgement], by_words: Sequence[float] | None) -> Relevance | None:
    """Which passages are relevant, on the surest basis there is; None when nothing tells.

    A passage that supports half of the answer's claims is relevant as well, where only words tell.
    """
    scored = [one for one in judgements if one.outcome is Outcome.SCORED]
    for names, basis in ((("hit_at_k", "mrr"), Basis.REFERENCE), (("context_relevance",), Basis.JUDGE)):
        for one in scored:
            if one.evaluation in names:
                relevant = sorted(piece.passage for piece in one.evidence if piece.score > HALF)
                last = max((piece.passage for piece in one.evidence), default=0)
                return Relevance(tuple(relevant), last, basis)
    if by_words is None:
        return None
    least = max(RELEVANT, NEARLY * max(by_words, default=0.0))
    ranks = {rank for rank, share in enumerate(by_words, 1) if share >= least} | _supporting(scored)
    return Relevance(tuple(sorted(ranks)), len(by_words), Basis.WORDS)


def cause_of(judgement: Judgement, judgements: Sequence[Judgement], relevance: Relevance | None) -> Found:
    """The cause of one low judgement among those of its request."""
    unanswered = _unanswered(judgements)
    if relevance is not None and relevance.basis is Basis.REFERENCE and (not relevance.ranks or _declines(judgements)):
        unanswered = ""  # there is a document that answers: it was missed, stood low, or was not made use of
    if judgement.evaluation in _RETRIEVAL:
        return _of_retrieval(judgement, relevance, unanswered)
    if judgement.evaluation not in _ANSWER:
        return Found(Cause.UNKNOWN, "no rule speaks of this evaluation")
    if unanswered:
        return Found(Cause.UNANSWERABLE, unanswered)
    if relevance is None:
        return Found(Cause.UNKNOWN, "nothing says which passages are relevant")
    if not relevance.ranks or relevance.ranked_low:
        return Found(Cause.RANKING if relevance.ranks else Cause.RETRIEVAL, str(relevance))
    return _of_answer(judgements, relevance)


def _of_retrieval(judgement: Judgement, relevance: Relevance | None, unanswered: str) -> Found:
    """Of an evaluation of the passages alone.

    Recall asks what was retrieved, wherever it stands. Relevance is low also where a relevant passage stands high and
    the others are not relevant: then neither was at fault.
    """
    evidence = f"{relevance}; {_told(judgement)}" if relevance is not None else _told(judgement)
    if judgement.evaluation == "context_recall":
        return Found(Cause.RETRIEVAL, evidence)
    if relevance is None or not relevance.ranks:
        if unanswered and judgement.evaluation == "context_relevance":
            return Found(Cause.UNANSWERABLE, f"{evidence}; {unanswered}")
        return Found(Cause.RETRIEVAL, evidence)
    if relevance.ranked_low or judgement.evaluation in {"hit_at_k", "mrr"}:
        return Found(Cause.RANKING, evidence)
    return Found(Cause.UNKNOWN, f"{evidence}; a relevant passage stands high, and others are not relevant")


def _of_answer(judgements: Sequence[Judgement], relevance: Relevance) -> Found:
    """Of a request whose passages were right: what the answer made of them.

    What the reference states, too, is no invention, whatever the passages at hand say.
    """
    for one in judgements:
        if one.evaluation == "correctness" and one.label == "incomplete":
            return Found(Cause.COVERAGE, f"{relevance}; the reference states more, and what the answer states")
    if declined := _declines(judgements):
        return Found(Cause.COVERAGE, f"{relevance}; {declined}")
    faithful = [one for one in judgements if one.evaluation == "faithfulness" and one.score is not None]
    if not faithful:
        return Found(Cause.UNKNOWN, f"{relevance}; faithfulness was not judged")
    for one in faithful:
        if is_low(one):
            return Found(Cause.GENERATION, f"{relevance}; {_unsupported(one)}")
    for one in judgements:
        if one.evaluation in _COMPLETE and is_low(one):
            return Found(Cause.COVERAGE, f"{relevance}; every claim is supported; {_told(one)}")
    return Found(Cause.UNKNOWN, f"{relevance}; every claim is supported; {_not_wanting(judgements)}")


def _not_wanting(judgements: Iterable[Judgement]) -> str:
    """Which of the evaluations that a short answer fails are not low; that of completeness is missed by its name."""
    judged = {one.evaluation for one in judgements if one.score is not None}
    passed = [name for name in _COMPLETE if name in judged]
    parts = [f"{' and '.join(passed)} {'is' if len(passed) == 1 else 'are'} not low"] if passed else []
    return "; ".join([*parts, *([] if "completeness" in judged else ["completeness was not judged"])])


def _attributed(one: Judgement, judgements: Sequence[Judgement], relevance: Relevance | None) -> Judgement:
    found = cause_of(one, judgements, relevance)
    return replace(one, cause=found.cause.value, cause_evidence=found.evidence)


def _unanswered(judgements: Sequence[Judgement]) -> str:
    """What says that the question was not answered or has no answer; empty when nothing does."""
    declined = (
        f"{one.evaluation}: the answer or the reference declines" for one in judgements if one.label == "declined"
    )
    return _declines(judgements) or next(declined, "")


def _declines(judgements: Iterable[Judgement]) -> str:
    """What says that the answer declines; empty when nothing does."""
    for one in judgements:
        if one.outcome is Outcome.NOT_SCORABLE and one.reason == "abstention":
            return f"{one.evaluation}: the answer only says that it cannot answer"
    return ""


def _supporting(scored: Iterable[Judgement]) -> set[int]:
    """The passages that support at least half of the claims of one judgement of faithfulness."""
    found: set[int] = set()
    for one in scored:
        if one.evaluation == "faithfulness" and one.evidence:
            supported = [piece.passage for piece in one.evidence if piece.label == SUPPORTED and piece.passage]
            found |= {passage for passage in supported if supported.count(passage) >= HALF * len(one.evidence)}
    return found


def _unsupported(judgement: Judgement) -> str:
    """The worst claim by its number, without its words."""
    evidence = judgement.evidence
    if not evidence:
        return _told(judgement)
    number, worst = min(enumerate(evidence, 1), key=lambda item: item[1].score)
    return f"claim {number} of {len(evidence)} has a support of {worst.score:.2f}"


def _told(judgement: Judgement) -> str:
    label = f" ({judgement.label})" if judgement.label in BAD_LABELS else ""
    return f"{judgement.evaluation} {judgement.score:.2f}{label}"
