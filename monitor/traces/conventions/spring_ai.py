"""Spring AI: `spring.ai.kind` on chat clients, advisors, tools and vector stores; its model spans are plain `gen_ai.*`.

All values are text. Contents are off by default. Versions before 1.0 write them into attributes or events, as lists
that are joined by hand and are JSON only where no text holds a quotation mark; 1.0 and later write the same lists into
the log, which is read as events (`monitor/traces/log_lines.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from monitor.traces import semconv
from monitor.traces.conventions.keys import text_of, texted
from monitor.traces.documents import read_result, read_retrieved
from monitor.traces.log_lines import CLIENT_COMPLETION, CLIENT_PROMPT, FOUND, FOUND_EVENT
from monitor.traces.prompts import users_words
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    FAILURE,
    KNOWLEDGE_BASE,
    QUERY,
    QUESTION,
    RESULT,
    SESSION_ID,
    Convention,
    Document,
    Message,
    Role,
    Rule,
    attribute,
    says,
)
from monitor.traces.transcripts import read_bracketed
from monitor.traces.values import as_json
from monitor.wire import AttributeValue, Span

KIND: Final = "spring.ai.kind"
CONVERSATION: Final = "spring.ai.chat.client.conversation.id"
USER_TEXT: Final = "spring.ai.chat.client.user.text"
TOOL_RESULT: Final = "spring.ai.tool.call.result"
QUERY_TEXT: Final = "db.vector.query.content"
COLLECTION: Final = "db.collection.name"
ERROR: Final = "error"

_ROLES: Mapping[str, Role] = {
    "chat_client": Role.CHAIN,
    "advisor": Role.STEP,
    "tool_call": Role.TOOL,
    "vector_store": Role.RETRIEVER,
}
_ADVISOR: Final = "advisor"
_QUERY = "query"
"""The other operations of a vector store write: `add`, `delete`."""
_MADE_UP = frozenset({"default", "none"})
"""What the chat memory takes for the conversation when nobody names one, and what Micrometer writes for no value."""
_PLACEHOLDER = re.compile(r"\{\w+\}")
_BETWEEN = '", "'
"""Between two texts of a list; one text may hold it, too."""
_SPOKEN = re.compile(r'(?:\A\[|", )"(system|user|assistant|tool)":"')
"""Begins a message in `["system":"Be kind.", "user":"When?"]`."""


def _role(span: Span) -> Role | None:
    """By the kind of the construct that is observed."""
    role = _ROLES.get((text_of(span.attributes, KIND) or "").lower())
    operation = text_of(span.attributes, semconv.DB_OPERATION, semconv.DB_OPERATION_OLD)
    return Role.STEP if role is Role.RETRIEVER and operation != _QUERY else role


def _typed(value: AttributeValue) -> str | None:
    """The user's text before advisors add to it; None for a template whose parameters are not filled in."""
    if not isinstance(value, str) or _PLACEHOLDER.search(value) is not None:
        return None
    return users_words((Message("user", value),))


def _asked(span: Span) -> str | None:
    """The user's text out of the messages of a chat client, which are printed as a map in brackets."""
    value = _client_said(span, semconv.WHOLE_PROMPT, CLIENT_PROMPT)
    if not isinstance(value, str):
        return None
    turns = list(_SPOKEN.finditer(value))
    if not turns or turns[0].start() > 0 or not value.endswith('"]'):
        return None
    ends = [*(turn.start() for turn in turns[1:]), len(value) - 2]
    said = {turn[1]: value[turn.end() : end] for turn, end in zip(turns, ends, strict=True)}
    return users_words(tuple([Message(role, text) for role, text in said.items()]))


def _answered(span: Span) -> str | None:
    """The text that a chat client gave back; None when it gave several, or a list that does not tell."""
    value = _client_said(span, semconv.WHOLE_COMPLETION, CLIENT_COMPLETION)
    if not isinstance(value, str):
        return None
    read = as_json(value, layers=1)
    if isinstance(read, list):
        return read[0] if len(read) == 1 and isinstance(read[0], str) else None
    messages = read_bracketed(value, "assistant")
    return messages[0].text if messages is not None and _BETWEEN not in messages[0].text else None


def _client_said(span: Span, key: str, event_name: str) -> AttributeValue:
    """What stands in an attribute, else in an event."""
    events = (event.attributes.get(key) for event in span.events if event.name == event_name)
    return span.attributes.get(key, next(events, None))


def _found(span: Span) -> tuple[Document, ...] | None:
    """What the store returned, from an attribute or an event; None when the list cannot be told apart."""
    events = (event.attributes.get(FOUND) for event in span.events if event.name == FOUND_EVENT)
    value = next((held for held in (span.attributes.get(FOUND), *events) if held is not None), None)
    read = as_json(value)
    return read_retrieved(read) if isinstance(read, list) else None


def _loops(span: Span) -> bool:
    """The last advisor of 1.x calls the model again for each tool; in 2.x each call has one of its own."""
    return text_of(span.attributes, KIND) == _ADVISOR


def _session(value: AttributeValue) -> str | None:
    named = text_of({"": value}, "")
    return None if named in _MADE_UP else named


def _failure(span: Span) -> str | None:
    """The class of the error that Micrometer notes on each observation."""
    error = text_of(span.attributes, ERROR)
    return None if error in {"none", "false"} else error


SPRING_AI = Convention(
    name="spring_ai",
    version="4",
    heads=frozenset({"spring"}),
    role=_role,
    owns=lambda span: KIND in span.attributes,
    texts={
        Role.CHAIN: (
            says(QUESTION, attribute(USER_TEXT, _typed), Rule(semconv.WHOLE_PROMPT, _asked, KIND)),
            says(ANSWER, Rule(semconv.WHOLE_COMPLETION, _answered, KIND)),
        ),
        Role.RETRIEVER: (says(QUERY, texted(QUERY_TEXT)), says(DOCUMENTS, Rule(FOUND, _found))),
        Role.TOOL: (
            says(DOCUMENTS, attribute(TOOL_RESULT, lambda value: read_result(value)[0])),
            says(RESULT, attribute(TOOL_RESULT, lambda value: read_result(value)[1])),
        ),
    },
    facts=(
        says(SESSION_ID, attribute(CONVERSATION, _session)),
        says(KNOWLEDGE_BASE, texted(COLLECTION)),
        says(FAILURE, Rule(ERROR, _failure, ERROR)),
    ),
    contents=(USER_TEXT, TOOL_RESULT, FOUND),
    adds_up=_loops,
)
"""Observations with `spring.ai.kind`."""
