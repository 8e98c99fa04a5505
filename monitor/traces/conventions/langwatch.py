"""LangWatch, in all its languages: kinds of spans, with values that say their type in an envelope of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces.conventions.keys import SESSION_NAMES, USER_NAMES, count_of, member, texted
from monitor.traces.documents import read_documents, read_result, read_retrieved
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    INPUT_TOKENS,
    OUTPUT,
    OUTPUT_TOKENS,
    PROMPT,
    PROMPT_VERSION,
    QUERY,
    QUESTION,
    RESULT,
    SESSION_ID,
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
from monitor.traces.values import as_json, as_mapping
from monitor.wire import AttributeValue, Span

KIND: Final = "langwatch.span.type"
INPUT: Final = "langwatch.input"
OUTPUT_KEY: Final = "langwatch.output"
CONTEXTS: Final = ("langwatch.rag.contexts", "langwatch.contexts", "langwatch.rag_contexts")

_ROLES: Mapping[str, Role] = {
    "agent": Role.CHAIN,
    "chain": Role.CHAIN,
    "workflow": Role.CHAIN,
    "module": Role.CHAIN,
    "component": Role.CHAIN,
    "server": Role.CHAIN,
    "rag": Role.RETRIEVER,
    "retriever": Role.RETRIEVER,
    "llm": Role.MODEL,
    "tool": Role.TOOL,
    "guardrail": Role.GUARDRAIL,
    "evaluation": Role.EVALUATOR,
}
METRICS: Final = "langwatch.metrics"
_ENVELOPE = frozenset({"type", "value"})


def _role(span: Span) -> Role | None:
    """By the type. A span of RAG may wrap the answer, too: it is the chain then."""
    kind = span.attributes.get(KIND)
    role = _ROLES.get(kind) if isinstance(kind, str) else None
    if role is Role.RETRIEVER and not _is_listing(span) and any(key in span.attributes for key in CONTEXTS):
        return Role.CHAIN
    return role


def _is_listing(span: Span) -> bool:
    """Whether the span returned nothing, or documents: no text of a model."""
    returned = _value(span.attributes.get(OUTPUT_KEY))
    return not isinstance(returned, str) or not returned.strip()


def _value(held: AttributeValue) -> AttributeValue:
    """What stands in the envelope, which older versions leave out."""
    read = as_json(held, layers=1)
    if isinstance(read, dict) and read.keys() == _ENVELOPE:
        return read["value"] if isinstance(read["value"], str) else as_json(read["value"])
    return read


def _found(value: AttributeValue) -> tuple[Document, ...] | None:
    """Chunks of documents; older versions put the envelope around them, or give texts only."""
    read = _value(value)
    return read_retrieved(read) if isinstance(read, list) else None


def _counted(*names: str) -> Rule[int]:
    """Tokens, named as the language does."""
    return attribute(METRICS, lambda value: count_of(as_mapping(_value(value)), *names))


def _noted(*names: str) -> Rule[str]:
    """What an application put into the metadata of its trace; the key is not LangWatch's alone."""
    metadata = member("metadata", *names)
    return Rule(metadata.where, lambda span: metadata.read(span) if KIND in span.attributes else None, "metadata")


_FOUND = says(
    DOCUMENTS,
    *(attribute(key, _found) for key in CONTEXTS),
    attribute(OUTPUT_KEY, lambda value: read_documents(_value(value))),
)

LANGWATCH = Convention(
    name="langwatch",
    version="1",
    heads=frozenset({"langwatch"}),
    role=_role,
    texts={
        Role.CHAIN: (
            says(QUESTION, attribute(INPUT, lambda value: question_in(_value(value)))),
            says(ANSWER, attribute(OUTPUT_KEY, lambda value: answer_in(_value(value)))),
            says(DOCUMENTS, *(attribute(key, _found) for key in CONTEXTS)),
        ),
        Role.MODEL: (
            says(PROMPT, attribute(INPUT, lambda value: read_prompt(_value(value)))),
            says(OUTPUT, attribute(OUTPUT_KEY, lambda value: read_reply(_value(value)))),
        ),
        Role.RETRIEVER: (says(QUERY, attribute(INPUT, lambda value: query_in(_value(value)))), _FOUND),
        Role.TOOL: (
            says(DOCUMENTS, attribute(OUTPUT_KEY, lambda value: read_result(_value(value))[0])),
            says(RESULT, attribute(OUTPUT_KEY, lambda value: read_result(_value(value))[1])),
        ),
    },
    facts=(
        says(SESSION_ID, texted("langwatch.thread.id"), texted("langwatch.thread_id"), _noted(*SESSION_NAMES)),
        says(USER_ID, texted("langwatch.user.id"), texted("langwatch.user_id"), _noted(*USER_NAMES)),
        says(TENANT, texted("langwatch.customer.id"), texted("langwatch.customer_id"), _noted("customer_id")),
        says(INPUT_TOKENS, _counted("prompt_tokens", "promptTokens")),
        says(OUTPUT_TOKENS, _counted("completion_tokens", "completionTokens")),
        says(PROMPT_VERSION, texted("langwatch.prompt.version.number"), texted("langwatch.prompt.version.id")),
    ),
    contents=(INPUT, OUTPUT_KEY, *CONTEXTS),
    is_json=lambda _span, key: key in CONTEXTS,
)
"""Spans with `langwatch.span.type`."""
