"""What real runs of clients and platforms with tracing of their own showed, in the form in which they wrote it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from monitor.traces.documents import read_result
from monitor.traces.reading import Document
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
    dropped,
    model,
    oi,
    oi_messages,
    one,
    said,
    told,
)
from tests.monitor.traces.spans import ANSWER, QUESTION, span

BOTH = f"{RIDERS}\n{OPEN}"

# -------------------------------------------------------------------------------------------------------------- Mistral

ASKED = said(("user", FILLED))
REPLIED = said(("assistant", ANSWER))


def test_a_call_that_shows_only_its_reply_was_asked_what_its_agent_was() -> None:
    """As Mistral's client writes a conversation: the span of the reply is made of what the service sent back."""
    reply = {
        "gen_ai.operation.name": "chat",
        "gen_ai.response.model": "chat-1",
        "gen_ai.output.messages": REPLIED,
    }
    request = one(agent("a", gen_ai__input__messages=ASKED), span("m", "a", 1, attributes=reply))
    assert told(request) == Told(QUESTION, ANSWER, (BOTH,), "prompt", None)


def test_an_agent_that_another_service_runs_speaks_for_its_calls() -> None:
    request = one(agent("a", gen_ai__input__messages=ASKED, gen_ai__output__messages=REPLIED))
    assert told(request) == Told(QUESTION, ANSWER, (BOTH,), "prompt", None)


def test_an_agent_that_was_given_no_context_is_no_request() -> None:
    asked = said(("user", QUESTION))
    assert dropped(agent("a", gen_ai__input__messages=asked, gen_ai__output__messages=REPLIED)) == {"no_request": 1}


# ----------------------------------------------------------------------------------------------------------- AgentScope


def test_a_part_of_a_result_that_is_stamped_with_times_is_no_document() -> None:
    part = {"type": "text", "text": f"[1] (source: rules.md)\n{RIDERS}", "id": "302b"}
    stamps = {"created_at": "2026-11-30T09:20:11.499781", "finished_at": None}
    result = {"content": [part | stamps], "state": "success", "metadata": {}, "id": "call_1"}
    assert read_result(json.dumps(result)) == (None, part["text"])
    assert read_result(json.dumps([part])) == ((Document(part["text"], "302b"),), None)


# ------------------------------------------------------------------------------------------------- NeMo Agent Toolkit


def _step(span_id: str, parent: str, at: int, name: str, asked: str, gave: object) -> Span:
    """A function, as the toolkit writes workflows and functions alike."""
    call = oi("CHAIN", span_id, parent, at, asked=asked, returned=gave)
    return replace(call, name=name, scope="nat")


def test_a_workflow_answers_from_what_a_search_returned_though_no_model_call_has_a_span() -> None:
    workflow = _step("a", "", 0, "<workflow>", QUESTION, ANSWER)
    request = one(workflow, _step("b", "a", 1, "search_docs", QUESTION, LISTED))
    assert told(request) == RIGHT._replace(model=None)


@pytest.mark.parametrize(("name", "gave"), [("load_pages", LISTED), ("search_docs", "nothing")])
def test_a_workflow_that_loads_pages_or_finds_nothing_that_is_known_is_no_request(name: str, gave: object) -> None:
    workflow = _step("a", "", 0, "<workflow>", "manual.pdf", "Stored.")
    assert dropped(workflow, _step("b", "a", 1, name, "manual.pdf", gave)) == {"no_request": 1}


# ---------------------------------------------------------------------------------------------- Traceloop's SageMaker


@pytest.mark.parametrize(
    ("asked", "gave"),
    [
        ({"inputs": FILLED, "parameters": {"max_new_tokens": 9}}, [{"generated_text": ANSWER}]),
        ({"messages": [{"role": "user", "content": FILLED}]}, {"choices": [{"message": {"content": ANSWER}}]}),
        ({"prompt": FILLED}, {"generation": ANSWER, "stop_reason": "stop"}),
    ],
)
def test_a_call_may_show_only_the_bodies_of_request_and_response(asked: object, gave: object) -> None:
    attributes: dict[str, AttributeValue] = {
        "gen_ai.request.model": "chat-1",
        "traceloop.entity.input": json.dumps(asked),
        "traceloop.entity.output": json.dumps(gave),
    }
    assert told(one(span("m", attributes=attributes))) == Told(QUESTION, ANSWER, (BOTH,), "prompt")


# ----------------------------------------------------------------------------------------- results of tools in prompts


