"""Rules of what no judge is asked."""

from dataclasses import replace

import pytest

from monitor.judges import scorable
from monitor.judges.scorable import REASONS, Scorable, unscorable
from monitor.records import ContextsSource, Passage, RagTrace, RequestError

TRACE = RagTrace(
    trace_id="0" * 32,
    request_id="0" * 16,
    question="When does it open?",
    answer="It opens at ten.",
    contexts=(Passage("It opens at ten."),),
    contexts_source=ContextsSource.SPAN,
)


@pytest.mark.parametrize(
    "evaluation", ["faithfulness", "answer_relevance", "context_relevance", "safety.pii", "safety.harm"]
)
def test_a_whole_request_is_scorable(evaluation: str) -> None:
    assert unscorable(TRACE, evaluation) is None


@pytest.mark.parametrize(
    ("change", "faithfulness", "safety"),
    [
        ({"redacted": True}, "hidden_content", "hidden_content"),
        ({"error": RequestError("Timeout", "generation"), "answer": None}, "request_failed", "request_failed"),
        ({"error": RequestError("Timeout", "generation")}, "request_failed", None),
        ({"error": RequestError("Timeout", "retrieval"), "contexts": ()}, "no_context", None),
        ({"truncated": True}, "incomplete_input", None),
        ({"answer": None}, "no_answer", "no_answer"),
        ({"answer": "  \n"}, "no_answer", "no_answer"),
        ({"contexts": ()}, "no_context", None),
        ({"contexts": (Passage(" "),)}, "no_context", None),
        ({"contexts": (), "contexts_source": ContextsSource.UNKNOWN}, "unknown_context", None),
        ({"answer": "I don't know."}, "abstention", None),
        ({"answer": "I don't know.", "contexts": ()}, "abstention", None),
        ({"question": None}, None, None),
    ],
)
def test_each_evaluation_says_what_it_lacks(
    change: dict[str, object], faithfulness: str | None, safety: str | None
) -> None:
    trace = replace(TRACE, **change)  # type: ignore[arg-type]
    found = (unscorable(trace, "faithfulness"), unscorable(trace, "safety.pii"))
    assert found == (faithfulness, safety)
    assert {reason for reason in found if reason} <= set(REASONS)


def test_relevance_needs_a_question() -> None:
    assert unscorable(replace(TRACE, question=""), "answer_relevance") == "no_question"


def test_relevance_of_passages_needs_no_answer() -> None:
    assert unscorable(replace(TRACE, answer=None), "context_relevance") is None


@pytest.mark.parametrize("text", ["", " ", "-", "...", "\u200b\u200b", "\x00", "—— 。"])
def test_passages_without_a_letter_or_digit_are_none(text: str) -> None:
    assert unscorable(replace(TRACE, contexts=(Passage(text), Passage(text))), "faithfulness") == "no_context"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, None),
        ({"question": "Is it open until 500 or 600 pm?"}, "abstention"),
        ({"search_query": "open until 500 or 600 pm"}, "abstention"),
        ({"contexts": (Passage("It opens at ten."), Passage("Doors 500 and 600."))}, "abstention"),
        ({"question": None}, "abstention"),
        ({"contexts": ()}, "abstention"),
        ({"contexts": (Passage(" - "),)}, "abstention"),
    ],
)
def test_a_decline_is_judged_where_it_holds_numbers_that_were_neither_asked_for_nor_found(
    change: dict[str, object], reason: str | None
) -> None:
    trace = replace(TRACE, answer="I don't know whether it is 500 or 600.", **change)  # type: ignore[arg-type]
    assert unscorable(trace, "faithfulness") == reason


def test_an_answer_is_read_once_for_all_evaluations(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def declines(answer: str, *_known: object) -> bool:
        read.append(answer)
        return True

    monkeypatch.setattr(scorable, "declines_only", declines)
    request = Scorable(TRACE)
    reasons = [request.why_not(one) for one in ("faithfulness", "context_relevance", "completeness", "safety.pii")]
    assert (reasons, read) == (["abstention", None, "abstention", None], [TRACE.answer])
