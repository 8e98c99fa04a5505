"""Respan (formerly Keywords AI): OpenLLMetry's spans, with who asked under keys of its own."""

from __future__ import annotations

from typing import Final

from monitor.traces.conventions.keys import texted
from monitor.traces.reading import ENVIRONMENT, SESSION_ID, TENANT, USER_ID, Convention, Role, says
from monitor.wire import Span

_PREFIXES: Final = ("respan", "keywordsai")


def _role(_span: Span) -> Role | None:
    """Roles are told by OpenLLMetry's kinds."""
    return None


def _all(*names: str) -> list[str]:
    return [f"{prefix}.{name}" for prefix in _PREFIXES for name in names]


RESPAN = Convention(
    name="respan",
    version="1",
    heads=frozenset(_PREFIXES),
    role=_role,
    facts=(
        says(SESSION_ID, *map(texted, _all("threads.thread_identifier", "sessions.session_identifier"))),
        says(USER_ID, *map(texted, _all("customer_params.customer_identifier"))),
        says(TENANT, *map(texted, _all("metadata.tenant", "metadata.tenant_id"))),
        says(ENVIRONMENT, *map(texted, _all("environment"))),
    ),
)
"""Spans with `respan.*`."""
