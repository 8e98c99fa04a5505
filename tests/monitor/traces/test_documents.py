from __future__ import annotations

import json

import pytest

from monitor.traces.documents import (
    hands_documents,
    is_repr,
    read_documents,
    read_result,
    read_retrieved,
)
from monitor.traces.reading import Document
from monitor.wire import AttributeValue

LANGCHAIN = {
    "lc": 1,
    "id": ["langchain", "schema", "document", "Document"],
    "kwargs": {"id": "d-1", "page_content": "Open daily.", "metadata": {"score": 0.4, "relevance_score": 0.9}},
}


@pytest.mark.parametrize(
    ("value", "document"),
    [
        ([{"id": "d-1", "content": "Open daily.", "score": 0.5}], Document("Open daily.", "d-1", 0.5)),
        ([{"doc_id": 7, "text": "Open daily.", "similarity": "0.5"}], Document("Open daily.", "7", 0.5)),
        ({"documents": [{"page_content": "Open daily."}]}, Document("Open daily.")),
        (
            {"hits": {"hits": [{"_id": "d-1", "_score": 2, "_source": {"body": "Open."}}]}},
            Document("Open.", "d-1", 2.0),
        ),
        ([LANGCHAIN], Document("Open daily.", "d-1", 0.9)),
        (
            [{"text": "Open.", "metadata": {"title": "FAQ", "source": "kb/faq.md"}}],
            Document("Open.", source="kb/faq.md"),
        ),
        (
            [{"text": "Open.", "metadata": '{"file_name": " faq.md ", "source": ""}'}],
            Document("Open.", source="faq.md"),
        ),
        ([{"text": "Open.", "metadata": {"source": {"url": "x"}, "url": "a" * 2000}}], Document("Open.")),
        ([json.dumps({"node": {"id_": "d-1", "text": "Open."}, "score": 0.1})], Document("Open.", "d-1", 0.1)),
        ({"matches": [{"id": "d-1", "score": 0.3, "metadata": {}}]}, Document(None, "d-1", 0.3)),
        ({"ids": [["d-1"]], "documents": [["Open daily."]]}, Document("Open daily.", "d-1")),
        ({"matches": [{"id": "d-1", "score": 0.3, "metadata": {"text": "Open."}}]}, Document("Open.", "d-1", 0.3)),
        ({"context": ["Open daily."], "question": "When?"}, Document("Open daily.")),
        ([{"content": "Open daily.", "distance": 0.2}], Document("Open daily.")),
        ([{"document": {"content": "Open."}, "score": 1}], Document("Open.", None, 1.0)),
    ],
)
def test_every_known_shape_is_read(value: AttributeValue, document: Document) -> None:
    assert read_documents(value) == (document,)
    assert read_documents(json.dumps(value)) == (document,)


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        "Open daily.",
        {"answer": "Open daily."},
        ["When does it open?"],
        [{"role": "user", "content": "When?"}],
        [{"type": "human", "content": "When?"}],
        [{"type": "ai", "data": {"content": "Daily."}}],
        [{"lc": 1, "id": ["langchain", "schema", "messages", "AIMessage"], "kwargs": {"content": "Daily."}}],
        [{"date": "2026-01-01", "temperature": 3}],
        {"documents": ["Document(id=d-1, content: 'Open')"]},
        ["<NodeWithScore(node=TextNode(id_=d-1))>"],
        [{"type": ["x"], "id": {}}],
    ],
)
def test_what_lists_no_documents_is_none(value: AttributeValue) -> None:
    assert read_documents(value) is None


def test_an_empty_list_is_an_empty_result() -> None:
    assert read_documents("[]") == read_documents({"documents": []}) == read_documents({"results": "[]"}) == ()


def test_only_a_lenient_reader_counts_objects_without_text_and_id() -> None:
    """Something was retrieved: that is not an empty result."""
    assert read_documents([{"id": None, "score": None}, {"id": "d-1"}], lenient=True) == (
        Document(),
        Document(None, "d-1"),
    )
    assert read_documents([{}, {"id": "d-1"}]) is None


@pytest.mark.parametrize(
    ("value", "documents", "text"),
    [
        ("397.8", None, "397.8"),
        ({"rain": "no"}, None, "no"),
        ([{"id": "d-1", "text": "Open."}], (Document("Open.", "d-1"),), None),
        ([{"type": "text", "text": "397.8"}], None, "397.8"),
        (
            {"content": [{"type": "text", "text": '[{"id": "d-1", "text": "Open."}]'}]},
            (Document("Open.", "d-1"),),
            None,
        ),
        ([{"toolResult": {"content": [{"text": "Rain."}]}}], None, "Rain."),
        ([{"text": "[{'id': 'd-1', 'text': 'Open.'}]"}], (Document("Open.", "d-1"),), None),
        ([{"json": {"results": [{"id": "d-1", "text": "Open."}]}}], (Document("Open.", "d-1"),), None),
        ([{"text": "[1] Open. [2] Rain."}], None, "[1] Open. [2] Rain."),
        ("[]", (), None),
        (None, None, None),
    ],
)
def test_a_tools_result_is_documents_or_text(value: AttributeValue, documents: object, text: str | None) -> None:
    assert read_result(value) == (documents, text)


def test_a_passage_is_named_by_its_own_id_before_its_documents() -> None:
    held: AttributeValue = {"content": "Open.", "metadata": {"document_id": "d-1", "segment_id": "s-7"}}
    assert read_documents([held]) == (Document("Open.", "s-7"),)


