"""Documents that a model call was handed beside its messages: as parts of a message, or in a parameter of their own.

Anthropic's `document` and `search_result` parts, Bedrock's documents, text files as OpenTelemetry's blobs, Rig's
documents, and Cohere's `documents`. The service itself puts them into the prompt.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator

from monitor.traces.reading import Document
from monitor.traces.values import as_json, as_mapping, as_text
from monitor.wire import AttributeValue

DOCUMENT = "document"
"""The type of such a part."""
MARKS = ("document", "search_result")
_TITLES = ("title", "name", "source")
_FILE = re.compile(r"<file id: ([^\n]{1,200})>\n(?:<metadata [^\n]*/>\n)?(.*?)\n?</file>\s*", re.DOTALL)
"""How Rig writes a document, which the part holds as its data."""
_TEXTS = ("text", "snippet", "content")


def may_hold(messages: AttributeValue) -> bool:
    """Whether messages as JSON text may hold such a part: false for nearly all."""
    return isinstance(messages, str) and any(f'"{mark}"' in messages for mark in MARKS)


def in_messages(messages: AttributeValue) -> tuple[Document, ...] | None:
    """The documents among the parts of messages; None without any."""
    if isinstance(messages, str) and not may_hold(messages):
        return None  # the usual case
    found = [document for message in _items(messages) for document in _in_message(as_mapping(message))]
    return tuple(found) or None


def _in_message(message: dict[str, AttributeValue]) -> Iterator[Document]:
    body = next((message[key] for key in ("parts", "content") if key in message), None)
    parts = (as_json(part) for part in _items(body))
    return (found for part in parts if isinstance(part, dict) and (found := in_part(part)) is not None)


def in_part(part: dict[str, AttributeValue]) -> Document | None:
    """The document that one part of a message is; None when it is none, or not one of text."""
    kind = part.get("type")
    if kind == "blob":
        return _blob(part)
    held = as_json(part.get(DOCUMENT))
    if isinstance(held, dict):
        part = held
    elif kind not in MARKS:
        return None
    source = as_json(part.get("source"))
    text = _text(source if isinstance(source, dict) else part)
    if text is None:
        return None
    if (file := _FILE.fullmatch(text)) is not None:
        return Document(file[2], file[1])
    return Document(text, source=next((one for key in _TITLES if isinstance(one := part.get(key), str)), None))


def _blob(part: dict[str, AttributeValue]) -> Document | None:
    """A text file: its bytes, which JSON has in base64."""
    content, kind = part.get("content"), part.get("mime_type")
    if part.get("modality") != DOCUMENT or not isinstance(kind, str) or not kind.startswith("text/"):
        return None
    try:
        held = binascii.a2b_base64(content, strict_mode=True) if isinstance(content, str) else content
    except ValueError:
        return None
    text = as_text(held) if isinstance(held, bytes) else None
    return None if text is None else Document(text)


def _text(held: dict[str, AttributeValue]) -> str | None:
    """The text of a source: as it is, or in parts of its own."""
    if isinstance(data := held.get("data", held.get("text")), str):
        return data if held.get("type") != "base64" else None
    if isinstance(data, dict) and data.get("type") == "string":
        return as_text(data.get("value"))
    parts = held.get("content")
    if isinstance(parts, str):
        return parts
    texts = [text for part in _items(parts) if isinstance(text := as_mapping(part).get("text"), str)]
    return "\n".join(texts) or None


def in_parameter(value: AttributeValue) -> tuple[Document, ...] | None:
    """The documents of a parameter, each a text or a mapping, with its fields beside its id or inside `data`."""
    found = []
    for item in _items(value):
        read: dict[str, AttributeValue] = {"text": item} if isinstance(item, str) else as_mapping(item)
        inner = as_json(read.get("data"))
        data: dict[str, AttributeValue] = {"text": inner} if isinstance(inner, str) else as_mapping(inner) or read
        text = next((one for key in _TEXTS if isinstance(one := data.get(key), str)), None)
        name, title = read.get("id"), next((one for key in _TITLES if isinstance(one := data.get(key), str)), None)
        if text is not None:
            found.append(Document(text, name if isinstance(name, str) else None, source=title))
    return tuple(found) or None


def _items(value: AttributeValue) -> list[AttributeValue]:
    read = as_json(value)
    return read if isinstance(read, list) else []
