"""The fallback: what any span may say, whatever wrote it, and hand-written spans under the plainest names."""

from __future__ import annotations

from monitor.traces import semconv
from monitor.traces.conventions.keys import count_of, text_of, texted
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
    Document,
    Role,
    Rule,
    attribute,
    says,
)
from monitor.traces.values import as_text
from monitor.wire import Span

_QUESTION_KEYS = ("rag.question", "rag.query", "question", "user_query")
_ANSWER_KEYS = ("rag.answer", "rag.response", "answer")
_DOCUMENT_KEYS = ("rag.documents", "rag.contexts", "retrieved_documents", "contexts", "documents")
_VECTOR_STORES = frozenset(
    {"chroma", "chromadb", "pinecone", "qdrant", "weaviate", "milvus", "pgvector", "lancedb", "marqo", "vespa"}
)
_READS = frozenset({"query", "get", "search", "select", "similarity_search"})


def _role(span: Span) -> Role | None:
    """A retriever when it shows what a store found; a chain when it shows question and answer."""
    attributes = span.attributes
    if any(event.name == semconv.DB_QUERY_RESULT for event in span.events) or _reads_vectors(span):
        return Role.RETRIEVER
    if text_of(attributes, *_QUESTION_KEYS) is not None and text_of(attributes, *_ANSWER_KEYS) is not None:
        return Role.CHAIN
    if any(key in attributes and read_documents(attributes[key]) is not None for key in _DOCUMENT_KEYS):
        return Role.RETRIEVER
    return None


def _reads_vectors(span: Span) -> bool:
    system = text_of(span.attributes, semconv.DB_SYSTEM, semconv.DB_SYSTEM_OLD) or ""
    operation = text_of(span.attributes, semconv.DB_OPERATION, semconv.DB_OPERATION_OLD) or ""
    return system.lower() in _VECTOR_STORES and operation.lower() in _READS


def _hits(span: Span) -> tuple[Document, ...] | None:
    """What a vector store found, from its events. Some versions record the first hit only: that is not the result."""
    events = [event.attributes for event in span.events if event.name == semconv.DB_QUERY_RESULT]
    wanted = count_of(span.attributes, *semconv.DB_TOP_K_KEYS) or 1
    if not events or (len(events) == 1 and wanted > 1):
        return None
    return tuple(
        Document(as_text(hit.get(semconv.DB_RESULT_DOCUMENT)), text_of(hit, semconv.DB_RESULT_ID)) for hit in events
    )


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
            says(DOCUMENTS, Rule(f"events {semconv.DB_QUERY_RESULT}", _hits), *_LISTED),
        ),
    },
    facts=(
        says(SESSION_ID, texted(semconv.SESSION_ID)),
        says(USER_ID, texted(semconv.USER_ID), texted(semconv.END_USER_ID)),
        says(TENANT, *map(texted, semconv.TENANT_KEYS)),
    ),
    contents=("rag.", "document"),
)
"""Vector-store spans, spans with a question and an answer, and who asked."""
