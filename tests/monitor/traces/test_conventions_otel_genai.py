from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from monitor.traces.conventions.otel_genai import OTEL_GENAI
from monitor.traces.reading import Document, Message, Role
from monitor.wire import AttributeValue, SpanEvent
from tests.monitor.traces.spans import messages, span, told


@pytest.mark.parametrize(
    ("operation", "role"),
    [
        ("chat", Role.MODEL),
        ("text_completion", Role.MODEL),
        ("generate_content", Role.MODEL),
        ("retrieval", Role.RETRIEVER),
        ("RETRIEVER", Role.RETRIEVER),
        ("vector_db_retrieve", Role.RETRIEVER),
        ("invoke_agent", Role.CHAIN),
        ("invoke_workflow", Role.CHAIN),
        ("CHAIN", Role.CHAIN),
        ("execute_tool", Role.TOOL),
        ("embeddings", Role.STEP),
        ("embedding", Role.STEP),
        ("vectordb", None),
        ("no such operation", None),
    ],
)
def test_the_operation_gives_the_role(operation: str, role: Role | None) -> None:
    assert OTEL_GENAI.role(span("a", attributes={"gen_ai.operation.name": operation})) is role


@pytest.mark.parametrize(
    ("attributes", "role"),
    [
        ({"gen_ai.input.messages": messages("user", "Hi")}, Role.CHAIN),
        ({"gen_ai.output.messages": messages("assistant", "Hi"), "gen_ai.request.model": "m"}, Role.MODEL),
        ({"gen_ai.retrieval.documents": "[]"}, Role.RETRIEVER),
        ({"gen_ai.evaluation.name": "x"}, Role.EVALUATOR),
        ({"gen_ai.system": "openai", "gen_ai.request.model": "m"}, None),
        ({"gen_ai.operation.name": 3}, None),
        ({}, None),
    ],
)
def test_without_an_operation_the_content_gives_the_role(
    attributes: dict[str, AttributeValue], role: Role | None
) -> None:
    assert OTEL_GENAI.role(span("a", attributes=attributes)) is role


@pytest.mark.parametrize("structured", [False, True])
def test_a_models_prompt_and_reply_are_read_in_both_forms(structured: bool) -> None:  # noqa: FBT001 - a switch
    asked: AttributeValue = [{"role": "user", "parts": [{"type": "text", "content": "When?"}]}]
    replied: AttributeValue = [
        {"role": "assistant", "parts": [{"type": "reasoning", "content": "Hm"}, {"type": "text", "content": "Now"}]}
    ]
    system: AttributeValue = [{"type": "text", "content": "You help."}]
    attributes: dict[str, AttributeValue] = {
        "gen_ai.input.messages": asked,
        "gen_ai.output.messages": replied,
        "gen_ai.system_instructions": system,
    }
    values: Mapping[str, AttributeValue] = (
        attributes if structured else {key: json.dumps(value) for key, value in attributes.items()}
    )
    assert told(OTEL_GENAI, span("a", attributes=values), Role.MODEL) == {
        "prompt": (Message("system", "You help."), Message("user", "When?")),
        "output": Message("assistant", "Now"),
    }


def test_the_content_may_stand_in_details_events() -> None:
    """Some producers write several of them for one span."""
    events = (
        SpanEvent("gen_ai.client.inference.operation.details", 1, {"gen_ai.input.messages": messages("user", "When?")}),
        SpanEvent(
            "gen_ai.client.inference.operation.details", 2, {}, {"gen_ai.output.messages": messages("assistant", "Now")}
        ),
    )
    content = told(OTEL_GENAI, span("a", events=events), Role.MODEL)
    assert (content.get("prompt"), content.get("output")) == ((Message("user", "When?"),), Message("assistant", "Now"))


def test_the_older_events_are_joined_in_time() -> None:
    events = (
        SpanEvent("gen_ai.choice", 3, {}, {"index": 0, "message": {"role": "assistant", "content": "Now"}}),
        SpanEvent("gen_ai.user.message", 2, {}, {"content": "When?"}),
        SpanEvent("gen_ai.system.message", 1, {}, {"content": "You help."}),
    )
    content = told(OTEL_GENAI, span("a", events=events), Role.MODEL)
    assert content.get("prompt") == (Message("system", "You help."), Message("user", "When?"))
    assert content.get("output") == Message("assistant", "Now")


def test_older_events_on_the_span_may_hold_json_text() -> None:
    events = (
        SpanEvent("gen_ai.user.message", 1, {"content": '[{"text": "When?"}]'}),
        SpanEvent("gen_ai.choice", 2, {"message": '[{"toolUse": {"name": "s"}}]'}),
        SpanEvent("gen_ai.choice", 3, {"message": '[{"text": "Now\\n"}]'}),
    )
    content = told(OTEL_GENAI, span("a", events=events), Role.MODEL)
    assert (content.get("prompt"), content.get("output")) == (
        (Message("user", "When?"),),
        Message("assistant", "", calls_tool=True),
    )


