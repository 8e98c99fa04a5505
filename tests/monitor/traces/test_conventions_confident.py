"""Confident AI's attributes, of today and of DeepEval 3.3."""

from __future__ import annotations

import json

from monitor.traces.conventions.confident import CONFIDENT
from monitor.traces.reading import Document, Message, Role
from monitor.wire import AttributeValue, Span
from tests.monitor.traces.library_spans import FILLED, OPEN, RIDERS, Told, one
from tests.monitor.traces.library_spans import told as request_told
from tests.monitor.traces.spans import ANSWER, QUESTION, span, told


def _said(span_id: str, parent: str, at: int, kind: str, **more: AttributeValue) -> Span:
    named = {f"confident.{key.replace('__', '.')}": value for key, value in more.items()}
    return span(span_id, parent, at, attributes={"confident.span.type": kind, **named})


def _request(found: list[AttributeValue]) -> tuple[Span, ...]:
    return (
        _said("r", "", 0, "agent", trace__input=QUESTION, trace__output=ANSWER, trace__thread_id="s-1"),
        _said("k", "r", 1, "retriever", span__input="riders age", span__retrieval_context=found),
        _said(
            "m",
            "r",
            2,
            "llm",
            span__input=json.dumps([{"role": "user", "content": FILLED}]),
            span__output=ANSWER,
            llm__model="chat-1",
            llm__input_token_count=10,
            span__prompt_alias="desk",
            span__prompt_version="01.00.00",
        ),
    )


def test_a_request() -> None:
    request = one(*_request([RIDERS, OPEN]))
    assert request_told(request) == Told(QUESTION, ANSWER, (RIDERS, OPEN), "span")
    assert (request.search_query, request.session_id, request.input_tokens) == ("riders age", "s-1", 10)
    assert request.prompt_version == "desk:01.00.00"


def test_a_retriever_that_found_nothing() -> None:
    assert request_told(one(*_request([])[:2])) == Told(QUESTION, ANSWER, (), "span", None)


def test_a_span_without_a_type_is_a_function() -> None:
    plain = span("r", attributes={"confident.span.input": QUESTION, "confident.span.output": ANSWER})
    assert CONFIDENT.role(plain) is Role.CHAIN
    assert told(CONFIDENT, plain, Role.CHAIN) == {"question": QUESTION, "answer": ANSWER}


def test_values_under_their_type() -> None:
    """DeepEval 3.3 had them there."""
    found: list[AttributeValue] = [RIDERS]
    held: dict[str, AttributeValue] = {
        "retriever__attributes__embedding_input": QUESTION,
        "retriever__attributes__retrieval_context": found,
    }
    read = told(CONFIDENT, _said("k", "", 0, "retriever", **held), Role.RETRIEVER)
    assert read == {"query": QUESTION, "documents": (Document(RIDERS),)}
    spoken: dict[str, AttributeValue] = {
        "llm__attributes__input": FILLED,
        "llm__attributes__output": ANSWER,
        "llm__attributes__input_token_count": 10,
    }
    call = _said("m", "", 0, "llm", **spoken)
    assert told(CONFIDENT, call, Role.MODEL) == {
        "prompt": (Message("user", FILLED),),
        "output": Message("assistant", ANSWER),
    }
    assert told(CONFIDENT, call) == {"input_tokens": 10}


def test_a_case_that_was_to_be_tested_states_the_request() -> None:
    case = "trace__llm_test_case__"
    tested: dict[str, AttributeValue] = {
        f"{case}input": QUESTION,
        f"{case}actual_output": ANSWER,
        f"{case}retrieval_context": [RIDERS, OPEN],
    }
    request = one(_said("r", "", 0, "agent", **tested), _said("m", "r", 1, "llm", llm__model="chat-1"))
    assert request_told(request) == Told(QUESTION, ANSWER, (RIDERS, OPEN), "span")
