from __future__ import annotations

import json

import pytest

from monitor.records import ContextsSource
from monitor.traces.conventions.vector_stores import VECTOR_STORES
from monitor.traces.reading import Document, Role
from monitor.wire import AttributeValue, Span, SpanEvent
from tests.monitor.traces.spans import ANSWER, QUESTION, chat, extract, only, span, told

CHROMA: dict[str, AttributeValue] = {"db.system": "chroma", "db.operation": "query", "db.chroma.query.n_results": 2}


def _hit(name: str = "db.query.result", **fields: AttributeValue) -> SpanEvent:
    return SpanEvent(name, 1, {f"{name}.{key}": value for key, value in fields.items()})


def _documents(read: Span) -> object:
    return told(VECTOR_STORES, read, Role.RETRIEVER).get("documents")


@pytest.mark.parametrize(
    ("system", "query", "role"),
    [
        ("postgresql", "SELECT text FROM docs ORDER BY embedding <=> %s LIMIT 4", Role.RETRIEVER),
        ("postgresql", "SELECT text FROM docs ORDER BY embedding <-> %s::vector", Role.RETRIEVER),
        ("postgresql", "SELECT name FROM shops ORDER BY place <-> %s", None),
        ("postgresql", "INSERT INTO docs (embedding) VALUES (%s::vector)", None),
        ("mysql", "SELECT text FROM docs WHERE a <=> b", None),
        ("redis", "FT.SEARCH docs (*)=>[KNN 4 @embedding $v]", Role.RETRIEVER),
        ("mongodb", '[{"$vectorSearch": {"index": "docs"}}]', Role.RETRIEVER),
        ("opensearch", '{"query": {"knn": {"embedding": "?"}}}', Role.RETRIEVER),
        ("elasticsearch", '{"query": {"match": {"text": "knn"}}}', None),
    ],
)
def test_other_databases_are_told_by_queries_that_compare_vectors(system: str, query: str, role: Role | None) -> None:
    for keys in (("db.system", "db.statement"), ("db.system.name", "db.query.text")):
        assert VECTOR_STORES.role(span("q", attributes=dict(zip(keys, (system, query), strict=True)))) is role


@pytest.mark.parametrize(
    ("name", "attributes", "role"),
    [
        ("chroma.query", {"db.system": "chroma", "db.operation": "query"}, Role.RETRIEVER),
        ("search", {"db.system.name": "Qdrant", "db.operation.name": "SEARCH"}, Role.RETRIEVER),
        ("qdrant.query_points", {"db.system": "Qdrant"}, Role.RETRIEVER),
        ("qdrant.upsert", {"db.system": "Qdrant"}, None),
        ("pinecone.query", {"db.system": "Pinecone", "pinecone.query.top_k": 3}, Role.RETRIEVER),
        ("milvus.search", {"db.system": "milvus", "db.operation": "search"}, Role.RETRIEVER),
        ("milvus.get", {"db.system": "milvus", "db.operation": "get"}, None),
        ("db.weaviate.collections.query.get", {"db.system": "weaviate", "db.operation": "get"}, Role.RETRIEVER),
        ("db.weaviate.gql.get.do", {"db.system": "weaviate", "db.operation": "do"}, Role.RETRIEVER),
        ("db.weaviate.collections.get", {"db.system": "weaviate", "db.operation": "get"}, None),
        ("db.weaviate.gql.aggregate.do", {"db.system": "weaviate", "db.operation": "do"}, None),
        ("chroma.get", {"db.system": "chroma", "db.operation": "get"}, None),
        ("GET faq", {"db.system.name": "chroma", "db.operation.name": "GET", "db.query.text": "['d-1']"}, None),
        (
            "GET faq",
            {"db.system.name": "chroma", "db.operation.name": "GET", "db.query.text": "embeddings=1 vectors"},
            Role.RETRIEVER,
        ),
        (
            "GET faq",
            {"db.system.name": "qdrant", "db.operation.name": "GET", "db.vector.query.top_k": 3},
            Role.RETRIEVER,
        ),
        (
            "redis query",
            {"db.system": "redis", "db.operation.name": "query", "db.vector.query.content": "When?"},
            Role.RETRIEVER,
        ),
        ("redis query", {"db.system": "redis", "db.operation.name": "query"}, None),
        ("add", {"db.system.name": "chroma", "db.operation.name": "add"}, None),
        ("SELECT faq", {"db.system.name": "postgresql", "db.operation.name": "SELECT"}, None),
        ("query", {"db.operation.name": "query"}, None),
    ],
)
def test_searching_a_store_is_retrieval_and_nothing_else_is(
    name: str, attributes: dict[str, AttributeValue], role: Role | None
) -> None:
    assert VECTOR_STORES.role(span("a", name=name, attributes=attributes)) is role


