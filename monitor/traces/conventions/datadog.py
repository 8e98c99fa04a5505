"""Datadog's LLM Observability, as ddtrace exports it by OTLP: one object for each span, packed with MessagePack.

Older versions had the same members as tags of their own, `_ml_obs.meta.input.value`.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import msgspec

from monitor.traces.conventions.entities import only_texts
from monitor.traces.conventions.flattened import gathered
from monitor.traces.conventions.keys import count_of, gives_answer, text_of, versioned
from monitor.traces.conventions.recorded import Recorded
from monitor.traces.documents import read_retrieved
from monitor.traces.reading import (
    DOCUMENTS,
    INPUT_TOKENS,
    MODEL,
    OUTPUT_TOKENS,
    PROMPT_VERSION,
    RESPONSE_MODEL,
    SESSION_ID,
    USER_ID,
    VARIABLES,
    Convention,
    Document,
    Entry,
    Role,
    Rule,
    T,
    says,
)
from monitor.traces.text import repair
from monitor.traces.values import MAX_DEPTH, as_json, as_list, as_mapping
from monitor.wire import AttributeValue, Span

PACKED: Final = "_llmobs"
TAGS: Final = "_ml_obs"
_INPUT: Final = f"{PACKED}: meta.input"
_OUTPUT: Final = f"{PACKED}: meta.output"
_REQUESTED: Final = ".request.model"

_ROLES: Mapping[str, Role] = {
    "llm": Role.MODEL,
    "retrieval": Role.RETRIEVER,
    "tool": Role.TOOL,
    "embedding": Role.STEP,
    "evaluation": Role.EVALUATOR,
}
"""All other kinds are functions of the application."""
_UNWRITTEN: Final = "Can not serialize ["
"""What stands for an object that was not text."""
_COUNTED: Final = re.compile(r"\[([0-9]{1,6}) document\(s\) retrieved\]")
_DECODER = msgspec.msgpack.Decoder(dict[str, Any])


def _event(span: Span) -> dict[str, AttributeValue]:
    """What the span holds for LLM Observability; empty when it holds nothing."""
    held = span.attributes.get(PACKED)
    if held is None:
        return as_mapping(gathered(span.attributes, TAGS))
    try:
        packed = base64.b64decode(held, validate=True) if isinstance(held, str) else held
        read = _DECODER.decode(packed) if isinstance(packed, bytes) else held
    except (binascii.Error, ValueError, RecursionError):  # msgspec's own errors are ValueErrors
        return {}
    kept = _plain(read, MAX_DEPTH)
    return kept if isinstance(kept, dict) else {}


def _plain(value: object, depth: int) -> AttributeValue:
    """A decoded value, as JSON could have held it; what that has no word for is left out."""
    match value:
        case str():
            return repair(value)
        case bool() | int() | float():
            return value
        case list() if depth > 0:
            return [_plain(item, depth - 1) for item in value]
        case dict() if depth > 0:
            return {repair(key): _plain(member, depth - 1) for key, member in value.items() if isinstance(key, str)}
        case _:
            return None


def _meta(span: Span) -> dict[str, AttributeValue]:
    return as_mapping(_event(span).get("meta"))


def _value(span: Span, where: str) -> AttributeValue:
    """Messages, documents, or a value: text, or what its JSON stands for."""
    side = as_mapping(_meta(span).get(where.rpartition(".")[2]))
    listed = next((side[name] for name in ("messages", "documents") if side.get(name) is not None), None)
    return _spoken(side.get("value")) if listed is None else as_json(listed)


def _spoken(value: AttributeValue) -> AttributeValue:
    """A value that is none of the notes which stand for one: of how many were found only that there were none."""
    if isinstance(value, str) and value.startswith(_UNWRITTEN):
        return None
    counted = _COUNTED.fullmatch(value) if isinstance(value, str) else None
    if counted is None:
        return as_json(value, layers=1)
    return None if int(counted[1]) else []


_VALUES: Final = Recorded(_INPUT, _OUTPUT, _value, is_keyed=False)


def _role(span: Span) -> Role | None:
    meta = _meta(span)
    kind = text_of(as_mapping(meta.get("span")), "kind") or text_of(meta, "span.kind")
    if kind is None:
        return None
    known = _ROLES.get(kind)
    if known is Role.TOOL and gives_answer(text_of(_event(span), "name") or span.name):
        return Role.STEP
    return _VALUES.role(span) if known is None else known


def _found(value: AttributeValue) -> tuple[Document, ...] | None:
    """The documents, whose names are those of their sources."""
    found = read_retrieved(value)
    items = as_list(value)
    if found is None or len(found) != len(items):
        return found
    names = [text_of(as_mapping(item), "name") for item in items]
    pairs = zip(found, names, strict=True)
    return tuple([replace(one, source=one.source or (None if name == one.id else name)) for one, name in pairs])


def _said(where: str, read: Callable[[dict[str, AttributeValue]], T | None]) -> Rule[T]:
    return Rule(f"{PACKED}: {where}", lambda span: read(_event(span)))


def _text(*path: str) -> Rule[str]:
    """A text at the end of a path of members."""

    def read(event: dict[str, AttributeValue]) -> str | None:
        for part in path[:-1]:
            event = as_mapping(event.get(part))
        return text_of(event, path[-1])

    return _said(".".join(path), read)


def _tokens(name: str) -> Rule[int]:
    return _said(f"metrics.{name}", lambda event: count_of(as_mapping(event.get("metrics")), name))


def _requested(span: Span) -> str | None:
    """What an integration was asked for, under its own name: `openai.request.model`."""
    keys = [key for key in span.attributes if key.endswith(_REQUESTED) and not key.startswith("gen_ai")]
    return text_of(span.attributes, *keys)


def _answering(span: Span) -> str | None:
    """The model of the event, where another was asked for: it is the one that answered."""
    named, asked = text_of(_meta(span), "model_name"), _requested(span)
    return named if asked is not None and asked != named else None


def _prompt(event: dict[str, AttributeValue]) -> dict[str, AttributeValue]:
    return as_mapping(as_mapping(as_mapping(event.get("meta")).get("input")).get("prompt"))


def _prompt_version(event: dict[str, AttributeValue]) -> str | None:
    """The prompt's name and version; names without one are made up."""
    prompt = _prompt(event)
    version = text_of(prompt, "version")
    return None if version is None else versioned(text_of(prompt, "id"), version)


