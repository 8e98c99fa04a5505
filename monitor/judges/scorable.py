"""What no judge is asked: the rules that make a request not scorable, the same for every judge, before any is paid."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from monitor.config.criteria import PREFIX
from monitor.judges.text.declines.declining import declines_only
from monitor.judges.text.declines.known import Words
from monitor.records import ContextsSource, RagTrace

HIDDEN_CONTENT = "hidden_content"
REQUEST_FAILED = "request_failed"
INCOMPLETE_INPUT = "incomplete_input"
NO_ANSWER = "no_answer"
NO_QUESTION = "no_question"
UNKNOWN_CONTEXT = "unknown_context"
NO_CONTEXT = "no_context"
ABSTENTION = "abstention"
NO_CLAIMS = "no_claims"
OTHER_LANGUAGE = "other_language"
NO_REFERENCE = "no_reference"
AMBIGUOUS_REFERENCE = "ambiguous_reference"
UNKNOWN_SOURCES = "unknown_sources"

MEANINGS = {
    HIDDEN_CONTENT: "the producer hides contents on purpose",
    REQUEST_FAILED: "the request failed",
    INCOMPLETE_INPUT: "contents were cut or dropped upstream: what looks unsupported may stand in the missing part",
    NO_ANSWER: "there is no answer on the wire",
    NO_QUESTION: "there is no question on the wire",
    UNKNOWN_CONTEXT: "nothing says whether anything was retrieved",
    NO_CONTEXT: "the retrieval gave no passage with a text",
    ABSTENTION: "the answer only says that it cannot answer",
    NO_CLAIMS: "the answer states nothing that could be checked",
    OTHER_LANGUAGE: "the criterion is for requests in other languages",
    NO_REFERENCE: "no golden question is this question, or its entry lacks what the evaluation needs",
    AMBIGUOUS_REFERENCE: "several golden questions are this question, with different answers",
    UNKNOWN_SOURCES: "the passages do not say which documents they are of",
}
"""Every reason of `not_scorable`, in the order of checking; those from `no_claims` on are found while judging."""
REASONS = tuple(MEANINGS)


@dataclass(frozen=True, slots=True)
class Needs:
    """What an evaluation cannot do without.

    `whole` excludes requests whose content was cut upstream or that failed; `statement` excludes answers that decline.
    `retrieval` asks only that it is known what was retrieved, be it nothing.
    """

    question: bool = False
    answer: bool = True
    contexts: bool = False
    whole: bool = False
    statement: bool = False
    retrieval: bool = False


_NEEDS = {
    "faithfulness": Needs(contexts=True, whole=True, statement=True),
    "answer_relevance": Needs(question=True, whole=True, statement=True),
    "context_relevance": Needs(question=True, answer=False, contexts=True, whole=True),
    "completeness": Needs(question=True, whole=True, statement=True),
}
_NEEDS |= dict.fromkeys(("correctness", "exact_match", "f1", "rouge_l", "bleu"), Needs(whole=True))
_NEEDS |= dict.fromkeys(("context_recall", "hit_at_k", "mrr"), Needs(answer=False, whole=True, retrieval=True))
_ANSWER_ONLY = Needs()
_OWN_WORDS = Needs(answer=False)


def needs_of(evaluation: str) -> Needs:
    """What `evaluation` needs; `safety.*` needs an answer only, and of a user's criterion only its judge knows."""
    return _NEEDS.get(evaluation, _OWN_WORDS if evaluation.startswith(PREFIX) else _ANSWER_ONLY)


class Scorable:
    """One request and what can be judged of it; whether the answer declines is looked for once for all evaluations."""

    def __init__(self, trace: RagTrace) -> None:
        self._trace = trace

    def why_not(self, evaluation: str | Needs) -> str | None:
        """See `unscorable`."""
        needs = evaluation if isinstance(evaluation, Needs) else needs_of(evaluation)
        return _unusable(self._trace, needs) or _without_text(self._trace, needs) or self._without_evidence(needs)

    def _without_evidence(self, needs: Needs) -> str | None:
        """An abstention is looked for first: declining is the right answer when nothing was retrieved."""
        if needs.statement and self._declines:
            return ABSTENTION
        trace = self._trace
        unknown = not trace.contexts and trace.contexts_source is ContextsSource.UNKNOWN
        if unknown and (needs.contexts or needs.retrieval):
            return UNKNOWN_CONTEXT
        if not needs.contexts or any(_says_something(passage.text) for passage in trace.contexts):
            return None
        return NO_CONTEXT

    @cached_property
    def _declines(self) -> bool:
        """It may name what was asked and found; that is not known where the question or all passages are missing."""
        trace = self._trace
        found = Words([passage.text for passage in trace.contexts if _says_something(passage.text)])
        known = None
        if found and not _blank(trace.question):
            known = Words([trace.question or "", trace.search_query or ""], found)
        return declines_only(trace.answer or "", known, found)


def unscorable(trace: RagTrace, evaluation: str | Needs) -> str | None:
    """Why `trace` cannot be scored under `evaluation`, as one of `REASONS`; None when it can be judged.

    Hidden content is never judged. An answer given without any passage is `no_context`, not a score of 0: its rate is
    a quality number of its own. `unknown_context` means that nothing said whether there was a retrieval.
    """
    return Scorable(trace).why_not(evaluation)


def _unusable(trace: RagTrace, needs: Needs) -> str | None:
    if trace.redacted:
        return HIDDEN_CONTENT
    if trace.error is not None and (_blank(trace.answer) or (needs.whole and trace.error.stage != "retrieval")):
        return REQUEST_FAILED
    return INCOMPLETE_INPUT if needs.whole and trace.truncated else None


def _without_text(trace: RagTrace, needs: Needs) -> str | None:
    if needs.answer and _blank(trace.answer):
        return NO_ANSWER
    return NO_QUESTION if needs.question and _blank(trace.question) else None


def _says_something(text: str) -> bool:
    """Whether there is a letter or a digit: a dash in place of a passage supports nothing, and refutes nothing."""
    return any(map(str.isalnum, text))


def _blank(text: str | None) -> bool:
    return text is None or not text.strip()
