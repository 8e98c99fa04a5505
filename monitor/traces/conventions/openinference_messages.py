"""OpenInference's messages: flattened under a prefix, else in the input or the output of the model."""

from __future__ import annotations

from collections.abc import Mapping

from monitor.traces import semconv
from monitor.traces.conventions import openinference_calls as calls
from monitor.traces.conventions.keys import numbered, text_of
from monitor.traces.conventions.openinference_values import is_json, output_of
from monitor.traces.documents import is_repr
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.messages import handed_over, read_messages
from monitor.traces.reading import Message
from monitor.traces.shapes import answer_in
from monitor.traces.values import as_json, as_text
from monitor.wire import AttributeValue, Span


def flat_messages(span: Span, prefix: str) -> tuple[Message, ...]:
    """The messages that are flattened under a prefix; empty without any."""
    return tuple(map(_message, numbered(span.attributes, prefix)))


def prompt(span: Span) -> tuple[Message, ...] | None:
    """The flattened messages that a model was given; None without any."""
    messages = flat_messages(span, semconv.OI_INPUT_MESSAGES)
    if any(is_repr(message.text) for message in messages):
        return None  # LangChain4j's messages as Java prints them: their texts stand in the input
    return calls.with_instructions(span, calls.with_printed_results(span, messages)) or None


def prompt_in_input(span: Span) -> tuple[Message, ...] | None:
    """The messages in a model's input value, or in the body of the call; a text without a type is the prompt."""
    if is_json(span, semconv.OI_INPUT):
        body = as_json(span.attributes.get(semconv.OI_INPUT))
        return read_prompt(body) if isinstance(body, dict) else read_messages(body)
    text = text_of(span.attributes, semconv.OI_INPUT)
    return None if text is None else read_messages(text) or (Message("user", text),)


def reply(span: Span) -> Message | None:
    """The first message with a text, else the first: what OpenAI's service searched stands before what it says."""
    replies = flat_messages(span, semconv.OI_OUTPUT_MESSAGES)
    return next((one for one in replies if one.text.strip()), next(iter(replies), None))


def spoken(span: Span) -> Message | None:
    """A model's output value, where its messages are not recorded."""
    output = output_of(span)
    answer = answer_in(output)
    if answer is None and isinstance(output, dict):
        return read_reply(output)
    if answer is None or (is_json(span, semconv.OI_OUTPUT) and answer[:1] in {"{", "["}):
        return None
    return Message("assistant", answer.removeprefix("assistant: "))


def _message(item: Mapping[str, AttributeValue]) -> Message:
    """One flattened message; of several contents the texts."""
    role = text_of(item, "message.role") or ""
    text = as_text(item.get("message.content"))
    if text is None:
        parts = numbered(item, "message.contents")
        texts = [as_text(part.get(calls.PART_TEXT)) for part in parts if part.get(calls.PART_TYPE) in calls.TEXT_TYPES]
        text = "\n".join(part for part in texts if part)
    has_calls = any(key.startswith("message.tool_calls.") for key in item)
    if has_calls and not text and role == "assistant":
        called = [part.get("tool_call.function.arguments") for part in numbered(item, "message.tool_calls")]
        text = "".join(handed_over([{"arguments": arguments} for arguments in called]))
    if role == "tool" or (role == "user" and calls.ANSWERED_CALL in item):
        return Message("tool", "", has_calls, (text,))
    return Message(role, text, has_calls)