def _variables(event: dict[str, AttributeValue]) -> Mapping[str, str] | None:
    return only_texts(as_mapping(_prompt(event).get("variables"))) or None


def _texts() -> dict[Role, tuple[Entry, ...]]:
    texts = {role: tuple(entries) for role, entries in _VALUES.texts().items()}
    (query, _) = texts[Role.RETRIEVER]
    variables = says(VARIABLES, _said("meta.input.prompt.variables", _variables))
    return {
        **texts,
        Role.MODEL: (*texts[Role.MODEL], variables),
        Role.RETRIEVER: (query, says(DOCUMENTS, _VALUES.on_returned(_found))),
    }


DATADOG = Convention(
    name="datadog",
    version="4.16",
    heads=frozenset({PACKED, TAGS}),
    role=_role,
    texts=_texts(),
    facts=(
        says(MODEL, Rule(f"*{_REQUESTED}", _requested), _text("meta", "model_name")),
        says(RESPONSE_MODEL, Rule(f"{PACKED}: meta.model_name", _answering)),
        says(SESSION_ID, _text("session_id"), _text("tags", "session_id")),
        says(USER_ID, _text("tags", "user_id")),
        says(PROMPT_VERSION, _said("meta.input.prompt", _prompt_version)),
        says(INPUT_TOKENS, _tokens("input_tokens")),
        says(OUTPUT_TOKENS, _tokens("output_tokens")),
    ),
    contents=(f"{TAGS}.meta.input", f"{TAGS}.meta.output"),
)
"""Spans with `_llmobs`, or with tags `_ml_obs.*`."""
