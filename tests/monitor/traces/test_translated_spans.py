"""Spans of another instrumentation that a processor of OpenInference wrote its own attributes into."""

from __future__ import annotations

import json

import pytest

from monitor.traces.conventions.openinference import OPENINFERENCE
from monitor.traces.reading import Role
from monitor.wire import AttributeValue, Span
from tests.monitor.traces.library_spans import FILLED, JSON, LISTED, RIGHT, Told, dropped, oi, oi_documents, one, told
from tests.monitor.traces.spans import ANSWER, QUESTION, span
from tests.monitor.traces.spans import told as said_by

LANGCHAIN = "opentelemetry.instrumentation.langchain"
OPENAI = "opentelemetry.instrumentation.openai.v1"


def _moved(read: Span, name: str) -> Span:
    """The span under the name and the scope that OpenLLMetry gave it."""
    return span(read.span_id, read.parent_id, read.start_ns, attributes=read.attributes, name=name, scope=LANGCHAIN)


def _call(parent: str = "", at: int = 0, prompt: object = FILLED, **more: AttributeValue) -> Span:
    """A model call, with what OpenLLMetry wrote and with what was made of it."""
    text = prompt if isinstance(prompt, str) else json.dumps(prompt)
    attributes: dict[str, AttributeValue] = {
        "llm.request.type": "chat",
        "gen_ai.request.model": "chat-1",
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": text,
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": ANSWER,
        "openinference.span.kind": "LLM",
        "llm.model_name": "chat-1",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": text,
        "llm.output_messages.0.message.content": ANSWER,
        "llm.token_count.prompt": 0,
        "llm.token_count.completion": 0,
        "input.value": json.dumps({"messages": [{"role": "user", "content": text}]}),
        "input.mime_type": JSON,
    }
    return span("m", parent, at, attributes=attributes | more, scope=OPENAI)


def test_the_parts_of_a_message_are_read_where_they_were_written() -> None:
    """Their translation is their JSON as a text, and no count of tokens is zero tokens."""
    parts = [{"type": "text", "text": FILLED.partition("\n\n")[0]}, {"type": "text", "text": f"Question: {QUESTION}"}]
    request = one(_call(prompt=parts))
    assert (request.question, request.answer, request.convention) == (QUESTION, ANSWER, "traceloop")
    assert (request.input_tokens, request.output_tokens) == (None, None)


def test_steps_that_became_tools_are_no_evidence() -> None:
    joined = "\n".join(str(one["text"]) for one in LISTED)
    spans = (
        _moved(oi("CHAIN", "r", asked={"inputs": QUESTION}, returned={"outputs": ANSWER}), "RunnableSequence.workflow"),
        _moved(oi("TOOL", "p", "r", 1, asked=QUESTION, returned={"outputs": {"context": joined}}), "execute_task Map"),
        _moved(oi("RETRIEVER", "k", "p", 2, asked=QUESTION, **oi_documents()), "vector_db_retrieve R"),
        _moved(oi("TOOL", "f", "p", 3, asked=QUESTION, returned={"outputs": joined}), "RunnableLambda.task"),
        _call("r", 4),
    )
    assert told(one(*spans)) == RIGHT


def test_a_chat_of_steps_stays_a_chat() -> None:
    root = _moved(oi("CHAIN", "r", asked={"inputs": "Hi"}, returned={"outputs": ANSWER}), "RunnableSequence.workflow")
    step = _moved(oi("TOOL", "t", "r", 1, asked="Hi", returned={"outputs": "Hi"}), "execute_task ChatPromptTemplate")
    assert dropped(root, step, _call("r", 2, "Hi")) == {"plain_chat": 1}


def test_a_tool_that_was_one_stays_one() -> None:
    root = _moved(oi("CHAIN", "r", asked={"inputs": QUESTION}, returned={"outputs": ANSWER}), "agent.workflow")
    search = _moved(oi("TOOL", "t", "r", 1, asked="age", returned=LISTED), "execute_tool search")
    assert told(one(root, search, _call("r", 2, "Hi"))) == Told(*RIGHT[:4])


@pytest.mark.parametrize(
    ("scope", "is_read"), [(OPENAI, False), ("traceloop.tracer", False), ("openinference.instrumentation.openai", True)]
)
def test_only_spans_of_others_are_left_to_them(scope: str, *, is_read: bool) -> None:
    moved = span("m", attributes=_call().attributes, scope=scope)
    assert ("output" in said_by(OPENINFERENCE, moved, Role.MODEL)) is is_read
