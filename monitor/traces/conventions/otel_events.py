"""The older events of OpenTelemetry GenAI: one for each message (up to 1.36), and one for all (before 1.28).

An event's fields stand in its body, in its attributes, or as JSON in one attribute `gen_ai.event.content`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

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
}
_LANGSMITH = "langsmith.span.kind"
MODEL_EVENTS = frozenset({semconv.CHOICE_EVENT, semconv.PROMPT_EVENT, semconv.COMPLETION_EVENT})
"""A span that has one of them is a model call."""


def asked_in_events(span: Span) -> tuple[Message, ...] | None:
    """The prompt in events of one message each; None without any."""
    return tuple(_asked(span)) or None


def _asked(span: Span) -> Iterator[Message]:
    for event in _in_time(span):
        role = _ROLES.get(event.name)
        held = _fields(event)
        if role is not None and (held.get("content") is not None or held.get("tool_calls") is not None):
            message = read_message({"role": role, "content": _parts(held), "tool_calls": held.get("tool_calls")})
            if message is not None:
                yield message


def choices(span: Span) -> Iterator[Message]:
    """What the model replied, in choice events."""
    for event in _in_time(span):
        if event.name != semconv.CHOICE_EVENT:
            continue
        held = _fields(event)
        said = as_json(held.get("message", held.get("content")))
        fields = said if isinstance(said, dict) else {"content": said}
        message = read_message({"role": "assistant", **fields})
        if message is not None and (message.text or message.calls_tool):
            yield message


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
    packed = event.attributes.get(semconv.EVENT_CONTENT)
    if packed is None:
        return event.attributes
    read = as_json(packed)
    return read if isinstance(read, dict) else {"content": packed}


def _parts(held: Mapping[str, AttributeValue]) -> AttributeValue:
    """Text, or the JSON list of parts that Strands writes as text."""
    content = held.get("content")
    read = as_json(content)
    if isinstance(read, list) and read and all(isinstance(part, dict) for part in read):
        return read
    return content if isinstance(content, list | dict) else as_text(content)
