from __future__ import annotations

from monitor.traces.reading import Document
from monitor.traces.twins import distinct, enriched, with_texts


def test_missing_ids_come_from_the_same_text_and_missing_texts_from_the_same_id() -> None:
    known = [Document("a", "1", 0.5), Document("b", "2")]
    assert enriched([Document("b"), Document("c"), Document("a", "9")], known) == (
        Document("b", "2"),
        Document("c"),
        Document("a", "9", 0.5),
    )
    assert with_texts([Document(None, "2"), Document(None, "3"), Document("x", "1")], known) == (
        Document("b", "2"),
        Document(None, "3"),
        Document("x", "1"),
    )


def test_the_first_of_equal_documents_is_kept() -> None:
    documents = [Document("a", "1"), Document("b"), Document("a", "2"), Document("a c", "1"), Document("b", "3")]
    assert distinct(documents) == (Document("a", "1"), Document("b"))
    assert distinct([Document(None, "1"), Document(None, "2")]) == (Document(None, "1"), Document(None, "2"))


def test_passages_of_one_document_are_kept_though_they_have_its_id() -> None:
    passages = (Document("a", "1"), Document("b", "1"))
    assert distinct([*passages, Document(None, "1")]) == passages
    assert with_texts([Document(None, "1")], passages) == (Document(None, "1"),)


def test_a_document_keeps_its_source_when_it_is_joined_with_others() -> None:
    lists = ([Document("Open.", "d-1")], [Document("Open.", score=0.5, source="faq.md")])
    assert enriched(*lists) == (Document("Open.", "d-1", 0.5, "faq.md"),)
    assert with_texts([Document(None, "d-1", source="faq.md")], lists[0]) == (Document("Open.", "d-1", None, "faq.md"),)
