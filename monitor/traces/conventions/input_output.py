"""Spans with `input.value` and `output.value`, or flattened `retrieval.documents`, that name no kind of OpenInference.

Written by hand, or by libraries that took over these keys: Dify and distributions with `gen_ai.span.kind`, in which
`retrieval.document` is a list. Where another convention gives the role, only what it leaves open is read here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from monitor.traces import semconv
from monitor.traces.conventions.keys import text_of
from monitor.traces.conventions.openinference import OPENINFERENCE
from monitor.traces.conventions.openinference_documents import flat_documents
from monitor.traces.documents import hands_documents, read_documents, read_result, read_retrieved
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    OUTPUT,
    PROMPT,
    QUERY,
    QUESTION,
    RESULT,
    Convention,
    Document,
    Role,
    Rule,
    T,
    says,
)
from monitor.traces.shapes import answer_in, query_in, question_in
from monitor.traces.values import as_json
from monitor.wire import AttributeValue, Span

_QUERY: Final = "retrieval.query"
_LISTED: Final = ("retrieval.document", semconv.OI_DOCUMENTS)
_FLAT: Final = (semconv.OI_DOCUMENTS + ".", semconv.OI_RERANKED + ".")


def _role(span: Span) -> Role | None:
    """By its documents; else a chain when it shows what came in and what went out, a retriever when that is a list."""
    attributes = span.attributes
    if semconv.OI_KIND in attributes:
        return None
    for prefix, role in zip(_FLAT, (Role.RETRIEVER, Role.RERANKER), strict=True):
        if any(key.startswith(prefix) for key in attributes):
            return role
    if any(read_documents(attributes[key]) is not None for key in _LISTED if key in attributes):
        return Role.RETRIEVER
    given, returned = text_of(attributes, semconv.OI_INPUT), text_of(attributes, semconv.OI_OUTPUT)
    if given is None or returned is None:
        return None
    if not read_documents(returned):
        return Role.CHAIN
    return Role.RERANKER if hands_documents(given) else Role.RETRIEVER


def _found(span: Span) -> tuple[Document, ...] | None:
    """Flattened documents, else a list of them under a key of its own, else in what came out."""
    for prefix in (semconv.OI_RERANKED, semconv.OI_DOCUMENTS):
        flat = flat_documents(span, prefix)
        if flat:
            return flat
    listed = (read_documents(span.attributes[key]) for key in _LISTED if key in span.attributes)
    found = next((documents for documents in listed if documents is not None), None)
    return read_retrieved(span.attributes.get(semconv.OI_OUTPUT)) if found is None else found


def _unkinded(where: str, key: str, read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    """A value, read as JSON where it is some; spans with a kind are left to OpenInference."""

    def read_it(span: Span) -> T | None:
        value = span.attributes.get(key)
        return None if value is None or semconv.OI_KIND in span.attributes else read(as_json(value))

    return Rule(where, read_it, key)


def _input(read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    return _unkinded(semconv.OI_INPUT, semconv.OI_INPUT, read)


def _output(read: Callable[[AttributeValue], T | None]) -> Rule[T]:
    return _unkinded(semconv.OI_OUTPUT, semconv.OI_OUTPUT, read)


def _question(read: AttributeValue) -> str | None:
    """None when JSON was cut: its beginning is no question."""
    return None if isinstance(read, str) and read[:1] in {"{", "["} else question_in(read)


def _answer(read: AttributeValue) -> str | None:
    return None if isinstance(read, str) and read[:1] in {"{", "["} else answer_in(read)


def _any_kind(span: Span) -> tuple[Document, ...] | None:
    return None if semconv.OI_KIND in span.attributes else _found(span)


_QUERIES = says(QUERY, _unkinded(_QUERY, _QUERY, query_in), _input(query_in))
_DOCUMENTS = says(DOCUMENTS, Rule(f"{semconv.OI_DOCUMENTS}.N, {_LISTED[0]}, {semconv.OI_OUTPUT}", _any_kind))

INPUT_OUTPUT = Convention(
    name="input_output",
    version="1",
    heads=frozenset({"input", "output", "retrieval", "reranker"}),
    role=_role,
    texts={
        Role.CHAIN: (says(QUESTION, _input(_question)), says(ANSWER, _output(_answer))),
        Role.MODEL: (says(PROMPT, _input(read_prompt)), says(OUTPUT, _output(read_reply))),
        Role.RETRIEVER: (_QUERIES, _DOCUMENTS),
        Role.RERANKER: (_QUERIES, _DOCUMENTS),
        Role.TOOL: (
            says(DOCUMENTS, _output(lambda read: read_result(read)[0])),
            says(RESULT, _output(lambda read: read_result(read)[1])),
        ),
    },
    facts=OPENINFERENCE.facts,
    contents=(semconv.OI_INPUT, semconv.OI_OUTPUT, "retrieval.", "reranker."),
    hides=OPENINFERENCE.hides,
)
"""Spans with the keys of OpenInference and without its kind."""
