"""OpenTelemetry GenAI: the current convention (0.1) and the one up to 1.36.

Content is looked for in attributes, then in `gen_ai.client.inference.operation.details` events, then in the older
events of one message each; log records that belong to the span stand among its events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from monitor.traces import semconv
from monitor.traces.conventions.keys import counted, text_of, texted
from monitor.traces.documents import read_documents, read_result
from monitor.traces.messages import last_text, read_message, read_messages
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
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
    Message,
    Role,
    Rule,
    says,
)
from monitor.traces.values import as_json, as_text
from monitor.wire import AttributeValue, Span, SpanEvent

_ROLES: Mapping[str, Role | None] = {
    "chat": Role.MODEL,
    "text_completion": Role.MODEL,
    "generate_content": Role.MODEL,
    "retrieval": Role.RETRIEVER,
    "retriever": Role.RETRIEVER,
    "vector_db_retrieve": Role.RETRIEVER,
    "invoke_agent": Role.CHAIN,
    "invoke_workflow": Role.CHAIN,
    "chain": Role.CHAIN,
    "execute_tool": Role.TOOL,
    "evaluate": Role.EVALUATOR,
    "embeddings": Role.STEP,
    "create_agent": Role.STEP,
    "execute_task": Role.STEP,
    "plan": Role.STEP,
}
_OLD_EVENTS = {
    semconv.SYSTEM_EVENT: "system",
    semconv.USER_EVENT: "user",
    semconv.ASSISTANT_EVENT: "assistant",
    semconv.TOOL_EVENT: "tool",
}
_NO_SESSION_SCOPES = frozenset({"pydantic-ai"})
"""They make up a conversation id for each run."""


def _role(span: Span) -> Role | None:
    """By `gen_ai.operation.name`, else by the content that the span carries."""
    operation = span.attributes.get(semconv.OPERATION)
    if isinstance(operation, str):
        return _ROLES.get(operation.lower())
    if _found(span, semconv.RETRIEVAL_DOCUMENTS) is not None:
        return Role.RETRIEVER
    if _found(span, semconv.OUTPUT_MESSAGES) is not None or _found(span, semconv.INPUT_MESSAGES) is not None:
        named = text_of(span.attributes, semconv.REQUEST_MODEL, semconv.RESPONSE_MODEL)
        return Role.CHAIN if named is None else Role.MODEL
    if any(event.name == semconv.CHOICE_EVENT for event in span.events):
        return Role.MODEL
    keys = [key for key in span.attributes if key.startswith("gen_ai.")]
    return Role.EVALUATOR if keys and all(key.startswith(semconv.EVALUATION) for key in keys) else None


def _session(span: Span) -> str | None:
    return None if span.scope in _NO_SESSION_SCOPES else text_of(span.attributes, semconv.CONVERSATION_ID)


def _prompt_version(span: Span) -> str | None:
    """Name and version of the prompt, as far as they are given: two prompts may both have a version 3."""
    parts = (text_of(span.attributes, semconv.PROMPT_NAME), text_of(span.attributes, semconv.PROMPT_VERSION))
    return ":".join(part for part in parts if part is not None) or None


def _asked(span: Span) -> tuple[Message, ...] | None:
    return read_messages(_found(span, semconv.INPUT_MESSAGES)) or None


def _replied(span: Span) -> tuple[Message, ...]:
    return read_messages(_found(span, semconv.OUTPUT_MESSAGES)) or ()


def _asked_in_events(span: Span) -> tuple[Message, ...] | None:
    return tuple(_old_prompt(span)) or None


def _with_system(prompt: Callable[[Span], tuple[Message, ...] | None]) -> Callable[[Span], tuple[Message, ...] | None]:
    """The prompt with the system instructions, which may stand in an attribute of their own, in front."""

    def read(span: Span) -> tuple[Message, ...] | None:
        system = _system(span)
        return ((system,) if system else ()) + (prompt(span) or ()) or None

    return read


def _system(span: Span) -> Message | None:
    parts = as_json(_found(span, semconv.SYSTEM_INSTRUCTIONS))
    message = read_message({"role": "system", "parts": parts}) if parts is not None else None
    return message if message and message.text else None


def _variables(span: Span) -> Mapping[str, str] | None:
    start = len(semconv.PROMPT_VARIABLE)
    variables = {
        key[start:]: text
        for key in span.attributes
        if key.startswith(semconv.PROMPT_VARIABLE) and (text := text_of(span.attributes, key)) is not None
    }
    return variables or None


def _result(span: Span) -> AttributeValue:
    value = _found(span, semconv.TOOL_RESULT)
    if value is None:
        choice = next((event for event in span.events if event.name == semconv.CHOICE_EVENT), None)
        value = choice.attributes.get("message") if choice else None
    return value


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


def _in_time(span: Span) -> list[SpanEvent]:
    return sorted(span.events, key=lambda event: event.time_ns)


def _old_prompt(span: Span) -> Iterator[Message]:
    for event in _in_time(span):
        role = _OLD_EVENTS.get(event.name)
        held = event.body if isinstance(event.body, dict) else event.attributes
        if role is not None and (held.get("content") is not None or held.get("tool_calls") is not None):
            message = read_message({"role": role, "content": _parts(held), "tool_calls": held.get("tool_calls")})
            if message is not None:
                yield message


def _old_choices(span: Span) -> Iterator[Message]:
    for event in _in_time(span):
        if event.name != semconv.CHOICE_EVENT:
            continue
        held = event.body if isinstance(event.body, dict) else event.attributes
        said = as_json(held.get("message"))
        fields = said if isinstance(said, dict) else {"content": said}
        message = read_message({"role": "assistant", **fields})
        if message is not None and (message.text or message.calls_tool):
            yield message


def _parts(held: Mapping[str, AttributeValue]) -> AttributeValue:
    """Text, or the JSON list of parts that Strands writes as text."""
    content = held.get("content")
    read = as_json(content)
    if isinstance(read, list) and read and all(isinstance(part, dict) for part in read):
        return read
    return content if isinstance(content, list | dict) else as_text(content)


_JSON_KEYS = frozenset(
    {semconv.INPUT_MESSAGES, semconv.OUTPUT_MESSAGES, semconv.SYSTEM_INSTRUCTIONS, semconv.RETRIEVAL_DOCUMENTS}
)
_OLD_EVENTS_WORDS = "events gen_ai.*.message"
_RETRIEVAL = (
    says(QUERY, texted(semconv.RETRIEVAL_QUERY)),
    says(
        DOCUMENTS,
        Rule(
            semconv.RETRIEVAL_DOCUMENTS,
            lambda span: read_documents(_found(span, semconv.RETRIEVAL_DOCUMENTS), lenient=True),
        ),
    ),
)

OTEL_GENAI = Convention(
    name="otel_genai",
    version="0.1.0",
    heads=frozenset({"gen_ai"}),
    role=_role,
    texts={
        Role.CHAIN: (
            says(
                QUESTION,
                Rule(semconv.INPUT_MESSAGES, lambda span: last_text(_asked(span) or (), "user")),
                Rule(_OLD_EVENTS_WORDS, lambda span: last_text(_asked_in_events(span) or (), "user")),
            ),
            says(
                ANSWER,
                Rule(semconv.OUTPUT_MESSAGES, lambda span: last_text(_replied(span), "assistant")),
                Rule(f"event {semconv.CHOICE_EVENT}", lambda span: last_text(tuple(_old_choices(span)), "assistant")),
            ),
        ),
        Role.MODEL: (
            says(
                PROMPT,
                Rule(semconv.INPUT_MESSAGES, lambda span: _with_system(_asked)(span) if _asked(span) else None),
                Rule(_OLD_EVENTS_WORDS, _with_system(_asked_in_events)),
            ),
            says(
                OUTPUT,
                Rule(semconv.OUTPUT_MESSAGES, lambda span: next(iter(_replied(span)), None)),
                Rule(f"event {semconv.CHOICE_EVENT}", lambda span: next(_old_choices(span), None)),
            ),
            says(VARIABLES, Rule(f"{semconv.PROMPT_VARIABLE}*", _variables)),
        ),
        Role.RETRIEVER: _RETRIEVAL,
        Role.RERANKER: _RETRIEVAL,
        Role.TOOL: (
            says(DOCUMENTS, Rule(semconv.TOOL_RESULT, lambda span: read_result(_result(span))[0])),
            says(RESULT, Rule(semconv.TOOL_RESULT, lambda span: read_result(_result(span))[1])),
        ),
    },
    facts=(
        says(MODEL, texted(semconv.REQUEST_MODEL)),
        says(RESPONSE_MODEL, texted(semconv.RESPONSE_MODEL)),
        says(RESPONSE_ID, texted(semconv.RESPONSE_ID)),
        says(SESSION_ID, Rule(semconv.CONVERSATION_ID, _session)),
        says(PROMPT_VERSION, Rule(semconv.PROMPT_VERSION, _prompt_version)),
        says(KNOWLEDGE_BASE, texted(semconv.DATA_SOURCE_ID)),
        says(INPUT_TOKENS, counted(semconv.INPUT_TOKENS), counted(semconv.INPUT_TOKENS_OLD)),
        says(OUTPUT_TOKENS, counted(semconv.OUTPUT_TOKENS), counted(semconv.OUTPUT_TOKENS_OLD)),
    ),
    contents=("gen_ai.",),
    is_json=lambda _span, key: key in _JSON_KEYS,
)
"""Spans after `gen_ai.*`, instrumented by a library or by hand."""
