"""Mirascope: traced functions beside model calls after OpenTelemetry."""

from __future__ import annotations

from typing import Final

from monitor.traces.conventions.keys import texted
from monitor.traces.conventions.recorded import Recorded
from monitor.traces.reading import SESSION_ID, Convention, Role, says
from monitor.wire import Span

_VALUES: Final = Recorded("mirascope.trace.arg_values", "mirascope.trace.output")


def _role(span: Span) -> Role | None:
    """Of a function by what it shows; calls of models are left to their own convention."""
    return _VALUES.role_by_type(span, None)


MIRASCOPE = Convention(
    name="mirascope",
    version="2",
    heads=frozenset({"mirascope"}),
    role=_role,
    texts=_VALUES.texts(),
    facts=(says(SESSION_ID, texted("mirascope.ops.session.id")),),
    contents=(_VALUES.asked, _VALUES.returned),
    is_json=lambda _span, key: key in {_VALUES.asked, _VALUES.returned},
)
"""Spans with `mirascope.trace.*`."""
