"""AgentOps: decorated functions under keys that hold the kind of the span, beside numbered prompts of model calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces.conventions.keys import gives_answer, text_of
from monitor.traces.conventions.recorded import Recorded, decoded
from monitor.traces.reading import Convention, Role
from monitor.wire import AttributeValue, Span

KIND: Final = "agentops.span.kind"
_NAME: Final = "operation.name"
_INPUTS: Final = ("agentops.entity.input", "chain.inputs", "langchain.tool.input", "tool.parameters", "workflow.input")
_OUTPUTS: Final = (
    "agentops.entity.output", "chain.outputs", "langchain.tool.output", "tool.result", "workflow.final_output",
    "workflow.output",
)  # fmt: skip
"""Where the functions that begin a trace, and the integrations of frameworks, put the two values."""

_ROLES: Mapping[str, Role] = {
    "llm": Role.MODEL,
    "llm.call": Role.MODEL,
    "tool": Role.TOOL,
    "guardrail": Role.GUARDRAIL,
    "http": Role.OTHER,
    "text": Role.STEP,
}
"""All other kinds are functions of the application."""


def _value(span: Span, side: str) -> AttributeValue:
    key = _key(span, side)
    return None if key is None else decoded(span, key)


def _key(span: Span, side: str) -> str | None:
    """Where a value of this span stands; None when nowhere."""
    own = side.replace("KIND", text_of(span.attributes, KIND) or "")
    keys = (own, *(_INPUTS if side == _VALUES.asked else _OUTPUTS))
    return next((key for key in keys if span.attributes.get(key) is not None), None)


_VALUES: Final = Recorded("agentops.KIND.input", "agentops.KIND.output", _value, is_keyed=False)


def _role(span: Span) -> Role | None:
    """By the kind; a function, or a session, that shows nothing has no part in the request."""
    kind = text_of(span.attributes, KIND) or ""
    known = _ROLES.get(kind)
    if known is Role.TOOL and gives_answer(text_of(span.attributes, _NAME, "langchain.tool.name", "tool.name")):
        return Role.STEP
    if known is not None:
        return known
    shows = any(_key(span, side) is not None for side in (_VALUES.asked, _VALUES.returned))
    return _VALUES.role(span) if shows else None


AGENTOPS = Convention(
    name="agentops",
    version="0.4",
    heads=frozenset({"agentops"}),
    role=_role,
    owns=lambda span: KIND in span.attributes,
    texts=_VALUES.texts(),
    contents=("agentops.", *_INPUTS[1:], *_OUTPUTS[1:]),
    is_json=lambda _span, key: key.startswith("agentops.") and key.endswith((".input", ".output")),
)
"""Spans with `agentops.span.kind`."""
