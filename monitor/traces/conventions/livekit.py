"""LiveKit's agents: turns of a conversation, of which each asks a model and calls functions.

Since 1.6 the keys of contents have `pii` in them, and the spans of model calls follow OpenTelemetry as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from monitor.traces.conventions.keys import gives_answer, text_of, texted
from monitor.traces.documents import read_result
from monitor.traces.messages import read_messages
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    OUTPUT,
    PROMPT,
    QUESTION,
    RESULT,
    SESSION_ID,
    Convention,
    Message,
    Role,
    Rule,
    T,
    attribute,
    says,
)
from monitor.traces.values import as_mapping
from monitor.wire import AttributeValue, Span

_ROLES: Mapping[str, Role] = {
    "agent_turn": Role.CHAIN,
    "assistant_turn": Role.CHAIN,
    "llm_node": Role.MODEL,
    "function_tool": Role.TOOL,
}
"""By the names of the spans; all others hear, speak and wait."""
_TOOL: Final = "lk.function_tool.name"


def _role(span: Span) -> Role | None:
    role = _ROLES.get(span.name)
    return Role.STEP if role is Role.TOOL and gives_answer(text_of(span.attributes, _TOOL)) else role


def _either(key: str, read: Callable[[AttributeValue], T | None]) -> tuple[Rule[T], Rule[T]]:
    """A content under its key of today and of before."""
    return attribute(f"lk.pii.{key}", read), attribute(f"lk.{key}", read)


def _text(value: AttributeValue) -> str | None:
    return text_of({"": value}, "")


def _listed(value: AttributeValue) -> tuple[Message, ...] | None:
    """The items of a context: messages, calls of functions and what they gave."""
    return read_messages(as_mapping(value).get("items"))


def _reply(value: AttributeValue) -> Message | None:
    text = _text(value)
    return None if text is None else Message("assistant", text)


LIVEKIT = Convention(
    name="livekit",
    version="1",
    heads=frozenset({"lk"}),
    role=_role,
    texts={
        Role.CHAIN: (says(QUESTION, *_either("user_input", _text)), says(ANSWER, *_either("response.text", _text))),
        Role.MODEL: (says(PROMPT, *_either("chat_ctx", _listed)), says(OUTPUT, *_either("response.text", _reply))),
        Role.TOOL: (
            says(DOCUMENTS, *_either("function_tool.output", lambda value: read_result(value)[0])),
            says(RESULT, *_either("function_tool.output", lambda value: read_result(value)[1])),
        ),
    },
    facts=(says(SESSION_ID, texted("lk.room_sid"), texted("lk.pii.room_name"), texted("lk.room_name")),),
    contents=("lk.pii.", "lk.chat_ctx", "lk.user_input", "lk.response.text", "lk.function_tool.output"),
    is_json=lambda _span, key: key.endswith(".chat_ctx"),
)
"""Spans of turns, models and functions with `lk.*`."""
