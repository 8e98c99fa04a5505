"""OpenTelemetry GenAI: the current convention (0.1) and the one up to 1.36.

Content is looked for in attributes, then in `gen_ai.client.inference.operation.details` events, then in the older
events of one message each; log records that belong to the span stand among its events.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from monitor.traces import semconv
from monitor.traces.conventions.keys import count_of, text_of
from monitor.traces.documents import read_documents, read_result
from monitor.traces.messages import last_text, read_message, read_messages
from monitor.traces.reading import Content, Facts, Message, Role
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


class OtelGenAi:
    """Spans after `gen_ai.*`, instrumented by a library or by hand."""

    name = "otel_genai"

    def role(self, span: Span) -> Role | None:
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

    def content(self, span: Span, role: Role) -> Content:
        """Messages for chains and models, documents for retrievers, results for tools."""
        match role:
            case Role.CHAIN:
                return _chain(span)
            case Role.MODEL:
                return _model(span)
            case Role.RETRIEVER | Role.RERANKER:
                documents = read_documents(_found(span, semconv.RETRIEVAL_DOCUMENTS), lenient=True)
                return Content(query=text_of(span.attributes, semconv.RETRIEVAL_QUERY), documents=documents)
            case Role.TOOL:
                return _tool(span)
            case Role.STEP | Role.GUARDRAIL | Role.EVALUATOR | Role.OTHER:
                return Content()

    def facts(self, span: Span) -> Facts:
        """Model, ids and token counts."""
        attributes = span.attributes
        made_up = span.scope in _NO_SESSION_SCOPES
        return Facts(
            model=text_of(attributes, semconv.REQUEST_MODEL),
            response_model=text_of(attributes, semconv.RESPONSE_MODEL),
            response_id=text_of(attributes, semconv.RESPONSE_ID),
            session_id=None if made_up else text_of(attributes, semconv.CONVERSATION_ID),
            prompt_version=_prompt_version(attributes),
            knowledge_base=text_of(attributes, semconv.DATA_SOURCE_ID),
            input_tokens=count_of(attributes, semconv.INPUT_TOKENS, semconv.INPUT_TOKENS_OLD),
            output_tokens=count_of(attributes, semconv.OUTPUT_TOKENS, semconv.OUTPUT_TOKENS_OLD),
        )


def _prompt_version(attributes: Mapping[str, AttributeValue]) -> str | None:
    """Name and version of the prompt, as far as they are given: two prompts may both have a version 3."""
    parts = (text_of(attributes, semconv.PROMPT_NAME), text_of(attributes, semconv.PROMPT_VERSION))
    return ":".join(part for part in parts if part is not None) or None


def _chain(span: Span) -> Content:
    asked = read_messages(_found(span, semconv.INPUT_MESSAGES)) or tuple(_old_prompt(span))
    replied = read_messages(_found(span, semconv.OUTPUT_MESSAGES)) or tuple(_old_choices(span))
    return Content(question=last_text(asked, "user"), answer=last_text(replied, "assistant"))


def _model(span: Span) -> Content:
    prompt = read_messages(_found(span, semconv.INPUT_MESSAGES)) or tuple(_old_prompt(span))
    system = _system(span)
    replied = read_messages(_found(span, semconv.OUTPUT_MESSAGES))
    whole = (system, *prompt) if system else prompt
    start = len(semconv.PROMPT_VARIABLE)
    variables = {
        key[start:]: text
        for key in span.attributes
        if key.startswith(semconv.PROMPT_VARIABLE) and (text := text_of(span.attributes, key)) is not None
    }
    output = replied[0] if replied else next(_old_choices(span), None)
    return Content(prompt=whole or None, output=output, variables=variables or None)


def _system(span: Span) -> Message | None:
    parts = as_json(_found(span, semconv.SYSTEM_INSTRUCTIONS))
    message = read_message({"role": "system", "parts": parts}) if parts is not None else None
    return message if message and message.text else None


def _tool(span: Span) -> Content:
    value = _found(span, semconv.TOOL_RESULT)
    if value is None:
        choice = next((event for event in span.events if event.name == semconv.CHOICE_EVENT), None)
        value = choice.attributes.get("message") if choice else None
    documents, result = read_result(value)
    return Content(documents=documents, result=result)


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
