"""HoneyHive: events of a session, whose inputs and outputs are taken apart into attributes `honeyhive_inputs.*`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces.conventions.flattened import gathered
from monitor.traces.conventions.keys import text_of, texted
from monitor.traces.conventions.recorded import Recorded
from monitor.traces.reading import FAILURE, SESSION_ID, USER_ID, Convention, Role, says
from monitor.wire import AttributeValue, Span

KIND: Final = "honeyhive_event_type"
_ONLY: Final = ("result", "_params_")
"""The name of a result that has none, and what arguments stood under before 1.0."""
_ROLES: Mapping[str, Role] = {"model": Role.MODEL}
"""Chains, tools and sessions are functions of the application: a tool may well be the retriever."""


def _value(span: Span, side: str) -> AttributeValue:
    found = gathered(span.attributes, side)
    inner = next(iter(found)) if isinstance(found, dict) and len(found) == 1 else None
    return found[inner] if isinstance(found, dict) and inner in _ONLY else found


_VALUES: Final = Recorded("honeyhive_inputs", "honeyhive_outputs", _value, is_keyed=False)


def _role(span: Span) -> Role | None:
    """By the type of the event; a tool that returned documents is a retriever."""
    kind = text_of(span.attributes, KIND)
    role = _VALUES.role_by_type(span, _ROLES.get(kind or ""))
    return Role.TOOL if role is Role.CHAIN and kind == "tool" else role


HONEYHIVE = Convention(
    name="honeyhive",
    version="1",
    heads=frozenset({KIND, "honeyhive", "honeyhive_inputs", "honeyhive_outputs"}),
    role=_role,
    texts=_VALUES.texts(),
    facts=(
        says(SESSION_ID, texted("honeyhive.session_id"), texted("honeyhive_session_id")),
        says(USER_ID, texted("honeyhive_user_properties.user_id"), texted("honeyhive_user_id")),
        says(FAILURE, texted("honeyhive_error")),
    ),
    contents=("honeyhive_inputs", "honeyhive_outputs"),
)
"""Spans with `honeyhive_*`."""
