"""Pydantic AI, versions 1 to 6 of its instrumentation, and what Logfire records of model clients itself.

From version 2 on a model span carries plain `gen_ai.*`; here stand the agent's span, the older tool spans, and the list
of events that version 1 writes into one attribute.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from monitor.traces import semconv
from monitor.traces.conventions.keys import (
    APP_VERSION_NAMES,
    KNOWLEDGE_BASE_NAMES,
    PROMPT_NAMES,
    SESSION_NAMES,
    TENANT_NAMES,
    USER_NAMES,
    count_of,
    member,
    text_of,
)
from monitor.traces.documents import read_result
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.messages import read_message, read_messages
from monitor.traces.prompts import users_words
from monitor.traces.reading import (
    ANSWER,
    APP_VERSION,
    DOCUMENTS,
    INPUT_TOKENS,
    KNOWLEDGE_BASE,
    MODEL,
    OUTPUT,
    OUTPUT_TOKENS,
    PROMPT,
    PROMPT_VERSION,
    QUESTION,
    RESULT,
    SESSION_ID,
    TENANT,
    USER_ID,
    Convention,
    Message,
    Role,
    Rule,
    T,
    attribute,
    says,
)
from monitor.traces.shapes import answer_in
from monitor.traces.values import as_json, as_list, as_mapping
from monitor.wire import AttributeValue, Span, SpanStatus

SCOPE: Final = "pydantic-ai"
EVALS_SCOPE: Final = "pydantic-evals"
AGENTS_SCOPE: Final = "logfire.openai_agents"
ALL_MESSAGES: Final = "pydantic_ai.all_messages"
ALL_EVENTS: Final = "all_messages_events"
NEW_FROM: Final = "pydantic_ai.new_message_index"
FINAL_RESULT: Final = "final_result"
EVENTS: Final = "events"
EVENT_NAME: Final = "event.name"
AGENT: Final = "agent_name"
TOOL: Final = "gen_ai.tool.name"
RETURNED: Final = "tool_response"
METADATA: Final = "metadata"
REQUEST: Final = "request_data"
RESPONSE: Final = "response_data"
LOGGED: Final = "logfire.msg"
SPAN_TYPE: Final = "logfire.span_type"

_SCOPES = (SCOPE, EVALS_SCOPE, "logfire")
_MARKS = frozenset({ALL_MESSAGES, ALL_EVENTS, NEW_FROM, "model_request_parameters", "logfire.json_schema"})
_OF_AGENTS: Mapping[str, Role] = {"Agent run": Role.CHAIN, "Function": Role.TOOL}
"""How Logfire names the spans of the OpenAI Agents SDK, before a colon."""
_GIVEN_BACK = "output"
_OUTPUT_FUNCTION = "running output function"
_EMBEDDING = "embed"
_ROLES = ("system", "user", "assistant", "tool")
_TOLD_TO_RETRY = (
    "Fix the errors and try again.",
    "Please return text or include your response in a tool call.",
    "Plain text responses are not permitted, please include your response in a tool call",
)
"""How Pydantic AI ends what it says to the model, in the user's role, when an output was refused."""
_TIME_ORDERED = 7
_MESSAGE_KEYS = (ALL_MESSAGES, semconv.INPUT_MESSAGES)
_EMPTY_TEXTS = ('{"type":"text"}', '{"type": "text"}')
"""A part whose text was left out: inside a text the quotation marks would be escaped."""


def _owns(span: Span) -> bool:
    """By its scope; by marks of these libraries where the scope was lost. Logfire adds `logfire.*` to any span."""
    if span.scope:
        return span.scope.startswith(_SCOPES)
    attributes = span.attributes
    is_logged = LOGGED in attributes and "model" in as_mapping(attributes.get(REQUEST))
    return is_logged or not attributes.keys().isdisjoint(_MARKS)


def _role(span: Span) -> Role | None:
    """By the attributes that only these libraries write; spans that name an operation are left to OTel but for some."""
    attributes = span.attributes
    if span.scope == EVALS_SCOPE and span.name.startswith("evaluator"):
        return Role.EVALUATOR
    if attributes.get(SPAN_TYPE) == "pending_span" or _is_opened_stream(span) or _gives_output(span):
        return Role.STEP  # what it holds stands in another span, too
    if span.scope == AGENTS_SCOPE and (role := _OF_AGENTS.get(span.name.partition(":")[0])) is not None:
        return role
    return None if semconv.OPERATION in attributes else _unnamed_role(span)


