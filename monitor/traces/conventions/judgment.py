"""Judgment Labs (`judgeval`, Python and TypeScript): functions under a tracer, with a kind, what came in and went out.

Arguments are an object by their names. Its wrappers of clients write `gen_ai.*` besides.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces.conventions.keys import count_of, counted, step_if_answer, text_of, texted
from monitor.traces.documents import read_documents, read_passages, read_result, read_retrieved
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    INPUT_TOKENS,
    MODEL,
    OUTPUT,
    OUTPUT_TOKENS,
    PASSAGES,
    PROMPT,
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
from monitor.traces.values import as_json, looks_damaged
from monitor.wire import AttributeValue, Span

KIND: Final = "judgment.span_kind"
GIVEN: Final = "judgment.input"
RETURNED: Final = "judgment.output"
_UNCACHED: Final = "judgment.usage.non_cached_input_tokens"
_CACHED: Final = ("judgment.usage.cache_creation_input_tokens", "judgment.usage.cache_read_input_tokens")

_ROLES: Mapping[str, Role] = {
    "agent": Role.CHAIN,
    "chain": Role.CHAIN,
    "function": Role.CHAIN,
    "span": Role.CHAIN,
    "llm": Role.MODEL,
    "retriever": Role.RETRIEVER,
    "tool": Role.TOOL,
}


def _role(span: Span) -> Role | None:
    """By the kind; a function of another kind, or of none, is a step of the application."""
    kind = text_of(span.attributes, KIND)
    if kind is None:
        return Role.CHAIN if GIVEN in span.attributes and RETURNED in span.attributes else None
    role = _ROLES.get(kind.lower(), Role.CHAIN)
    return step_if_answer(role, span.name)


def _value(value: AttributeValue) -> AttributeValue:
    """Text as it is, or what its JSON stands for. None when it was cut."""
    if not isinstance(value, str) or value.lstrip()[:1] not in {"{", "[", '"'}:
        return value
    return None if looks_damaged(value) else as_json(value, layers=1)


def _handed_on(value: AttributeValue) -> tuple[Document, ...] | None:
    return read_documents(_value(value)) or None


def _all_input(span: Span) -> int | None:
    """Tokens of the prompt: those read from a cache and written into it stand apart."""
    fresh = count_of(span.attributes, _UNCACHED)
    return None if fresh is None else fresh + sum(count_of(span.attributes, key) or 0 for key in _CACHED)


JUDGMENT = Convention(
    name="judgment",
    version="1",
    heads=frozenset({"judgment"}),
    role=_role,
    texts={
        Role.CHAIN: (
            says(QUESTION, attribute(GIVEN, lambda value: question_in(_value(value)))),
            says(ANSWER, attribute(RETURNED, lambda value: answer_in(_value(value)))),
            says(DOCUMENTS, attribute(RETURNED, _handed_on), attribute(GIVEN, _handed_on)),
            says(PASSAGES, attribute(RETURNED, lambda value: read_passages(_value(value)))),
        ),
        Role.MODEL: (
            says(PROMPT, attribute(GIVEN, lambda value: read_prompt(_value(value)))),
            says(OUTPUT, attribute(RETURNED, lambda value: read_reply(_value(value)))),
        ),
        Role.RETRIEVER: (
            says(QUERY, attribute(GIVEN, lambda value: query_in(_value(value)))),
            says(DOCUMENTS, attribute(RETURNED, lambda value: read_retrieved(_value(value)))),
        ),
        Role.TOOL: (
            says(DOCUMENTS, attribute(RETURNED, lambda value: read_result(_value(value))[0])),
            says(RESULT, attribute(RETURNED, lambda value: read_result(_value(value))[1])),
        ),
    },
    facts=(
        says(MODEL, texted("judgment.llm.model")),
        says(SESSION_ID, texted("judgment.session_id")),
        says(USER_ID, texted("judgment.customer_user_id")),
        says(TENANT, texted("judgment.customer_id")),
        says(INPUT_TOKENS, Rule(_UNCACHED, _all_input, _UNCACHED)),
        says(OUTPUT_TOKENS, counted("judgment.usage.output_tokens")),
    ),
    contents=(GIVEN, RETURNED),
)
"""Spans with `judgment.span_kind`."""
