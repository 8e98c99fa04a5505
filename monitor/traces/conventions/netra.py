"""Netra: decorated functions beside instrumented clients. Values are text or JSON, cut after 1,000 characters."""

from __future__ import annotations

from typing import Final

from monitor.traces.conventions.keys import texted
from monitor.traces.conventions.recorded import Recorded
from monitor.traces.reading import SESSION_ID, TENANT, USER_ID, Convention, Role, says
from monitor.wire import Span

_VALUES: Final = Recorded("netra.entity.input", "netra.entity.output")


def _role(span: Span) -> Role | None:
    """A workflow, an agent, a task: functions of the application, told by what they show."""
    return _VALUES.role_by_type(span, None)


NETRA = Convention(
    name="netra",
    version="1",
    heads=frozenset({"netra"}),
    role=_role,
    texts=_VALUES.texts(),
    facts=(
        says(SESSION_ID, texted("netra.session_id")),
        says(USER_ID, texted("netra.user_id")),
        says(TENANT, texted("netra.tenant_id")),
    ),
    contents=(_VALUES.asked, _VALUES.returned),
    is_json=lambda _span, key: key in {_VALUES.asked, _VALUES.returned},
)
"""Spans with `netra.*`."""
