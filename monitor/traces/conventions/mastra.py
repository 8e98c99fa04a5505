"""Mastra's exporter: each span's input and output under keys with the span's type, beside OpenTelemetry's facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from monitor.traces.conventions.keys import SESSION_NAMES, USER_NAMES, named, step_if_answer, text_of
from monitor.traces.documents import read_documents, read_passages, read_result, read_retrieved
from monitor.traces.exchange import read_failure, read_prompt, read_reply
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    FAILURE,
    OUTPUT,
    PASSAGES,
    PROMPT,
    QUERY,
    QUESTION,
    RESULT,
    SESSION_ID,
    USER_ID,
    Convention,
    Document,
    Role,
    Rule,
    T,
    says,
)
from monitor.traces.shapes import answer_in, query_in, question_in
from monitor.traces.values import as_json
from monitor.wire import AttributeValue, Span

TYPE: Final = "mastra.span.type"
_CHUNK: Final = "model_chunk"
METADATA: Final = "mastra.metadata."
TOOL_NAME: Final = "gen_ai.tool.name"

_ROLES: Mapping[str, Role] = {
    "agent_run": Role.CHAIN,
    "workflow_run": Role.CHAIN,
    "workflow_step": Role.CHAIN,
    "model_generation": Role.MODEL,
    "model_step": Role.MODEL,
    "model_inference": Role.MODEL,
    "tool_call": Role.TOOL,
    "mcp_tool_call": Role.TOOL,
    "client_tool_call": Role.TOOL,
    "provider_tool_call": Role.TOOL,
    "rag_ingestion": Role.STEP,
    "rag_embedding": Role.STEP,
    "memory_operation": Role.STEP,
    "scorer_run": Role.EVALUATOR,
    "scorer_step": Role.EVALUATOR,
    "classifier_evaluation": Role.EVALUATOR,
}
"""The other types hold no part of a request: chunks of a stream (but for an error), waiting, workspaces, processors."""
_PLAIN_OUTPUT: Final = "output"
"""Where versions before 1.0 have what came out."""


def _role(span: Span) -> Role | None:
    """By the type; the store is asked and written by spans of one type, told apart by what came back."""
    kind = text_of(span.attributes, TYPE)
    if kind is None:
        return None
    if kind == "rag_vector_operation":
        return Role.STEP if read_retrieved(_value(span, "output")) is None else Role.RETRIEVER
    if _failure(span) is not None:
        return Role.MODEL
    role = _ROLES.get(kind, Role.OTHER)
    return step_if_answer(role, text_of(span.attributes, TOOL_NAME))


def _value(span: Span, side: str) -> AttributeValue:
    kind = text_of(span.attributes, TYPE)
    return as_json(span.attributes.get(f"mastra.{kind}.{side}"), layers=1)


def _failure(span: Span) -> str | None:
    """The error that came in a stream instead of its next piece: neither the call nor the agent has another sign."""
    if text_of(span.attributes, TYPE) != _CHUNK:
        return None
    return read_failure(span.attributes.get(_PLAIN_OUTPUT)) or read_failure(_value(span, "output"))


def _given(read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    return Rule("mastra.TYPE.input", lambda span: read(_value(span, "input")), TYPE)


def _returned(read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    return Rule("mastra.TYPE.output", lambda span: read(_value(span, "output")), TYPE)


def _reply_text(read: AttributeValue) -> str | None:
    """An agent's words stand as text beside files and sources; a workflow returns what it likes."""
    text = read.get("text") if isinstance(read, dict) else None
    return text if isinstance(text, str) and text.strip() else answer_in(read)


def _handed_on(read: AttributeValue) -> tuple[Document, ...] | None:
    return read_documents(read) or None


MASTRA = Convention(
    name="mastra",
    version="1.4",
    heads=frozenset({"mastra"}),
    role=_role,
    texts={
        Role.CHAIN: (
            says(QUESTION, _given(question_in)),
            says(ANSWER, _returned(_reply_text)),
            says(DOCUMENTS, _returned(_handed_on), _given(_handed_on)),
            says(PASSAGES, _returned(read_passages)),
        ),
        Role.MODEL: (says(PROMPT, _given(read_prompt)), says(OUTPUT, _returned(read_reply))),
        Role.RETRIEVER: (says(QUERY, _given(query_in)), says(DOCUMENTS, _returned(read_retrieved))),
        Role.TOOL: (
            says(DOCUMENTS, _returned(lambda read: read_result(read)[0])),
            says(RESULT, _returned(lambda read: read_result(read)[1])),
        ),
    },
    facts=(
        says(SESSION_ID, *named(METADATA, ("threadId", "sessionId", *SESSION_NAMES))),
        says(USER_ID, *named(METADATA, ("userId", *USER_NAMES, "resourceId"))),
        says(FAILURE, Rule(f"{_PLAIN_OUTPUT}, mastra.TYPE.output", _failure, TYPE)),
    ),
    contents=tuple(f"mastra.{kind}." for kind in _ROLES),
)
"""Spans with `mastra.span.type`."""
