"""Monocle: the type of a span, its entities by number, and events for what came in and went out.

A message is an object with its role as the key. What a retriever found is put together as one text and cut after 100
characters: then the text is in the prompt only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from monitor.traces.conventions.keys import count_of, gives_answer, numbered, text_of, texted
from monitor.traces.documents import read_documents, read_result
from monitor.traces.messages import read_message
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    INPUT_TOKENS,
    MODEL,
    OUTPUT,
    OUTPUT_TOKENS,
    PROMPT,
    QUERY,
    QUESTION,
    RESULT,
    SESSION_ID,
    Convention,
    Document,
    Message,
    Role,
    Rule,
    T,
    says,
)
from monitor.traces.shapes import answer_in, query_in, question_in
from monitor.traces.values import as_json, as_list
from monitor.wire import AttributeValue, Span, SpanStatus

KIND: Final = "span.type"
INPUT: Final = "data.input"
OUTPUT_EVENT: Final = "data.output"
_USAGE: Final = "metadata"
_MODEL: Final = "model.llm"
_CUT: Final = "..."
_WORDS: Final = frozenset({"system", "developer", "user", "human", "assistant", "ai", "tool", "function"})
"""Keys of messages: their roles."""

_ROLES: Mapping[str, Role] = {
    "workflow": Role.CHAIN,
    "agentic.turn": Role.CHAIN,
    "agentic.request": Role.CHAIN,
    "agentic.invocation": Role.CHAIN,
    "retrieval": Role.RETRIEVER,
    "inference": Role.MODEL,
    "inference.framework": Role.MODEL,
    "inference.modelapi": Role.MODEL,
    "agentic.tool.invocation": Role.TOOL,
    "agentic.mcp.invocation": Role.TOOL,
    "embedding": Role.STEP,
    "agentic.delegation": Role.STEP,
}


def _role(span: Span) -> Role | None:
    kind = text_of(span.attributes, KIND)
    role = _ROLES.get(kind or "")
    if role is Role.TOOL and gives_answer(text_of(span.attributes, "entity.1.name")):
        return Role.STEP
    return role


def _held(span: Span, event: str, name: str) -> AttributeValue:
    return next((one.attributes.get(name) for one in reversed(span.events) if one.name == event), None)


def _asked(read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    return _said(INPUT, "input", read)


def _returned(read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    """What came back; of a failed span that is its error, put into an answer's form."""
    return _said(OUTPUT_EVENT, "response", read)


def _said(event: str, name: str, read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    def read_it(span: Span) -> T | None:
        value = None if event == OUTPUT_EVENT and span.status is SpanStatus.ERROR else _held(span, event, name)
        return None if value is None else read(value)

    return Rule(f"event {event}: {name}", read_it, KIND)


def _messages(value: AttributeValue) -> Iterator[Message]:
    """One message, or a list of them, each with its role as the key; a text without is the user's."""
    for item in value if isinstance(value, list) else [value]:
        read = as_json(item)
        if isinstance(read, dict):
            pairs = (read_message({"role": role, "content": said}) for role, said in read.items() if role in _WORDS)
            yield from (message for message in pairs if message is not None)
        elif isinstance(read, str) and read.strip():
            yield Message("user", read)


def _prompt(value: AttributeValue) -> tuple[Message, ...] | None:
    return tuple(_messages(value)) or None


def _reply(value: AttributeValue) -> Message | None:
    read = as_json(value)
    if isinstance(read, str):
        return Message("assistant", read)
    return next((message for message in _messages(read) if message.role in {"assistant", "ai"}), None)


def _question(value: AttributeValue) -> str | None:
    words = [message.text for message in _messages(value) if message.role == "user" and message.text.strip()]
    return words[-1] if words else question_in(as_json(value))


def _answer(value: AttributeValue) -> str | None:
    reply = _reply(value)
    return answer_in(as_json(value)) if reply is None else reply.text


def _query(value: AttributeValue) -> str | None:
    listed = as_list(value)
    return query_in(listed[0] if len(listed) == 1 else as_json(value))


def _found(value: AttributeValue) -> tuple[Document, ...] | None:
    """Documents; of a text that was cut only that there was one."""
    listed = read_documents(value)
    if listed is not None or not isinstance(value, str):
        return listed
    text = value.strip()
    return () if not text else (Document(None if text.endswith(_CUT) else text),)


def _model(span: Span) -> str | None:
    """The name of the entity that is a model."""
    entities = numbered(span.attributes, "entity")
    models = (one for one in entities if (text_of(one, "type") or "").startswith(_MODEL))
    return next((name for one in models if (name := text_of(one, "name")) is not None), None)


def _used(name: str) -> Rule[int]:
    def read(span: Span) -> int | None:
        return count_of({"": _held(span, _USAGE, name)}, "")

    return Rule(f"event {_USAGE}: {name}", read, KIND)


MONOCLE = Convention(
    name="monocle",
    version="0.8",
    heads=frozenset({"monocle_apptrace"}),
    role=_role,
    texts={
        Role.CHAIN: (says(QUESTION, _asked(_question)), says(ANSWER, _returned(_answer))),
        Role.MODEL: (says(PROMPT, _asked(_prompt)), says(OUTPUT, _returned(_reply))),
        Role.RETRIEVER: (says(QUERY, _asked(_query)), says(DOCUMENTS, _returned(_found))),
        Role.TOOL: (
            says(DOCUMENTS, _returned(lambda value: read_result(value)[0])),
            says(RESULT, _returned(lambda value: read_result(value)[1])),
        ),
    },
    facts=(
        says(MODEL, Rule("entity.N.name", _model, KIND)),
        says(SESSION_ID, texted("scope.agentic.session")),
        says(INPUT_TOKENS, _used("prompt_tokens")),
        says(OUTPUT_TOKENS, _used("completion_tokens")),
    ),
    contents=("input", "response"),
)
"""Spans with `monocle_apptrace.version`."""
