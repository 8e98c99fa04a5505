"""Pipecat's voice agents: calls of models after OpenTelemetry, but for their contents in `input` and `output`."""

from __future__ import annotations

from typing import Final

from monitor.traces.conventions.keys import texted
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.reading import OUTPUT, PROMPT, SESSION_ID, Convention, Role, attribute, says
from monitor.wire import Span

_SCOPES: Final = ("pipecat", "pipecat.turn")


def _none(_span: Span) -> None:
    """Roles are told by OpenTelemetry's operations."""


PIPECAT = Convention(
    name="pipecat",
    version="1",
    heads=frozenset({"stream", "conversation"}),
    role=_none,
    owns=lambda span: span.scope in _SCOPES,
    texts={
        Role.MODEL: (says(PROMPT, attribute("input", read_prompt)), says(OUTPUT, attribute("output", read_reply))),
    },
    facts=(says(SESSION_ID, texted("conversation.id")),),
    contents=("input", "output"),
)
"""Spans of its tracers."""
