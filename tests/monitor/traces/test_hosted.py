"""What a model's own service found before it answered is evidence, whichever convention shows the reply."""

from __future__ import annotations

import json

import pytest

from monitor.records import ContextsSource
from monitor.traces.exchange import read_reply
from monitor.traces.messages import read_message
from monitor.wire import AttributeValue
from tests.monitor.traces.spans import ANSWER, QUESTION, extract, span

RIDERS = "Riders are sixteen or older."
DEPOSIT = "The deposit is fifty euros, paid in advance."
FOUND: list[AttributeValue] = [
    {"file_id": "f-1", "filename": "riders.md", "score": 0.9, "text": RIDERS},
    {"file_id": "f-2", "filename": "prices.md", "score": 0.4, "text": DEPOSIT},
]
SEARCH = {"id": "fs", "type": "file_search_call", "queries": ["riders"], "results": FOUND}
SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": ANSWER}]}
RESPONSE = {"id": "r", "object": "response", "model": "m-1", "output": [SEARCH, SAID]}
CITED: dict[str, AttributeValue] = {
    "role": "assistant",
    "content": ANSWER,
    "context": {"citations": [{"content": RIDERS, "title": "a", "chunk_id": "0"}, {"content": DEPOSIT, "title": "b"}]},
}
CHUNKS: list[AttributeValue] = [{"retrieved_context": {"text": text}} for text in (RIDERS, DEPOSIT)]
GROUNDED_CANDIDATE: dict[str, AttributeValue] = {
    "content": {"role": "model", "parts": [{"text": ANSWER}]},
    "grounding_metadata": {"grounding_chunks": CHUNKS},
}
GROUNDED: dict[str, AttributeValue] = {"candidates": [GROUNDED_CANDIDATE]}
CAMELS: dict[str, AttributeValue] = {
    "content": {"role": "model", "parts": [{"text": ANSWER}]},
    "groundingMetadata": {"groundingChunks": [{"retrievedContext": {"text": text}} for text in (RIDERS, DEPOSIT)]},
}
PARTS: list[AttributeValue] = [
    {"type": "server_tool_call", "id": "fs", "name": "file_search"},
    {"type": "server_tool_call_response", "id": "fs", "server_tool_call_response": {"results": FOUND}},
    {"type": "text", "content": ANSWER},
]
OTEL: list[AttributeValue] = [{"role": "assistant", "parts": PARTS, "finish_reason": "stop"}]
ASKED = [{"role": "user", "content": QUESTION}]
LLM = {"openinference.span.kind": "LLM", "output.mime_type": "application/json", "input.mime_type": "application/json"}
FLAT = {
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.content": QUESTION,
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.content": ANSWER,
}
NUMBERED = {
    "llm.request.type": "chat",
    "gen_ai.prompt.0.role": "user",
    "gen_ai.completion.0.role": "assistant",
    "gen_ai.completion.0.content": ANSWER,
}
RESULTS: list[AttributeValue] = [
    {"type": "search_result", "title": "a", "content": [{"type": "text", "text": RIDERS}]},
    {"type": "search_result", "title": "b", "content": [{"type": "text", "text": DEPOSIT}]},
    {"type": "text", "text": QUESTION},
]


def _otel(replied: AttributeValue) -> dict[str, AttributeValue]:
    asked: AttributeValue = [{"role": "user", "parts": [{"type": "text", "content": QUESTION}]}]
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": asked if isinstance(replied, list) else json.dumps(asked),
        "gen_ai.output.messages": replied,
    }


