"""Chat messages in the JSON shapes that libraries write, and the text that they hold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from monitor.traces.document_keys import document_text, snaked
from monitor.traces.hosted import found_beside, found_in_part, is_hosted
from monitor.traces.reading import Message
from monitor.traces.values import as_json, as_text
from monitor.wire import AttributeValue

_ROLES = {
    "human": "user", "ai": "assistant", "AIMessageChunk": "assistant", "model": "assistant", "function": "tool",
    "System": "system", "User": "user", "Assistant": "assistant", "Tool": "tool",
    "SYSTEM": "system", "USER": "user", "ASSISTANT": "assistant", "TOOL": "tool",
}  # fmt: skip
"""Other words for the roles, and their names in Kotlin and Java."""
_LANGCHAIN_ROLES = {
    "HumanMessage": "user",
    "AIMessage": "assistant",
    "AIMessageChunk": "assistant",
    "SystemMessage": "system",
    "ToolMessage": "tool",
}
_TYPES = frozenset({"human", "ai", "AIMessageChunk", "system", "tool", "function"})
_TEXT_TYPES = (None, "text", "input_text", "output_text")
_CALL_TYPES = ("tool_call", "tool_use", "function_call", "toolUse", "tool-call")
_RESULT_TYPES = ("tool_call_response", "tool_result", "toolResult", "function_call_output", "tool-result")
_CALL_MEMBERS = ("toolUse", "tool_call", "functionCall", "function_call")
_RESULT_MEMBERS = ("tool_call_result", "functionResponse", "function_response")
_RESULT_KEYS = ("response", "result", "content", "output", "toolResult")
_ARGUMENTS = ("arguments", "input", "args")
_THOUGHT_KINDS = ("thinking", "reasoning")
_OUTPUT_TYPES = ("text", "json", "content", "error-text", "error-json")
"""How the Vercel AI SDK says what the `value` of a tool's result is."""
_BODY_KEYS = ("parts", "content", "contents", "blocks", "message", "_content")
_WORDS = frozenset({"user", "human", "system", "developer", "assistant", "ai"})
_PAIR = 2
_MAX_NESTING = 8
_GAP = re.compile(r"[ \t\r\n,]*")


def read_messages(value: AttributeValue) -> tuple[Message, ...] | None:
    """The messages that a value lists; None when it lists none. Of cut JSON the whole messages before the cut."""
    read = as_json(value)
    if isinstance(read, str) and read.lstrip().startswith("["):
        read = whole_items(read)
    if isinstance(read, dict):
        read = as_json(read.get("messages"))
    if isinstance(read, list) and len(read) == 1 and isinstance(inner := as_json(read[0]), list) and not _pair(inner):
        read = inner  # one batch of one
    if not isinstance(read, list) or not read:
        return None
    messages = [message for item in read if (message := read_message(item)) is not None]
    return tuple(messages) or None


def read_message(value: AttributeValue) -> Message | None:
    """One message in any of the known shapes; None when the value is no message."""
    item = as_json(value)
    if isinstance(item, list):
        return _pair(item)
    if not isinstance(item, dict):
        return None
    if "role" not in item and (step := _tool_step(item)) is not None:
        return step
    role = _role(item)
    if role is None:
        return None
    beside = tuple(found_beside(item)) if role == "assistant" else ()
    for key in ("kwargs", "data"):
        inner = as_json(item[key]) if key in item else None
        if isinstance(inner, dict) and ("content" in inner or "tool_calls" in inner):
            item = inner
    held = next(filter(item.__contains__, _BODY_KEYS), None)
    body = None if held is None else item[held]
    texts, results, calls = _parts(body)
    if role == "tool" and not results:
        texts, results = [], texts
    called = as_json(item.get("tool_calls"))
    if not texts and role == "assistant" and (calls or called):
        texts = handed_over([*_listed(body), *_listed(called)])
    calls = calls or bool(called)
    return Message(role, "\n".join(texts), calls, (*results, *beside))


def _pair(item: list[AttributeValue]) -> Message | None:
    """A message as LangChain's users write it: its role and its text as a list of two."""
    if len(item) != _PAIR:
        return None
    role, text = item
    if not isinstance(role, str) or role not in _WORDS or not isinstance(text, str):
        return None
    return Message(_ROLES.get(role, role), text)


def _tool_step(item: Mapping[str, AttributeValue]) -> Message | None:
    """A tool call or its result that stands among the messages without a role (OpenAI's Responses)."""
    kind = item.get("type")
    if is_hosted(item):
        return Message("assistant", "", results=tuple(_given_back(item)))
    if kind == "function_call":
        return Message("assistant", "", calls_tool=True)
    if kind == "function_call_output" and item.get("output") is not None:
        return Message("tool", "", results=(flat_text(item["output"]),))
    return None


def _role(item: Mapping[str, AttributeValue]) -> str | None:
    role = item.get("role", item.get("_role"))
    if isinstance(role, str):
        return _ROLES.get(role, role)
    kind = item.get("type")
    if isinstance(kind, str) and kind in _TYPES and ("content" in item or "data" in item):
        return _ROLES.get(kind, kind)
    class_path = item.get("id")
    if isinstance(class_path, list) and class_path and isinstance(class_path[-1], str):
        return _LANGCHAIN_ROLES.get(class_path[-1])
    return None


