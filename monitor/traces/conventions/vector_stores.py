"""Spans of vector stores: `db.*` attributes of the client, and an event for each hit where the library records hits.

Only reads count as retrieval: adding, deleting or fetching by id is none. Distances are no scores: smaller is better.
"""

from __future__ import annotations

import re
from typing import Final

from monitor.traces import semconv
from monitor.traces.conventions.keys import count_of, numbered, text_of, texted
from monitor.traces.documents import metadata_source, read_documents, read_retrieved
from monitor.traces.literals import read_literal
from monitor.traces.reading import (
    DOCUMENTS,
    KNOWLEDGE_BASE,
    QUERY,
    Convention,
    Document,
    Role,
    Rule,
    attribute,
    says,
)
from monitor.traces.values import as_float, as_json, as_mapping, as_text
from monitor.wire import AttributeValue, Span, SpanEvent

_STORES = frozenset(
    {
        "astra", "azure_ai_search", "chroma", "chromadb", "lancedb", "marqo", "milvus", "pg_vector", "pgvector",
        "pinecone", "qdrant", "simple", "turbopuffer", "vespa", "weaviate",
    }
)  # fmt: skip
_VECTOR_KEYS: Final = "db.vector.query."
"""A span with such a key searches vectors, whatever the database."""
_READS = frozenset(
    {
        "query", "search", "select", "similarity_search", "hybrid_search", "search_batch", "search_groups",
        "search_records", "query_points", "query_points_groups", "query_batch", "query_batch_points", "discover",
        "fetch_objects", "near_text", "near_vector", "near_object", "hybrid", "bm25", "raw", "graphql_raw_query",
        "generate", "recommend",
    }
)  # fmt: skip
_MAYBE_READS = frozenset({"get", "do"})
"""Names of searches in some clients, of other things in others."""
_GRAPHQL_READS = (".query.get", ".get.do")
_QUERY_TEXT: Final = "db.query.text"
_SEARCH_TEXTS = ("texts=", "embeddings=")
"""What OpenLIT writes in front of what Chroma was asked."""
_ROWS = ("db.response.returned_rows", "db.milvus.search.result_count")
_TOP_K = (*semconv.DB_TOP_K_KEYS, "db.n_results", "pinecone.query.top_k", "db.milvus.search.limit")
_COLLECTIONS = ("db.collection.name", "db.milvus.search.collection_name", "db.milvus.query.collection_name")
_STATEMENT: Final = "db.statement"
_VECTOR_WORDS = {
    "postgresql": ("<=>", "<#>", "::vector"),
    "oracle": ("vector_distance(",),
    "redis": ("[knn ",),
    "mongodb": ("$vectorsearch",),
    "elasticsearch": ('"knn":', '"knn" :'),
    "opensearch": ('"knn":', '"knn" :'),
}
"""By database: what stands in queries that compare vectors and in no others. Its `<->` compares places as well."""
_WRITES = ("insert into ", "create ", "update ", "delete from ", "alter ")
_LONGEST_QUERY = 20_000
"""Characters of a query that are searched: the vector itself may stand in it."""
_HIT = re.compile(r"(?:db\.)?(?:\w+\.)?(?:query|search)\.(?:result|match)")
_RESPONSE: Final = "db.response"
"""An event of Langtrace's that holds all that Weaviate found."""
_QUERY: Final = "db.query"
"""Langtrace's arguments of a search, as JSON."""
_VECTOR_INDEX: Final = "db.index"
_HITS: Final = _VECTOR_KEYS + "result"
_MANY = 1000
"""Hits that are counted when they are only counted."""


def _role(span: Span) -> Role | None:
    """A retriever when it shows what a store found, or searches a store."""
    found = any(_HIT.fullmatch(event.name) for event in span.events) and not _aggregates(span)
    return Role.RETRIEVER if found or _searches(span) or _compares(span) else None


def _aggregates(span: Span) -> bool:
    """Whether MongoDB aggregated without an index of vectors: Langtrace shows what it found all the same."""
    return span.attributes.get(semconv.DB_SYSTEM_OLD) == "mongodb" and _VECTOR_INDEX not in span.attributes


def _compares(span: Span) -> bool:
    """Whether the query of a database for all purposes compares vectors."""
    system = text_of(span.attributes, semconv.DB_SYSTEM, semconv.DB_SYSTEM_OLD) or ""
    words = _VECTOR_WORDS.get(system.lower())
    if words is None:
        return False
    asked = (text_of(span.attributes, _QUERY_TEXT, _STATEMENT) or "")[:_LONGEST_QUERY].lower()
    return any(word in asked for word in words) and not any(word in asked for word in _WRITES)


def _searches(span: Span) -> bool:
    system = (text_of(span.attributes, semconv.DB_SYSTEM, semconv.DB_SYSTEM_OLD) or "").lower()
    if not system or not (system in _STORES or any(key.startswith(_VECTOR_KEYS) for key in span.attributes)):
        return False
    named = span.name.lower()
    operation = text_of(span.attributes, semconv.DB_OPERATION, semconv.DB_OPERATION_OLD)
    if operation is None and named.startswith(system + "."):
        operation = named.rpartition(".")[2]  # Qdrant's and Pinecone's name it nowhere else
    word = (operation or "").lower()
    return word in _READS or (word in _MAYBE_READS and (named.endswith(_GRAPHQL_READS) or _is_search(span)))


