"""The fallback: what any span may say, whatever wrote it, and hand-written spans under the plainest names."""

from __future__ import annotations

from monitor.traces import semconv
from monitor.traces.conventions.keys import count_of, text_of
from monitor.traces.documents import read_documents
from monitor.traces.reading import Content, Document, Facts, Role
from monitor.traces.values import as_text
from monitor.wire import Span

_QUESTION_KEYS = ("rag.question", "rag.query", "question", "user_query")
_ANSWER_KEYS = ("rag.answer", "rag.response", "answer")
_DOCUMENT_KEYS = ("rag.documents", "rag.contexts", "retrieved_documents", "contexts", "documents")
_VECTOR_STORES = frozenset(
    {"chroma", "chromadb", "pinecone", "qdrant", "weaviate", "milvus", "pgvector", "lancedb", "marqo", "vespa"}
)
_READS = frozenset({"query", "get", "search", "select", "similarity_search"})


class Generic:
    """Vector-store spans, and spans with a question and an answer."""

    name = "generic"

    def role(self, span: Span) -> Role | None:
        """A retriever when it shows what a store found; a chain when it shows question and answer."""
        attributes = span.attributes
        if any(event.name == semconv.DB_QUERY_RESULT for event in span.events) or _reads_vectors(span):
            return Role.RETRIEVER
        if text_of(attributes, *_QUESTION_KEYS) is not None and text_of(attributes, *_ANSWER_KEYS) is not None:
            return Role.CHAIN
        if _listed(span) is not None:
            return Role.RETRIEVER
        return None

    def content(self, span: Span, role: Role) -> Content:
        """Question, answer and documents under plain names."""
        attributes = span.attributes
        if role is Role.CHAIN:
            question, answer = text_of(attributes, *_QUESTION_KEYS), text_of(attributes, *_ANSWER_KEYS)
            return Content(question=question, answer=answer, documents=_listed(span))
        if role is Role.RETRIEVER:
            query = text_of(attributes, *_QUESTION_KEYS)
            found = _found(span)
            return Content(query=query, documents=found if found is not None else _listed(span))
        return Content()

    def facts(self, span: Span) -> Facts:
        """Who asked."""
        return Facts(
            session_id=text_of(span.attributes, semconv.SESSION_ID),
            user_id=text_of(span.attributes, semconv.USER_ID, semconv.END_USER_ID),
            tenant=text_of(span.attributes, *semconv.TENANT_KEYS),
        )


def _reads_vectors(span: Span) -> bool:
    system = text_of(span.attributes, semconv.DB_SYSTEM, semconv.DB_SYSTEM_OLD) or ""
    operation = text_of(span.attributes, semconv.DB_OPERATION, semconv.DB_OPERATION_OLD) or ""
    return system.lower() in _VECTOR_STORES and operation.lower() in _READS


def _found(span: Span) -> tuple[Document, ...] | None:
    """What a vector store found, from its events. Some versions record the first hit only: that is not the result."""
    events = [event.attributes for event in span.events if event.name == semconv.DB_QUERY_RESULT]
    wanted = count_of(span.attributes, *semconv.DB_TOP_K_KEYS) or 1
    if not events or (len(events) == 1 and wanted > 1):
        return None
    return tuple(
        Document(as_text(hit.get(semconv.DB_RESULT_DOCUMENT)), text_of(hit, semconv.DB_RESULT_ID)) for hit in events
    )


def _listed(span: Span) -> tuple[Document, ...] | None:
    listed = (read_documents(span.attributes.get(key)) for key in _DOCUMENT_KEYS if key in span.attributes)
    return next((documents for documents in listed if documents is not None), None)
