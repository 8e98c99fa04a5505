"""OpenTelemetry GenAI in its revisions: the current convention (0.1), and those up to 1.36 and before 1.28.

Content is looked for in attributes, then in `gen_ai.client.inference.operation.details` events, then in the older
events (see `otel_events.py`); log records that belong to the span stand among its events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from monitor.traces import semconv
from monitor.traces.attachments import in_messages
from monitor.traces.conventions.keys import counted, gives_answer, prompt_version, text_of, texted
from monitor.traces.conventions.otel_events import MODEL_EVENTS, TURNS, asked_in_events, choices, has_whole, whole
from monitor.traces.conventions.otel_operations import KINDS, OPERATIONS
from monitor.traces.documents import read_documents, read_passages, read_result
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.messages import last_text, read_message, read_messages, tool_result
from monitor.traces.prompts import users_words
from monitor.traces.reading import (
    ANSWER,
    APP_VERSION,
    DOCUMENTS,
    FAILURE,
    INPUT_TOKENS,
    KNOWLEDGE_BASE,
    MODEL,
    OUTPUT,
    OUTPUT_TOKENS,
    PROMPT,
    PROMPT_VERSION,
    QUERY,
    QUESTION,
    RESPONSE_ID,
    RESPONSE_MODEL,
    RESULT,
    SESSION_ID,
    VARIABLES,
    Convention,
    Document,
    Message,
    Role,
    Rule,
    T,
    attribute,
    says,
)
from monitor.traces.shapes import answer_in, question_in
from monitor.traces.values import as_json, as_list, as_mapping
from monitor.wire import AttributeValue, Span, SpanStatus

_WORKFLOW = "invoke_workflow"
_STATES = frozenset({'{"', "[{", "{}", '["', "[["})
"""How a workflow's inputs begin that are JSON."""
_UNNAMED_MODELS = frozenset({"unknown", "none"})
"""What libraries write when they do not know it."""
_NO_SESSION_SCOPES = frozenset({"pydantic-ai"})
"""They make up a conversation id for each run."""


def _role(span: Span) -> Role | None:
    """By `gen_ai.operation.name` or `gen_ai.span.kind`; without a known word by the content that the span carries."""
    kind = span.attributes.get(semconv.SPAN_KIND)
    known = OPERATIONS.get(_operation(span)) or KINDS.get(str(kind).upper())
    if known is Role.TOOL and gives_answer(text_of(span.attributes, semconv.TOOL_NAME)):
        return Role.STEP
    return _role_by_content(span) if known is None else known


def _role_by_content(span: Span) -> Role | None:
    if _found(span, semconv.RETRIEVAL_DOCUMENTS) is not None:
        return Role.RETRIEVER
    if _found(span, semconv.OUTPUT_MESSAGES) is not None or _found(span, semconv.INPUT_MESSAGES) is not None:
        named = text_of(span.attributes, semconv.REQUEST_MODEL, semconv.RESPONSE_MODEL)
        return Role.CHAIN if named is None else Role.MODEL
    if any(event.name in MODEL_EVENTS for event in span.events) or has_whole(span):
        return Role.MODEL
    if _PROMPT_JSON in span.attributes or _COMPLETION_JSON in span.attributes:
        return Role.MODEL
    keys = [key for key in span.attributes if key.startswith("gen_ai.")]
    return Role.EVALUATOR if keys and all(key.startswith(semconv.EVALUATION) for key in keys) else None


def _named(key: str) -> Rule[str]:
    def read(span: Span) -> str | None:
        name = text_of(span.attributes, key)
        return None if name is None or name.lower() in _UNNAMED_MODELS else name

    return Rule(key, read, key)


def _session(span: Span) -> str | None:
    return None if span.scope in _NO_SESSION_SCOPES else text_of(span.attributes, semconv.CONVERSATION_ID)


def _asked(span: Span) -> tuple[Message, ...] | None:
    return read_messages(_found(span, semconv.INPUT_MESSAGES)) or None


def _users_words(span: Span) -> str | None:
    """The user's last words; None when the messages were cut: what is left of them may be an earlier turn.

    The inputs of a workflow that are no text stand there as JSON (LangChain), without any where it was streamed.
    """
    listed = as_list(_found(span, semconv.INPUT_MESSAGES))
    words = users_words(read_messages(listed) or ()) if listed else None
    return words if words is None else _out_of_state(span, words, question_in)


