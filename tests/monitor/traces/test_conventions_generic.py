from __future__ import annotations

import pytest

from monitor.traces.conventions.generic import Generic
from monitor.traces.reading import Content, Document, Facts, Role, first_of
from monitor.wire import AttributeValue, SpanEvent
from tests.monitor.traces.spans import span

READ = Generic()


def _hit(number: int) -> SpanEvent:
    attributes: dict[str, AttributeValue] = {
        "db.query.result.id": f"d-{number}",
        "db.query.result.document": "Open.",
        "db.query.result.distance": 1,
    }
    return SpanEvent("db.query.result", number, attributes)


@pytest.mark.parametrize(
    ("attributes", "role"),
    [
        ({"db.system": "chroma", "db.operation": "query"}, Role.RETRIEVER),
        ({"db.system.name": "Qdrant", "db.operation.name": "SEARCH"}, Role.RETRIEVER),
        ({"db.system.name": "chroma", "db.operation.name": "add"}, None),
        ({"db.system.name": "postgresql", "db.operation.name": "SELECT"}, None),
        ({"rag.question": "When?", "rag.answer": "Now."}, Role.CHAIN),
        ({"question": "When?"}, None),
        ({"documents": '[{"text": "Open."}]'}, Role.RETRIEVER),
        ({"documents": "three"}, None),
    ],
)
def test_plain_signs_give_the_role(attributes: dict[str, AttributeValue], role: Role | None) -> None:
    assert READ.role(span("a", attributes=attributes)) is role


def test_a_vector_stores_hits_are_documents_without_its_distances() -> None:
    found = span("a", attributes={"db.chroma.query.n_results": 2}, events=(_hit(1), _hit(2)))
    assert READ.content(found, Role.RETRIEVER).documents == (Document("Open.", "d-1"), Document("Open.", "d-2"))


def test_a_single_hit_of_several_wanted_is_not_the_result() -> None:
    """Old instrumentations record the first hit only."""
    found = span("a", attributes={"db.chroma.query.n_results": 2}, events=(_hit(1),))
    assert READ.content(found, Role.RETRIEVER).documents is None


def test_hand_written_names_are_read() -> None:
    attributes: dict[str, AttributeValue] = {"question": "When?", "answer": "Now.", "contexts": [{"text": "Open."}]}
    assert READ.content(span("a", attributes=attributes), Role.CHAIN) == Content(
        question="When?", answer="Now.", documents=(Document("Open."),)
    )


def test_the_first_convention_that_says_something_counts() -> None:
    assert first_of(Facts(), [Facts(model="a"), Facts(model="b", user_id="u")]) == Facts(model="a", user_id="u")
    assert first_of(Content(), [Content(documents=()), Content(documents=(Document("x"),))]) == Content(documents=())
