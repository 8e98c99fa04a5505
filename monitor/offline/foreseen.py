"""What a configured judge would say of a request without reading it closely: whether it is scorable for that judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from monitor.building_judges import evaluations_of
from monitor.config.judges import EmbeddedJudge, JudgeSettings, LlmJudge, ReferenceJudge
from monitor.config.settings import Settings
from monitor.judges.embedded import evidence_texts
from monitor.judges.grounding.assessment import MAX_PASSAGES, claims_in
from monitor.judges.prompts.registry import evaluations_of as prompts_of
from monitor.judges.reference.evaluations import EVALUATIONS, NoScore
from monitor.judges.reference.judge import build_book
from monitor.judges.reference.references import Absence, References, answers_of
from monitor.judges.scorable import NO_CLAIMS, Scorable, unscorable
from monitor.privacy.redactor import Redactor
from monitor.records import Outcome, RagTrace

WhyNot = Callable[[RagTrace], str | None]
"""The reason of `not_scorable`, None when the request has a score or a judge must be asked to know."""


class Foreseen(NamedTuple):
    """One evaluation of one judge."""

    evaluation: str
    judge: str
    why_not: WhyNot


def foreseen(settings: Settings) -> Sequence[Foreseen]:
    """Of every evaluation of every configured judge, in their order. Raises ConfigError for a wrong golden file."""
    return [
        Foreseen(evaluation, judge.name, why_not)
        for number, judge in enumerate(settings.judges)
        for evaluation, why_not in _of(judge, f"judges[{number}]", settings)
    ]


def _of(judge: JudgeSettings, where: str, settings: Settings) -> Sequence[tuple[str, WhyNot]]:
    match judge:
        case EmbeddedJudge():
            return [(name, _by_claims(name)) for name in evaluations_of(judge)]
        case ReferenceJudge():
            book = build_book(judge, where)
            return [(name, _by_reference(name, book, judge.k)) for name in judge.evaluations]
        case LlmJudge():
            return _by_prompt(judge, where, settings)
        case _:
            return [(name, _by_needs(name)) for name in evaluations_of(judge)]


def _by_needs(evaluation: str) -> WhyNot:
    return lambda trace: unscorable(trace, evaluation)


def _by_claims(evaluation: str) -> WhyNot:
    def why_not(trace: RagTrace) -> str | None:
        if reason := unscorable(trace, evaluation):
            return reason
        passages = evidence_texts(trace)
        if sum(map(len, passages)) > MAX_PASSAGES:
            return None  # an error of the judge, which looks no further
        return None if claims_in(trace.answer or "", passages, trace.question or "") else NO_CLAIMS

    return why_not


def _by_reference(evaluation: str, book: References | None, k: int) -> WhyNot:
    def why_not(trace: RagTrace) -> str | None:
        reference = Absence.NONE if book is None else book.of(trace)
        if reason := unscorable(trace, evaluation):
            return reason
        if isinstance(reference, Absence):
            return reference.value
        found = EVALUATIONS[evaluation](trace, reference, k)
        return found.reason if isinstance(found, NoScore) and found.outcome is Outcome.NOT_SCORABLE else None

    return why_not


def _by_prompt(judge: LlmJudge, where: str, settings: Settings) -> Sequence[tuple[str, WhyNot]]:
    """A remote judge sees the redacted request, so a question that names a person may have no reference there."""
    book = build_book(ReferenceJudge(golden=judge.golden), where)
    redactor = Redactor(settings.privacy, None)  # no identifier is shown to the book

    def of(name: str) -> WhyNot:
        prompt = prompts[name]

        def why_not(trace: RagTrace) -> str | None:
            absence = ""
            if prompt.wants_reference:
                seen = replace(trace, question=redactor.redact_text(trace.question or ""))
                absence = answers_of(book, seen).absence
            return prompt.why_not(trace, Scorable(trace), absence)

        return why_not

    prompts = {prompt.evaluation: prompt for prompt in prompts_of(judge)}
    return [(name, of(name)) for name in judge.judged]
