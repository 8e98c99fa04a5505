"""LangChain under Traceloop's 0.12 for JavaScript: only sequences have spans, in the form that real runs wrote."""

from __future__ import annotations

import json
from typing import Final, Unpack

import pytest

from monitor.records import RequestError
from monitor.traces.conventions.traceloop_sequences import TRACELOOP_SEQUENCES
from monitor.wire import AttributeValue, Span
from tests.monitor.traces.library_spans import OPEN, RIDERS, Told, dropped, one, told
from tests.monitor.traces.spans import ANSWER, QUESTION, Fields, failed, role_by, span

BOTH: Final = f"{RIDERS}\n\n{OPEN}"
DOCUMENTS: Final = [
    {"pageContent": text, "metadata": {}, "id": name} for name, text in (("d-1", RIDERS), ("d-2", OPEN))
]
TOLD: Final = ((RIDERS, "d-1"), (OPEN, "d-2"))
CALLED: Final = ("call_1", "search")


def sequence(
    span_id: str,
    parent: str,
    at: int,
    asked: object,
    returned: object = None,
    fills: str = "",
    **more: Unpack[Fields],
) -> Span:
    """A sequence that was run on something; `fills` is the variable of a prompt that it makes."""
    tags = [f"map:key:{fills}"] if fills else []
    run = {"tags": [], "metadata": {}, "recursionLimit": 25, "callbacks": {"handlers": [], "tags": tags}}
    attributes: dict[str, AttributeValue] = {
        "traceloop.span.kind": "task",
        "traceloop.entity.input": json.dumps({"args": [asked, run], "kwargs": {}}),
    }
    if returned is not None:
        attributes["traceloop.entity.output"] = json.dumps(returned)
    fields: Fields = {"name": "RunnableSequence.task", "scope": "@traceloop/instrumentation-langchain", **more}
    return span(span_id, parent, at, attributes=attributes, **fields)


def message(kind: str, content: str, **more: object) -> dict[str, object]:
    """A message as LangChain.js serialises it."""
    path = ["langchain_core", "messages", kind]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": {"content": content, **more}}


@pytest.mark.parametrize("asked", [QUESTION, {"question": QUESTION}])
@pytest.mark.parametrize("answer", [ANSWER, message("AIMessage", ANSWER)])
def test_the_sequence_that_fills_the_context_is_the_retrieval(asked: object, answer: object) -> None:
    request = one(sequence("a", "", 0, asked, answer), sequence("b", "a", 1, asked, BOTH, "context"))
    assert told(request) == Told(QUESTION, ANSWER, (BOTH,), "span", None)


def test_a_context_that_stayed_empty_is_an_empty_result() -> None:
    request = one(sequence("a", "", 0, QUESTION, ANSWER), sequence("b", "a", 1, QUESTION, "", "context"))
    assert told(request) == Told(QUESTION, ANSWER, (), "span", None)


def test_documents_keep_their_ids_beside_the_text_that_was_made_of_them() -> None:
    """As `createRetrievalChain` runs it."""
    state = {"input": QUESTION, "chat_history": [], "context": DOCUMENTS}
    request = one(
        sequence("a", "", 0, {"input": QUESTION}, {**state, "answer": ANSWER}),
        sequence("b", "a", 1, {"input": QUESTION}, DOCUMENTS, "context"),
        sequence("c", "a", 2, state, ANSWER, "answer"),
        sequence("d", "c", 3, state, BOTH, "context"),
    )
    assert told(request) == Told(QUESTION, ANSWER, TOLD, "span", None)


def test_a_node_of_a_graph_stands_alone_and_tells_all() -> None:
    generate = sequence("a", "", 0, {"question": QUESTION, "context": DOCUMENTS}, {"answer": ANSWER})
    assert told(one(generate)) == Told(QUESTION, ANSWER, TOLD, "span", None)


def test_a_node_that_only_retrieves_is_no_request() -> None:
    assert dropped(sequence("a", "", 0, {"question": QUESTION}, {"context": DOCUMENTS})) == {"no_request": 1}


def test_a_sequence_from_messages_to_a_message_is_a_model_call() -> None:
    """The last turn of a LangGraph agent."""
    name, tool = CALLED
    asked = [
        message("HumanMessage", QUESTION),
        message("AIMessage", "", tool_calls=[{"name": tool, "args": {"query": "age"}, "id": name}]),
        message("ToolMessage", BOTH, tool_call_id=name, name=tool),
    ]
    reply = message("AIMessage", ANSWER)
    request = one(
        sequence("a", "", 0, {"messages": asked}, {"messages": [reply]}),
        sequence("b", "a", 1, {"messages": asked}, reply),
    )
    assert told(request) == Told(QUESTION, ANSWER, (BOTH,), "prompt", None)


def test_a_retrieval_that_failed_is_a_failed_request() -> None:
    down = failed("index down")
    request = one(sequence("a", "", 0, QUESTION, **down), sequence("b", "a", 1, QUESTION, None, "context", **down))
    assert request.error == RequestError("index down", "retrieval", "index down")


@pytest.mark.parametrize("scope", ["", "@traceloop/instrumentation-llamaindex"])
def test_tasks_of_others_are_none_of_its(scope: str) -> None:
    assert role_by(TRACELOOP_SEQUENCES, sequence("a", "", 0, QUESTION, ANSWER, scope=scope)) is None
