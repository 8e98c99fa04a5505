"""Langfuse, SDKs v3 to v5 in Python and JavaScript: `langfuse.observation.*` beside `langfuse.trace.*`.

Values that are text are written as they are, all others as JSON. The model's name is the answering one where a client
told it, else the requested one; LangChain's handler has the requested one in its metadata.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces.conventions.keys import (
    APP_VERSION_NAMES,
    KNOWLEDGE_BASE_NAMES,
    PROMPT_NAMES,
    TENANT_NAMES,
    count_of,
    named,
    prompt_version,
    quoted,
    text_of,
    texted,
)
from monitor.traces.documents import hands_documents, read_documents, read_passages, read_result, read_retrieved
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.reading import (
    ANSWER,
    APP_VERSION,
    DOCUMENTS,
    ENVIRONMENT,
    FAILURE,
    INPUT_TOKENS,
    KNOWLEDGE_BASE,
    MODEL,
    OUTPUT,
    OUTPUT_TOKENS,
    PASSAGES,
    PROMPT,
    PROMPT_VERSION,
    QUERY,
    QUESTION,
    RESPONSE_MODEL,
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
    attribute,
    says,
)
from monitor.traces.shapes import answer_in, query_in, question_in
from monitor.traces.values import as_bool, as_float, as_json, as_mapping, looks_damaged
from monitor.wire import AttributeValue, Span

TYPE: Final = "langfuse.observation.type"
INPUT: Final = "langfuse.observation.input"
RETURNED: Final = "langfuse.observation.output"
TRACE_INPUT: Final = "langfuse.trace.input"
TRACE_OUTPUT: Final = "langfuse.trace.output"
USAGE: Final = "langfuse.observation.usage_details"
MODEL_NAME: Final = "langfuse.observation.model.name"
LEVEL: Final = "langfuse.observation.level"
STATUS: Final = "langfuse.observation.status_message"
PROMPT_NAME: Final = "langfuse.observation.prompt.name"
PROMPT_NUMBER: Final = "langfuse.observation.prompt.version"
METADATA: Final = "langfuse.observation.metadata."
TRACE_METADATA: Final = "langfuse.trace.metadata."
ASKED_MODEL: Final = METADATA + "ls_model_name"
LANGCHAIN_ROOT: Final = METADATA + "is_langchain_root"

_ROLES: Mapping[str, Role] = {
    "generation": Role.MODEL,
    "retriever": Role.RETRIEVER,
    "span": Role.CHAIN,
    "chain": Role.CHAIN,
    "agent": Role.CHAIN,
    "tool": Role.TOOL,
    "evaluator": Role.EVALUATOR,
    "guardrail": Role.GUARDRAIL,
    "embedding": Role.STEP,
    "event": Role.STEP,
}
_CONTENTS = (INPUT, RETURNED, TRACE_INPUT, TRACE_OUTPUT)
_LANGCHAIN_RETRIEVER: Final = "Retriever"
"""How LangChain's classes of retrievers end: JavaScript's handler, and older ones, make a plain span of each."""


def _role(span: Span) -> Role | None:
    """By the observation's type. There is none for rerankers: one is a retriever that is handed documents."""
    kind = span.attributes.get(TYPE)
    role = _ROLES.get(kind.lower()) if isinstance(kind, str) else None
    if (
        kind == "span"
        and span.name.endswith(_LANGCHAIN_RETRIEVER)
        and isinstance(_value(span.attributes.get(INPUT)), str)
    ):
        role = Role.RETRIEVER  # a step of a chain with such a name would be given more than a text
    if role is Role.RETRIEVER and ("rerank" in span.name.lower() or hands_documents(span.attributes.get(INPUT))):
        return Role.RERANKER
    return role


def _value(value: AttributeValue) -> AttributeValue:
    """Text, or what its JSON stands for: only lists and objects are written as JSON. None when it was cut."""
    if not isinstance(value, str):
        return value
    if value.lstrip()[:1] not in {"{", "["}:
        return value
    return None if looks_damaged(value) else as_json(value, layers=1)


def _question(value: AttributeValue) -> str | None:
    return question_in(_value(value))


def _answer(value: AttributeValue) -> str | None:
    return answer_in(_value(value))


def _query(value: AttributeValue) -> str | None:
    return query_in(_value(value))


def _retrieved(value: AttributeValue) -> tuple[Document, ...] | None:
    return read_retrieved(_value(value))