def _last_words(span: Span) -> str | None:
    """The answer of an agent or a workflow."""
    words = last_text(_replied(span), "assistant")
    return words if words is None else _out_of_state(span, words, answer_in)


def _out_of_state(span: Span, words: str, read: Callable[[AttributeValue], str | None]) -> str | None:
    """The text in the inputs or outputs of a workflow that were written as JSON; any other text as it is."""
    if _operation(span) != _WORKFLOW or words[:2] not in _STATES:
        return words
    state = as_json(words)
    return read(state) if isinstance(state, dict | list) else None


def _replied(span: Span) -> tuple[Message, ...]:
    return read_messages(_found(span, semconv.OUTPUT_MESSAGES)) or ()


def _prompt_in_events(span: Span) -> tuple[Message, ...] | None:
    """The prompt with the system instructions, which may stand in an attribute of their own, in front."""
    return _led(span, asked_in_events(span) or ())


def _prompt(span: Span) -> tuple[Message, ...] | None:
    """The messages with the system instructions in front; None without messages."""
    asked = _asked(span)
    return None if asked is None else _led(span, asked)


def _agents_prompt(span: Span) -> tuple[Message, ...] | None:
    """What an agent was given, for a call of its that shows none; None when it was cut: its last words are lost."""
    asked = read_messages(as_list(_found(span, semconv.INPUT_MESSAGES)))
    return None if asked is None else _led(span, asked)


def _led(span: Span, asked: tuple[Message, ...]) -> tuple[Message, ...] | None:
    system = _system(span)
    return (asked if system is None else (system, *asked)) or None


def _system(span: Span) -> Message | None:
    parts = as_json(_found(span, semconv.SYSTEM_INSTRUCTIONS) or span.attributes.get(_INSTRUCTIONS))
    message = read_message({"role": "system", "parts": parts}) if parts is not None else None
    return message if message and message.text else None


def _documents(value: AttributeValue) -> tuple[Document, ...] | None:
    """Objects, maybe without id and text, or the texts alone: not what was encoded once more."""
    found = read_documents(value, lenient=True)
    if found is not None:
        return found
    texts = read_passages(value, least=1) or ()
    return None if any(isinstance(as_json(one.text), list | dict) for one in texts) else texts or None


def _own_shape(span: Span) -> Message | None:
    """The reply in the shape of its provider: choices, candidates, parts without a role (Rig up to 0.30)."""
    return _as_json_only(_found(span, semconv.OUTPUT_MESSAGES), read_reply)


def _as_json_only(value: AttributeValue, read: Callable[[AttributeValue], T | None]) -> T | None:
    """What stands in JSON that is whole: what was cut is no text."""
    held = as_json(value)
    return read(held) if isinstance(held, list | dict) else None


def _variables(span: Span) -> Mapping[str, str] | None:
    start = len(semconv.PROMPT_VARIABLE)
    variables = {
        key[start:]: text
        for key in span.attributes
        if key.startswith(semconv.PROMPT_VARIABLE) and (text := text_of(span.attributes, key)) is not None
    }
    return variables or None


def _handed_over(span: Span) -> str | None:
    """The answer that an agent hands over through a tool made for that: an argument of it."""
    is_answer = gives_answer(text_of(span.attributes, semconv.TOOL_NAME))
    return answer_in(as_mapping(span.attributes.get(semconv.TOOL_ARGUMENTS))) if is_answer else None


def _result(span: Span) -> AttributeValue:
    value = _found(span, semconv.TOOL_RESULT)
    if value is None:
        choice = next((event for event in span.events if event.name == semconv.CHOICE_EVENT), None)
        value = choice.attributes.get("message") if choice else tool_result(_found(span, semconv.OUTPUT_MESSAGES))
    return value


def _failure(span: Span) -> str | None:
    """The exception of a model call that recorded one, gave no reply and left its status unset, as in Quarkus."""
    if span.status is not SpanStatus.UNSET or not span.events or OPERATIONS.get(_operation(span)) is not Role.MODEL:
        return None
    if any(key in span.attributes for key in _OF_REPLIES) or any(event.name in MODEL_EVENTS for event in span.events):
        return None
    broken = next((event for event in span.events if event.name == semconv.EXCEPTION_EVENT), None)
    return None if broken is None else text_of(broken.attributes, semconv.EXCEPTION_TYPE) or semconv.EXCEPTION_EVENT


