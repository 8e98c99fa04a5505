"""Whole requests as OpenLLMetry and the Traceloop SDK write them."""

from __future__ import annotations

import pytest

from monitor.records import ContextsSource, PassageKind
from monitor.traces.conventions.traceloop import TRACELOOP
from monitor.wire import AttributeValue, Span, SpanEvent
from tests.monitor.traces.spans import ANSWER, PROMPT, QUESTION, extract, failed, messages, only, span
from tests.monitor.traces.traceloop_spans import NODE, OPEN, entity, ran, run


def _model(prompt: str = PROMPT, parent: str = "root", **more: AttributeValue) -> Span:
    attributes: dict[str, AttributeValue] = {
        "llm.request.type": "chat",
        "gen_ai.request.model": "chat-1",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": prompt,
        "gen_ai.completion.0.content": ANSWER,
    }
    return span("m", parent, 5, attributes=attributes | more)


def test_a_decorated_application_is_a_request() -> None:
    request = only(
        extract(
            span(
                "root", attributes=entity("workflow", "ask", asked={"args": [QUESTION], "kwargs": {}}, returned=ANSWER)
            ),
            span(
                "r",
                "root",
                1,
                attributes=entity(
                    "task",
                    "retrieve",
                    asked={"args": [QUESTION], "kwargs": {}},
                    returned=["Open daily.", "Riders are sixteen or older."],
                ),
            ),
            _model(),
        )
    )
    assert (request.question, request.answer, request.convention) == (QUESTION, ANSWER, "traceloop")
    assert [passage.text for passage in request.contexts] == ["Riders are sixteen or older.", "Open daily."]
    assert (request.model, request.contexts_source) == ("chat-1", ContextsSource.SPAN)


def test_a_graph_with_a_retrieving_node_is_a_request() -> None:
    state = {"question": QUESTION, "context": [OPEN]}
    request = only(
        extract(
            span(
                "root",
                attributes=entity(
                    "workflow",
                    "LangGraph",
                    asked=run({"question": QUESTION}),
                    returned=ran(state | {"answer": ANSWER}),
                ),
            ),
            span(
                "r",
                "root",
                1,
                attributes=entity(
                    "task", "retrieve", asked=run({"question": QUESTION}), returned=ran({"context": [OPEN]})
                ),
            ),
            span(
                "g",
                "root",
                2,
                attributes=entity("task", "generate", asked=run(state), returned=ran({"answer": ANSWER})),
            ),
            _model("Context: Open.\nQuestion: Who may ride?", "g"),
        )
    )
    assert (request.question, request.answer) == (QUESTION, ANSWER)
    assert [(passage.text, passage.id, passage.score) for passage in request.contexts] == [("Open.", "d-1", 0.6)]


def test_an_agents_tool_gives_the_contexts() -> None:
    request = only(
        extract(
            span("root", attributes=entity("agent", "helper", asked=run({"messages": [["user", QUESTION]]}))),
            span("t", "root", 1, attributes=entity("tool", "weather", returned={"output": "Rain.", "kwargs": {}})),
            _model("Rain."),
        )
    )
    assert (request.question, request.answer) == (QUESTION, ANSWER)
    assert [(passage.text, passage.kind) for passage in request.contexts] == [("Rain.", PassageKind.TOOL)]


def test_a_stream_without_an_end_leaves_a_request_of_what_arrived() -> None:
    """LlamaIndex never ends the spans of the engine then; their children name parents that never come."""
    retriever = entity("task", "Keyword.task", asked={"str_or_query_bundle": {"query_str": QUESTION}}, returned=[NODE])
    request = only(
        extract(span("r", "gone", 1, attributes=retriever), _model("Open.\nQuery: Who may ride?", "also-gone"))
    )
    assert (request.question, request.answer) == (QUESTION, ANSWER)
    assert [passage.id for passage in request.contexts] == ["d-1"]


def test_an_ingestion_by_tasks_is_no_request() -> None:
    extracted = extract(
        span("root", attributes=entity("workflow", "ingest", asked={"args": ["docs"], "kwargs": {}}, returned=2)),
        span(
            "l",
            "root",
            1,
            attributes=entity(
                "task", "load", asked={"args": ["docs"], "kwargs": {}}, returned=[{"text": "x", "id": "1"}]
            ),
        ),
        span("e", "root", 2, attributes={"llm.request.type": "embedding", "gen_ai.prompt.0.content": "x"}),
    )
    assert (extracted.requests, dict(extracted.dropped)) == ((), {"ingestion": 1})


