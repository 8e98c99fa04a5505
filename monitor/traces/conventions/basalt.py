"""Basalt's SDK: functions with a kind, what they were given and returned, beside `gen_ai.*` for calls of models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces.conventions.keys import text_of, texted
from monitor.traces.conventions.recorded import Recorded
from monitor.traces.documents import read_result, read_retrieved
from monitor.traces.reading import (
    DOCUMENTS,
    PROMPT_VERSION,
    QUERY,
    RESULT,
    TENANT,
    USER_ID,
    Convention,
    Document,
    Role,
    Rule,
    attribute,
    says,
)
from monitor.traces.shapes import query_in
from monitor.wire import AttributeValue, Span

KIND: Final = "basalt.span.kind"
VALUES: Final = Recorded("basalt.span.input", "basalt.span.output")
_TOOL_OUTPUT: Final = "basalt.tool.output"
_PROMPT: Final = ("basalt.prompt.slug", "basalt.prompt.version")

_ROLES: Mapping[str, Role] = {
    "generation": Role.MODEL,
    "llm": Role.MODEL,
    "retrieval": Role.RETRIEVER,
    "tool": Role.TOOL,
    "event": Role.STEP,
}
"""All other kinds are functions of the application."""


def _role(span: Span) -> Role | None:
    return VALUES.role_by_type(span, _ROLES.get((text_of(span.attributes, KIND) or "").lower()))


def _documents(value: AttributeValue) -> tuple[Document, ...] | None:
    return read_result(value)[0]


def _text(value: AttributeValue) -> str | None:
    return read_result(value)[1]


def _prompt_version(span: Span) -> str | None:
    parts = [text_of(span.attributes, key) for key in _PROMPT]
    return ":".join(part for part in parts if part is not None) or None


BASALT = Convention(
    name="basalt",
    version="1",
    heads=frozenset({"basalt"}),
    role=_role,
    texts={
        **VALUES.texts(),
        Role.RETRIEVER: (
            says(QUERY, texted("basalt.retrieval.query"), VALUES.on_asked(query_in)),
            says(DOCUMENTS, VALUES.on_returned(read_retrieved)),
        ),
        Role.TOOL: (
            says(DOCUMENTS, attribute(_TOOL_OUTPUT, _documents), VALUES.on_returned(_documents)),
            says(RESULT, attribute(_TOOL_OUTPUT, _text), VALUES.on_returned(_text)),
        ),
    },
    facts=(
        says(USER_ID, texted("basalt.user.id")),
        says(TENANT, texted("basalt.organization.id")),
        says(PROMPT_VERSION, Rule(", ".join(_PROMPT), _prompt_version, _PROMPT)),
    ),
    contents=(VALUES.asked, VALUES.returned, _TOOL_OUTPUT),
)
"""Spans with `basalt.*`."""