@pytest.mark.parametrize("text", ["<generator object>", " <x at 0x7f> ", "Document(id=d-1, content: 'x')"])
def test_printed_objects_are_recognised(text: str) -> None:
    assert is_repr(text)


@pytest.mark.parametrize(
    "text",
    [
        "Open (daily).",
        "a < b",
        "<b>Open</b> daily.",
        "<answer>Open.</answer>",
        "<doc id='1'>\nOpen.\n</doc>",
        "Fees (2026=new)",
    ],
)
def test_prose_is_no_printed_object(text: str) -> None:
    assert not is_repr(text)


@pytest.mark.parametrize(
    ("value", "documents"),
    [
        (["Open.", "Shut."], (Document("Open."), Document("Shut."))),
        ([[{"page_content": "Open."}, 0.3]], (Document("Open."),)),
        ("Open.\nShut.", (Document("Open.\nShut."),)),
        ({"output": [{"page_content": "Open."}]}, (Document("Open."),)),
        ({"output": []}, ()),
        ([], ()),
        (["<Node 1>"], None),
        ("<Node 1>", None),
        ([1, 2], None),
        ({"count": 3}, None),
        (None, None),
    ],
)
def test_a_retriever_may_return_texts_and_pairs(value: AttributeValue, documents: tuple[Document, ...] | None) -> None:
    assert read_retrieved(value) == documents


@pytest.mark.parametrize(
    ("value", "handed"),
    [
        ({"args": ["When?", [{"id": "d-1", "text": "Open."}]], "kwargs": {}}, True),
        ({"query": "When?", "documents": [{"content": "Open."}]}, True),
        ({"query": "When?", "documents": []}, False),
        ({"args": ["When?"], "kwargs": {"k": 3}}, False),
        ("When?", False),
    ],
)
def test_an_input_with_documents_is_told_from_a_query(value: AttributeValue, handed: bool) -> None:  # noqa: FBT001 - the expectation
    assert hands_documents(value) is handed


def test_a_tools_message_is_read_without_its_frame() -> None:
    message: dict[str, AttributeValue] = {"type": "tool", "name": "s", "content": "Rain.", "tool_call_id": "1"}
    assert read_result(message) == (None, "Rain.")
    documents, text = read_result({**message, "content": '[{"id": "d-1", "text": "Open."}]'})
    assert (documents, text) == ((Document("Open.", "d-1"),), None)


@pytest.mark.parametrize(
    "text", ["content='Now.' additional_kwargs={} id='run-1'", 'page_content="Open." metadata={}', "id_='d-1' text='x'"]
)
def test_printed_models_of_data_are_no_text(text: str) -> None:
    assert is_repr(text)
    assert read_retrieved([text]) is None


ARTIFACT: dict[str, object] = {"content": "Open.\n\nShut.", "artifact": [{"id": "d-1", "page_content": "Open."}]}


@pytest.mark.parametrize(
    "message",
    [
        {"type": "tool"} | ARTIFACT,
        {"type": "tool", "data": ARTIFACT},
        {"lc": 1, "id": ["langchain", "schema", "messages", "ToolMessage"], "kwargs": ARTIFACT},
    ],
)
def test_a_tools_artifact_has_the_documents_of_its_text(message: AttributeValue) -> None:
    """LangChain's `content_and_artifact`: the model sees the text, the application the documents."""
    assert read_result(message) == ((Document("Open.", "d-1"),), None)


def test_an_artifact_without_documents_leaves_the_text() -> None:
    assert read_result({"type": "tool", "content": "Rain.", "artifact": [{"rows": 3}]}) == (None, "Rain.")


@pytest.mark.parametrize(
    "item",
    [
        {"Id": "d-1", "Text": "Open daily.", "Score": 0.5},
        {"id": "d-1", "Content": "Open daily.", "score": 0.5},
        {"DocumentId": "d-1", "textContent": "Open daily.", "score": 0.5},
        {"id": "d-1", "text_content": "Open daily.", "score": 0.5},
        {"id": "d-1", "raw_text": "Open daily.", "score": 0.5},
        {"id": "d-1", "contents": "Open daily.", "score": 0.5},
        {"id": "d-1", "excerpt": "Open daily.", "score": 0.5},
        {"Record": {"Id": "d-1", "Text": "Open daily."}, "Score": 0.5},
    ],
)
def test_keys_are_known_in_any_case(item: AttributeValue) -> None:
    assert read_documents([item]) == (Document("Open daily.", "d-1", 0.5),)


def test_a_value_beside_a_link_is_what_a_search_found() -> None:
    """Semantic Kernel's result of a text search."""
    results: AttributeValue = [{"Name": "a", "Link": "https://a.example", "Value": "Riders are sixteen or older."}]
    assert read_documents(results) == (Document("Riders are sixteen or older.", source="https://a.example"),)


@pytest.mark.parametrize(
    "items",
    [
        [{"name": "accept", "value": "application/json, text/plain; charset=utf-8"}],
        [{"Role": "user", "Content": "Who may ride a bike here?"}],
        [{"id": 1, "value": "short"}, {"value": "short"}],
    ],
)
def test_names_with_values_and_messages_of_net_are_no_documents(items: AttributeValue) -> None:
    assert read_documents(items) is None
