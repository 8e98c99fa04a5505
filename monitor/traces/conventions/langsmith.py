"""LangSmith in OTel mode: `langsmith.*`, with the JSON of a run's inputs and outputs under `gen_ai.prompt|completion`.

Both are always objects; a value that is none stands under `input` or `output`. `langsmith.trace.session_id` is the
project, not a session of a user.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from monitor.traces import semconv
from monitor.traces.conventions.keys import (
    APP_VERSION_NAMES,
    KNOWLEDGE_BASE_NAMES,
    PROMPT_NAMES,
    SESSION_NAMES,
    TENANT_NAMES,
    USER_NAMES,
    named,
    text_of,
    versioned,
)
from monitor.traces.documents import hands_documents, read_documents, read_passages, read_result, read_retrieved
from monitor.traces.exchange import read_answering, read_prompt, read_reply
from monitor.traces.reading import (
    ANSWER,
    APP_VERSION,
    DOCUMENTS,
    FAILURE,
    KNOWLEDGE_BASE,
    OUTPUT,
    PASSAGES,
    PROMPT,
    PROMPT_VERSION,
    QUERY,
    QUESTION,
    RESPONSE_ID,
    RESPONSE_MODEL,
    RESULT,
    SESSION_ID,
    TENANT,
    USER_ID,
    VARIABLES,
    Convention,
    Document,
    Role,
    Rule,
    T,
    says,
)
from monitor.traces.shapes import answer_in, query_in, question_in
from monitor.traces.values import as_json, as_mapping
from monitor.wire import AttributeValue, Span

KIND: Final = "langsmith.span.kind"
PROJECT: Final = "langsmith.trace.session_name"
ASKED: Final = "gen_ai.prompt"
SAID: Final = "gen_ai.completion"
METADATA: Final = "langsmith.metadata."
HUB_PROMPT: Final = METADATA + "lc_hub_repo"
HUB_COMMIT: Final = METADATA + "lc_hub_commit_hash"
REVISION: Final = "revision_id"
EVALUATORS: Final = "evaluators"
"""The project into which LangSmith's own evaluation writes the runs of evaluators."""

_ROLES: Mapping[str, Role] = {
    "llm": Role.MODEL,
    "retriever": Role.RETRIEVER,
    "chain": Role.CHAIN,
    "agent": Role.CHAIN,
    "tool": Role.TOOL,
    "prompt": Role.STEP,
    "parser": Role.STEP,
    "embedding": Role.STEP,
}
_CUT = re.compile(r"\s*[\[{]")


def _role(span: Span) -> Role | None:
    """By the run's type: the operation of OTel is `embeddings` on retrievers and `chat` on prompts."""
    kind = span.attributes.get(KIND)
    role = _ROLES.get(kind.lower()) if isinstance(kind, str) else None
    if role is not None and span.attributes.get(PROJECT) == EVALUATORS:
        return Role.EVALUATOR
    if role is Role.RETRIEVER and hands_documents(span.attributes.get(ASKED)):
        return Role.RERANKER
    return role


def _is_ours(span: Span) -> bool:
    return isinstance(span.attributes.get(KIND), str)


