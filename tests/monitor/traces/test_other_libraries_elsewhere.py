"""Requests of frameworks without a capture through MLflow, Langfuse and OpenLIT; of JavaScript; of hosted tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from monitor.wire import AttributeValue, Span
from tests.monitor.traces.library_spans import (
    CALLED,
    FILLED,
    LISTED,
    OPEN,
    RIDERS,
    RIGHT,
    Told,
    agent,
    answered,
    dotted,
    dumped,
    model,
    oi,
    oi_documents,
    oi_model,
    one,
    said,
    told,
    tool,
)
from tests.monitor.traces.spans import ANSWER, QUESTION, span

FOUND = f"{RIDERS}\n{OPEN}"
BY_TOOL = Told(QUESTION, ANSWER, (RIDERS,), "span")

# -------------------------------------------------------------------------------------------------------------- MLflow


def _run(kind: str, span_id: str, parent: str = "", at: int = 0, asked: object = None, returned: object = None) -> Span:
    attributes: dict[str, AttributeValue] = {"mlflow.spanType": json.dumps(kind)}
    values = {"mlflow.spanInputs": asked, "mlflow.spanOutputs": returned}
    shown = {key: json.dumps(value) for key, value in values.items() if value is not None}
    return span(span_id, parent, at, attributes=attributes | shown)


@pytest.mark.parametrize(
    ("asked", "returned"),
    [
        ({"inputs": {"question": QUESTION}}, {"raw": ANSWER, "tasks_output": []}),
        ({"task": QUESTION, "stream": False, "reset": True}, ANSWER),
        ({"user_prompt": QUESTION, "deps": None}, {"output": ANSWER}),
        ({"input": QUESTION}, ANSWER),
        (
            {"messages": [{"role": "user", "content": QUESTION}]},
            {"messages": [{"role": "assistant", "content": ANSWER}]},
        ),
    ],
    ids=["crewai", "smolagents", "pydantic-ai", "agno", "langgraph"],
)
def test_frameworks_that_mlflow_traces_ask_and_answer_in_their_own_shapes(asked: object, returned: object) -> None:
    reply = {"choices": [{"message": {"role": "assistant", "content": ANSWER}}]}
    request = one(
        _run("AGENT", "k", "", 0, asked, returned),
        _run("TOOL", "t", "k", 1, {"query": "age"}, RIDERS),
        _run(
            "CHAT_MODEL", "m", "k", 2, {"model": "chat-1", "messages": [{"role": "user", "content": QUESTION}]}, reply
        ),
    )
    assert told(request) == BY_TOOL


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        (
            {"modelId": "chat-1", "messages": [{"role": "user", "content": [{"text": FILLED}]}]},
            {"output": {"message": {"role": "assistant", "content": [{"text": ANSWER}]}}},
        ),
        (
            {"model": "chat-1", "contents": FILLED},
            {"candidates": [{"content": {"parts": [{"text": ANSWER}], "role": "model"}}]},
        ),
        ({"model": "chat-1", "prompt": FILLED}, {"choices": [{"text": ANSWER}]}),
    ],
    ids=["bedrock", "gemini", "completion"],
)
def test_clients_that_mlflow_traces_name_the_model_in_their_input(asked: object, reply: object) -> None:
    found = [{"page_content": one["text"], "id": one["id"], "metadata": {"score": one["score"]}} for one in LISTED]
    request = one(
        _run("CHAIN", "k", "", 0, {"question": QUESTION}, ANSWER),
        _run("RETRIEVER", "r", "k", 1, {"query": QUESTION}, found),
        _run("LLM", "m", "k", 2, asked, reply),
    )
    assert told(request) == RIGHT


# ------------------------------------------------------------------------------------------------------------ Langfuse


def _observed(kind: str, span_id: str, parent: str, at: int, asked: object, returned: object, **more: str) -> Span:
    values = dotted(langfuse__observation__input=dumped(asked), langfuse__observation__output=dumped(returned))
    return span(span_id, parent, at, attributes={"langfuse.observation.type": kind} | values | dotted(**more))


def test_decorators_alone_give_a_request() -> None:
    called = {"args": [QUESTION], "kwargs": {"k": 2}}
    request = one(
        _observed("span", "k", "", 0, {"args": [QUESTION], "kwargs": {}}, ANSWER),
        _observed("retriever", "r", "k", 1, called, list(LISTED)),
        _observed("generation", "m", "k", 2, called, ANSWER, langfuse__observation__model__name="chat-1"),
    )
    assert told(request) == RIGHT


def test_a_framework_below_a_decorator_is_one_request() -> None:
    request = one(
        _observed("span", "k", "", 0, {"args": [QUESTION], "kwargs": {}}, ANSWER),
        oi("AGENT", "a", "k", 1, asked=json.dumps({"task": QUESTION}), returned=ANSWER),
        oi("TOOL", "t", "a", 2, returned=RIDERS, tool__name="search"),
        oi_model("m", "a", 3, [("user", QUESTION), ("tool", RIDERS)], ANSWER),
    )
    assert (told(request), request.request_id) == (BY_TOOL, "k")


# ------------------------------------------------------------------------------------------------------------- OpenLIT


def _lit(operation: str, span_id: str, parent: str = "", at: int = 0, **more: AttributeValue) -> Span:
    named = dotted(telemetry__sdk__name="openlit", gen_ai__operation__name=operation)
    return span(span_id, parent, at, attributes=named | dotted(**more))


def test_a_crew_by_openlit() -> None:
    request = one(
        _lit(
            "workflow", "k", gen_ai__workflow__input=json.dumps({"question": QUESTION}), gen_ai__workflow__output=ANSWER
        ),
        _lit("agent", "a", "k", 1, gen_ai__agent__name="helper"),
        _lit("tools", "t", "a", 2, gen_ai__tool__name="search", gen_ai__tool__output=RIDERS),
        model("m", "a", 3, said(("user", QUESTION)), said(("assistant", ANSWER)), telemetry__sdk__name="openlit"),
    )
    assert told(request) == BY_TOOL


# ---------------------------------------------------------------------------------------------------------- JavaScript

_PAGES = [{"pageContent": RIDERS, "metadata": {"id": "d-1"}}, {"pageContent": OPEN, "metadata": {"id": "d-2"}}]
_BY_PAGES = Told(QUESTION, ANSWER, ((RIDERS, "d-1"), (OPEN, "d-2")), "span")


def test_documents_of_javascript_are_in_camel_case() -> None:
    flat = oi_documents([{"text": RIDERS}, {"text": OPEN}])
    request = one(
        oi("CHAIN", "k", asked={"question": QUESTION}, returned={"output": ANSWER}),
        oi("RETRIEVER", "r", "k", 1, asked={"query": QUESTION}, returned={"documents": _PAGES}, **flat),
        oi_model("m", "k", 2, [("user", FILLED)], ANSWER),
    )
    assert told(request) == _BY_PAGES


def test_a_retriever_of_javascript_by_openllmetry() -> None:
    def entity(kind: str, name: str, asked: object, returned: object) -> dict[str, AttributeValue]:
        return dotted(
            traceloop__span__kind=kind,
            traceloop__entity__name=name,
            traceloop__entity__input=json.dumps(asked),
            traceloop__entity__output=json.dumps(returned),
        )

    called = {"args": [], "kwargs": {"question": QUESTION}}
    request = one(
        span("k", attributes=entity("workflow", "RunnableSequence", called, ANSWER)),
        span("r", "k", 1, attributes=entity("task", "VectorStoreRetriever", {"args": [QUESTION]}, _PAGES)),
        model("m", "k", 2, said(("user", FILLED)), said(("assistant", ANSWER))),
    )
    assert told(request) == _BY_PAGES


def test_an_agent_of_mastra_has_input_and_output_under_its_own_names() -> None:
    run: dict[str, Any] = {
        "mastra.span.type": "agent_run",
        "mastra.agent_run.input": json.dumps([{"role": "user", "content": QUESTION}]),
        "mastra.agent_run.output": json.dumps({"text": ANSWER}),
    }
    request = one(
        agent("a", **{key.replace(".", "__"): value for key, value in run.items()}),
        model("m1", "a", 1, said(("user", QUESTION)), said(("assistant", CALLED))),
        tool("t", "a", 2, gen_ai__tool__call__result=json.dumps({"relevantContext": [RIDERS], "sources": LISTED[:1]})),
        model("m2", "a", 3, said(("user", QUESTION), ("tool", answered(RIDERS))), said(("assistant", ANSWER))),
    )
    assert told(request) == Told(QUESTION, ANSWER, ((RIDERS, "d-1", 0.9),), "span")


# -------------------------------------------------------------------------------------------- clients that are no tools


def test_what_instructor_calls_tools_is_no_evidence() -> None:
    """The client is one of them, and the schema of its answer another."""
    scope = "openinference.instrumentation.instructor"
    patched: dict[str, Any] = dict(
        oi(
            "TOOL",
            "p",
            asked=[{"role": "user", "content": FILLED}],
            returned={"answer": ANSWER},
            llm__invocation_parameters='{"model": "chat-1", "response_model": "Reply"}',
        ).attributes
    )
    schema = oi("TOOL", "s", returned={"properties": {"answer": {"type": "string"}}}).attributes
    request = one(
        oi("CHAIN", "k", asked=QUESTION),
        oi("RETRIEVER", "r", "k", 1, **oi_documents()),
        span("p", "k", 2, attributes=patched, scope=scope),
        span("s", "p", 3, attributes=schema, scope=scope),
        oi_model("m", "p", 4, [("user", FILLED)], "call:Reply"),
    )
    assert told(request) == RIGHT


def test_tools_that_the_models_service_runs_show_their_results_in_its_reply() -> None:
    parts = [*CALLED, *answered([{"file_id": "f-1", "text": RIDERS}]), {"type": "text", "content": ANSWER}]
    request = one(model("m", "", 0, said(("user", QUESTION)), said(("assistant", parts))))
    assert (request.question, request.answer, request.contexts_source.value) == (QUESTION, ANSWER, "prompt")
    assert RIDERS in request.contexts[0].text


def test_checks_and_handovers_of_agents_are_no_model_calls() -> None:
    request = one(
        agent("a"),
        span("g", "a", 1, attributes=dotted(gen_ai__operation__name="guardrail_check")),
        model("c", "g", 1, said(("user", "Is this fine?")), said(("assistant", "yes"))),
        span("h", "a", 1, attributes=dotted(gen_ai__operation__name="agent_handoff")),
        tool("t", "a", 2, gen_ai__tool__call__result=RIDERS),
        model("m", "a", 3, said(("user", QUESTION)), said(("assistant", ANSWER))),
    )
    assert told(request) == BY_TOOL
