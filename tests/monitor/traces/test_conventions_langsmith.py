from __future__ import annotations

import json

import pytest

from monitor.traces.conventions.langsmith import LANGSMITH
from monitor.traces.reading import Document, Message, Role
from monitor.wire import AttributeValue, Span, SpanEvent, SpanStatus
from tests.monitor.traces.spans import ANSWER, DOCUMENTS, PROMPT, QUESTION, Fields, extract, is_hidden, only, span, told

OPERATIONS = {"llm": "chat", "prompt": "chat", "retriever": "embeddings", "tool": "execute_tool"}


def run(
    kind: str,
    span_id: str = "a",
    parent: str = "",
    at: int = 0,
    *,
    inputs: object = None,
    outputs: object = None,
    more: dict[str, AttributeValue] | None = None,
    fields: Fields | None = None,
) -> Span:
    """A run as LangSmith's exporter writes it."""
    values: dict[str, AttributeValue] = {
        "langsmith.span.kind": kind,
        "langsmith.trace.session_name": "default",
        "gen_ai.operation.name": OPERATIONS.get(kind, kind),
        "gen_ai.system": "langchain",
        **(more or {}),
    }
    if inputs is not None:
        values["gen_ai.prompt"] = json.dumps(inputs)
    if outputs is not None:
        values["gen_ai.completion"] = json.dumps(outputs)
    return span(span_id, parent, at, attributes=values, **(fields or {}))


def langchain(kind: str, text: str, **kwargs: object) -> dict[str, object]:
    """A message in LangChain's serialised form."""
    return {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", kind],
        "kwargs": {"content": text, **kwargs},
    }


def generations(text: str, **kwargs: object) -> dict[str, object]:
    return {
        "generations": [[{"text": text, "type": "ChatGeneration", "message": langchain("AIMessage", text, **kwargs)}]]
    }


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        ("llm", Role.MODEL),
        ("retriever", Role.RETRIEVER),
        ("chain", Role.CHAIN),
        ("Chain", Role.CHAIN),
        ("tool", Role.TOOL),
        ("prompt", Role.STEP),
        ("parser", Role.STEP),
        ("embedding", Role.STEP),
        ("unheard", None),
    ],
)
def test_the_runs_type_gives_the_role(kind: str, role: Role | None) -> None:
    assert LANGSMITH.role(run(kind)) is role


def test_its_own_type_wins_over_the_operation() -> None:
    """Retrievers have the operation `embeddings`, prompts `chat`."""
    found = run("retriever", "b", "a", 1, inputs={"query": QUESTION}, outputs={"documents": DOCUMENTS})
    said = run("llm", "c", "a", 2, inputs={"messages": [["user", PROMPT]]}, outputs=generations(ANSWER))
    filled = run("prompt", "d", "a", 3, inputs={"question": "x"}, outputs={"output": "x"})
    request = only(
        extract(run("chain", "a", inputs={"input": QUESTION}, outputs={"output": ANSWER}), found, said, filled)
    )
    assert (request.question, request.answer, request.convention) == (QUESTION, ANSWER, "langsmith")
    assert [passage.id for passage in request.contexts] == ["d-1", "d-2"]


def test_a_retriever_that_is_handed_documents_is_a_reranker() -> None:
    assert LANGSMITH.role(run("retriever", inputs={"query": QUESTION, "documents": DOCUMENTS})) is Role.RERANKER


def test_the_project_of_evaluators_holds_no_requests() -> None:
    assert LANGSMITH.role(run("chain", more={"langsmith.trace.session_name": "evaluators"})) is Role.EVALUATOR


@pytest.mark.parametrize(
    ("inputs", "outputs", "read"),
    [
        ({"input": QUESTION}, {"output": ANSWER}, {"question": QUESTION, "answer": ANSWER}),
        ({"question": QUESTION, "k": 3}, {"output": {"answer": ANSWER}}, {"question": QUESTION, "answer": ANSWER}),
        (
            {"messages": [["user", QUESTION]]},
            {"messages": [{"type": "human", "content": QUESTION}, {"type": "ai", "content": ANSWER}]},
            {"question": QUESTION, "answer": ANSWER},
        ),
        (
            {"input": [{"page_content": "Open.", "type": "Document", "id": "d-1"}]},
            {"output": "Open."},
            {"answer": "Open.", "documents": (Document("Open.", "d-1"),)},
        ),
        ({"input": QUESTION}, {"output": None}, {"question": QUESTION}),
        ({}, {}, {}),
    ],
)
def test_a_chain_is_read_from_its_inputs_and_outputs(inputs: object, outputs: object, read: dict[str, object]) -> None:
    assert told(LANGSMITH, run("chain", inputs=inputs, outputs=outputs), Role.CHAIN) == read


