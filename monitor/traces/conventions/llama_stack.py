"""Llama Stack's own tracer (up to 0.3): calls of its providers, and the steps of an agent's turn.

Arguments and results of a call are printed as Python prints them; an agent's steps have JSON. An answer that was
streamed stands in the step only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from monitor.traces.conventions.keys import count_of, step_if_answer, text_of, texted
from monitor.traces.documents import read_documents, read_result
from monitor.traces.exchange import read_answering, read_prompt, read_reply
from monitor.traces.literals import read_literal
from monitor.traces.reading import (
    DOCUMENTS,
    MODEL,
    OUTPUT,
    PROMPT,
    QUERY,
    QUESTION,
    RESPONSE_MODEL,
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
from monitor.traces.shapes import query_in, question_in
from monitor.traces.values import as_float, as_json, as_list
from monitor.wire import AttributeValue, Span

MARK: Final = "__ttl__"
METHOD: Final = "__method__"
ARGUMENTS: Final = "__args__"
REQUEST: Final = "request"
TOOL: Final = "tool_name"
INPUT: Final = "input"
RETURNED: Final = "output"
_SHIELDS: Final = ("run_shields", "run_shield_")
_STEPS: Mapping[str, Role] = {"inference": Role.MODEL, "tool_execution": Role.TOOL}
_METHODS: Mapping[str, Role] = {
    "chat_completion": Role.MODEL,
    "completion": Role.MODEL,
    "openai_chat_completion": Role.MODEL,
    "openai_completion": Role.MODEL,
    "query_chunks": Role.RETRIEVER,
    "openai_search_vector_store": Role.RETRIEVER,
    "insert_chunks": Role.STEP,
    "embeddings": Role.STEP,
    "openai_embeddings": Role.STEP,
    "run_shield": Role.GUARDRAIL,
}
_KNOWLEDGE: Final = "vector_db_ids"
"""An argument of the search that an agent does by itself."""


def _role(span: Span) -> Role | None:
    """By the step or the method; the request to an agent is a chain. A shield asks models of its own."""
    if span.name.startswith(_SHIELDS):
        return Role.GUARDRAIL
    if INPUT in span.attributes and span.name in _STEPS:
        return step_if_answer(_STEPS[span.name], text_of(span.attributes, TOOL))
    if REQUEST in span.attributes and "turn_id" in span.attributes:
        return Role.CHAIN
    method = text_of(span.attributes, METHOD) or ""
    if method == "query" and _KNOWLEDGE in _arguments(span):
        return Role.RETRIEVER
    return _METHODS.get(method)


def _printed(value: AttributeValue) -> AttributeValue:
    """JSON, or what Python printed; any other text as it is."""
    read = as_json(value)
    literal = read_literal(read) if isinstance(read, str) and read[:1] in {"{", "["} else None
    return read if literal is None else literal


def _arguments(span: Span) -> Mapping[str, AttributeValue]:
    """The arguments by name: each was printed before all of them were."""
    read = _printed(span.attributes.get(ARGUMENTS))
    return {name: _printed(value) for name, value in read.items()} if isinstance(read, dict) else {}


def _argument(*names: str) -> Callable[[Span], str | None]:
    return lambda span: text_of(_arguments(span), *names)


def _asked(span: Span) -> str | None:
    """What was searched for: a text, or the parts of one."""
    arguments = _arguments(span)
    return next((text for key in ("query", "content") if (text := query_in(arguments.get(key))) is not None), None)


def _prompt(span: Span) -> tuple[Message, ...] | None:
    arguments = _arguments(span)
    return read_prompt(arguments.get("messages", arguments.get("content", arguments.get("prompt"))))


def _reply(value: AttributeValue) -> Message | None:
    read = _printed(value)
    return read_reply(read.get("completion_message", read) if isinstance(read, dict) else read)


def _found(value: AttributeValue) -> tuple[Document, ...] | None:
    """Chunks, with their scores in a list of their own, or the texts that the search of an agent names in its metadata.

    A search that found nothing has no content.
    """
    read = _printed(value)
    if not isinstance(read, dict):
        return None
    metadata = read.get("metadata")
    held = metadata if isinstance(metadata, dict) else read
    if "content" in read and read["content"] is None:
        return ()
    chunks = as_list(held.get("chunks"))
    if chunks and all(isinstance(chunk, str) for chunk in chunks):
        ids = as_list(held.get("document_ids"))
        chunks = [{"text": text, "id": name} for text, name in zip(chunks, ids or [None] * len(chunks), strict=False)]
    documents = read_documents(chunks) if "chunks" in held else read_documents(read.get("data"))
    scores = [as_float(score) for score in as_list(held.get("scores"))]
    if documents is None or len(scores) != len(documents):
        return documents
    return tuple([Document(one.text, one.id, score, one.source) for one, score in zip(documents, scores, strict=True)])


LLAMA_STACK = Convention(
    name="llama_stack",
    version="1",
    heads=frozenset({MARK}),
    role=_role,
    owns=lambda span: count_of(span.attributes, MARK) is not None,
    texts={
        Role.CHAIN: (says(QUESTION, attribute(REQUEST, lambda value: question_in(as_json(value)))),),
        Role.MODEL: (
            says(PROMPT, attribute(INPUT, read_prompt), Rule(ARGUMENTS, _prompt, ARGUMENTS)),
            says(OUTPUT, attribute(RETURNED, _reply)),
        ),
        Role.RETRIEVER: (
            says(QUERY, Rule(ARGUMENTS, _asked, ARGUMENTS)),
            says(DOCUMENTS, attribute(RETURNED, _found)),
        ),
        Role.TOOL: (
            says(DOCUMENTS, attribute(RETURNED, lambda value: read_result(_printed(value))[0])),
            says(RESULT, attribute(RETURNED, lambda value: read_result(_printed(value))[1])),
        ),
    },
    facts=(
        says(MODEL, Rule(f"{ARGUMENTS}: model_id", _argument("model_id", "model"), ARGUMENTS)),
        says(RESPONSE_MODEL, attribute(RETURNED, lambda value: read_answering(_printed(value)).model)),
        says(SESSION_ID, texted("session_id")),
    ),
    contents=(ARGUMENTS, REQUEST, INPUT, RETURNED),
)
"""Spans with `__ttl__`, a number of seconds that all of them have."""