@pytest.mark.parametrize(
    "attributes",
    [
        pytest.param(_otel(json.dumps(OTEL)), id="OTel, JSON"),
        pytest.param(_otel(OTEL), id="OTel, structured"),
        pytest.param({**LLM, **FLAT, "output.value": json.dumps(RESPONSE)}, id="OpenInference, Responses"),
        pytest.param(
            {**LLM, "input.value": json.dumps({"input": QUESTION}), "output.value": json.dumps(RESPONSE)},
            id="OpenInference, bodies only",
        ),
        pytest.param(
            {**LLM, **FLAT, "output.value": json.dumps({"choices": [{"message": CITED}]})},
            id="OpenInference, Azure on your data",
        ),
        pytest.param({**LLM, **FLAT, "output.value": json.dumps(GROUNDED)}, id="OpenInference, Gemini"),
        pytest.param(
            {**LLM, **FLAT, "output.value": json.dumps({"candidates": [CAMELS]})}, id="OpenInference, Gemini's JSON"
        ),
        pytest.param(
            {
                "langfuse.observation.type": "generation",
                "langfuse.observation.input": json.dumps(ASKED),
                "langfuse.observation.output": json.dumps([SEARCH, SAID]),
            },
            id="Langfuse, Responses",
        ),
        pytest.param(
            {
                "langfuse.observation.type": "generation",
                "langfuse.observation.input": json.dumps(ASKED),
                "langfuse.observation.output": json.dumps(CITED),
            },
            id="Langfuse, Azure on your data",
        ),
        pytest.param(
            {
                "mlflow.spanType": '"CHAT_MODEL"',
                "mlflow.spanInputs": json.dumps({"messages": ASKED}),
                "mlflow.spanOutputs": json.dumps(RESPONSE),
            },
            id="MLflow, Responses",
        ),
        pytest.param(
            {
                "langsmith.span.kind": "llm",
                "gen_ai.prompt": json.dumps({"messages": ASKED}),
                "gen_ai.completion": json.dumps(RESPONSE),
            },
            id="LangSmith, Responses",
        ),
        pytest.param(
            {
                **NUMBERED,
                "gen_ai.prompt.0.content": QUESTION,
                "gen_ai.completion.0.tool_calls.0.name": "file_search",
                "gen_ai.completion.0.tool_calls.0.arguments": json.dumps(SEARCH),
            },
            id="Traceloop, Responses",
        ),
        pytest.param({**NUMBERED, "gen_ai.prompt.0.content": json.dumps(RESULTS)}, id="Traceloop, search results"),
    ],
)
def test_what_the_service_found_is_the_evidence(attributes: dict[str, AttributeValue]) -> None:
    (request,) = extract(span("a", attributes=attributes)).requests
    assert (request.question, request.answer) == (QUESTION, ANSWER)
    assert [passage.text for passage in request.contexts] == [RIDERS, DEPOSIT]
    assert request.contexts_source in {ContextsSource.SPAN, ContextsSource.PROMPT}


@pytest.mark.parametrize(
    "reply",
    [
        {"output": [{"type": "file_search_call", "queries": ["x"], "results": None}, SAID]},
        {"choices": [{"message": {**CITED, "context": {"citations": []}}}]},
        {"choices": [{"message": {**CITED, "context": {"citations": [{"title": "only a title"}]}}}]},
        {"choices": [{"message": {**CITED, "context": "a text"}}]},
        {"candidates": [{**GROUNDED_CANDIDATE, "grounding_metadata": {"grounding_chunks": [{"web": {}}]}}]},
    ],
)
def test_what_has_no_text_is_no_evidence(reply: AttributeValue) -> None:
    message = read_reply(reply)
    assert message is not None
    assert (message.text, message.results) == (ANSWER, ())


def test_what_a_user_sends_along_was_not_found_by_the_service() -> None:
    message = read_message({**CITED, "role": "user"})
    assert message is not None
    assert message.results == ()


def test_the_place_of_a_search_among_the_replies_is_no_loss() -> None:
    """OpenInference numbers what the service gave back, and writes no attributes of a search."""
    replied = {"llm.output_messages.1.message.role": "assistant", "llm.output_messages.1.message.content": ANSWER}
    asked = {key: value for key, value in FLAT.items() if "input" in key}
    body = {"output.value": json.dumps(RESPONSE)}
    (request,) = extract(span("a", attributes={**LLM, **asked, **replied, **body})).requests
    assert not request.truncated
    (request,) = extract(span("a", attributes={**LLM, **asked, **replied}), plain_chat=True).requests
    assert request.truncated