def _handed_on(value: AttributeValue) -> tuple[Document, ...] | None:
    return read_documents(_value(value)) or None


def _model(span: Span) -> str | None:
    """The answering model, where the requested one is known besides."""
    asked, model = quoted(ASKED_MODEL).read(span), text_of(span.attributes, MODEL_NAME)
    return model if asked is not None and asked != model else None


def _used(side: str, other_names: tuple[str, ...]) -> Rule[int]:
    """Tokens of one side: a client's own count, or Langfuse's, which has cached and reasoning tokens apart."""

    def read(value: AttributeValue) -> int | None:
        usage = as_mapping(value)
        if (known := count_of(usage, side)) is None:
            return count_of(usage, *other_names)
        apart = [count for key in usage if key.startswith(side + "_") and (count := as_float(usage[key])) is not None]
        return known + int(sum(count for count in apart if count >= 0 and count.is_integer()))

    return attribute(USAGE, read)


def _failure(span: Span) -> str | None:
    level = span.attributes.get(LEVEL)
    failed = isinstance(level, str) and level.upper() == "ERROR"
    return (text_of(span.attributes, STATUS) or "error") if failed else None


def _runs_beside(span: Span, parent: Span) -> bool:
    """Runs of one batch: LangChain's handler hangs each below the one that began before it, all being roots."""
    return span.name == parent.name and all(as_bool(one.attributes.get(LANGCHAIN_ROOT)) for one in (span, parent))


_RETRIEVAL = (says(QUERY, attribute(INPUT, _query)), says(DOCUMENTS, attribute(RETURNED, _retrieved)))

LANGFUSE = Convention(
    name="langfuse",
    version="5",
    heads=frozenset({"langfuse"}),
    role=_role,
    texts={
        Role.CHAIN: (
            says(QUESTION, attribute(INPUT, _question)),
            says(ANSWER, attribute(RETURNED, _answer)),
            says(DOCUMENTS, attribute(RETURNED, _handed_on), attribute(INPUT, _handed_on)),
            says(PASSAGES, attribute(RETURNED, lambda value: read_passages(_value(value)))),
        ),
        Role.MODEL: (
            says(PROMPT, attribute(INPUT, lambda value: read_prompt(_value(value)))),
            says(OUTPUT, attribute(RETURNED, lambda value: read_reply(_value(value)))),
        ),
        Role.RETRIEVER: _RETRIEVAL,
        Role.RERANKER: _RETRIEVAL,
        Role.TOOL: (
            says(DOCUMENTS, attribute(RETURNED, lambda value: read_result(_value(value))[0])),
            says(RESULT, attribute(RETURNED, lambda value: read_result(_value(value))[1])),
        ),
    },
    facts=(
        says(STATED_QUESTION, attribute(TRACE_INPUT, _question)),
        says(STATED_ANSWER, attribute(TRACE_OUTPUT, _answer)),
        says(MODEL, quoted(ASKED_MODEL), texted(MODEL_NAME)),
        says(RESPONSE_MODEL, Rule(MODEL_NAME, _model, MODEL_NAME)),
        says(SESSION_ID, texted("session.id"), texted("langfuse.session.id")),
        says(USER_ID, texted("user.id"), texted("langfuse.user.id")),
        says(TENANT, *named(TRACE_METADATA, TENANT_NAMES), *named(METADATA, TENANT_NAMES)),
        says(
            APP_VERSION,
            *named(TRACE_METADATA, APP_VERSION_NAMES),
            texted("langfuse.release"),
            texted("langfuse.version"),
        ),
        says(ENVIRONMENT, texted("langfuse.environment")),
        says(
            PROMPT_VERSION,
            prompt_version(PROMPT_NAME, PROMPT_NUMBER),
            *named(METADATA, PROMPT_NAMES),
            *named(TRACE_METADATA, PROMPT_NAMES),
        ),
        says(KNOWLEDGE_BASE, *named(METADATA, KNOWLEDGE_BASE_NAMES), *named(TRACE_METADATA, KNOWLEDGE_BASE_NAMES)),
        says(INPUT_TOKENS, _used("input", ("input_tokens", "prompt_tokens"))),
        says(OUTPUT_TOKENS, _used("output", ("output_tokens", "completion_tokens"))),
        says(FAILURE, Rule(LEVEL, _failure, LEVEL)),
    ),
    contents=_CONTENTS,
    is_json=lambda _span, key: key in _CONTENTS,
    runs_beside=_runs_beside,
)
"""Observations with `langfuse.observation.type`."""