def test_a_failed_step_in_retrieval_is_told() -> None:
    request = only(
        extract(
            span("root", attributes=entity("workflow", "ask", asked={"args": [QUESTION], "kwargs": {}}), **failed()),
            span("r", "root", 1, attributes=entity("task", "retrieve"), **failed("index unreachable")),
        )
    )
    assert request.error is not None
    assert (request.error.stage, request.error.type, request.question) == ("retrieval", "index unreachable", QUESTION)
    assert request.contexts_source is ContextsSource.UNKNOWN


# --------------------------------------------------------------------------------------------------------- content off


def _silent_model() -> Span:
    attributes: dict[str, AttributeValue] = {
        "llm.request.type": "chat",
        "gen_ai.request.model": "chat-1",
        "gen_ai.usage.prompt_tokens": 5,
    }
    return span("m", "root", 5, attributes=attributes)


def _hits() -> Span:
    """What a vector store's client still shows when contents are turned off."""
    events = (SpanEvent("db.query.result", 1, {"db.query.result.document": "Secret.", "db.query.result.id": "d-1"}),)
    return span("q", "root", 1, attributes={"db.system": "chroma", "db.operation": "query"}, events=events)


def test_contents_that_are_turned_off_are_hidden_and_the_request_still_counts() -> None:
    request = only(extract(span("root", attributes=entity("workflow", "ask")), _hits(), _silent_model()))
    assert "Secret" not in repr(request)
    assert (request.redacted, request.question, request.answer, request.contexts) == (True, None, None, ())
    assert (request.model, request.input_tokens, request.contexts_source) == ("chat-1", 5, ContextsSource.UNKNOWN)


def test_a_workflow_without_contents_may_have_retrieved_and_a_lone_call_is_no_request() -> None:
    """Older LangChain instrumentations have no span for a retriever."""
    request = only(extract(span("root", attributes=entity("workflow", "ask")), _silent_model()))
    assert (request.redacted, request.contexts_source) == (True, ContextsSource.UNKNOWN)
    assert dict(extract(span("root"), _silent_model()).dropped) == {"hidden_content": 1}


def test_a_call_that_could_not_be_written_hides_nothing_else() -> None:
    asked = entity("workflow", "ask", asked={"args": [QUESTION], "kwargs": {}}, returned=ANSWER)
    request = only(extract(span("root", attributes=asked), _hits(), _silent_model()))
    assert (request.redacted, request.question, [passage.text for passage in request.contexts]) == (
        False,
        QUESTION,
        ["Secret."],
    )


@pytest.mark.parametrize(
    ("attributes", "events", "shows"),
    [
        ({"llm.request.type": "chat"}, (), False),
        ({"gen_ai.operation.name": "chat", "gen_ai.is_streaming": False}, (), False),
        ({"gen_ai.operation.name": "chat"}, (), None),
        ({"llm.request.type": "embedding"}, (), None),
        ({"traceloop.span.kind": "workflow"}, (), None),
        ({"traceloop.span.kind": "workflow", "traceloop.entity.input": "{}"}, (), True),
        ({"llm.request.type": "chat", "gen_ai.prompt.0.content": "When?"}, (), True),
        ({"gen_ai.operation.name": "chat", "gen_ai.is_streaming": False, "gen_ai.input.messages": "[]"}, (), True),
        ({"llm.request.type": "chat"}, (SpanEvent("gen_ai.user.message", 1, {"content": "When?"}),), True),
    ],
)
def test_a_model_call_of_its_own_without_contents_is_a_sign(
    attributes: dict[str, AttributeValue],
    events: tuple[SpanEvent, ...],
    shows: bool | None,  # noqa: FBT001 - what is expected
) -> None:
    assert TRACELOOP.shows(span("a", attributes=attributes, events=events)) is shows


@pytest.mark.parametrize(
    ("scope", "text", "answer"),
    [
        ("opentelemetry.instrumentation.google_generativeai", "older.", None),
        ("opentelemetry.instrumentation.google_generativeai", ANSWER, ANSWER),
        ("opentelemetry.instrumentation.openai.v1", "Yes.", "Yes."),  # with many tokens of thought
    ],
)
def test_the_last_piece_of_a_stream_of_gemini_is_no_answer(scope: str, text: str, answer: str | None) -> None:
    """It has fewer characters than the reply had tokens."""
    call: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "generate_content",
        "gen_ai.input.messages": messages("user", PROMPT),
        "gen_ai.output.messages": messages("assistant", text),
        "gen_ai.usage.output_tokens": 20,
    }
    assert only(extract(span("m", attributes=call, scope=scope))).answer == answer
