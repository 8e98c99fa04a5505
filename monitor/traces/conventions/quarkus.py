"""Quarkus' LangChain4j: a model call holds the texts of all its messages, one below the other, and nobody's role.

A message without text, which calls a tool, is written as `null`; what a tool gave back is one line of JSON. Failed
calls have a recorded exception and no status. All else is as OpenTelemetry has it.
"""

from __future__ import annotations

from typing import Final

from monitor.traces import semconv
from monitor.traces.conventions.keys import text_of
from monitor.traces.prompts import announced_at, is_filled
from monitor.traces.reading import FAILURE, PROMPT, Convention, Message, Role, Rule, says
from monitor.traces.values import as_json
from monitor.wire import Span

SCOPE: Final = "io.quarkus.opentelemetry"
EXCEPTION: Final = "exception"
EXCEPTION_TYPE: Final = "exception.type"
_CALLS_TOOL: Final = "\nnull\n"
_ASKS: Final = ("?", "？", "؟")


def _prompt(span: Span) -> tuple[Message, ...] | None:
    """The messages of a prompt: the last ones are a tool's results where they are JSON behind a call.

    Of the texts before them the last line is the user's when it asks something, and the rest is nobody's: they may be
    instructions and earlier turns.
    """
    text = text_of(span.attributes, semconv.WHOLE_PROMPT)
    if text is None or span.scope != SCOPE:
        return None
    head, *rounds = text.split(_CALLS_TOOL)
    given: list[Message] = []
    while rounds and (results := _results(rounds[-1])):
        given[:0] = [Message("assistant", "", calls_tool=True), *results]
        rounds.pop()
    return (*_asked(_CALLS_TOOL.join([head, *rounds])), *given)


def _results(lines: str) -> list[Message]:
    """What tools gave back, one a line; empty when a line is something else."""
    given = []
    for line in lines.split("\n"):
        read = as_json(line, layers=1)
        if read is line:
            return []
        given.append(Message("tool", "", results=(read if isinstance(read, str) else line,)))
    return given


def _asked(text: str) -> tuple[Message, ...]:
    """Instructions and the user's message."""
    if is_filled(text):
        return (Message("user", text),)
    at = announced_at(text)
    said = text if at is None else text[:at]
    before, _, last = said.rpartition("\n")
    if not before:
        return (Message("user", text),)
    if not last.rstrip().endswith(_ASKS):
        return (Message("", text),)
    return (Message("", before), Message("user", text[len(before) + 1 :]))


def _failure(span: Span) -> str | None:
    """The class of the exception of a model call."""
    if span.scope != SCOPE or semconv.REQUEST_MODEL not in span.attributes:
        return None
    recorded = (event for event in span.events if event.name == EXCEPTION)
    return next((text_of(event.attributes, EXCEPTION_TYPE) or EXCEPTION for event in recorded), None)


def _no_role(_span: Span) -> Role | None:
    """The contents tell."""
    return None


QUARKUS = Convention(
    name="quarkus",
    version="1.7",
    heads=frozenset({"gen_ai"}),
    role=_no_role,
    marks=(semconv.WHOLE_PROMPT,),
    texts={Role.MODEL: (says(PROMPT, Rule(semconv.WHOLE_PROMPT, _prompt, semconv.WHOLE_PROMPT)),)},
    facts=(says(FAILURE, Rule(f"event {EXCEPTION}", _failure, semconv.REQUEST_MODEL)),),
    contents=(semconv.WHOLE_PROMPT, semconv.WHOLE_COMPLETION),
)
"""Model calls in the scope of Quarkus."""
