"""LangChain's sequences as older packages of Traceloop for JavaScript write them: tasks alone, without any model call.

A sequence that fills the variable `context` of a prompt is the retrieval: LangChain tags it with the variable's name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from monitor.traces.conventions import entities
from monitor.traces.conventions.entities import INPUTS, OUTPUTS
from monitor.traces.documents import read_retrieved
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.prompts import named_context
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    OUTPUT,
    PROMPT,
    QUERY,
    QUESTION,
    Convention,
    Document,
    Role,
    Rule,
    T,
    says,
)
from monitor.traces.shapes import answer_in, query_in, question_in
from monitor.traces.values import as_list, as_mapping
from monitor.wire import AttributeValue, Span

_SCOPE: Final = "@traceloop/instrumentation-langchain"
_NAME: Final = "RunnableSequence.task"
_FILLS: Final = "map:key:"
_ANSWERS: Final = frozenset({"AIMessage", "AIMessageChunk"})


def _owns(span: Span) -> bool:
    return span.scope == _SCOPE and span.name == _NAME


def _role(span: Span) -> Role:
    """A model call where a sequence turns messages into a message: it is a prompt before a model."""
    if _is_reply(entities.returned(span)) and "messages" in as_mapping(_given(span)):
        return Role.MODEL
    is_retrieval = entities.documents_handed(span) is None and named_context(_filled(span)) is not None
    return Role.RETRIEVER if is_retrieval else Role.CHAIN


def _given(span: Span) -> AttributeValue:
    """What it was run on; beside it stands the configuration of the run."""
    return next(iter(_arguments(span)), None)


def _arguments(span: Span) -> list[AttributeValue]:
    return as_list(as_mapping(entities.input_of(span)).get("args"))


def _filled(span: Span) -> dict[str, str]:
    """The names of the variables that it fills, each with an empty text."""
    run = as_mapping(next(iter(_arguments(span)[1:]), None))
    tags = [*as_list(run.get("tags")), *as_list(as_mapping(run.get("callbacks")).get("tags"))]
    return {tag.removeprefix(_FILLS): "" for tag in tags if isinstance(tag, str) and tag.startswith(_FILLS)}


def _is_reply(value: AttributeValue) -> bool:
    path = as_list(as_mapping(value).get("id"))
    return bool(path) and path[-1] in _ANSWERS


def _found(value: AttributeValue) -> tuple[Document, ...] | None:
    """A list of documents, or the text that was made of them: an empty one of none."""
    if isinstance(value, str):
        return (Document(value),) if value.strip() else ()
    return read_retrieved(value)


def _asked(read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    return Rule(INPUTS[0], lambda span: read(_given(span)), INPUTS)


def _returned(read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    return Rule(OUTPUTS[0], lambda span: read(entities.returned(span)), OUTPUTS)


def _answer(value: AttributeValue) -> str | None:
    reply = read_reply(value) if _is_reply(value) else None
    return answer_in(value) if reply is None else reply.text


TRACELOOP_SEQUENCES = Convention(
    name="traceloop_sequences",
    version="0.12",
    heads=frozenset({"traceloop"}),
    role=_role,
    owns=_owns,
    texts={
        Role.CHAIN: (
            says(QUESTION, _asked(question_in)),
            says(ANSWER, _returned(_answer)),
            says(
                DOCUMENTS,
                Rule(f"{OUTPUTS[0]}: documents", entities.documents_given, OUTPUTS),
                Rule(f"{INPUTS[0]}: documents", entities.documents_handed, INPUTS),
            ),
        ),
        Role.MODEL: (says(PROMPT, _asked(read_prompt)), says(OUTPUT, _returned(read_reply))),
        Role.RETRIEVER: (says(QUERY, _asked(query_in)), says(DOCUMENTS, _returned(_found))),
    },
    contents=(*INPUTS, *OUTPUTS),
    is_json=lambda _span, key: key in {*INPUTS, *OUTPUTS},
)
"""Spans `RunnableSequence.task` of that package."""
