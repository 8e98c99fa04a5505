"""The older revisions of OpenTelemetry GenAI."""

from __future__ import annotations

import json

import pytest

from monitor.traces.conventions.otel_genai import OTEL_GENAI
from monitor.traces.reading import Document, Message, Role
from monitor.wire import AttributeValue, SpanEvent
from tests.monitor.traces.spans import span, told

_BOTH = {"prompt": (Message("user", "When?"),), "output": Message("assistant", "Now")}


def test_messages_may_be_packed_into_one_attribute() -> None:
    """As Azure's SDKs write them."""
    events = (
        SpanEvent("gen_ai.user.message", 1, {"gen_ai.event.content": '{"role": "user", "content": "When?"}'}),
        SpanEvent(
            "gen_ai.choice",
            2,
            {"gen_ai.event.content": '{"message": {"content": "Now"}, "finish_reason": "stop", "index": 0}'},
        ),
    )
    assert told(OTEL_GENAI, span("a", events=events), Role.MODEL) == _BOTH


def test_a_packed_text_is_the_message() -> None:
    events = (SpanEvent("gen_ai.user.message", 1, {"gen_ai.event.content": "When?"}),)
    assert told(OTEL_GENAI, span("a", events=events), Role.MODEL) == {"prompt": _BOTH["prompt"]}


@pytest.mark.parametrize(
    ("prompt", "reply"),
    [
        ('[{"role": "user", "content": "When?"}]', '[{"role": "assistant", "content": "Now"}]'),
        ('{"messages": [{"role": "user", "content": "When?"}]}', '{"role": "assistant", "content": "Now"}'),
        (
            '[{"role": "user", "content": "When?"}]',
            '[{"index": 0, "message": {"role": "assistant", "content": "Now"}}]',
        ),
        ("user: When?", "assistant: Now"),
        ("When?", "Now"),
    ],
)
@pytest.mark.parametrize("in_events", [False, True])
def test_a_whole_prompt_and_reply_are_read_in_all_forms(prompt: str, reply: str, in_events: bool) -> None:  # noqa: FBT001 - a switch
    asked: dict[str, AttributeValue] = {"gen_ai.prompt": prompt}
    replied: dict[str, AttributeValue] = {"gen_ai.completion": reply}
    if in_events:
        events = (SpanEvent("gen_ai.content.prompt", 1, asked), SpanEvent("gen_ai.content.completion", 2, replied))
        read = span("a", events=events)
    else:
        read = span("a", attributes=asked | replied)
    assert OTEL_GENAI.role(read) is Role.MODEL
    assert told(OTEL_GENAI, read, Role.MODEL) == _BOTH


@pytest.mark.parametrize("text", ['[{"role": "user", "content": "Wh', '{"question": "When?"}', "", '[{"a": 1}]'])
def test_json_of_no_known_shape_is_no_text(text: str) -> None:
    assert told(OTEL_GENAI, span("a", attributes={"gen_ai.prompt": text}), Role.MODEL) == {}


def test_the_inputs_of_langsmiths_runs_are_no_prompts() -> None:
    attributes = {"langsmith.span.kind": "chain", "gen_ai.prompt": "When?", "gen_ai.completion": "Now"}
    assert OTEL_GENAI.role(span("a", attributes=attributes)) is None
    assert told(OTEL_GENAI, span("a", attributes=attributes), Role.MODEL) == {}


def test_an_agents_question_and_answer_may_stand_in_the_oldest_attributes() -> None:
    attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.prompt": "When?", "gen_ai.completion": "Now"}
    assert told(OTEL_GENAI, span("a", attributes=attributes), Role.CHAIN) == {"question": "When?", "answer": "Now"}


@pytest.mark.parametrize(
    ("attributes", "role"),
    [
        ({"gen_ai.span.kind": "RETRIEVER"}, Role.RETRIEVER),
        ({"gen_ai.span.kind": "llm"}, Role.MODEL),
        ({"gen_ai.operation.name": "run_step", "gen_ai.span.kind": "CHAIN"}, Role.CHAIN),
        ({"gen_ai.operation.name": "chat", "gen_ai.span.kind": "CHAIN"}, Role.MODEL),
        ({"gen_ai.span.kind": "other"}, None),
        ({"gen_ai.operation.name": "rerank"}, Role.RERANKER),
        ({"gen_ai.operation.name": "chat.completions"}, Role.MODEL),
    ],
)
def test_distributions_name_more_operations_and_kinds(attributes: dict[str, AttributeValue], role: Role | None) -> None:
    assert OTEL_GENAI.role(span("a", attributes=attributes)) is role


def test_a_rerankers_output_and_an_older_query_are_read() -> None:
    attributes = {
        "gen_ai.retrieval.query": "When?",
        "gen_ai.rerank.output_documents": json.dumps([{"id": "d-1", "score": 0.5, "content": "Open."}]),
        "gen_ai.retrieval.documents": "[]",
    }
    assert told(OTEL_GENAI, span("a", attributes=attributes), Role.RERANKER) == {
        "query": "When?",
        "documents": (Document("Open.", "d-1", 0.5),),
    }


def test_a_placeholder_is_no_models_name() -> None:
    attributes = {"gen_ai.request.model": "unknown", "gen_ai.response.model": "Unknown"}
    assert told(OTEL_GENAI, span("a", attributes=attributes)) == {}


def test_an_agents_version_is_the_applications() -> None:
    assert told(OTEL_GENAI, span("a", attributes={"gen_ai.agent.version": "2.1"})) == {"app_version": "2.1"}


def test_ids_that_are_no_contents_do_not_look_cut() -> None:
    keys = ("gen_ai.task.id", "gen_ai.task.parent.id", "gen_ai.agent.id")
    assert not any(key.startswith(OTEL_GENAI.contents) for key in keys)


@pytest.mark.parametrize("structured", [False, True])
def test_only_the_texts_of_a_conversation_may_be_kept(structured: bool) -> None:  # noqa: FBT001 - a switch
    asked: AttributeValue = ["You help.", "When?"]
    replied: AttributeValue = ["Now"]
    attributes = {
        "gen_ai.prompt": asked if structured else json.dumps(asked),
        "gen_ai.completion": replied if structured else json.dumps(replied),
    }
    assert told(OTEL_GENAI, span("a", attributes=attributes), Role.MODEL) == {
        "prompt": (Message("", "You help."), Message("user", "When?")),
        "output": Message("assistant", "Now"),
    }


def test_texts_in_brackets_may_hold_bare_quotation_marks() -> None:
    attributes: dict[str, AttributeValue] = {"gen_ai.prompt": '["Say "hi"."]', "gen_ai.completion": '["It is "hi"."]'}
    assert told(OTEL_GENAI, span("a", attributes=attributes), Role.MODEL) == {
        "prompt": (Message("user", 'Say "hi".'),),
        "output": Message("assistant", 'It is "hi".'),
    }
