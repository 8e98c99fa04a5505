"""VoltAgent (TypeScript): plain keys such as `input` and `output`, and `span.type` for all but an agent or workflow.

A model call shows what it was given, not its reply; one span stands for all its steps with tools. The agent around it
tells the answer. What a retriever found is one text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces.conventions.keys import count_of, counted, prompt_version, text_of, texted
from monitor.traces.documents import read_documents, read_result, read_retrieved
from monitor.traces.exchange import read_prompt
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    INPUT_TOKENS,
    MODEL,
    OUTPUT,
    OUTPUT_TOKENS,
    PROMPT,
    PROMPT_VERSION,
    QUERY,
    QUESTION,
    RESULT,
    SESSION_ID,
    USER_ID,
    Convention,
    Document,
    Message,
    Role,
    Rule,
    attribute,
    says,
)
from monitor.traces.shapes import answer_in, query_in, question_in
from monitor.traces.values import as_json, looks_damaged
from monitor.wire import AttributeValue, Span

ENTITY: Final = "entity.type"
TYPE: Final = "span.type"
GIVEN: Final = "input"
RETURNED: Final = "output"
FOUND: Final = "retriever.document_count"
MESSAGES: Final = "llm.messages"
OPERATION: Final = "llm.operation"
PROMPT_NAME: Final = "prompt.name"
PROMPT_NUMBER: Final = "prompt.version"

_ENTITIES = frozenset({"agent", "workflow"})
_SCORER = "scorer"
"""Its spans name no type of entity."""
_MARKS = ("operation.id", "agent.state", "workflow.state", "workflow.execution.id", TYPE)
_ROLES: Mapping[str, Role] = {
    "agent": Role.CHAIN,
    "workflow": Role.CHAIN,
    "workflow-step": Role.CHAIN,
    "llm": Role.MODEL,
    "tool": Role.TOOL,
    "retriever": Role.RETRIEVER,
    "guardrail": Role.GUARDRAIL,
    _SCORER: Role.EVALUATOR,
    "embedding": Role.STEP,
    "vector": Role.STEP,
    "memory": Role.STEP,
    "middleware": Role.STEP,
    "summary": Role.STEP,
}
"""The vectors are those of the memory."""
_NAMES_CHAT = "generateTitle"
"""A model call for the title of a conversation."""


def _owns(span: Span) -> bool:
    """By the type of its entity, and of a scorer by the scorer: the keys are plain words, `entity.guid` New Relic's."""
    attributes = span.attributes
    if text_of(attributes, ENTITY) in _ENTITIES and not attributes.keys().isdisjoint(_MARKS):
        return True
    return text_of(attributes, TYPE) == _SCORER and "eval.scorer.id" in attributes


def _role(span: Span) -> Role | None:
    """By the type; the span of an agent or a workflow itself has none."""
    kind = text_of(span.attributes, TYPE)
    if kind is None:
        return Role.CHAIN
    return Role.STEP if span.attributes.get(OPERATION) == _NAMES_CHAT else _ROLES.get(kind, Role.OTHER)


def _value(value: AttributeValue) -> AttributeValue:
    """Text as it is, or the list or object that its JSON stands for. None when it was cut."""
    if not isinstance(value, str) or value.lstrip()[:1] not in {"{", "["}:
        return value
    return None if looks_damaged(value) else as_json(value, layers=1)


def _retrieved(span: Span) -> tuple[Document, ...] | None:
    """One text, as the retriever gave it to the model; `null` when it found nothing."""
    value = span.attributes.get(RETURNED)
    if count_of(span.attributes, FOUND) == 0 and value in (None, "null"):
        return ()
    return read_retrieved(_value(value))


def _handed_on(value: AttributeValue) -> tuple[Document, ...] | None:
    return read_documents(_value(value)) or None


def _said(value: AttributeValue) -> Message | None:
    text = answer_in(_value(value))
    return None if text is None else Message("assistant", text)


VOLTAGENT = Convention(
    name="voltagent",
    version="3",
    heads=frozenset({"entity", "eval"}),
    role=_role,
    owns=_owns,
    texts={
        Role.CHAIN: (
            says(QUESTION, attribute(GIVEN, lambda value: question_in(_value(value)))),
            says(ANSWER, attribute(RETURNED, lambda value: answer_in(_value(value)))),
            says(DOCUMENTS, attribute(RETURNED, _handed_on), attribute(GIVEN, _handed_on)),
        ),
        Role.MODEL: (
            says(PROMPT, attribute(MESSAGES, read_prompt)),
            says(OUTPUT, attribute(RETURNED, _said)),
        ),
        Role.RETRIEVER: (
            says(QUERY, attribute(GIVEN, lambda value: query_in(_value(value)))),
            says(DOCUMENTS, Rule(RETURNED, _retrieved, (RETURNED, FOUND))),
        ),
        Role.TOOL: (
            says(DOCUMENTS, attribute(RETURNED, lambda value: read_result(value)[0])),
            says(RESULT, attribute(RETURNED, lambda value: read_result(value)[1])),
        ),
    },
    facts=(
        says(MODEL, texted("llm.model"), texted("ai.model.name")),
        says(SESSION_ID, texted("conversation.id")),
        says(USER_ID, texted("user.id")),
        says(PROMPT_VERSION, prompt_version(PROMPT_NAME, PROMPT_NUMBER)),
        says(INPUT_TOKENS, counted("llm.usage.prompt_tokens"), counted("usage.prompt_tokens")),
        says(OUTPUT_TOKENS, counted("llm.usage.completion_tokens"), counted("usage.completion_tokens")),
    ),
    contents=(GIVEN, RETURNED, "llm.messages", "agent.messages", "agent.instructions"),
    is_json=lambda _span, key: key == MESSAGES,
)
"""Spans of agents and workflows, with `entity.type`."""
