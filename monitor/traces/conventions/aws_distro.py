"""AWS's distribution of OpenTelemetry: it moves contents out of spans into one log record for each.

The record has the name of the span's scope, and all messages of a side in a row: values of input and output as well as
what stood in indexed messages or in events, each text with a role, without the key that it stood under.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from monitor.traces.documents import read_documents, read_result, read_retrieved
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.messages import last_text, read_message, read_messages, tool_result
from monitor.traces.prompts import users_words
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    OUTPUT,
    PROMPT,
    QUERY,
    QUESTION,
    RESULT,
    Convention,
    Document,
    Message,
    Role,
    Rule,
    T,
    says,
)
from monitor.traces.shapes import answer_in, query_in, question_in
from monitor.traces.values import as_json, as_list, as_mapping
from monitor.wire import AttributeValue, Span

_SIDES: Final = ("input", "output")
_BODY: Final = "messages"
"""A member of the body of a call, which repeats the messages that stand beside it."""
_INSIDE: Final = ("content", "message")
"""Attributes of an event that hold what was said."""


class _Said(NamedTuple):
    role: str
    content: AttributeValue


def is_moved(span: Span) -> bool:
    """Whether the contents of the span were moved into a log record, which has come."""
    if not span.events:
        return False  # the usual case: every span of OpenInference is asked
    return any(event.name == span.scope and _is_body(event.body) for event in span.events)


def _is_body(body: AttributeValue) -> bool:
    return isinstance(body, dict) and any(_BODY in as_mapping(body.get(side)) for side in _SIDES)


def _said(span: Span, side: str) -> Sequence[_Said]:
    """What stood on one side of the span; the body of a call only where nothing else did."""
    body = next((event.body for event in reversed(span.events) if _is_body(event.body)), None)
    listed = map(as_mapping, as_list(as_mapping(as_mapping(body).get(side)).get(_BODY)))
    said = [_Said(str(one.get("role")), as_json(one.get("content"))) for one in listed]
    return [one for one in said if not (isinstance(one.content, dict) and _BODY in one.content)] or said


def _messages(one: _Said) -> tuple[Message, ...]:
    content = _inside(one.content)
    if isinstance(content, dict):
        return read_prompt(content) or ()
    if isinstance(content, list) and (listed := read_messages(content)) is not None:
        return listed
    message = read_message({"role": one.role, "content": content})
    return () if message is None else (message,)


def _inside(content: AttributeValue) -> AttributeValue:
    """What was said, of the attributes of an event."""
    held = content if isinstance(content, dict) else {}
    return next((as_json(held[key]) for key in _INSIDE if key in held), content)


def _prompt(span: Span) -> tuple[Message, ...] | None:
    return tuple([message for one in _said(span, "input") for message in _messages(one)]) or None


def _reply(span: Span) -> Message | None:
    for one in reversed(_said(span, "output")):
        content = _inside(one.content)
        found = read_reply(content) if isinstance(content, dict) else next(iter(_messages(one)), None)
        if found is not None:
            return found
    return None


def _question(span: Span) -> str | None:
    """The user's words; of inputs that are no messages what is known as a question."""
    asked = [one for one in _said(span, "input") if one.role == "user"]
    words = users_words([message for one in asked for message in _messages(one)])
    return _first(asked, question_in) if words is None else words


def _answer(span: Span) -> str | None:
    given = _said(span, "output")
    words = last_text([message for one in given for message in _messages(one)], "assistant")
    return _first(given, answer_in) if words is None else words


def _first(said: Sequence[_Said], read: Callable[[AttributeValue], T | None]) -> T | None:
    return next((found for one in said if (found := read(_inside(one.content))) is not None), None)


def _given(read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    return Rule("log record: input", lambda span: _first(_said(span, "input"), read))


def _returned(read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    return Rule("log record: output", lambda span: _first(_said(span, "output"), read))


def _handed_on(span: Span) -> tuple[Document, ...] | None:
    """Documents that a step returned as they are: the parts of a message look like some."""
    return next((found for one in _said(span, "output") if (found := read_documents(one.content))), None)


def _result(value: AttributeValue) -> AttributeValue:
    return tool_result(value) or value


AWS_DISTRO = Convention(
    name="aws_distro",
    version="0.21",
    heads=frozenset({"openinference", "openlit", "opentelemetry", "strands"}),
    role=lambda _span: None,
    owns=is_moved,
    texts={
        Role.CHAIN: (
            says(QUESTION, Rule("log record: input", _question)),
            says(ANSWER, Rule("log record: output", _answer)),
            says(DOCUMENTS, Rule("log record: output", _handed_on)),
        ),
        Role.MODEL: (
            says(PROMPT, Rule("log record: input", _prompt)),
            says(OUTPUT, Rule("log record: output", _reply)),
        ),
        Role.RETRIEVER: (says(QUERY, _given(query_in)), says(DOCUMENTS, _returned(read_retrieved))),
        Role.TOOL: (
            says(DOCUMENTS, _returned(lambda value: read_result(_result(value))[0])),
            says(RESULT, _returned(lambda value: read_result(_result(value))[1])),
        ),
    },
)
"""Spans whose contents came in a log record; what they are is told by the conventions that wrote them."""