def _broke_off(value: AttributeValue) -> str | None:
    """A reply that ended with an error, though its span may be fine; the reasons are a list, or one alone."""
    reasons = as_list(value) or [as_json(value)]
    return "finish reason: error" if all(reason == "error" for reason in reasons) else None


def _operation(span: Span) -> str:
    return str(span.attributes.get(semconv.OPERATION)).lower()


def _found(span: Span, key: str) -> AttributeValue:
    """The value of a content key, from the span or from the last details event that has it."""
    value = span.attributes.get(key)
    if value is not None:
        return value
    for event in reversed(span.events):
        if event.name == semconv.DETAILS_EVENT:
            held = event.body if isinstance(event.body, dict) else {}
            value = event.attributes.get(key, held.get(key))
            if value is not None:
                return value
    return None


_WHOLE_PROMPT = whole(semconv.PROMPT_EVENT, semconv.WHOLE_PROMPT, "user")
_WHOLE_COMPLETION = whole(semconv.COMPLETION_EVENT, semconv.WHOLE_COMPLETION, "assistant")


def _replied_whole(span: Span) -> tuple[Message, ...]:
    return _WHOLE_COMPLETION(span) or ()


_JSON_KEYS = frozenset(
    {semconv.INPUT_MESSAGES, semconv.OUTPUT_MESSAGES, semconv.SYSTEM_INSTRUCTIONS, semconv.RETRIEVAL_DOCUMENTS}
)
_CONTENTS = (
    "gen_ai.input.", "gen_ai.output.", "gen_ai.system_instructions", "gen_ai.retrieval.", "gen_ai.rerank.",
    "gen_ai.tool.call.", "gen_ai.prompt", "gen_ai.completion", "gen_ai.event.content", "gen_ai.request.messages",
    "gen_ai.response.messages", "gen_ai.response.text",
)  # fmt: skip
_INPUT_TOKENS = (semconv.INPUT_TOKENS, semconv.INPUT_TOKENS_OLD, semconv.INPUT_TOKENS_OF_RESPONSE)
_OUTPUT_TOKENS = (semconv.OUTPUT_TOKENS, semconv.OUTPUT_TOKENS_OLD, semconv.OUTPUT_TOKENS_OF_RESPONSE)
_OF_REPLIES = (semconv.RESPONSE_ID, semconv.RESPONSE_MODEL, semconv.OUTPUT_MESSAGES, semconv.WHOLE_COMPLETION)
_REQUESTED = "gen_ai.request.messages"
_RESPONDED = ("gen_ai.response.messages", "gen_ai.response.text")
"""Of Latitude and Sentry; no revision has them."""
_INSTRUCTIONS = "gen_ai.request.instructions"  # Bifrost
_PROMPT_JSON = "gen_ai.prompt_json"
_COMPLETION_JSON = "gen_ai.completion_json"
"""Of Cloudflare's AI Gateway and Chatwoot: messages, or the bodies of request and response."""
_OLD_EVENTS_WORDS = "events gen_ai.*.message"
_CHOICE = f"event {semconv.CHOICE_EVENT}"
_QUERIES = says(QUERY, texted(semconv.RETRIEVAL_QUERY), texted(semconv.RETRIEVAL_QUERY_OLD))


def _content(key: str, read: Callable[[Span], T | None]) -> Rule[T]:
    """The rule for a content that stands under a key, in the span or in a details event."""
    return Rule(key, read, key, (semconv.DETAILS_EVENT,))


_RETRIEVED = _content(semconv.RETRIEVAL_DOCUMENTS, lambda span: _documents(_found(span, semconv.RETRIEVAL_DOCUMENTS)))
_ATTACHED = _content(semconv.INPUT_MESSAGES, lambda span: in_messages(_found(span, semconv.INPUT_MESSAGES)))
_RERANKED = attribute(semconv.RERANKED, lambda value: read_documents(value, lenient=True))
_IN_EVENTS = (semconv.SYSTEM_INSTRUCTIONS, (*TURNS, semconv.DETAILS_EVENT))
_IN_PROMPT = (semconv.WHOLE_PROMPT, (semconv.PROMPT_EVENT,))
_IN_REPLY = (semconv.WHOLE_COMPLETION, (semconv.COMPLETION_EVENT,))
_IN_RESULT = ((semconv.TOOL_RESULT, semconv.OUTPUT_MESSAGES), (semconv.CHOICE_EVENT, semconv.DETAILS_EVENT))
"""What rules need: keys or events."""

