"""The older events of OpenTelemetry GenAI: one for each message (up to 1.36), and one for all (before 1.28).

An event's fields stand in its body, in its attributes, or as JSON in one attribute: `gen_ai.event.content`, or `body`.
Koog has the reply in an event of the assistant as well, and tools that were called earlier in choices.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from monitor.traces import semconv
from monitor.traces.messages import read_message, read_messages
from monitor.traces.reading import Message
from monitor.traces.transcripts import read_bracketed, read_texts, read_transcript
from monitor.traces.values import as_json, as_list, as_text
from monitor.wire import AttributeValue, Span, SpanEvent

_ROLES = {
    semconv.SYSTEM_EVENT: "system",
    semconv.USER_EVENT: "user",
    semconv.ASSISTANT_EVENT: "assistant",
    semconv.TOOL_EVENT: "tool",
    semconv.CHOICE_EVENT: "assistant",
}
_LANGSMITH = "langsmith.span.kind"
_PACKED = (semconv.EVENT_CONTENT, "body")
_BEFORE_TEXT = '"content":"'
_BEHIND_TEXT = re.compile(r'"(?:[}\s]*\Z|,\s*"(?:id|index|finish_reason|arguments)":)')
"""Around the text in a `body` that Koog (0.3) wrote without escaping what stands in it."""
TURNS = tuple(_ROLES)
"""Names of the events that hold one message each."""
MODEL_EVENTS = frozenset({semconv.CHOICE_EVENT, semconv.PROMPT_EVENT, semconv.COMPLETION_EVENT})
"""A span that has one of them is a model call."""


def asked_in_events(span: Span) -> tuple[Message, ...] | None:
    """The prompt in events of one message each; None without any."""
    return tuple(_messages_of(_turns(span).asked)) or None


def choices(span: Span) -> Iterator[Message]:
    """What the model replied, in choice events or in the last one of the assistant."""
    return (message for message in _messages_of(_turns(span).replied) if message.text or message.calls_tool)


class _Turns(NamedTuple):
    """The events of a prompt, and those of the reply to it, each in time order."""

    asked: Sequence[SpanEvent]
    replied: Sequence[SpanEvent]


def _turns(span: Span) -> _Turns:
    """Choices reply where they stand at the end, those before a later message are a part of the prompt.

    Without one at the end the reply is the message of the assistant that stands there, else any choices.
    """
    events = [event for event in _in_time(span) if event.name in _ROLES]
    end = len(events)
    while end and events[end - 1].name == semconv.CHOICE_EVENT:
        end -= 1
    if end == len(events) and events and events[-1].name == semconv.ASSISTANT_EVENT:
        end -= 1
    if end < len(events):
        return _Turns(events[:end], events[end:])
    replied = [event for event in events if event.name == semconv.CHOICE_EVENT]
    return _Turns([event for event in events if event.name != semconv.CHOICE_EVENT], replied)


def _messages_of(events: Sequence[SpanEvent]) -> Iterator[Message]:
    for event in events:
        held = _fields(event)
        read = _choice(held) if event.name == semconv.CHOICE_EVENT else _turn(_ROLES[event.name], held)
        if read is not None:
            yield read


def _turn(role: str, held: Mapping[str, AttributeValue]) -> Message | None:
    calls = held.get("tool_calls")
    if held.get("content") is None and calls is None:
        return None
    return read_message({"role": role, "content": _parts(held), "tool_calls": calls})


def _choice(held: Mapping[str, AttributeValue]) -> Message | None:
    said = as_json(held.get("message", held.get("content")))
    fields = said if isinstance(said, dict) else {"content": said, "tool_calls": held.get("tool_calls")}
    return read_message({"role": "assistant", **fields})


def has_whole(span: Span) -> bool:
    """Whether a whole prompt or reply stands in an attribute of its own. LangSmith's are those of any run."""
    attributes = span.attributes
    return _LANGSMITH not in attributes and (
        semconv.WHOLE_PROMPT in attributes or semconv.WHOLE_COMPLETION in attributes
    )


def whole(name: str, key: str, role: str) -> Callable[[Span], tuple[Message, ...] | None]:
    """Reads a whole prompt or reply: from the oldest events, else from the attribute `key` of the span itself.

    The value is a list of messages or of their texts, lines that begin with their speakers, or a text without: then it
    is of `role`.
    """

    def read(span: Span) -> tuple[Message, ...] | None:
        events = [event.attributes for event in _in_time(span) if event.name == name]
        values = [held.get(key, held.get(semconv.EVENT_CONTENT)) for held in events]
        if not values and has_whole(span):
            values = [span.attributes.get(key)]
        return tuple([message for value in values for message in _messages(value, role)]) or None

    return read


def _messages(value: AttributeValue, role: str) -> tuple[Message, ...]:
    read = as_json(value)
    if isinstance(read, list | dict):
        texts = [item for item in read if isinstance(item, str) and as_json(item) is item]
        if isinstance(read, list) and len(texts) == len(read):
            return read_texts(texts, role)
        message = read_message(_said(read))
        items = [_said(item) for item in as_list(read)] or read
        return (message,) if message is not None else read_messages(items) or ()
    text = as_text(read)
    if text and (bracketed := read_bracketed(text, role)) is not None:
        return bracketed
    if not text or text[0] in "[{":  # the latter is JSON that was cut
        return ()
    return read_transcript(text) or (Message(role, text),)


def _said(item: AttributeValue) -> AttributeValue:
    """A message, which may stand in a choice."""
    read = as_json(item)
    return read["message"] if isinstance(read, dict) and "message" in read and "role" not in read else read


def _in_time(span: Span) -> list[SpanEvent]:
    return sorted(span.events, key=lambda event: event.time_ns)


def _fields(event: SpanEvent) -> Mapping[str, AttributeValue]:
    body = as_json(event.body)  # Semantic Kernel logs it as text
    if isinstance(body, dict):
        return body
    packed = next((held for key in _PACKED if (held := event.attributes.get(key)) is not None), None)
    if packed is None:
        return event.attributes
    read = as_json(packed)
    if isinstance(read, dict):
        return read
    return {"content": _unescaped(packed)}


def _unescaped(packed: AttributeValue) -> AttributeValue:
    """The text in what should be JSON; any other value as it is."""
    if not isinstance(packed, str) or not packed.startswith("{") or _BEFORE_TEXT not in packed:
        return packed
    start = packed.index(_BEFORE_TEXT) + len(_BEFORE_TEXT)
    end = _BEHIND_TEXT.search(packed, start)
    return packed if end is None else packed[start : end.start()]


def _parts(held: Mapping[str, AttributeValue]) -> AttributeValue:
    """Text, or the JSON list of parts that Strands writes as text."""
    content = held.get("content")
    read = as_json(content)
    if isinstance(read, list) and read and all(isinstance(part, dict) for part in read):
        return read
    return content if isinstance(content, list | dict) else as_text(content)
