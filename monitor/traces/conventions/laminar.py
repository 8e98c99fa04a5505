"""Laminar, in Python and JavaScript: decorated functions beside model spans of OpenLLMetry's kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces.conventions.keys import SESSION_NAMES, USER_NAMES, named
from monitor.traces.conventions.recorded import Recorded
from monitor.traces.reading import SESSION_ID, USER_ID, Convention, Role, says
from monitor.wire import Span

KIND: Final = "lmnr.span.type"
VALUES: Final = Recorded("lmnr.span.input", "lmnr.span.output")
PROPERTIES: Final = "lmnr.association.properties."

_ROLES: Mapping[str, Role] = {
    "LLM": Role.MODEL,
    "CACHED": Role.MODEL,
    "TOOL": Role.TOOL,
    "EVALUATION": Role.EVALUATOR,
    "EVALUATOR": Role.EVALUATOR,
    "HUMAN_EVALUATOR": Role.EVALUATOR,
    "EVENT": Role.STEP,
}
"""All other types are functions of the application."""


def _role(span: Span) -> Role | None:
    """By the type; a function that shows nothing has no part in the request."""
    kind = span.attributes.get(KIND)
    return VALUES.role_by_type(span, _ROLES.get(kind) if isinstance(kind, str) else None)


LAMINAR = Convention(
    name="laminar",
    version="1",
    heads=frozenset({"lmnr"}),
    role=_role,
    texts=VALUES.texts(),
    facts=(
        says(SESSION_ID, *named(PROPERTIES, SESSION_NAMES)),
        says(USER_ID, *named(PROPERTIES, USER_NAMES)),
    ),
    contents=(VALUES.asked, VALUES.returned),
    is_json=lambda _span, key: key in {VALUES.asked, VALUES.returned},
)
"""Spans with `lmnr.span.*`."""