@pytest.mark.parametrize("result", [LISTED, json.dumps(LISTED), {"documents": LISTED}])
def test_documents_in_the_part_of_a_message_that_answers_a_call_are_told_apart(result: object) -> None:
    """As Mistral's client and the Google ADK write them, where the tool has no span."""
    asked = said(("user", QUESTION), ("assistant", CALLED), ("tool", answered(result)))
    assert told(one(model("m", "", 0, asked, REPLIED))) == RIGHT._replace(source="prompt")


def test_other_structures_are_read_as_the_texts_in_them() -> None:
    asked = said(("user", QUESTION), ("assistant", CALLED), ("tool", answered([{"age": 16, "unit": "years"}])))
    assert told(one(model("m", "", 0, asked, REPLIED))).contexts == ("16\nyears",)


def test_the_texts_of_mcp_are_parts_and_no_documents() -> None:
    assert read_result([{"type": "text", "content": BOTH}]) == (None, BOTH)
    documents, text = read_result([{"type": "text", "content": json.dumps(LISTED)}])
    assert ([one.id for one in documents or ()], text) == (["d-1", "d-2"], None)


# ------------------------------------------------------------------------------------------------- LiteLLM's callbacks


def _litellm(asked: str, gave: str, **more: AttributeValue) -> Span:
    """A call as LiteLLM writes it for Arize, Weave and Langfuse: facts of Traceloop beside OpenInference's contents."""
    attributes: dict[str, AttributeValue] = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "chat-1",
        "llm.request.type": "completion",
        "llm.is_streaming": "False",
        "input.value": asked,
        "output.value": gave,
        **oi_messages("llm.output_messages", [("assistant", gave)]),
    }
    return span("m", attributes=attributes | more, scope="litellm")


@pytest.mark.parametrize("langfuse", [False, True])
def test_contents_under_the_keys_of_another_convention_are_not_hidden(*, langfuse: bool) -> None:
    messages = [{"role": "user", "content": FILLED}]
    call = _litellm(json.dumps({"messages": messages}), ANSWER)
    if langfuse:
        kept = {key: value for key, value in call.attributes.items() if key != "input.value"}
        observed = {"langfuse.observation.type": "generation", "langfuse.observation.input": json.dumps(messages)}
        call = replace(call, attributes=kept | observed)
    assert told(one(call)) == Told(QUESTION, ANSWER, (BOTH,), "prompt")


def test_litellms_own_mark_hides_the_contents() -> None:
    mark = "redacted-by-litellm"
    asked = json.dumps([{"role": "user", "content": mark}])
    assert dropped(_litellm(mark, mark)) == {"hidden_content": 1}
    observed: dict[str, AttributeValue] = {
        "langfuse.observation.type": "generation",
        "langfuse.observation.input": asked,
        "langfuse.observation.output": json.dumps({"role": "assistant", "content": mark}),
    }
    assert dropped(span("m", attributes=observed)) == {"hidden_content": 1}


# ------------------------------------------------------------------------------------------------ OpenAI's file search

SEARCH_TOOL = {"type": "file_search", "vector_store_ids": ["vs_1"]}


def test_the_words_behind_a_search_of_the_service_are_the_reply() -> None:
    hits = [{"file_id": "d-1", "filename": "rules.md", "score": 0.9, "text": RIDERS}]
    items = [
        {"type": "file_search_call", "queries": [QUESTION], "results": hits},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": ANSWER}]},
    ]
    messages = oi_messages("llm.input_messages", [("user", QUESTION)])
    messages |= oi_messages("llm.output_messages", [("assistant", "call:file_search_call"), ("assistant", ANSWER)])
    asked = {"model": "chat-1", "input": QUESTION, "tools": [SEARCH_TOOL]}
    request = one(oi("LLM", "m", **messages, asked=asked, returned={"output": items}, llm__model_name="chat-1"))
    assert told(request) == Told(QUESTION, ANSWER, ((RIDERS, "d-1", 0.9),), "span")


@pytest.mark.parametrize("key", ["gen_ai.tool.definitions", "input.value", "langfuse.observation.input"])
def test_a_call_with_a_file_search_is_a_request_though_nobody_wrote_what_it_found(key: str) -> None:
    call = model("m", "", 0, said(("user", QUESTION)), REPLIED)
    request = one(replace(call, attributes={**call.attributes, key: json.dumps({"tools": [SEARCH_TOOL]})}))
    assert told(request) == Told(QUESTION, ANSWER, (), "unknown")