def _is_search(span: Span) -> bool:
    asked = text_of(span.attributes, _QUERY_TEXT) or ""
    return asked.startswith(_SEARCH_TEXTS) or any(key in span.attributes for key in _TOP_K)


def _hits(span: Span) -> tuple[Document, ...] | None:
    """What the store found, from its events; else only how much.

    Chroma's instrumentation up to 0.44 records the first hit of several: that is not the result.
    """
    events = [event for event in span.events if _HIT.fullmatch(event.name)]
    if not events:
        rows = count_of(span.attributes, *_ROWS)
        return None if rows is None else (Document(),) * min(rows, _MANY)
    system = text_of(span.attributes, semconv.DB_SYSTEM, semconv.DB_SYSTEM_OLD) or ""
    wanted = count_of(span.attributes, *_TOP_K) or 1
    if len(events) == 1 and wanted > 1 and system.lower().startswith("chroma"):
        return None
    return tuple(map(_hit, events))


def _flattened(span: Span) -> tuple[Document, ...] | None:
    """Hits in numbered attributes (Traceloop in JavaScript); Pinecone's metadata stand in an event for each hit."""
    hits = numbered(span.attributes, _HITS)
    if not hits:
        return () if count_of(span.attributes, _HITS + ".matches_length") == 0 else None
    besides = {event.name.rpartition(".result.")[2]: event.attributes for event in span.events}
    found = []
    for at, hit in enumerate(hits):
        payload = _printed(hit.get("metadata")) or dict(besides.get(f"{at}.metadata", {}))
        text = next((one.text for one in read_documents([{"payload": payload}]) or ()), None)
        found.append(Document(text, text_of(hit, "id"), as_float(hit.get("score")), metadata_source(payload)))
    return tuple(found)


def _hit(event: SpanEvent) -> Document:
    """One hit, in attributes that begin with the event's name; some clients' hits are recorded as they are."""
    held = {key.removeprefix(event.name + "."): value for key, value in event.attributes.items()}
    if len(held.keys() & event.attributes.keys()) == len(event.attributes) and "entity" not in held:
        return next(iter(read_documents([held]) or ()), Document())
    document = as_text(held.get("document"))
    payload = _printed(held.get("entity", held.get("metadata")))
    if document is None and payload:
        document = next((one.text for one in read_documents([{"payload": payload}]) or ()), None)
    return Document(document, text_of(held, "id"), as_float(held.get("score")), metadata_source(payload))


def _printed(value: AttributeValue) -> dict[str, AttributeValue]:
    """A mapping that was written as JSON, or printed as Python does."""
    read = as_json(value)
    return as_mapping(read_literal(read) if isinstance(read, str) else read)


def _responded(span: Span) -> tuple[Document, ...] | None:
    """The objects in Langtrace's event for a whole response, each with its properties and `uuid`."""
    values = (event.attributes.get(_RESPONSE) for event in span.events if event.name == _RESPONSE)
    return next((found for value in values if (found := read_documents(value)) is not None), None)


def _argument(value: AttributeValue) -> str | None:
    """The one text that a search was called with, among its arguments by name."""
    called = as_mapping(value)
    texts = as_json(called.get("query_texts", called.get("query")))
    query = texts[0] if isinstance(texts, list) and len(texts) == 1 else texts
    return query if isinstance(query, str) and query.strip() else None


def _asked(span: Span) -> str | None:
    """The one text that a store was asked for, where its query is text at all."""
    text = text_of(span.attributes, _QUERY_TEXT) or ""
    query = read_literal(text.removeprefix(_SEARCH_TEXTS[0]))
    if isinstance(query, dict):
        query = [as_mapping(query.get("inputs")).get("text")]  # Pinecone's search by text
    elif not text.startswith(_SEARCH_TEXTS[0]):
        return None
    return query[0] if isinstance(query, list) and len(query) == 1 and isinstance(query[0], str) else None


def _collection(span: Span) -> str | None:
    if not _searches(span):
        return None
    qdrant = [key for key in span.attributes if key.startswith("qdrant.") and key.endswith(".collection_name")]
    return text_of(span.attributes, *_COLLECTIONS, *qdrant)


VECTOR_STORES = Convention(
    name="vector_store",
    version="1",
    heads=frozenset({"db"}),
    role=_role,
    texts={
        Role.RETRIEVER: (
            says(
                QUERY,
                texted(_VECTOR_KEYS + "content"),
                texted("db.marqo.search.query"),
                Rule(_QUERY_TEXT, _asked),
                attribute(_QUERY, _argument),
            ),
            says(
                DOCUMENTS,
                Rule(f"{_HITS}.N", _flattened),
                Rule(f"events {semconv.DB_QUERY_RESULT}", _hits),
                attribute("db.response.output", read_documents),
                Rule(f"event {_RESPONSE}", _responded, events=(_RESPONSE,)),
                attribute(_VECTOR_KEYS + "response.documents", read_retrieved),
            ),
        ),
    },
    facts=(says(KNOWLEDGE_BASE, Rule(_COLLECTIONS[0], _collection, (*_COLLECTIONS, "qdrant.*"))),),
    contents=(
        _QUERY_TEXT,
        "db.query.result.",
        "db.query.match.",
        "db.search.result.",
        "db.response.output",
        _VECTOR_KEYS,
    ),
    is_json=lambda _span, key: key == "db.response.output",
)
"""Vector-store clients, instrumented by OpenLLMetry, OpenLIT, Spring AI or by hand."""
