"""TruLens: kinds of spans, arguments and results, streams, evaluations."""

from __future__ import annotations

import json
from typing import Any

import pytest

from monitor.traces.conventions.trulens import TRULENS
from monitor.traces.reading import Document, Message, Role
from monitor.wire import AttributeValue, Span
from tests.monitor.traces.library_spans import LISTED, OPEN, RIDERS, Told, dropped, filled, one
from tests.monitor.traces.library_spans import told as request_told
from tests.monitor.traces.spans import ANSWER, QUESTION, failed, span, told

SCOPE = "ai.observability."


def _spoken(span_id: str, parent: str = "", at: int = 0, kind: str = "unknown", **more: Any) -> Span:  # noqa: ANN401 - any attribute
    named = {SCOPE + key.replace("__", "."): value for key, value in more.items()}
    return span(span_id, parent, at, attributes={SCOPE + "span_type": kind, **named})


def _root() -> Span:
    return _spoken(
        "r",
        kind="record_root",
        record_root__input=QUESTION,
        record_root__output=ANSWER,
        app_version="v7",
        conversation_id="c-1",
    )


def _retrieval(found: list[AttributeValue]) -> Span:
    texts: dict[str, Any] = {"retrieval__query_text": QUESTION, "retrieval__retrieved_contexts": found}
    shown = _spoken("k", "r", 1, "retrieval", **texts)
    return span("k", "r", 1, attributes={**shown.attributes, "gen_ai.retrieval.documents": found})


def test_a_request_with_its_version_and_conversation() -> None:
    """The generation names no prompt, so all that was found counts."""
    request = one(_root(), _retrieval([RIDERS, OPEN]), _spoken("g", "r", 2, "generation", call__return=ANSWER))
    assert request_told(request) == Told(QUESTION, ANSWER, (RIDERS, OPEN), "span", None)
    assert (request.app_version, request.session_id, request.convention) == ("v7", "c-1", "trulens")


def test_a_retrieval_that_found_nothing() -> None:
    assert request_told(one(_root(), _retrieval([]))) == Told(QUESTION, ANSWER, (), "span", None)


def test_the_function_knows_more_of_the_documents_than_their_texts() -> None:
    objects = json.dumps(LISTED)
    found = _spoken("k", "r", 1, "retrieval", retrieval__retrieved_contexts=[OPEN, RIDERS], call__return=objects)
    assert told(TRULENS, found, Role.RETRIEVER)["documents"] == (
        Document(OPEN, "d-2", 0.5),
        Document(RIDERS, "d-1", 0.9),
    )


def test_functions_without_a_kind_are_told_by_what_they_show() -> None:
    found = span(
        "app.Desk.retrieve",
        "r",
        1,
        attributes={SCOPE + "span_type": "unknown", SCOPE + "call.return": [RIDERS], SCOPE + "call.kwargs.q": QUESTION},
    )
    assert request_told(one(_root(), found)) == Told(QUESTION, ANSWER, (RIDERS,), "span", None)


def test_the_pieces_of_a_stream_are_the_answer_and_the_last_one_is_not() -> None:
    pieces: list[AttributeValue] = ["", "Anyone aged ", "sixteen or ", "older."]
    root = _spoken(
        "r", kind="record_root", record_root__output="older.", call__return=pieces, generation__is_streaming=True
    )
    assert told(TRULENS, root, Role.CHAIN)["answer"] == ANSWER
    assert told(TRULENS, root, Role.MODEL)["output"] == Message("assistant", ANSWER)


@pytest.mark.parametrize("returned", [["content='' id='1'", "content='Anyone' id='1'"], []])
def test_pieces_that_were_printed_are_no_answer(returned: list[AttributeValue]) -> None:
    root = _spoken(
        "r", kind="record_root", record_root__output="older.", call__return=returned, generation__is_streaming=True
    )
    assert "answer" not in told(TRULENS, root, Role.CHAIN)


def test_a_root_of_older_versions() -> None:
    root = _spoken("r", kind="record_root", record_root__main_input=QUESTION, record_root__main_output=ANSWER)
    assert told(TRULENS, root, Role.CHAIN) == {"question": QUESTION, "answer": ANSWER}


def test_a_reranking_keeps_its_scores() -> None:
    kept: dict[str, Any] = {
        "reranking__query_text": QUESTION,
        "reranking__output_context_texts": [OPEN, RIDERS],
        "reranking__output_context_scores": [0.8, 0.4],
    }
    request = one(_root(), _spoken("k", "r", 1, "reranking", **kept))
    assert [(one.text, one.score) for one in request.contexts] == [(OPEN, 0.8), (RIDERS, 0.4)]


def test_what_a_generation_cost() -> None:
    costs: dict[str, Any] = {
        "cost__model": "chat-1",
        "cost__num_prompt_tokens": 10,
        "cost__num_completion_tokens": 3,
        "prompt__slug": "desk",
        "prompt__version_id": "4",
    }
    facts = told(TRULENS, _spoken("g", kind="generation", **costs))
    assert facts == {"model": "chat-1", "input_tokens": 10, "output_tokens": 3, "prompt_version": "desk:4"}


def test_a_function_that_a_model_was_paid_for_called_it() -> None:
    called = _spoken("g", "r", 2, call__return=ANSWER, cost__model="chat-1", cost__num_prompt_tokens=10)
    request = one(_root(), _retrieval([RIDERS]), called)
    assert (request.model, request.input_tokens, request.answer) == ("chat-1", 10, ANSWER)


def test_a_failed_retrieval() -> None:
    broken = span("k", "r", 1, attributes={SCOPE + "span_type": "retrieval"}, **failed("the index is away"))
    root = span("r", attributes={SCOPE + "span_type": "record_root", SCOPE + "record_root.input": QUESTION}, **failed())
    request = one(root, broken)
    assert request.error is not None
    assert (request.question, request.error.stage, request.error.message) == (
        QUESTION,
        "retrieval",
        "the index is away",
    )


def test_an_evaluation_is_no_request() -> None:
    assert dropped(_spoken("e", kind="eval_root", eval_root__score=0.5), filled("m", "e", 1)) == {"evaluator": 1}


def test_spans_of_the_vercel_sdk_are_none_of_its() -> None:
    other = span("v", attributes={"ai.operationId": "ai.generateText", "ai.prompt": "{}"})
    assert TRULENS.role(other) is None
    assert told(TRULENS, other, Role.CHAIN) == {}
