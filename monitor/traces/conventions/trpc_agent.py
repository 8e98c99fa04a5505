"""tRPC-Agent-Go: OpenTelemetry with the choices of the client as output, and what a runner was given and returned."""

from __future__ import annotations

from typing import Final

from monitor.traces.conventions.keys import texted
from monitor.traces.exchange import read_reply
from monitor.traces.reading import ANSWER, QUESTION, SESSION_ID, USER_ID, Convention, Role, attribute, says
from monitor.traces.shapes import answer_in, question_in
from monitor.traces.values import as_json
from monitor.wire import AttributeValue, Span

GIVEN: Final = "trpc.go.agent.runner.input"
RETURNED: Final = "trpc.go.agent.runner.output"
_RESPONSE: Final = "trpc.go.agent.llm_response"


def _role(span: Span) -> Role | None:
    """Of a runner; its agents, models and tools have the operations of OpenTelemetry."""
    return Role.CHAIN if GIVEN in span.attributes or RETURNED in span.attributes else None


def _answer(value: AttributeValue) -> str | None:
    """A text, or the response of a model."""
    read = as_json(value, layers=1)
    reply = read_reply(read) if isinstance(read, dict) else None
    return answer_in(read) if reply is None else reply.text or None


TRPC_AGENT = Convention(
    name="trpc_agent",
    version="1",
    heads=frozenset({"trpc"}),
    role=_role,
    texts={
        Role.CHAIN: (
            says(QUESTION, attribute(GIVEN, lambda value: question_in(as_json(value, layers=1)))),
            says(ANSWER, attribute(RETURNED, _answer), attribute(_RESPONSE, _answer)),
        )
    },
    facts=(
        says(SESSION_ID, texted("trpc.go.agent.runner.session_id"), texted("trpc.go.agent.session_id")),
        says(USER_ID, texted("trpc.go.agent.runner.user_id")),
    ),
    contents=(GIVEN, RETURNED, "trpc.go.agent.llm_"),
)
"""Spans with `trpc.go.agent.*`."""