def test_hits_are_documents_without_their_distances() -> None:
    events = (_hit(id="d-1", document="Open.", distance=12.0), _hit(id="d-2", document="Late.", distance=15.0))
    found = span("a", attributes=CHROMA, events=events)
    assert _documents(found) == (Document("Open.", "d-1"), Document("Late.", "d-2"))


def test_a_single_hit_of_several_wanted_is_not_chromas_result() -> None:
    """Old instrumentations record the first hit only."""
    events = (_hit(id="d-1", document="Open."),)
    assert _documents(span("a", attributes=CHROMA, events=events)) is None
    assert _documents(span("a", attributes=CHROMA | {"db.system": "marqo"}, events=events)) is not None


@pytest.mark.parametrize(
    ("event", "document"),
    [
        (
            _hit(id="d-1", score=0.9, metadata="{'text': \"Don't wait.\", 'page': 2}"),
            Document("Don't wait.", "d-1", 0.9),
        ),
        (_hit(id="d-1", score=0.9, metadata='{"page_content": "Open."}'), Document("Open.", "d-1", 0.9)),
        (_hit(id="d-1", score=0.9, metadata="{'source': 'faq.md', 'score': 7}"), Document(None, "d-1", 0.9, "faq.md")),
        (_hit(id="d-1", metadata="None"), Document(None, "d-1")),
        (_hit(id="d-1", metadata="{'text': 'cut of"), Document(None, "d-1")),
        (
            _hit("db.search.result", query_id=0, id=7, distance="0.5", entity="{'text': 'Open.', 'id': 9}"),
            Document("Open.", "7"),
        ),
        (
            _hit("db.pinecone.query.result", id="d-1", score=0.9, metadata="{'text': 'Open.'}"),
            Document("Open.", "d-1", 0.9),
        ),
        (_hit("pinecone.query.result", id="d-1", score=0.9), Document(None, "d-1", 0.9)),
        (
            SpanEvent("db.query.result", 1, {"_id": "d-1", "_score": 0.9, "text": "Open."}),
            Document("Open.", "d-1", 0.9),
        ),
        (SpanEvent("db.query.result", 1, {"id": 7, "text": "Open.", "vector": [0.1]}), Document("Open.", "7")),
        (SpanEvent("db.query.result", 1, {}), Document()),
    ],
)
def test_each_clients_hits_are_read(event: SpanEvent, document: Document) -> None:
    assert _documents(span("a", attributes={"db.system": "milvus"}, events=(event,))) == (document,)


@pytest.mark.parametrize(("rows", "documents"), [(0, ()), ("2", (Document(),) * 2), (None, None)])
def test_counted_rows_tell_an_empty_result_from_documents_without_text(rows: AttributeValue, documents: object) -> None:
    assert _documents(span("a", attributes=CHROMA | {"db.response.returned_rows": rows})) == documents


