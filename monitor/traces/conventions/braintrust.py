"""Braintrust's SDKs on OpenTelemetry (Python, Go, Java, Ruby, .NET): all that a span says is JSON under a few keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces.conventions.keys import (
    APP_VERSION_NAMES,
    KNOWLEDGE_BASE_NAMES,
    PROMPT_NAMES,
    SESSION_NAMES,
    TENANT_NAMES,
    USER_NAMES,
    counted_member,
    member,
    text_of,
)
from monitor.traces.conventions.recorded import Recorded
from monitor.traces.reading import (
    APP_VERSION,
    INPUT_TOKENS,
    KNOWLEDGE_BASE,
    MODEL,
    OUTPUT_TOKENS,
    PROMPT_VERSION,
    SESSION_ID,
    TENANT,
    USER_ID,
    Convention,
    Role,
    says,
)
from monitor.traces.values import as_mapping
from monitor.wire import Span

KINDS: Final = ("braintrust.span_attributes", "braintrust.span_attributes.type")
VALUES: Final = Recorded("braintrust.input_json", "braintrust.output_json")
METADATA: Final = "braintrust.metadata"
METRICS: Final = "braintrust.metrics"

_ROLES: Mapping[str, Role] = {
    "llm": Role.MODEL,
    "tool": Role.TOOL,
    "score": Role.EVALUATOR,
    "eval": Role.EVALUATOR,
    "automation": Role.STEP,
}
"""All other types are functions of the application."""


def _role(span: Span) -> Role | None:
    """By the type, which stands in an object or under a key of its own."""
    kind = text_of(as_mapping(span.attributes.get(KINDS[0])), "type") or text_of(span.attributes, KINDS[1])
    return VALUES.role_by_type(span, _ROLES.get(kind or ""))


BRAINTRUST = Convention(
    name="braintrust",
    version="1",
    heads=frozenset({"braintrust"}),
    role=_role,
    texts=VALUES.texts(),
    facts=(
        says(MODEL, member(METADATA, "model")),
        says(SESSION_ID, member(METADATA, *SESSION_NAMES)),
        says(USER_ID, member(METADATA, *USER_NAMES)),
        says(TENANT, member(METADATA, *TENANT_NAMES)),
        says(APP_VERSION, member(METADATA, *APP_VERSION_NAMES)),
        says(PROMPT_VERSION, member(METADATA, *PROMPT_NAMES)),
        says(KNOWLEDGE_BASE, member(METADATA, *KNOWLEDGE_BASE_NAMES)),
        says(INPUT_TOKENS, counted_member(METRICS, "prompt_tokens", "input_tokens")),
        says(OUTPUT_TOKENS, counted_member(METRICS, "completion_tokens", "output_tokens")),
    ),
    contents=(VALUES.asked, VALUES.returned),
    is_json=lambda _span, key: key in {VALUES.asked, VALUES.returned},
)
"""Spans with `braintrust.*`."""
