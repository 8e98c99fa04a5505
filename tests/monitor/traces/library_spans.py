"""Spans as other libraries write them, and what their requests must come out as; built from the libraries' source."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from monitor.records import RagTrace
from monitor.wire import AttributeValue, Span
from tests.monitor.traces.spans import ANSWER, QUESTION, extract, only, span

RIDERS = "Riders are sixteen or older."
OPEN = "Open daily."
FILLED = f"Context:\n{RIDERS}\n{OPEN}\n\nQuestion: {QUESTION}"
LISTED = [{"id": "d-1", "text": RIDERS, "score": 0.9}, {"id": "d-2", "text": OPEN, "score": 0.5}]
JSON = "application/json"


class Told(NamedTuple):
    """What a request says, as far as nearly all libraries do."""

    question: str | None
    answer: str | None
    contexts: tuple[Any, ...]
    """Texts; beside its id where a passage has one, and beside its score where it has one."""
    source: str
    model: str | None = "chat-1"


def told(request: RagTrace) -> Told:
    """The request, to be compared as a whole."""
    passages = [(one.text, one.id, one.score) for one in request.contexts]
    shown = tuple([tuple(part for part in one if part is not None) for one in passages])
    texts = tuple([one[0] if len(one) == 1 else one for one in shown])
    return Told(request.question, request.answer, texts, request.contexts_source.value, request.model)


def one(*spans: Span) -> RagTrace:
    """The one request of a trace."""
    return only(extract(*spans))


def dropped(*spans: Span) -> Mapping[str, int]:
    """Why a trace gave no request."""
    extracted = extract(*spans)
    assert extracted.requests == ()
    return dict(extracted.dropped)


RIGHT = Told(QUESTION, ANSWER, ((RIDERS, "d-1", 0.9), (OPEN, "d-2", 0.5)), "span")


def dotted(**attributes: AttributeValue) -> dict[str, AttributeValue]:
    """Attributes by Python names: two underscores stand for a dot."""
    return {key.replace("__", "."): value for key, value in attributes.items()}


def dumped(value: object) -> str:
    """Text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


# ------------------------------------------------------------------------------------------------------- OpenInference


def oi(kind: str, span_id: str, parent: str = "", at: int = 0, **more: Any) -> Span:  # noqa: ANN401 - any attribute
    """A span of a kind. `asked` and `returned` are its values: objects as JSON, with their type."""
    attributes: dict[str, AttributeValue] = {"openinference.span.kind": kind}
    for name, key in (("asked", "input"), ("returned", "output")):
        value = more.pop(name, None)
        if value is not None:
            attributes[f"{key}.value"] = dumped(value)
            if not isinstance(value, str):
                attributes[f"{key}.mime_type"] = JSON
    return span(span_id, parent, at, attributes=attributes | dotted(**more))


def oi_messages(prefix: str, messages: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Flattened messages by role; a text that begins with `call:` is a tool call."""
    found: dict[str, Any] = {}
    for at, (role, text) in enumerate(messages):
        found[f"{prefix}.{at}.message.role"] = role
        if text.startswith("call:"):
            found[f"{prefix}.{at}.message.tool_calls.0.tool_call.function.name"] = text.removeprefix("call:")
        else:
            found[f"{prefix}.{at}.message.content"] = text
    return found


def oi_model(span_id: str, parent: str, at: int, asked: Sequence[tuple[str, str]], reply: str) -> Span:
    """A model call of 10 and 3 tokens."""
    attributes: dict[str, AttributeValue] = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "chat-1",
        "llm.token_count.prompt": 10,
        "llm.token_count.completion": 3,
        **oi_messages("llm.input_messages", asked),
        **oi_messages("llm.output_messages", [("assistant", reply)]),
    }
    return span(span_id, parent, at, attributes=attributes)


def oi_documents(documents: Sequence[Mapping[str, Any]] = LISTED) -> dict[str, Any]:
    """Flattened documents."""
    found: dict[str, Any] = {}
    for at, document in enumerate(documents):
        names = {"id": "id", "text": "content", "score": "score"}
        found |= {f"retrieval.documents.{at}.document.{names[name]}": value for name, value in document.items()}
    return found


# -------------------------------------------------------------------------------------------------------------- gen_ai


def said(*messages: tuple[str, object]) -> str:
    """Messages after OpenTelemetry: a text, or a list of parts, by role."""
    return json.dumps(
        [
            {"role": role, "parts": [{"type": "text", "content": part}] if isinstance(part, str) else part}
            for role, part in messages
        ]
    )


CALLED = [{"type": "tool_call", "id": "c-1", "name": "search", "arguments": {"query": "age"}}]


def answered(result: object) -> list[dict[str, object]]:
    """A tool's result as a part."""
    return [{"type": "tool_call_response", "id": "c-1", "response": result}]


def model(span_id: str, parent: str, at: int, asked: str, reply: str, **more: AttributeValue) -> Span:
    """A model call after OpenTelemetry, of 10 and 3 tokens."""
    attributes: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "chat-1",
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 3,
        "gen_ai.input.messages": asked,
        "gen_ai.output.messages": reply,
    }
    return span(span_id, parent, at, attributes=attributes | dotted(**more))


def filled(span_id: str, parent: str, at: int, **more: AttributeValue) -> Span:
    """A model call with everything in its prompt."""
    return model(span_id, parent, at, said(("user", FILLED)), said(("assistant", ANSWER)), **more)


def tool(span_id: str, parent: str, at: int, **more: AttributeValue) -> Span:
    """A tool call after OpenTelemetry."""
    named = dotted(gen_ai__operation__name="execute_tool", gen_ai__tool__name="search")
    return span(span_id, parent, at, attributes=named | dotted(**more))


def agent(span_id: str, parent: str = "", at: int = 0, **more: AttributeValue) -> Span:
    """An agent after OpenTelemetry."""
    named = dotted(gen_ai__operation__name="invoke_agent", gen_ai__agent__name="helper")
    return span(span_id, parent, at, attributes=named | dotted(**more))
