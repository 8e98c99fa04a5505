from __future__ import annotations

import pytest

from monitor.traces.conventions.generic import GENERIC
from monitor.traces.reading import DOCUMENTS, QUERY, Document, Role
from monitor.traces.tree import Node
from monitor.wire import AttributeValue
from tests.monitor.traces.spans import chat, extract, only, span, told


@pytest.mark.parametrize(
    ("attributes", "role"),
    [
        ({"rag.question": "When?", "rag.answer": "Now."}, Role.CHAIN),
        ({"question": "When?"}, None),
        ({"documents": '[{"text": "Open."}]'}, Role.RETRIEVER),
        ({"documents": "three"}, None),
    ],
)
def test_plain_signs_give_the_role(attributes: dict[str, AttributeValue], role: Role | None) -> None:
    assert GENERIC.role(span("a", attributes=attributes)) is role


def test_hand_written_names_are_read() -> None:
    attributes: dict[str, AttributeValue] = {"question": "When?", "answer": "Now.", "contexts": [{"text": "Open."}]}
    assert told(GENERIC, span("a", attributes=attributes), Role.CHAIN) == {
        "question": "When?",
        "answer": "Now.",
        "documents": (Document("Open."),),
    }


SEARCH: dict[str, AttributeValue] = {
    "search.query": "When?",
    "search.results": '[{"id": "d-1", "text": "Open daily."}]',
    "app.response": "One page was found.",
}


def test_a_search_that_says_what_it_found_and_sent_is_no_request() -> None:
    assert dict(extract(span("a", attributes=SEARCH)).dropped) == {"no_request": 1}


def test_what_a_search_found_is_evidence_where_a_model_was_given_it() -> None:
    request = only(extract(span("a", attributes=SEARCH), chat("b", "a", prompt="Open daily. When?")))
    assert [passage.text for passage in request.contexts] == ["Open daily."]


@pytest.mark.parametrize("name", ["question", "answer"])
def test_one_name_that_only_an_answering_service_has_makes_a_request(name: str) -> None:
    known = {"question": "search.query", "answer": "app.response"}[name]
    attributes = {f"app.{name}" if key == known else key: value for key, value in SEARCH.items()}
    request = only(extract(span("a", attributes=attributes)))
    assert (request.question, request.answer) == ("When?", "One page was found.")
    assert [passage.id for passage in request.contexts] == ["d-1"]


@pytest.mark.parametrize(
    ("attributes", "question"),
    [
        ({"input": '{"question": "When?", "history": []}', "output": "Now."}, "When?"),
        ({"input": '{"data": {"retriever": {"query": "When?"}}}', "output": "Now."}, "When?"),
        ({"input": '{"top_k": 3}', "output": "Now."}, None),
        ({"question": '{"top_k": 3}', "query": "When?", "answer": "Now."}, "When?"),
        ({"input": "{not JSON}", "output": "Now."}, "{not JSON}"),
    ],
)
def test_an_object_is_no_question_but_may_hold_one(attributes: dict[str, AttributeValue], question: str | None) -> None:
    assert told(GENERIC, span("a", attributes=attributes), Role.CHAIN).get("question") == question


def test_an_object_is_no_answer_but_may_hold_one() -> None:
    reply = '{"messages": [{"type": "human", "content": "When?"}, {"type": "ai", "content": "Now."}]}'
    asked = span("a", attributes={"question": "When?", "output": reply})
    assert told(GENERIC, asked, Role.CHAIN)["answer"] == "Now."


def test_the_first_convention_that_says_something_counts() -> None:
    asked = span("a", attributes={"gen_ai.operation.name": "retrieval", "documents": [{"text": "x"}], "question": "q"})
    both = span(
        "a", attributes={**asked.attributes, "gen_ai.retrieval.documents": [], "gen_ai.retrieval.query.text": "r"}
    )
    found = Node(both).find(DOCUMENTS)
    assert found is not None
    assert (found.value, found.where, found.convention) == ((), "gen_ai.retrieval.documents", "otel_genai")
    assert Node(both).get(QUERY) == "r"
    assert Node(asked).get(QUERY) == "q"
