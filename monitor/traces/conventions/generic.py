"""The fallback: what any span may say, whatever wrote it, and hand-written spans under the plainest names."""

from __future__ import annotations

from monitor.traces import semconv
from monitor.traces.conventions.keys import text_of, texted
from monitor.traces.documents import read_documents
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    QUERY,
    QUESTION,
    SESSION_ID,
    TENANT,
    USER_ID,
    Convention,
    Role,
    attribute,
    says,
)
from monitor.wire import Span

_QUESTION_KEYS = ("rag.question", "rag.query", "question", "user_query")
_ANSWER_KEYS = ("rag.answer", "rag.response", "answer")
_DOCUMENT_KEYS = ("rag.documents", "rag.contexts", "retrieved_documents", "contexts", "documents")


def _role(span: Span) -> Role | None:
    """A chain when it shows question and answer; a retriever when it shows documents."""
    attributes = span.attributes
    if text_of(attributes, *_QUESTION_KEYS) is not None and text_of(attributes, *_ANSWER_KEYS) is not None:
        return Role.CHAIN
    if any(key in attributes and read_documents(attributes[key]) is not None for key in _DOCUMENT_KEYS):
        return Role.RETRIEVER
    return None


_QUESTIONS = tuple(map(texted, _QUESTION_KEYS))
_LISTED = tuple(attribute(key, read_documents) for key in _DOCUMENT_KEYS)

GENERIC = Convention(
    name="generic",
    version="1",
    heads=frozenset(),
    role=_role,
    texts={
        Role.CHAIN: (
            says(QUESTION, *_QUESTIONS),
            says(ANSWER, *map(texted, _ANSWER_KEYS)),
            says(DOCUMENTS, *_LISTED),
        ),
        Role.RETRIEVER: (
            says(QUERY, *_QUESTIONS),
            says(DOCUMENTS, *_LISTED),
        ),
    },
    facts=(
        says(SESSION_ID, texted(semconv.SESSION_ID)),
        says(USER_ID, texted(semconv.USER_ID), texted(semconv.END_USER_ID)),
        says(TENANT, *map(texted, semconv.TENANT_KEYS)),
    ),
    contents=("rag.", "document"),
)
"""Spans with a question and an answer, with documents, and who asked."""