def _ran(key: str, read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    """What a run was given or gave back: other spans with its metadata have such keys as well."""
    return Rule(key, lambda span: read(span.attributes.get(key)) if _is_ours(span) else None, key)


def _value(value: AttributeValue) -> AttributeValue:
    """The object of inputs or outputs; text by hand. None when it was cut."""
    read = as_json(value, layers=1)
    return None if isinstance(read, str) and _CUT.match(read) else read


def _question(value: AttributeValue) -> str | None:
    return question_in(_value(value))


def _answer(value: AttributeValue) -> str | None:
    return answer_in(_value(value))


def _handed_on(value: AttributeValue) -> tuple[Document, ...] | None:
    """Documents that a step returns or is handed, as its only value or under a name of their own."""
    read = _value(value)
    inner = read.get("output", read.get("input")) if isinstance(read, dict) else None
    return read_documents(read) or read_documents(inner) or None


def _result(value: AttributeValue) -> tuple[tuple[Document, ...] | None, str | None]:
    read = _value(value)
    return read_result(read["output"] if isinstance(read, dict) and read.keys() == {"output"} else read)


def _variables(span: Span) -> Mapping[str, str] | None:
    """What fills a prompt; parsers, whose input is a reply, are steps, too."""
    inputs = as_mapping(span.attributes.get(ASKED)) if span.attributes.get(KIND) == "prompt" else {}
    return {name: text for name, text in inputs.items() if isinstance(text, str)} or None


def _hub_prompt(span: Span) -> str | None:
    return versioned(text_of(span.attributes, HUB_PROMPT), text_of(span.attributes, HUB_COMMIT))


def _failure(span: Span) -> str | None:
    """The recorded exception: the status of a failed run stays OK where it was set before."""
    if not _is_ours(span):
        return None
    for event in span.events:
        if event.name == semconv.EXCEPTION_EVENT:
            return text_of(event.attributes, semconv.EXCEPTION_MESSAGE) or "error"
    return None


def _shows(span: Span) -> bool | None:
    """Inputs and outputs are written unless they are hidden, which leaves empty objects of both."""
    if not _is_ours(span) or _role(span) is not Role.MODEL:
        return None
    held = [span.attributes[key] for key in (ASKED, SAID) if key in span.attributes]
    return any(as_json(value) for value in held) if held else None


_RETRIEVAL = (
    says(QUERY, _ran(ASKED, lambda value: query_in(_value(value)))),
    says(DOCUMENTS, _ran(SAID, lambda value: read_retrieved(_value(value)))),
)

LANGSMITH = Convention(
    name="langsmith",
    version="0.15",
    heads=frozenset({"langsmith"}),
    role=_role,
    texts={
        Role.CHAIN: (
            says(QUESTION, _ran(ASKED, _question)),
            says(ANSWER, _ran(SAID, _answer)),
            says(DOCUMENTS, _ran(SAID, _handed_on), _ran(ASKED, _handed_on)),
            says(PASSAGES, _ran(SAID, lambda value: read_passages(_value(value)))),
        ),
        Role.MODEL: (
            says(PROMPT, _ran(ASKED, lambda value: read_prompt(_value(value)))),
            says(OUTPUT, _ran(SAID, lambda value: read_reply(_value(value)))),
        ),
        Role.RETRIEVER: _RETRIEVAL,
        Role.RERANKER: _RETRIEVAL,
        Role.TOOL: (
            says(DOCUMENTS, _ran(SAID, lambda value: _result(value)[0])),
            says(RESULT, _ran(SAID, lambda value: _result(value)[1])),
        ),
        Role.STEP: (says(VARIABLES, Rule(ASKED, _variables, ASKED)),),
    },
    facts=(
        says(RESPONSE_MODEL, _ran(SAID, lambda value: read_answering(value).model)),
        says(RESPONSE_ID, _ran(SAID, lambda value: read_answering(value).response_id)),
        says(SESSION_ID, *named(METADATA, SESSION_NAMES)),
        says(USER_ID, *named(METADATA, USER_NAMES)),
        says(TENANT, *named(METADATA, TENANT_NAMES)),
        says(APP_VERSION, *named(METADATA, (*APP_VERSION_NAMES, REVISION))),
        says(
            PROMPT_VERSION, *named(METADATA, PROMPT_NAMES), Rule(f"{HUB_PROMPT}, {HUB_COMMIT}", _hub_prompt, HUB_PROMPT)
        ),
        says(KNOWLEDGE_BASE, *named(METADATA, KNOWLEDGE_BASE_NAMES)),
        says(FAILURE, Rule(f"event {semconv.EXCEPTION_EVENT}", _failure, KIND)),
    ),
    contents=(ASKED, SAID),
    is_json=lambda span, key: key in {ASKED, SAID} and _is_ours(span),
    shows=_shows,
)
"""Runs with `langsmith.span.kind`."""