@pytest.mark.parametrize(
    ("outputs", "documents"),
    [
        ({"documents": DOCUMENTS[:1]}, (Document("Riders are sixteen or older.", "d-1", 0.9),)),
        ({"output": [{"page_content": "Open.", "metadata": {"id": "d-1"}}]}, (Document("Open.", "d-1"),)),
        ({"output": ["Open."]}, (Document("Open."),)),
        ({"output": "Open."}, (Document("Open."),)),
        ({"output": []}, ()),
        ({"documents": []}, ()),
        ({}, None),
    ],
)
def test_a_retriever_gives_what_it_returned(outputs: object, documents: object) -> None:
    read = told(LANGSMITH, run("retriever", inputs={"query": QUESTION}, outputs=outputs), Role.RETRIEVER)
    assert (read.get("query"), read.get("documents")) == (QUESTION, documents)


@pytest.mark.parametrize(
    ("inputs", "outputs"),
    [
        (
            {"messages": [[langchain("SystemMessage", "Be brief."), langchain("HumanMessage", PROMPT)]]},
            generations(ANSWER, tool_calls=[]),
        ),
        (
            {
                "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": PROMPT}],
                "model": "m",
            },
            {"id": "r-1", "model": "m-1", "choices": [{"message": {"role": "assistant", "content": ANSWER}}]},
        ),
        (
            {"input": PROMPT, "instructions": "Be brief.", "model": "m"},
            {
                "output": [
                    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": ANSWER}]}
                ]
            },
        ),
    ],
)
def test_a_model_is_read_from_langchain_and_from_clients(inputs: object, outputs: object) -> None:
    assert told(LANGSMITH, run("llm", inputs=inputs, outputs=outputs), Role.MODEL) == {
        "prompt": (Message("system", "Be brief."), Message("user", PROMPT)),
        "output": Message("assistant", ANSWER),
    }


def test_a_tool_gives_its_result_without_the_messages_frame() -> None:
    message = {"content": "Rain.", "type": "tool", "name": "weather", "tool_call_id": "1", "status": "success"}
    assert told(LANGSMITH, run("tool", outputs={"output": message}), Role.TOOL) == {"result": "Rain."}
    assert told(LANGSMITH, run("tool", outputs={"output": "Rain."}), Role.TOOL) == {"result": "Rain."}


def test_what_fills_a_prompt_is_known_and_what_a_parser_gets_is_not_that() -> None:
    inputs = {"question": QUESTION, "context": "Open.", "history": []}
    variables = {"question": QUESTION, "context": "Open."}
    assert told(LANGSMITH, run("prompt", inputs=inputs), Role.STEP) == {"variables": variables}
    assert told(LANGSMITH, run("parser", inputs={"input": ANSWER}), Role.STEP) == {}


def test_facts_are_read_from_metadata_and_the_reply() -> None:
    more: dict[str, AttributeValue] = {
        "langsmith.metadata.thread_id": "t-1",
        "langsmith.metadata.user_id": "u-1",
        "langsmith.metadata.tenant_id": "acme",
        "langsmith.metadata.revision_id": "9f3",
        "langsmith.metadata.lc_hub_repo": "faq",
        "langsmith.metadata.lc_hub_commit_hash": "4c1",
        "langsmith.metadata.LANGSMITH_PROJECT": "default",
        "langsmith.trace.session_id": "a project",
    }
    metadata = {"model_name": "chat-1-2026", "id": "r-1"}
    assert told(LANGSMITH, run("llm", outputs=generations(ANSWER, response_metadata=metadata), more=more)) == {
        "session_id": "t-1",
        "user_id": "u-1",
        "tenant": "acme",
        "app_version": "9f3",
        "prompt_version": "faq:4c1",
        "response_model": "chat-1-2026",
        "response_id": "r-1",
    }


def test_a_recorded_exception_is_a_failure_though_the_status_is_ok() -> None:
    """The status was set to OK when the run began, and stays so."""
    event = SpanEvent(
        "exception",
        1,
        {
            "exception.type": "Exception",
            "exception.message": "TimeoutError('index gone')Traceback (most recent call last):\n  File x",
        },
    )
    fields: Fields = {"events": (event,), "status": SpanStatus.OK}
    root = run("chain", "a", inputs={"input": QUESTION}, outputs={}, fields=fields)
    found = run("retriever", "b", "a", 1, inputs={"query": QUESTION}, fields=fields)
    error = only(extract(root, found)).error
    assert error is not None
    assert (error.type, error.stage, error.message) == ("TimeoutError", "retrieval", "TimeoutError('index gone')")


def test_an_exception_on_a_span_of_others_is_left_to_its_status() -> None:
    caught = span("a", attributes={"langsmith.metadata.x": "y"}, events=(SpanEvent("exception", 1, {}),))
    assert told(LANGSMITH, caught) == {}


@pytest.mark.parametrize("key", ["gen_ai.prompt", "gen_ai.completion"])
def test_inputs_and_outputs_are_json_that_may_be_cut(key: str) -> None:
    cut = run("chain", more={key: '{"input": "Who may ri'})
    assert told(LANGSMITH, cut, Role.CHAIN) == {}
    assert LANGSMITH.is_json(cut, key)
    assert not LANGSMITH.is_json(span("a", attributes={"gen_ai.prompt": "x"}), key)


def test_an_anonymised_value_hides_the_trace() -> None:
    assert is_hidden(run("chain", inputs={"input": "[REDACTED]"}))
    assert not is_hidden(run("chain", inputs={"input": QUESTION}))