OTEL_GENAI = Convention(
    name="otel_genai",
    version="0.1.0",
    heads=frozenset({"gen_ai"}),
    role=_role,
    texts={
        Role.CHAIN: (
            says(
                QUESTION,
                _content(semconv.INPUT_MESSAGES, _users_words),
                Rule(_OLD_EVENTS_WORDS, lambda span: users_words(asked_in_events(span) or ()), events=TURNS),
                Rule(semconv.PROMPT_EVENT, lambda span: users_words(_WHOLE_PROMPT(span) or ()), *_IN_PROMPT),
            ),
            says(
                ANSWER,
                _content(semconv.OUTPUT_MESSAGES, _last_words),
                Rule(_CHOICE, lambda span: last_text(tuple(choices(span)), "assistant"), events=TURNS),
                Rule(semconv.COMPLETION_EVENT, lambda span: last_text(_replied_whole(span), "assistant"), *_IN_REPLY),
            ),
            says(PROMPT, _content(semconv.INPUT_MESSAGES, _agents_prompt)),
        ),
        Role.MODEL: (
            says(
                PROMPT,
                _content(semconv.INPUT_MESSAGES, _prompt),
                Rule(_OLD_EVENTS_WORDS, _prompt_in_events, *_IN_EVENTS),
                attribute(_REQUESTED, lambda value: read_messages(value) or None),
                attribute(_PROMPT_JSON, lambda value: _as_json_only(value, read_prompt)),
                Rule(semconv.PROMPT_EVENT, _WHOLE_PROMPT, *_IN_PROMPT),
            ),
            says(
                OUTPUT,
                _content(semconv.OUTPUT_MESSAGES, lambda span: next(iter(_replied(span)), None)),
                _content(semconv.OUTPUT_MESSAGES, _own_shape),
                Rule(_CHOICE, lambda span: next(choices(span), None), events=TURNS),
                *(attribute(key, read_reply) for key in _RESPONDED),
                attribute(_COMPLETION_JSON, lambda value: _as_json_only(value, read_reply)),
                Rule(semconv.COMPLETION_EVENT, lambda span: next(iter(_replied_whole(span)), None), *_IN_REPLY),
            ),
            says(VARIABLES, Rule(f"{semconv.PROMPT_VARIABLE}*", _variables, f"{semconv.PROMPT_VARIABLE}*")),
            says(DOCUMENTS, _ATTACHED),
        ),
        Role.STEP: (says(ANSWER, Rule(semconv.TOOL_ARGUMENTS, _handed_over, semconv.TOOL_ARGUMENTS)),),
        Role.RETRIEVER: (_QUERIES, says(DOCUMENTS, _RETRIEVED)),
        Role.RERANKER: (_QUERIES, says(DOCUMENTS, _RERANKED, _RETRIEVED)),
        Role.TOOL: (
            says(DOCUMENTS, Rule(semconv.TOOL_RESULT, lambda span: read_result(_result(span))[0], *_IN_RESULT)),
            says(RESULT, Rule(semconv.TOOL_RESULT, lambda span: read_result(_result(span))[1], *_IN_RESULT)),
        ),
    },
    facts=(
        says(MODEL, _named(semconv.REQUEST_MODEL)),
        says(RESPONSE_MODEL, _named(semconv.RESPONSE_MODEL)),
        says(RESPONSE_ID, texted(semconv.RESPONSE_ID)),
        says(SESSION_ID, Rule(semconv.CONVERSATION_ID, _session, semconv.CONVERSATION_ID)),
        says(APP_VERSION, texted(semconv.AGENT_VERSION)),
        says(PROMPT_VERSION, prompt_version(semconv.PROMPT_NAME, semconv.PROMPT_VERSION)),
        says(KNOWLEDGE_BASE, texted(semconv.DATA_SOURCE_ID), texted(semconv.BEDROCK_KNOWLEDGE_BASE_ID)),
        says(INPUT_TOKENS, *map(counted, _INPUT_TOKENS)),
        says(OUTPUT_TOKENS, *map(counted, _OUTPUT_TOKENS)),
        says(
            FAILURE,
            Rule(f"event {semconv.EXCEPTION_EVENT}", _failure, events=(semconv.EXCEPTION_EVENT,)),
            attribute(semconv.FINISH_REASONS, _broke_off),
        ),
    ),
    contents=_CONTENTS,
    is_json=lambda _span, key: key in _JSON_KEYS,
)
"""Spans after `gen_ai.*`, instrumented by a library or by hand."""
