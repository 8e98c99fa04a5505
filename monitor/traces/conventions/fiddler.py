"""Fiddler's SDKs for OpenTelemetry and LangGraph: a type for each span, and texts beside the messages of OpenTelemetry.

A retriever has the type of a tool, and the context of a call may stand in an attribute of its own.
"""

from __future__ import annotations

from typing import Final

from monitor.traces.conventions.keys import (
    APP_VERSION_NAMES,
    KNOWLEDGE_BASE_NAMES,
    PROMPT_NAMES,
    TENANT_NAMES,
    USER_NAMES,
    names_retrieval,
    step_if_answer,
    text_of,
    texted,
)
from monitor.traces.documents import read_documents, read_result, read_retrieved
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.reading import (
    ANSWER,
    APP_VERSION,
    DOCUMENTS,
    ENVIRONMENT,
    KNOWLEDGE_BASE,
    OUTPUT,
    PROMPT,
    PROMPT_VERSION,
    QUERY,
    QUESTION,
    RESULT,
    TENANT,
    USER_ID,
    Convention,
    Document,
    Role,
    attribute,
    says,
)
from monitor.traces.shapes import answer_in, query_in, question_in
from monitor.traces.values import as_json
from monitor.wire import AttributeValue, Span

KIND: Final = "fiddler.span.type"
ASKED: Final = "gen_ai.llm.input.user"
REPLIED: Final = "gen_ai.llm.output"
CONTEXT: Final = "gen_ai.llm.context"
TOOL_INPUT: Final = "gen_ai.tool.input"
TOOL_OUTPUT: Final = "gen_ai.tool.output"
_TOOL_NAME: Final = "gen_ai.tool.name"
_USERS: Final = ("fiddler.session.user.", "fiddler.span.user.")

_ROLES = {"llm": Role.MODEL, "tool": Role.TOOL, "agent": Role.CHAIN, "chain": Role.CHAIN}


def _role(span: Span) -> Role | None:
    role = _ROLES.get(text_of(span.attributes, KIND) or "")
    name = text_of(span.attributes, _TOOL_NAME) or ""
    is_text = isinstance(as_json(span.attributes.get(TOOL_INPUT)), str)
    if role is Role.TOOL and is_text and names_retrieval(name):
        return Role.RETRIEVER  # a tool that a model calls is given an object
    return step_if_answer(role, name)


def _given(value: AttributeValue) -> tuple[Document, ...] | None:
    """The context as a list of documents, or as one text; an empty one says nothing."""
    read = as_json(value)
    if isinstance(read, str):
        return (Document(read),) if read.strip() else None
    return read_documents(read) or read_retrieved(read) or None


def _all(*names: str) -> list[str]:
    return [prefix + name for prefix in _USERS for name in names]


FIDDLER = Convention(
    name="fiddler",
    version="1",
    heads=frozenset({"fiddler"}),
    role=_role,
    owns=lambda span: KIND in span.attributes,
    texts={
        Role.CHAIN: (
            says(QUESTION, attribute(ASKED, lambda value: question_in(as_json(value, layers=1)))),
            says(ANSWER, attribute(REPLIED, lambda value: answer_in(as_json(value, layers=1)))),
            says(DOCUMENTS, attribute(CONTEXT, _given)),
        ),
        Role.MODEL: (
            says(PROMPT, attribute(ASKED, read_prompt)),
            says(OUTPUT, attribute(REPLIED, read_reply)),
            says(DOCUMENTS, attribute(CONTEXT, _given)),
        ),
        Role.RETRIEVER: (
            says(QUERY, attribute(TOOL_INPUT, query_in)),
            says(DOCUMENTS, attribute(TOOL_OUTPUT, read_retrieved)),
        ),
        Role.TOOL: (
            says(DOCUMENTS, attribute(TOOL_OUTPUT, lambda value: read_result(value)[0])),
            says(RESULT, attribute(TOOL_OUTPUT, lambda value: read_result(value)[1])),
        ),
    },
    facts=(
        says(USER_ID, *map(texted, _all(*USER_NAMES)), texted("user_id")),
        says(TENANT, *map(texted, _all(*TENANT_NAMES))),
        says(APP_VERSION, texted("service.version"), *map(texted, _all(*APP_VERSION_NAMES))),
        says(ENVIRONMENT, *map(texted, _all("environment"))),
        says(PROMPT_VERSION, *map(texted, _all(*PROMPT_NAMES))),
        says(KNOWLEDGE_BASE, *map(texted, _all(*KNOWLEDGE_BASE_NAMES))),
    ),
    contents=("gen_ai.llm.", TOOL_INPUT, TOOL_OUTPUT),
)
"""Spans with `fiddler.span.type`, behind OpenTelemetry: its messages tell more than these texts."""
