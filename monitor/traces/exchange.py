"""What a model was asked and what it replied, in the JSON shapes of the clients that libraries record.

OpenAI (chat, completions, responses), Anthropic, Gemini, Bedrock, Ollama, and the results of LangChain, LlamaIndex,
DSPy and Haystack. One exchange is read: of several prompts or choices the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from monitor.traces.documents import is_repr
from monitor.traces.hosted import found_beside
from monitor.traces.messages import read_message, read_messages
from monitor.traces.reading import Message
from monitor.traces.values import as_json, as_member
from monitor.wire import AttributeValue

SYSTEM_KEYS = ("system", "instructions", "system_instruction", "system_prompt", "systemInstruction")
_PROMPT_KEYS = ("messages", "input", "contents", "prompts", "prompt", "inputs", "input_value")
_CHOICES = ("choices", "generations", "candidates", "replies")
"""Members that list several replies to choose from."""
_REPLY_KEYS = (
    *_CHOICES, "message", "output", "outputs", "content", "output_text", "text", "response", "answer",
    "generated_text", "generation", "text_output",
)  # fmt: skip
_THOUGHTS = ("reason", "think", "summary_text")
"""Parts of the types of what a model says to itself."""
_MAX_NESTING = 6


@dataclass(frozen=True, slots=True)
class Answering:
    """Who answered: both as the service named them."""

    model: str | None = None
    response_id: str | None = None


def read_prompt(value: AttributeValue) -> tuple[Message, ...] | None:
    """The messages that a model was given, system instructions first; a bare text is the user's. None when unknown."""
    return _prompt(as_json(value), 0)


def _prompt(read: AttributeValue, depth: int) -> tuple[Message, ...] | None:
    if isinstance(read, str):
        return (Message("user", read),) if read.strip() and not is_repr(read) else None
    if isinstance(read, list):
        if len(read) == 1 and isinstance(read[0], str):
            return _prompt(read[0], depth)
        return read_messages(read)
    return _prompt_in(read, depth) if isinstance(read, dict) and depth <= _MAX_NESTING else None


def _prompt_in(read: dict[str, AttributeValue], depth: int) -> tuple[Message, ...] | None:
    if (message := read_message(read)) is not None:
        return (message,)
    for key in _PROMPT_KEYS:
        found = _prompt(as_member(read.get(key)), depth + 1) if read.get(key) is not None else None
        if found:
            return (*instructions(read), *found)
    return None


def instructions(read: Mapping[str, AttributeValue]) -> Iterator[Message]:
    """System instructions that stand beside the messages, in one text or in parts."""
    config = as_json(read.get("config"))
    for holder in (read, config if isinstance(config, dict) else {}):
        for key in SYSTEM_KEYS:
            body = as_member(holder.get(key))
            if isinstance(body, dict):
                body = body.get("parts", body)
            message = read_message({"role": "system", "content": body}) if isinstance(body, str | list | dict) else None
            if message is not None and message.text.strip():
                yield message


def read_reply(value: AttributeValue) -> Message | None:
    """The message that a model gave back; a bare text is one. None when the value is in no known shape."""
    return _reply(as_json(value), 0)


def _reply(read: AttributeValue, depth: int) -> Message | None:
    if isinstance(read, str):
        return None if is_repr(read) else Message("assistant", read)
    if depth > _MAX_NESTING:
        return None
    if isinstance(read, list):
        return _of_list(read, depth)
    return _reply_in(read, depth) if isinstance(read, dict) else None


def _reply_in(read: dict[str, AttributeValue], depth: int) -> Message | None:
    if any(word in str(read.get("type", "")) for word in _THOUGHTS):
        return None
    message = read_message(read)
    if message is not None:
        return message if message.role == "assistant" else None
    for key in _REPLY_KEYS:
        inner = as_member(read.get(key))
        if key in _CHOICES and isinstance(inner, list):
            inner = as_member(inner[0]) if inner else None
        found = None if inner is None else _reply(inner, depth + 1)
        if found is not None:
            found = found if found.text or found.calls_tool else _text_beside(read, found)
            return replace(found, results=(*found.results, *found_beside(read)))
    parts = read_message({"role": "assistant", "parts": read.get("parts")})
    return parts if parts is not None and (parts.text or parts.calls_tool) else None


def _of_list(items: list[AttributeValue], depth: int) -> Message | None:
    """The items of one answer: thoughts, text, tool calls. Several bare texts may be pieces of a stream: no reply."""
    if len(items) > 1 and all(isinstance(item, str) for item in items):
        return None
    replies = [found for item in items if (found := _reply(as_member(item), depth + 1)) is not None]
    if not replies:
        return None
    text = next((reply.text for reply in replies if reply.text), "")
    results = tuple([result for reply in replies for result in reply.results])
    return Message("assistant", text, any(reply.calls_tool for reply in replies), results)


def _text_beside(read: Mapping[str, AttributeValue], found: Message) -> Message:
    """An empty message with the text that stands beside it: LangChain's generations hold both."""
    text = read.get("text")
    return replace(found, text=text, calls_tool=False) if isinstance(text, str) and text else found


def is_envelope(read: AttributeValue) -> bool:
    """Whether it is what programs put around texts: messages, a choice of replies, or what a run was called with.

    Objects that a model was told to write, or a user typed, are none of these.
    """
    if isinstance(read, list):
        return bool(read) and all(isinstance(item, dict) and is_envelope(item) for item in read)
    if not isinstance(read, dict):
        return False
    if read_message(read) is not None or is_envelope(read.get("messages")):
        return True
    called = isinstance(read.get("kwargs"), dict) and not read.keys().isdisjoint(("inputs", "outputs", "args"))
    return called or (isinstance(read.get("choices"), list) and _reply_in(read, 0) is not None)


def read_failure(value: AttributeValue) -> str | None:
    """What went wrong, as `NAME: words`, where a client was sent an error in place of a reply or of its next piece.

    None for anything else.
    """
    read = as_json(value)
    if not isinstance(read, dict) or read.get("type") != "error":
        return None
    error = read.get("error")
    held = error if isinstance(error, dict) else {}
    words = (_word(held, "name", "type", "code"), _word(held, "message"))
    return ": ".join(word for word in words if word is not None) or "error"


def read_answering(value: AttributeValue) -> Answering:
    """Who answered, from a client's response or from the metadata of a LangChain message; what is unknown is None."""
    return _answering(as_json(value), 0) or Answering()


def _answering(read: AttributeValue, depth: int) -> Answering | None:
    if isinstance(read, list):
        read = as_member(read[0]) if read else None
        return _answering(read, depth + 1) if depth <= _MAX_NESTING else None
    if not isinstance(read, dict) or depth > _MAX_NESTING:
        return None
    metadata = as_json(read.get("response_metadata"))
    if isinstance(metadata, dict):
        return Answering(_word(metadata, "model_name", "model"), _word(metadata, "id"))
    if isinstance(read.get("model"), str):
        return Answering(_word(read, "model"), _word(read, "id"))
    inner = (as_member(read.get(key)) for key in ("generations", "message", "kwargs", "raw", "replies", "meta"))
    return next((found for one in inner if (found := _answering(one, depth + 1)) is not None), None)


def _word(read: Mapping[str, AttributeValue], *keys: str) -> str | None:
    return next((word for key in keys if isinstance(word := read.get(key), str) and word.strip()), None)
