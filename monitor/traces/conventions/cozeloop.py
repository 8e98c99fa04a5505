"""CozeLoop's SDKs on OpenTelemetry (Java, TypeScript's handler for LangChain) and spans by hand after its mapping.

A value that is no text is JSON: messages of a model, the query and the documents of a retriever.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces import semconv
from monitor.traces.conventions.keys import prompt_version, text_of, texted
from monitor.traces.conventions.recorded import Recorded
from monitor.traces.reading import ENVIRONMENT, FAILURE, MODEL, PROMPT_VERSION, Convention, Role, Rule, says
from monitor.wire import Span

KIND: Final = "cozeloop.span_type"
VALUES: Final = Recorded("cozeloop.input", "cozeloop.output")
_STATUS: Final = "cozeloop.status_code"
_PROMPT: Final = ("cozeloop.prompt_key", "cozeloop.prompt_version")

_ROLES: Mapping[str, Role] = {
    "model": Role.MODEL,
    "llm": Role.MODEL,
    "retriever": Role.RETRIEVER,
    "vector_store": Role.RETRIEVER,
    "tool": Role.TOOL,
    "prompt": Role.STEP,
    "prompt_hub": Role.STEP,
    "embedding": Role.STEP,
    "parser": Role.STEP,
}
"""All other types are functions of the application."""


def _role(span: Span) -> Role | None:
    """By the type; spans of other conventions have it besides, and then without these values."""
    return VALUES.role_by_type(span, _ROLES.get((text_of(span.attributes, KIND) or "").lower()))


def _failure(span: Span) -> str | None:
    """A status of its own, beside which that of the span stays unset."""
    status = text_of(span.attributes, _STATUS)
    if status is None or status == "0":
        return None
    return text_of(span.attributes, semconv.ERROR_TYPE, "error.message") or f"status {status}"


COZELOOP = Convention(
    name="cozeloop",
    version="1",
    heads=frozenset({"cozeloop"}),
    role=_role,
    texts=VALUES.texts(),
    facts=(
        says(MODEL, texted(semconv.OI_MODEL)),
        says(ENVIRONMENT, texted("deployment_env")),
        says(PROMPT_VERSION, prompt_version(*_PROMPT)),
        says(FAILURE, Rule(_STATUS, _failure, _STATUS)),
    ),
    contents=(VALUES.asked, VALUES.returned),
)
"""Spans with `cozeloop.*`; models, tokens, sessions and users have the keys of OpenTelemetry and OpenInference."""
