"""An attribute of the wrong type costs itself and no more: no key of any convention makes a trace unreadable."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from monitor.wire import AttributeValue, Span, SpanEvent
from tests.monitor.traces.convention_keys import named_keys
from tests.monitor.traces.spans import chat, extract, retrieval, span, workflow

KEYS = named_keys()
VALUES: tuple[AttributeValue, ...] = (
    ["agent", ["b"], {"type": ["a"], "role": {"b": 1}, "id": [1], "content": {}}, None, 1],
    {"type": ["a"], "role": {"b": 1}, "documents": [1, "a", None], "messages": {"content": [1]}},
    "text", "[", json.dumps([{"type": ["a"], "role": {"b": 1}, "id": [1]}]), 7, float("nan"), True, b"\xff{", None,
    ["agent"],
)  # fmt: skip
"""The first two hold most of what may go wrong."""
KINDS: Mapping[str, AttributeValue] = {
    "openinference.span.kind": "RETRIEVER",
    "fi.span.kind": "TOOL",
    "langfuse.observation.type": "generation",
    "mlflow.spanType": '"LLM"',
    "langsmith.span.kind": "tool",
    "traceloop.span.kind": "task",
    "langwatch.span.type": "rag",
    "mastra.span.type": "rag_vector_operation",
    "span.type": "retriever",
    "span_type": "Retrieval",
    "agentops.span.kind": "tool",
    "genkit:type": "action",
    "haystack.component.type": "X",
    "monocle_apptrace.version": "1",
    "spring.ai.kind": "vector_store",
    "ai.operationId": "ai.generateText",
    "entity.type": "agent",
    "framework": "promptflow",
    "gen_ai.system": "strands-agents",
    "db.system": "chroma",
}
"""Each makes the span one of some library, when it is not the key that is tried."""


def _spans(key: str, value: AttributeValue) -> list[Span]:
    """A request with the value on spans of every role, and in an event."""
    event = SpanEvent(key, 3, {key: value, "content": value, "message": value})
    asked = workflow("root")
    tool = span("tool", "root", 1, attributes={"gen_ai.operation.name": "execute_tool", key: value})
    parts = [retrieval("found", "root"), chat("chat", "root"), asked]
    plain = span("plain", "root", 4, attributes={key: value}, events=(event,), resource={key: value})
    kinds = span("kinds", "root", 5, attributes={**KINDS, key: value})
    marked = [
        span(part.span_id, part.parent_id, part.start_ns, attributes={**part.attributes, key: value}) for part in parts
    ]
    return [*marked, tool, plain, kinds]


@pytest.mark.parametrize(
    "value", [*VALUES[:2], *(pytest.param(value, marks=pytest.mark.slow) for value in VALUES[2:])], ids=repr
)
def test_no_value_under_a_key_of_a_convention_makes_a_trace_unreadable(value: AttributeValue) -> None:
    raised = {}
    for key in KEYS:
        try:
            extract(*_spans(key, value), plain_chat=True)
        except Exception as error:  # noqa: BLE001 - all of them are told at once
            raised[key] = repr(error)
    assert raised == {}


def test_the_keys_of_all_conventions_are_tried() -> None:
    assert {"entity.type", "events", "langfuse.observation.type", "span_type", "gen_ai.system"} <= set(KEYS)