def _given_back(read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    """What a function of the OpenAI Agents SDK returned, under a key that is not Logfire's alone."""
    return Rule(
        _GIVEN_BACK,
        lambda span: read(span.attributes.get(_GIVEN_BACK)) if span.scope == AGENTS_SCOPE else None,
        _GIVEN_BACK,
    )


def _unnamed_role(span: Span) -> Role | None:
    """Of a span without operation: older versions of the instrumentation, and Logfire's own of model clients."""
    attributes = span.attributes
    if any(key in attributes for key in (ALL_MESSAGES, ALL_EVENTS)) or (AGENT in attributes and span.scope == SCOPE):
        return Role.CHAIN
    if TOOL in attributes:
        return Role.TOOL
    if _events(span):
        return Role.MODEL
    if LOGGED not in attributes or not as_mapping(attributes.get(REQUEST)):
        return None
    return Role.STEP if span.name.lower().startswith(_EMBEDDING) else Role.MODEL


def _gives_output(span: Span) -> bool:
    """Whether a function makes the answer out of what the model said: it looks like a tool, and gives no evidence."""
    said = (span.name, text_of(span.attributes, LOGGED) or "")
    return TOOL in span.attributes and any(text.startswith(_OUTPUT_FUNCTION) for text in said)


def _is_opened_stream(span: Span) -> bool:
    """Whether Logfire records a client's stream: a log beside the span has all of it, when the stream is over."""
    if LOGGED not in span.attributes or RESPONSE in span.attributes or span.status is SpanStatus.ERROR:
        return False
    return as_mapping(span.attributes.get(REQUEST)).get("stream") is True


def _conversation(span: Span) -> tuple[Message, ...]:
    """All messages of a run, earlier turns among them; none when they were cut: what is left may be an earlier turn."""
    listed = as_list(span.attributes.get(ALL_MESSAGES))
    if listed:
        return read_messages(listed) or ()
    read = (_event(as_mapping(item)) for item in as_list(span.attributes.get(ALL_EVENTS)))
    return tuple([message for message in read if message is not None])


def _given(span: Span) -> tuple[Message, ...] | None:
    """What a run that ended without the model's words had given it: a call that failed does not show that itself."""
    messages = _conversation(span)
    unanswered = bool(messages) and messages[-1].role != "assistant"
    return tuple(_without_retries(messages)) or None if unanswered else None


def _without_retries(messages: Sequence[Message]) -> list[Message]:
    return [message for message in messages if not message.text.endswith(_TOLD_TO_RETRY)]


def _question(span: Span) -> str | None:
    """What the user typed in this run: the first of its new messages, else the last that is the user's own."""
    messages = _without_retries(_conversation(span))
    start = count_of(span.attributes, NEW_FROM)
    if start is not None:
        asked = (at for at, one in enumerate(messages) if at >= start and one.role == "user" and one.text.strip())
        first = next(asked, None)
        messages = messages if first is None else messages[: first + 1]
    return users_words(messages)


def _result(value: AttributeValue) -> str | None:
    """The result of a run: text as it is, anything else as JSON."""
    read = as_json(value, layers=1) if isinstance(value, str) and value.lstrip()[:1] in {"{", "["} else value
    if isinstance(read, str):
        return read if read.strip() else None
    return answer_in(read)


def _last_said(span: Span) -> str | None:
    """The end of the conversation, where it is the model's: a stream records no result."""
    last = next(reversed(_conversation(span)), None)
    if last is None or last.role != "assistant" or last.calls_tool:
        return None
    return last.text if last.text.strip() else None


def _events(span: Span) -> list[dict[str, AttributeValue]]:
    """The events of version 1: each names itself and holds a message."""
    events = [as_mapping(item) for item in as_list(span.attributes.get(EVENTS))]
    return [event for event in events if str(event.get(EVENT_NAME, "")).startswith("gen_ai.")]


def _event(event: dict[str, AttributeValue]) -> Message | None:
    role = str(event.get(EVENT_NAME, "")).removeprefix("gen_ai.").removesuffix(".message")
    return read_message({"role": role, **event} if role in _ROLES else event)


def _asked(span: Span) -> tuple[Message, ...] | None:
    reply = _reply_of(events := _events(span))
    given = [one for one in events if one is not reply and one.get(EVENT_NAME) != semconv.CHOICE_EVENT]
    return tuple([message for event in given if (message := _event(event)) is not None]) or None


def _replied(span: Span) -> Message | None:
    reply = _reply_of(_events(span))
    return None if reply is None else read_message({"role": "assistant", **as_mapping(reply.get("message", reply))})


def _reply_of(events: Sequence[dict[str, AttributeValue]]) -> dict[str, AttributeValue] | None:
    """The event with the reply: a choice, or what the model said last (Logfire's of OpenAI's Responses)."""
    choice = next((event for event in events if event.get(EVENT_NAME) == semconv.CHOICE_EVENT), None)
    if choice is not None or not events or events[-1].get(EVENT_NAME) != semconv.ASSISTANT_EVENT:
        return choice
    return events[-1]


def _response(value: AttributeValue) -> Message | None:
    """What Logfire keeps of a client's response: the message, or the pieces of a stream put together."""
    held = as_mapping(value)
    if (text := text_of(held, "combined_chunk_content")) is not None:
        return Message("assistant", text)
    return read_reply(held.get("message")) or read_reply({key: held[key] for key in ("text",) if key in held})


def _used(names: tuple[str, ...]) -> Rule[int]:
    return attribute(RESPONSE, lambda value: count_of(as_mapping(as_mapping(value).get("usage")), *names))


def _session(span: Span) -> str | None:
    """The conversation, where the application named it: the library makes up a time-ordered UUID for each."""
    named = text_of(span.attributes, semconv.CONVERSATION_ID) if span.scope == SCOPE else None
    try:
        made_up = named is not None and uuid.UUID(named).version == _TIME_ORDERED
    except ValueError:
        made_up = False
    return None if made_up else named


def _hides(span: Span) -> bool:
    """Whether contents are left out of the messages (`include_content=False`): their frames are there all the same."""
    if any(mark in str(span.attributes.get(key) or "") for key in _MESSAGE_KEYS for mark in _EMPTY_TEXTS):
        return True
    asked = (event for event in _events(span) if event.get(EVENT_NAME) == semconv.USER_EVENT)
    return any("content" not in event for event in asked)


PYDANTIC_AI = Convention(
    name="pydantic_ai",
    version="6",
    heads=frozenset(
        {
            "pydantic_ai",
            ALL_EVENTS,
            FINAL_RESULT,
            AGENT,
            RETURNED,
            "model_request_parameters",
            "logfire",
            "evaluator_name",
        }
    ),
    role=_role,
    owns=_owns,
    texts={
        Role.CHAIN: (
            says(QUESTION, Rule(f"{ALL_MESSAGES}, {ALL_EVENTS}", _question)),
            says(ANSWER, attribute(FINAL_RESULT, _result), Rule(f"{ALL_MESSAGES}, {ALL_EVENTS}", _last_said)),
            says(PROMPT, Rule(f"{ALL_MESSAGES}, {ALL_EVENTS}", _given)),
        ),
        Role.MODEL: (
            says(
                PROMPT, Rule(EVENTS, _asked, EVENTS), attribute(REQUEST, lambda value: read_prompt(as_mapping(value)))
            ),
            says(OUTPUT, Rule(EVENTS, _replied, EVENTS), attribute(RESPONSE, _response)),
        ),
        Role.TOOL: (
            says(
                DOCUMENTS,
                attribute(RETURNED, lambda value: read_result(value)[0]),
                _given_back(lambda value: read_result(value)[0]),
            ),
            says(
                RESULT,
                attribute(RETURNED, lambda value: read_result(value)[1]),
                _given_back(lambda value: read_result(value)[1]),
            ),
        ),
    },
    facts=(
        says(MODEL, member(REQUEST, "model")),
        says(
            SESSION_ID,
            Rule(semconv.CONVERSATION_ID, _session, semconv.CONVERSATION_ID),
            member(METADATA, *SESSION_NAMES),
        ),
        says(USER_ID, member(METADATA, *USER_NAMES)),
        says(TENANT, member(METADATA, *TENANT_NAMES)),
        says(APP_VERSION, member(METADATA, *APP_VERSION_NAMES)),
        says(PROMPT_VERSION, member(METADATA, *PROMPT_NAMES)),
        says(KNOWLEDGE_BASE, member(METADATA, *KNOWLEDGE_BASE_NAMES)),
        says(INPUT_TOKENS, _used(("input_tokens", "prompt_tokens"))),
        says(OUTPUT_TOKENS, _used(("output_tokens", "completion_tokens"))),
    ),
    contents=(ALL_MESSAGES, ALL_EVENTS, FINAL_RESULT, EVENTS, RETURNED, REQUEST, RESPONSE),
    is_json=lambda _span, key: key in {ALL_MESSAGES, ALL_EVENTS, EVENTS, REQUEST, RESPONSE},
    hides=_hides,
)
"""Runs of Pydantic AI, and model clients that Logfire instruments."""
