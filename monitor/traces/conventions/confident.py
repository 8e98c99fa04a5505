"""Confident AI: `confident.*` as DeepEval reads it from spans of OpenTelemetry, written by hand or by its integrations.

In 3.3 what a span held stood under its type, `confident.llm.attributes.input`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from monitor.traces.conventions.keys import (
    APP_VERSION_NAMES,
    KNOWLEDGE_BASE_NAMES,
    TENANT_NAMES,
    counted,
    member,
    prompt_version,
    step_if_answer,
    text_of,
    texted,
)
from monitor.traces.documents import read_result, read_retrieved
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.reading import (
    ANSWER,
    APP_VERSION,
    DOCUMENTS,
    ENVIRONMENT,
    INPUT_TOKENS,
    KNOWLEDGE_BASE,
    MODEL,
    OUTPUT,
    OUTPUT_TOKENS,
    PROMPT,
    PROMPT_VERSION,
    QUERY,
    QUESTION,
    RESULT,
    SESSION_ID,
    STATED_ANSWER,
    STATED_QUESTION,
    TENANT,
    USER_ID,
    Convention,
    Document,
    Role,
    Rule,
    T,
    attribute,
    says,
)
from monitor.traces.shapes import answer_in, query_in, question_in
from monitor.traces.values import as_json
from monitor.wire import AttributeValue, Span

KIND: Final = "confident.span.type"
INPUT: Final = "confident.span.input"
OUTPUT_KEY: Final = "confident.span.output"
CONTEXTS: Final = "confident.span.retrieval_context"
TRACE_INPUT: Final = "confident.trace.input"
TRACE_OUTPUT: Final = "confident.trace.output"
TRACE_CONTEXTS: Final = "confident.trace.retrieval_context"
METADATA: Final = "confident.trace.metadata"
_TESTED: Final = "confident.trace.llm_test_case"
_TESTED_CONTEXTS: Final = (f"{_TESTED}.retrieval_context", "confident.span.llm_test_case.retrieval_context")
_PROMPT: Final = ("confident.span.prompt_alias", "confident.span.prompt_version")

_ROLES: Mapping[str, Role] = {
    "llm": Role.MODEL,
    "retriever": Role.RETRIEVER,
    "agent": Role.CHAIN,
    "tool": Role.TOOL,
    "custom": Role.CHAIN,
    "base": Role.CHAIN,
}


def _role(span: Span) -> Role | None:
    """By the type; a span without one that shows what came in and went out is a function of the application."""
    kind = text_of(span.attributes, KIND)
    if kind is None:
        return Role.CHAIN if INPUT in span.attributes and OUTPUT_KEY in span.attributes else None
    role = _ROLES.get(kind.lower())
    return step_if_answer(role, text_of(span.attributes, "confident.tool.name"))


def _held(kind: str, name: str, read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    """A value under the type of the span."""
    return _valued(f"confident.{kind}.attributes.{name}", read)


def _valued(key: str, read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    return attribute(key, lambda value: read(as_json(value, layers=1)))


def _found(value: AttributeValue) -> tuple[Document, ...] | None:
    """Texts, as an array of the span or as JSON; an empty list is an empty result."""
    return read_retrieved([as_json(item) for item in value] if isinstance(value, list) else value)


CONFIDENT = Convention(
    name="confident",
    version="4",
    heads=frozenset({"confident"}),
    role=_role,
    texts={
        Role.CHAIN: (
            says(QUESTION, _valued(INPUT, question_in), _held("agent", "input", question_in)),
            says(ANSWER, _valued(OUTPUT_KEY, answer_in), _held("agent", "output", answer_in)),
            says(DOCUMENTS, *(attribute(key, _found) for key in (CONTEXTS, TRACE_CONTEXTS, *_TESTED_CONTEXTS))),
        ),
        Role.MODEL: (
            says(PROMPT, _valued(INPUT, read_prompt), _held("llm", "input", read_prompt)),
            says(OUTPUT, _valued(OUTPUT_KEY, read_reply), _held("llm", "output", read_reply)),
            says(DOCUMENTS, attribute(CONTEXTS, _found)),
        ),
        Role.RETRIEVER: (
            says(QUERY, _valued(INPUT, query_in), _held("retriever", "embedding_input", query_in)),
            says(
                DOCUMENTS,
                attribute(CONTEXTS, _found),
                _held("retriever", "retrieval_context", _found),
                _valued(OUTPUT_KEY, read_retrieved),
            ),
        ),
        Role.TOOL: (
            says(DOCUMENTS, _valued(OUTPUT_KEY, lambda value: read_result(value)[0])),
            says(
                RESULT,
                _valued(OUTPUT_KEY, lambda value: read_result(value)[1]),
                _held("tool", "output", lambda value: read_result(value)[1]),
            ),
        ),
    },
    facts=(
        says(STATED_QUESTION, _valued(TRACE_INPUT, question_in), _valued(f"{_TESTED}.input", question_in)),
        says(STATED_ANSWER, _valued(TRACE_OUTPUT, answer_in), _valued(f"{_TESTED}.actual_output", answer_in)),
        says(MODEL, texted("confident.llm.model")),
        says(SESSION_ID, texted("confident.trace.thread_id")),
        says(USER_ID, texted("confident.trace.user_id")),
        says(TENANT, member(METADATA, *TENANT_NAMES)),
        says(APP_VERSION, member(METADATA, *APP_VERSION_NAMES)),
        says(ENVIRONMENT, texted("confident.trace.environment")),
        says(KNOWLEDGE_BASE, member(METADATA, *KNOWLEDGE_BASE_NAMES)),
        says(PROMPT_VERSION, prompt_version(*_PROMPT)),
        says(
            INPUT_TOKENS,
            counted("confident.llm.input_token_count"),
            counted("confident.llm.attributes.input_token_count"),
        ),
        says(
            OUTPUT_TOKENS,
            counted("confident.llm.output_token_count"),
            counted("confident.llm.attributes.output_token_count"),
        ),
    ),
    contents=(
        "confident.span.",
        TRACE_INPUT,
        TRACE_OUTPUT,
        TRACE_CONTEXTS,
        _TESTED,
        "confident.llm.attributes.",
        "confident.retriever.attributes.",
        "confident.agent.attributes.",
        "confident.tool.attributes.",
    ),
)
"""Spans with `confident.*`."""
