"""Strands Agents, in Python and TypeScript: OTel GenAI in span events, with spans of its own around each cycle.

Versions before 0.2 had no operation: what a span is stood in its name, and contents in `gen_ai.prompt|completion`.
"""

from __future__ import annotations

from typing import Final

from monitor.traces import semconv
from monitor.traces.documents import read_result
from monitor.traces.messages import read_message
from monitor.traces.reading import DOCUMENTS, OUTPUT, RESULT, Convention, Message, Role, Rule, attribute, says
from monitor.traces.values import as_json
from monitor.wire import Span

NAME: Final = "strands-agents"
SCOPE: Final = "strands"
CYCLES: Final = ("event_loop.cycle_id", "agent_loop.cycle_id")
OLD_TOOL: Final = "tool.name"
OLD_RESULT: Final = "tool.result"
OLD_AGENT: Final = "agent.name"

_OLD_MODEL = "Model invoke"


def _role(span: Span) -> Role | None:
    """The cycles, teams of agents, and the spans without operation of old; all else is left to OTel."""
    attributes = span.attributes
    operation = attributes.get(semconv.OPERATION)
    if operation is None and any(key in attributes for key in CYCLES):
        return Role.STEP  # its events repeat those of the model call and the tools below it
    if isinstance(operation, str):
        return Role.CHAIN if operation.startswith("invoke_") else None
    if OLD_TOOL in attributes:
        return Role.TOOL
    if span.name == _OLD_MODEL:
        return Role.MODEL
    return Role.CHAIN if OLD_AGENT in attributes else None


def _owns(span: Span) -> bool:
    """By its scope, its provider, or the mark of a cycle: all else that it writes is OTel's, or a plain word."""
    if span.scope.startswith(SCOPE) or not span.attributes.keys().isdisjoint(CYCLES):
        return True
    return NAME in (span.attributes.get(semconv.PROVIDER), span.attributes.get(semconv.SYSTEM))


def _old_reply(span: Span) -> Message | None:
    """The parts of a reply, which stood there without the message around them."""
    parts = as_json(span.attributes.get(semconv.WHOLE_COMPLETION))
    return read_message({"role": "assistant", "content": parts}) if isinstance(parts, list) else None


STRANDS = Convention(
    name="strands",
    version="2",
    heads=frozenset({"gen_ai", "event_loop", "agent_loop"}),
    role=_role,
    owns=_owns,
    texts={
        Role.MODEL: (says(OUTPUT, Rule(semconv.WHOLE_COMPLETION, _old_reply, semconv.WHOLE_COMPLETION)),),
        Role.TOOL: (
            says(DOCUMENTS, attribute(OLD_RESULT, lambda value: read_result(value)[0])),
            says(RESULT, attribute(OLD_RESULT, lambda value: read_result(value)[1])),
        ),
    },
    contents=(OLD_RESULT,),
    is_json=lambda _span, key: key == OLD_RESULT,
)
"""Spans of the agent loop of Strands."""
