"""Agenta: decorated functions, whose arguments and results are taken apart into attributes `ag.data.*`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces.conventions.flattened import gathered
from monitor.traces.conventions.keys import count_of, text_of, texted
from monitor.traces.conventions.recorded import Recorded
from monitor.traces.reading import (
    INPUT_TOKENS,
    MODEL,
    OUTPUT_TOKENS,
    PROMPT_VERSION,
    SESSION_ID,
    USER_ID,
    Convention,
    Role,
    Rule,
    says,
)
from monitor.traces.values import as_json
from monitor.wire import AttributeValue, Span

KINDS: Final = ("ag.type.node", "ag.type.span", "ag.node.type")
_ONLY: Final = "__default__"
"""The name of a result that has none."""
_JSON: Final = "@ag.type=json:"
_ROLES: Mapping[str, Role] = {
    "chat": Role.MODEL,
    "completion": Role.MODEL,
    "llm": Role.MODEL,
    "query": Role.RETRIEVER,
    "retriever": Role.RETRIEVER,
    "rerank": Role.RERANKER,
    "reranker": Role.RERANKER,
    "tool": Role.TOOL,
    "embedding": Role.STEP,
}
"""All other types are functions of the application."""
_TOKENS: Final = ("ag.metrics.unit.tokens", "ag.metrics.tokens.incremental")


def _value(span: Span, side: str) -> AttributeValue:
    found = gathered(span.attributes, side, _decoded)
    return found[_ONLY] if isinstance(found, dict) and found.keys() == {_ONLY} else found


def _decoded(value: AttributeValue) -> AttributeValue:
    """A value that is no text has a mark in front of its JSON."""
    return as_json(value.removeprefix(_JSON), layers=1) if isinstance(value, str) and value.startswith(_JSON) else value


_VALUES: Final = Recorded("ag.data.inputs", "ag.data.outputs", _value, is_keyed=False)


def _role(span: Span) -> Role | None:
    """By the type. One that stands for a model call but shows no prompt is a function around one."""
    kind = (text_of(span.attributes, *KINDS) or "").lower()
    known = _ROLES.get(kind)
    return _VALUES.role_by_type(span, known)


def _tokens(side: str) -> Rule[int]:
    keys = tuple(f"{prefix}.{side}" for prefix in _TOKENS)
    return Rule(keys[0], lambda span: count_of(span.attributes, *keys), keys)


AGENTA = Convention(
    name="agenta",
    version="1",
    heads=frozenset({"ag"}),
    role=_role,
    texts=_VALUES.texts(),
    facts=(
        says(MODEL, texted("ag.meta.request.model"), texted("ag.meta.model")),
        says(SESSION_ID, texted("ag.session.id")),
        says(USER_ID, texted("ag.user.id")),
        says(PROMPT_VERSION, texted("ag.refs.variant.version"), texted("ag.refs.application_revision.version")),
        says(INPUT_TOKENS, _tokens("prompt")),
        says(OUTPUT_TOKENS, _tokens("completion")),
    ),
    contents=("ag.data.",),
)
"""Spans with `ag.*`."""
