"""LlamaIndex's own package for OpenTelemetry: spans without attributes, whose events are those of its instrumentation.

The members of an event are attributes by their path; objects in lists are JSON. A stream that is read after its call
has ended leaves no reply.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from monitor.traces.conventions.flattened import gathered
from monitor.traces.conventions.keys import count_of, text_of
from monitor.traces.documents import read_documents
from monitor.traces.literals import printed_argument
from monitor.traces.messages import read_message, read_messages
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
    RESPONSE_ID,
    RESPONSE_MODEL,
    Convention,
    Message,
    Role,
    Rule,
    T,
    says,
)
from monitor.traces.shapes import answer_in
from monitor.traces.transcripts import read_transcript
from monitor.wire import AttributeValue, Span

_ROLES: Mapping[str, Role] = {
    "RetrievalStartEvent": Role.RETRIEVER,
    "RetrievalEndEvent": Role.RETRIEVER,
    "ReRankStartEvent": Role.RERANKER,
    "ReRankEndEvent": Role.RERANKER,
    "LLMChatStartEvent": Role.MODEL,
    "LLMChatEndEvent": Role.MODEL,
    "LLMCompletionStartEvent": Role.MODEL,
    "LLMCompletionEndEvent": Role.MODEL,
    "LLMPredictStartEvent": Role.MODEL,
    "LLMPredictEndEvent": Role.MODEL,
    "EmbeddingStartEvent": Role.STEP,
    "EmbeddingEndEvent": Role.STEP,
    "QueryStartEvent": Role.CHAIN,
    "QueryEndEvent": Role.CHAIN,
    "SynthesizeStartEvent": Role.CHAIN,
    "SynthesizeEndEvent": Role.CHAIN,
    "AgentChatWithStepStartEvent": Role.CHAIN,
    "AgentChatWithStepEndEvent": Role.CHAIN,
    "workflow.output": Role.CHAIN,
}
"""By the first of its events that is among these."""
_TRACER: Final = "llamaindex."
_BLOCK: Final = "TextBlock(block_type='text', "
_CALLED: Final = ("LLMChatEndEvent", "LLMCompletionEndEvent", "LLMChatStartEvent", "LLMCompletionStartEvent")
_USED: Final = ("response.raw.usage", "response.additional_kwargs", "response.raw.usage_metadata")
_SENT: Final = ("prompt_tokens", "input_tokens", "prompt_token_count")
_RECEIVED: Final = ("completion_tokens", "output_tokens", "candidates_token_count")


def _role(span: Span) -> Role | None:
    """By the events, of which the first tells what the span is."""
    if not span.scope.startswith(_TRACER):
        return None
    return next((_ROLES[event.name] for event in span.events if event.name in _ROLES), None)


def _in(names: tuple[str, ...], key: str, read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    """A member of the events of these names, the first of which has it; also one that was taken apart."""

    def read_it(span: Span) -> T | None:
        if not span.scope.startswith(_TRACER):
            return None
        held = [event.attributes for name in names for event in span.events if event.name == name]
        values = (one[key] if one.get(key) is not None else gathered(one, key) for one in held)
        return next((found for value in values if value is not None and (found := read(value)) is not None), None)

    return Rule(f"event {', '.join(names)}: {key}", read_it)


def _text(value: AttributeValue) -> str | None:
    """A text, or that of a bundle around a query."""
    return text_of(value, "query_str") if isinstance(value, dict) else text_of({"": value}, "")


def _prompt(value: AttributeValue) -> tuple[Message, ...] | None:
    """The prompt of a completion, whose lines may begin with their speakers."""
    text = _text(value)
    return None if text is None else read_transcript(text) or (Message("user", text),)


def _reply(value: AttributeValue) -> Message | None:
    message = read_message(value)
    return message if message is not None and message.role == "assistant" else None


def _spoken(value: AttributeValue) -> Message | None:
    text = _text(value)
    return None if text is None else Message("assistant", text)


def _ended(value: AttributeValue) -> str | None:
    """The first text in the result of a workflow, which was printed."""
    _, mark, block = value.partition(_BLOCK) if isinstance(value, str) else ("", "", "")
    return printed_argument(f"({block}", "text") if mark else None


def _words(*paths: str) -> tuple[Rule[str], ...]:
    return tuple([_in(_CALLED, path, _text) for path in paths])


def _tokens(names: tuple[str, ...]) -> tuple[Rule[int], ...]:
    def read(value: AttributeValue) -> int | None:
        return count_of(value, *names) if isinstance(value, dict) else None

    return tuple([_in(_CALLED[:2], path, read) for path in _USED])


_QUERIES = ("RetrievalStartEvent", "RetrievalEndEvent")

LLAMA_INDEX = Convention(
    name="llama_index",
    version="0.7",
    heads=frozenset({name.partition(".")[0] for name in _ROLES}),
    role=_role,
    texts={
        Role.CHAIN: (
            says(
                QUESTION,
                _in(("QueryStartEvent", "SynthesizeStartEvent"), "query", _text),
                _in(("AgentChatWithStepStartEvent",), "user_msg", _text),
            ),
            says(
                ANSWER,
                _in(("QueryEndEvent", "SynthesizeEndEvent", "AgentChatWithStepEndEvent"), "response", answer_in),
                _in(("workflow.output",), "output", _ended),
            ),
        ),
        Role.MODEL: (
            says(
                PROMPT,
                _in(("LLMChatStartEvent", "LLMChatEndEvent"), "messages", lambda value: read_messages(value) or None),
                _in(("LLMCompletionStartEvent", "LLMCompletionEndEvent"), "prompt", _prompt),
            ),
            says(
                OUTPUT,
                _in(("LLMChatEndEvent",), "response.message", _reply),
                _in(("LLMCompletionEndEvent",), "response.text", _spoken),
                _in(("LLMPredictEndEvent",), "output", _spoken),
            ),
        ),
        Role.RETRIEVER: (
            says(QUERY, _in(_QUERIES, "str_or_query_bundle", _text)),
            says(DOCUMENTS, _in(("RetrievalEndEvent",), "nodes", read_documents)),
        ),
        Role.RERANKER: (
            says(QUERY, _in(("ReRankStartEvent",), "query", _text)),
            says(DOCUMENTS, _in(("ReRankEndEvent",), "nodes", read_documents)),
        ),
    },
    facts=(
        says(MODEL, *_words("model_dict.model_name", "model_dict.model")),
        says(RESPONSE_MODEL, *_words("response.raw.model")),
        says(RESPONSE_ID, *_words("response.raw.id")),
        says(INPUT_TOKENS, *_tokens(_SENT)),
        says(OUTPUT_TOKENS, *_tokens(_RECEIVED)),
    ),
    contents=("query", "response.", "messages", "prompt", "nodes"),
)
"""Spans of the tracer `llamaindex.opentelemetry.tracer`."""