def _parts(body: AttributeValue) -> tuple[list[str], list[str], bool]:
    """Texts, tool results, and whether a tool is called."""
    if isinstance(body, str):
        return [body], [], False
    texts: list[str] = []
    results: list[str] = []
    calls = False
    for part in _listed(body):
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            kind = part.get("type", part.get("block_type"))
            if kind == "text" and len(part) == _PAIR and (text := _text(part)) is not None:
                texts.append(text)  # the usual case: there is no room for anything else
            elif kind in _CALL_TYPES or _holds(part, _CALL_MEMBERS):
                calls = True
            elif kind in _RESULT_TYPES or "toolResult" in part or is_hosted(part):
                results.extend(_given_back(part))
            elif _holds(part, _RESULT_MEMBERS):
                results.extend(_results(part))
            elif not _is_thought(part) and kind in _TEXT_TYPES and (text := _text(part)) is not None:
                texts.append(text)
    return texts, results, calls


def _given_back(part: Mapping[str, AttributeValue]) -> list[str]:
    """What a part says that a tool gave back, or that the service found."""
    if is_hosted(part):
        found = found_in_part(part)
        return [] if found is None else [_shown(found)]
    return [_shown(_typed(part[key])) for key in _RESULT_KEYS if part.get(key) is not None]


def handed_over(parts: Iterable[AttributeValue]) -> list[str]:
    """The answer among the arguments of a call: what a model is told to answer in is handed to it as a tool."""
    for raw in parts:
        part = as_json(raw)
        function = as_json(part.get("function")) if isinstance(part, dict) else None
        held = function if isinstance(function, dict) else part
        given = next((held[key] for key in _ARGUMENTS if key in held), None) if isinstance(held, dict) else None
        arguments = as_json(given)
        if isinstance(arguments, dict) and isinstance(answer := arguments.get("answer"), str):
            return [answer]
    return []


def _listed(body: AttributeValue) -> list[AttributeValue]:
    """The parts of a body; Gemini's content in an event of OpenTelemetry holds them once more."""
    parts = body.get("parts") if isinstance(body, dict) else body
    return parts if isinstance(parts, list) else [body]


def _is_thought(part: Mapping[str, AttributeValue]) -> bool:
    """Whether a part is what the model said to itself, in the words of Gemini or of Pydantic AI."""
    return part.get("thought") is True or part.get("kind") in _THOUGHT_KINDS


def _typed(value: AttributeValue) -> AttributeValue:
    """The value of a tool's result, which may stand beside the word for its type."""
    read = as_json(value)
    if isinstance(read, dict) and "value" in read and read.get("type") in _OUTPUT_TYPES:
        return read["value"]
    if isinstance(read, dict) and "toolUseId" in read and read.get("content") is not None:
        return read["content"]  # Bedrock's stands beside the id of the call
    return value


def tool_result(value: AttributeValue) -> AttributeValue:
    """What a tool gave back as it stands in the first message that answers its call; None when none does."""
    read = as_json(value)
    for item in read if isinstance(read, list) else [read]:
        message = as_json(item)
        parts = as_json(message.get("parts", message.get("content"))) if isinstance(message, dict) else None
        for raw in parts if isinstance(parts, list) else []:
            part = as_json(raw)
            if isinstance(part, dict) and part.get("type") in _RESULT_TYPES:
                found = next((part[key] for key in _RESULT_KEYS if part.get(key) is not None), None)
                if found is not None:
                    return _typed(found)
    return None


def _shown(result: AttributeValue) -> str:
    """A result as the model sees it; documents stay JSON, so that they can be told apart."""
    read = as_json(result)
    members = read.values() if isinstance(read, dict) else [read]
    if not any(_lists_documents(member) for member in members):
        return flat_text(result)
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)


def _lists_documents(value: AttributeValue) -> bool:
    """Whether it is a list of objects that hold a text and something else about it; the parts of a message are none."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(item, dict)
            and (item.get("type") is None or item["type"] not in _TEXT_TYPES)
            and len(item) > 1
            and document_text(snaked(item)) is not None
            for item in value
        )
    )


def _holds(part: Mapping[str, AttributeValue], members: Iterable[str]) -> bool:
    return any(isinstance(part.get(member), dict) for member in members)


def _results(part: Mapping[str, AttributeValue]) -> Iterator[str]:
    """What a part says under a member of its own (Haystack, Gemini), without the call that it answers."""
    for member in _RESULT_MEMBERS:
        inner = part.get(member)
        if isinstance(inner, dict):
            yield from (flat_text(inner[key]) for key in _RESULT_KEYS if inner.get(key) is not None)


def _text(part: Mapping[str, AttributeValue]) -> str | None:
    text = part.get("content", part.get("text"))
    return text if isinstance(text, str) else None


def flat_text(value: AttributeValue) -> str:
    """All texts in a value, one a line: what a model sees of a structured tool result, without the punctuation."""
    lines: list[str] = []
    waiting: list[tuple[AttributeValue, int]] = [(value, 0)]
    while waiting:
        item, depth = waiting.pop()
        read = as_json(item)
        if depth > _MAX_NESTING or not isinstance(read, list | dict):
            lines.append(as_text(read) or "")
            continue
        members = read if isinstance(read, list) else list(read.values())
        waiting.extend((member, depth + 1) for member in reversed(members))
    return "\n".join(line for line in lines if line)


def whole_items(text: str) -> list[AttributeValue]:
    """The complete items at the front of a JSON list that was cut; numbers as their text."""
    decoder = json.JSONDecoder(strict=False)
    items: list[AttributeValue] = []
    at = text.index("[") + 1
    while True:
        at = _GAP.match(text, at).end()  # type: ignore[union-attr]  # the pattern matches the empty text
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return items
        items.append(as_json(text[at:end]))  # one reader for all JSON: it also repairs what is inside
        at = end


def last_text(messages: Iterable[Message], role: str) -> str | None:
    """The text of the last message of a role that has text."""
    return next((m.text for m in reversed(list(messages)) if m.role == role and m.text.strip()), None)


def whole_text(messages: Sequence[Message]) -> str:
    """All that the model was given, tool results included."""
    return "\n".join(text for message in messages for text in (message.text, *message.results) if text)