def test_an_agents_question_and_answer_may_stand_in_older_events() -> None:
    events = (
        SpanEvent("gen_ai.user.message", 1, {"content": '[{"text": "When?"}]'}),
        SpanEvent("gen_ai.choice", 2, {"message": "Now\n"}),
    )
    content = told(OTEL_GENAI, span("a", events=events), Role.CHAIN)
    assert (content.get("question"), content.get("answer")) == ("When?", "Now\n")


def test_older_events_without_content_say_nothing() -> None:
    events = (
        SpanEvent("gen_ai.user.message", 1, {"gen_ai.system": "openai"}),
        SpanEvent("gen_ai.choice", 2, {}, {"index": 0, "message": {"role": "assistant"}}),
    )
    assert told(OTEL_GENAI, span("a", events=events), Role.MODEL) == {}


def test_a_retrieval_gives_query_and_documents() -> None:
    attributes = {"gen_ai.retrieval.query.text": "When?", "gen_ai.retrieval.documents": '[{"id": 1, "score": 0.5}, {}]'}
    assert told(OTEL_GENAI, span("a", attributes=attributes), Role.RETRIEVER) == {
        "query": "When?",
        "documents": (Document(None, "1", 0.5), Document()),
    }


@pytest.mark.parametrize(
    ("result", "content"),
    [
        ("397.8", {"result": "397.8"}),
        ({"rain": "no"}, {"result": "no"}),
        ('[{"id": 1, "text": "Open."}]', {"documents": (Document("Open.", "1"),)}),
        (None, {}),
    ],
)
def test_a_tool_gives_documents_or_its_result(result: AttributeValue, content: dict[str, object]) -> None:
    assert told(OTEL_GENAI, span("a", attributes={"gen_ai.tool.call.result": result}), Role.TOOL) == content


def test_facts_are_read() -> None:
    attributes: dict[str, AttributeValue] = {
        "gen_ai.request.model": "m",
        "gen_ai.response.model": "m-1",
        "gen_ai.response.id": "r",
        "gen_ai.conversation.id": "c",
        "gen_ai.prompt.name": "faq",
        "gen_ai.prompt.version": 3,
        "gen_ai.data_source.id": "index",
        "gen_ai.usage.input_tokens": 5,
        "gen_ai.usage.completion_tokens": "7",
    }
    assert told(OTEL_GENAI, span("a", attributes=attributes)) == {
        "model": "m",
        "response_model": "m-1",
        "response_id": "r",
        "session_id": "c",
        "prompt_version": "faq:3",
        "knowledge_base": "index",
        "input_tokens": 5,
        "output_tokens": 7,
    }


def test_a_conversation_id_that_is_made_up_for_each_run_is_no_session() -> None:
    attributes = {"gen_ai.conversation.id": "c"}
    assert told(OTEL_GENAI, span("a", attributes=attributes, scope="pydantic-ai")) == {}


def test_of_a_cut_conversation_no_turn_is_the_question() -> None:
    """What is left may be an earlier one."""
    turns = [{"role": "user", "parts": [{"type": "text", "content": text}]} for text in ("When?", "And on Sundays?")]
    cut = span("a", attributes={"gen_ai.input.messages": json.dumps(turns)[:-9]})
    assert told(OTEL_GENAI, cut, Role.CHAIN) == {}
    assert told(OTEL_GENAI, cut, Role.MODEL) == {"prompt": (Message("user", "When?"),)}


def test_documents_may_be_their_texts_alone() -> None:
    """TruLens writes them so; ids are no passages, and neither are documents that were encoded once more."""
    texts = span(
        "k",
        attributes={
            "gen_ai.operation.name": "retrieval",
            "gen_ai.retrieval.documents": ["Riders are sixteen or older."],
        },
    )
    assert told(OTEL_GENAI, texts, Role.RETRIEVER)["documents"] == (Document("Riders are sixteen or older."),)
    others: list[list[AttributeValue]] = [
        ["d-1", "d-2"],
        ['[{"id": "d-1", "content": "Riders are sixteen or older."}]'],
    ]
    for listed in others:
        none = span("k", attributes={"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.documents": listed})
        assert "documents" not in told(OTEL_GENAI, none, Role.RETRIEVER)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("gen_ai.response.text", "Sixteen."),
        ("gen_ai.response.text", '["Sixteen."]'),
        ("gen_ai.response.messages", '[{"role": "assistant", "content": "Sixteen."}]'),
    ],
)
def test_keys_that_no_revision_names(key: str, value: str) -> None:
    asked = '[{"role": "user", "content": "Who may ride?"}]'
    call = span("m", attributes={"gen_ai.operation.name": "chat", "gen_ai.request.messages": asked, key: value})
    read = told(OTEL_GENAI, call, Role.MODEL)
    assert (read["prompt"], read["output"]) == ((Message("user", "Who may ride?"),), Message("assistant", "Sixteen."))
