"""Genkit of Google, in all its languages: each action's input and output as JSON beside the kind of the action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from monitor.traces.conventions.keys import step_if_answer, text_of, texted
from monitor.traces.documents import read_documents, read_result
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.messages import read_message
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    FAILURE,
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
    attribute,
    says,
)
from monitor.traces.shapes import answer_in, question_in
from monitor.traces.values import as_int, as_json, as_list, as_mapping
from monitor.wire import AttributeValue, Span

TYPE: Final = "genkit:type"
KIND: Final = "genkit:metadata:subtype"
NAME: Final = "genkit:name"
INPUT: Final = "genkit:input"
OUTPUT_KEY: Final = "genkit:output"
STATE: Final = "genkit:state"
SESSIONS: Final = ("genkit:sessionId", "genkit:metadata:sessionId")

_ROLES: Mapping[str, Role] = {
    "flow": Role.CHAIN,
    "prompt": Role.CHAIN,
    "executable-prompt": Role.CHAIN,
    "agent": Role.CHAIN,
    "retriever": Role.RETRIEVER,
    "reranker": Role.RERANKER,
    "model": Role.MODEL,
    "background-model": Role.MODEL,
    "tool": Role.TOOL,
    "tool.v2": Role.TOOL,
    "evaluator": Role.EVALUATOR,
    "embedder": Role.STEP,
    "indexer": Role.STEP,
    "flowStep": Role.STEP,
    "util": Role.STEP,
}


def _role(span: Span) -> Role | None:
    """By the kind of the action; of the helpers around it the type."""
    kind = text_of(span.attributes, KIND, TYPE) or ""
    role = _ROLES.get(kind)
    return step_if_answer(role, text_of(span.attributes, NAME))


def _question(value: AttributeValue) -> str | None:
    return question_in(as_json(value))


def _answer(value: AttributeValue) -> str | None:
    """A text, or an object with an answer; of a generation its message."""
    read = as_json(value)
    reply = read_reply(read) if isinstance(read, dict) and "message" in read else None
    return answer_in(read) if reply is None else reply.text or None


def _query(value: AttributeValue) -> str | None:
    """A query is a document: its text stands in parts."""
    asked = as_mapping(value).get("query")
    message = read_message({"role": "user", "content": as_mapping(asked).get("content", asked)})
    return message.text if message is not None and message.text.strip() else None


def _found(value: AttributeValue) -> tuple[Document, ...] | None:
    """Documents of parts, whose ids and scores stand in their metadata; Go says `null` when there are none."""
    held = as_mapping(value)
    listed = as_json(held.get("documents"))
    if not isinstance(listed, list):
        return () if "documents" in held and listed is None else None
    return read_documents([_flat(as_mapping(item)) for item in listed], lenient=True)


def _flat(document: Mapping[str, AttributeValue]) -> dict[str, AttributeValue]:
    parts = as_list(document.get("content"))
    texts = [text for part in parts if isinstance(text := as_mapping(part).get("text"), str)]
    return {"text": "\n".join(texts) if texts else None, "metadata": document.get("metadata")}


def _model(span: Span) -> str | None:
    """The name of the action, without the plugin that offers it."""
    if text_of(span.attributes, KIND) not in {"model", "background-model"}:
        return None
    return (text_of(span.attributes, NAME) or "").rpartition("/")[2] or None


def _used(name: str) -> Rule[int]:
    def read(value: AttributeValue) -> int | None:
        return as_int(as_mapping(as_mapping(value).get("usage")).get(name))

    return attribute(OUTPUT_KEY, read)


def _prompt(value: AttributeValue) -> tuple[Message, ...] | None:
    return read_prompt(as_mapping(value))


def _reply(value: AttributeValue) -> Message | None:
    return read_reply(as_mapping(value))


def _failure(value: AttributeValue) -> str | None:
    return "error" if value == "error" else None


GENKIT = Convention(
    name="genkit",
    version="1",
    heads=frozenset({TYPE, KIND}),
    role=_role,
    texts={
        Role.CHAIN: (says(QUESTION, attribute(INPUT, _question)), says(ANSWER, attribute(OUTPUT_KEY, _answer))),
        Role.MODEL: (says(PROMPT, attribute(INPUT, _prompt)), says(OUTPUT, attribute(OUTPUT_KEY, _reply))),
        Role.RETRIEVER: (says(QUERY, attribute(INPUT, _query)), says(DOCUMENTS, attribute(OUTPUT_KEY, _found))),
        Role.RERANKER: (says(QUERY, attribute(INPUT, _query)), says(DOCUMENTS, attribute(OUTPUT_KEY, _found))),
        Role.TOOL: (
            says(DOCUMENTS, attribute(OUTPUT_KEY, lambda value: read_result(value)[0])),
            says(RESULT, attribute(OUTPUT_KEY, lambda value: read_result(value)[1])),
        ),
    },
    facts=(
        says(MODEL, Rule(NAME, _model, NAME)),
        says(SESSION_ID, *map(texted, SESSIONS)),
        says(INPUT_TOKENS, _used("inputTokens")),
        says(OUTPUT_TOKENS, _used("outputTokens")),
        says(FAILURE, attribute(STATE, _failure)),
    ),
    contents=(INPUT, OUTPUT_KEY),
    is_json=lambda _span, key: key in {INPUT, OUTPUT_KEY},
)
"""Spans with `genkit:type`."""