@pytest.mark.parametrize(
    ("attributes", "query"),
    [
        ({"db.query.text": "texts=['When?']"}, "When?"),
        ({"db.query.text": 'texts=["Who\'s there?"]'}, "Who's there?"),
        ({"db.query.text": "texts=['When?', 'Where?']"}, None),
        ({"db.query.text": "texts=['Wh"}, None),
        ({"db.query.text": "['d-1']"}, None),
        ({"db.query.text": "[0.1, 0.2]"}, None),
        ({"db.query.text": "embeddings=1 vectors"}, None),
        ({"db.query.text": "{'inputs': {'text': 'When?'}, 'top_k': 3}"}, "When?"),
        ({"db.query.text": "SELECT 1"}, None),
        ({"db.vector.query.content": "When?"}, "When?"),
        ({"db.marqo.search.query": "When?"}, "When?"),
    ],
)
def test_only_a_single_text_is_a_query(attributes: dict[str, AttributeValue], query: str | None) -> None:
    assert told(VECTOR_STORES, span("a", attributes=CHROMA | attributes), Role.RETRIEVER).get("query") == query


def test_an_output_attribute_lists_points() -> None:
    output = json.dumps([{"id": "d-1", "score": 0.9, "payload": {"page_content": "Open."}}])
    found = span("a", attributes={"db.system.name": "qdrant", "db.response.output": output})
    assert _documents(found) == (Document("Open.", "d-1", 0.9),)


@pytest.mark.parametrize(
    "attributes",
    [
        CHROMA | {"db.collection.name": "faq"},
        {"db.system": "Qdrant", "db.operation": "search", "qdrant.search.collection_name": "faq"},
        {"db.system": "milvus", "db.operation": "search", "db.milvus.search.collection_name": "faq"},
    ],
)
def test_the_collection_that_was_searched_is_the_knowledge_base(attributes: dict[str, AttributeValue]) -> None:
    assert told(VECTOR_STORES, span("a", attributes=attributes)) == {"knowledge_base": "faq"}


def test_a_table_is_no_knowledge_base() -> None:
    attributes = {"db.system.name": "postgresql", "db.operation.name": "SELECT", "db.collection.name": "users"}
    assert told(VECTOR_STORES, span("a", attributes=attributes)) == {}


def test_a_store_without_hits_leaves_the_contexts_to_the_prompt() -> None:
    request = only(extract(span("root"), span("q", "root", 1, attributes=CHROMA), chat("m", "root", 2)))
    assert (request.question, request.answer, request.contexts_source) == (QUESTION, ANSWER, ContextsSource.PROMPT)
    assert [passage.text for passage in request.contexts] == ["Riders are sixteen or older.\n---\nOpen daily."]


def test_where_only_rows_are_counted_a_prompt_without_frames_is_the_context() -> None:
    store = span(
        "q", "root", 1, attributes=CHROMA | {"db.response.returned_rows": 2, "db.query.text": "texts=['Who?']"}
    )
    text = "The museum is open daily. " * 10
    request = only(extract(span("root"), store, chat("m", "root", 2, prompt=f"{text}\n\nWho?")))
    assert [passage.text for passage in request.contexts] == [text.strip()]
    assert (request.question, request.contexts_source) == ("Who?", ContextsSource.PROMPT)


def test_documents_of_a_tool_count_before_those_without_text() -> None:
    store = span("q", "t", 2, attributes=CHROMA | {"db.response.returned_rows": 1})
    result = json.dumps([{"id": "d-1", "content": "Open daily."}])
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": result}
    request = only(extract(span("root"), span("t", "root", 1, attributes=attributes), store, chat("m", "root", 3)))
    assert [(passage.text, passage.id) for passage in request.contexts] == [("Open daily.", "d-1")]


def test_an_upsert_with_an_embedding_is_no_request() -> None:
    attributes: dict[str, AttributeValue] = {"db.system": "chroma", "db.operation": "upsert"}
    embedding = span("e", "root", 1, attributes={"gen_ai.operation.name": "embeddings"})
    assert extract(span("root"), embedding, span("u", "root", 2, attributes=attributes)).requests == ()
