from __future__ import annotations

import pytest

from monitor.traces.shapes import answer_in, answer_of, query_in, question_in, question_of
from monitor.wire import AttributeValue

Q = "When does it open?"
A = "At ten."


@pytest.mark.parametrize(
    "value",
    [
        Q,
        {"question": Q},
        {"question": Q, "history": [{"role": "user", "content": "Hello"}]},
        {"context": "Open at ten.", "question": Q},
        {"input": Q},
        {"inputs": {"question": Q}},
        {"user_query": Q},
        {"args": [Q], "kwargs": {}},
        {"args": ["u-17", "acme/helpdesk", Q, "en"], "kwargs": {}},
        {"args": [], "kwargs": {"user_query": Q}},
        {"str_or_query_bundle": Q},
        {"query_bundle": {"query_str": Q, "embedding": None}},
        {"data": {"retriever": {"query": Q}, "prompt": {"question": Q}}},
        {"messages": [{"role": "user", "content": Q}]},
        {"messages": [{"type": "human", "data": {"content": Q}}, {"type": "ai", "data": {"content": A}}]},
        [{"role": "user", "content": Q}],
    ],
)
def test_the_question_is_found(value: AttributeValue) -> None:
    assert question_in(value) == Q


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        "  ",
        "<object at 0x7f>",
        [],
        ["x"],
        {},
        {"text": Q},
        {"query": ""},
        {"data": {"retriever": {"query": "one"}, "prompt": {"question": "another"}}},
    ],
)
def test_no_question_is_none(value: AttributeValue) -> None:
    assert question_in(value) is None


@pytest.mark.parametrize(
    "value",
    [
        A,
        {"answer": A},
        {"response": A, "source_nodes": []},
        {"outputs": A, "kwargs": {}},
        {"output": {"answer": A}},
        {"result": {"type": "ai", "data": {"content": A}}},
        {"messages": [{"role": "user", "content": Q}, {"role": "assistant", "content": A}]},
        [{"role": "assistant", "content": A}],
    ],
)
def test_the_answer_is_found(value: AttributeValue) -> None:
    assert answer_in(value) == A


@pytest.mark.parametrize(
    "value",
    [
        None,
        "<generator object>",
        {"response_gen": "<generator object>", "response_txt": None},
        {"llm": {"replies": ["ChatMessage(...)"]}},
        {"messages": [{"role": "assistant", "content": "", "tool_calls": [{}]}]},
        {"role": "user", "content": Q},
        [A],
    ],
)
def test_no_answer_is_none(value: AttributeValue) -> None:
    assert answer_in(value) is None


def test_an_answer_that_is_json_stays_as_it_is() -> None:
    assert answer_in({"answer": '{"open": 10}'}) == '{"open": 10}'


def test_hostile_nesting_ends() -> None:
    deep: AttributeValue = Q
    for _ in range(500):
        deep = {"input": deep, "output": deep}
    assert question_in(deep) is None
    assert answer_in(deep) is None


@pytest.mark.parametrize(
    ("value", "question"),
    [
        ({"args": [{"question": "When?"}], "kwargs": {}}, "When?"),
        ({"args": [{"question": "When?"}, {"question": "Who?"}], "kwargs": {}}, None),
        ({"request": {"question": "When?"}}, "When?"),
        ({"kwargs": {"state": {"messages": [["user", "When?"]]}}}, "When?"),
        ({"body": "When?"}, None),
        ({"user_message": "When?"}, "When?"),
    ],
)
def test_a_question_may_stand_in_what_came_in_as_a_whole(value: AttributeValue, question: str | None) -> None:
    assert question_in(value) == question


@pytest.mark.parametrize(
    ("value", "query"),
    [
        ("When?", "When?"),
        ({"query": "When?", "index": "faq"}, "When?"),
        ({"text": "When?", "k": 3}, "When?"),
        ({"text": "When?", "index": "faq"}, "When?"),
        ({"text": "When?", "style": "short"}, None),
        ({"index": "faq"}, None),
        ({"k": 3}, None),
        (None, None),
    ],
)
def test_a_retrievers_only_text_is_its_query(value: AttributeValue, query: str | None) -> None:
    assert query_in(value) == query


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        ({"question": "When?", "documents": [], "generation": "Now."}, "Now."),
        ({"question": "When?", "text": "Now."}, "Now."),
        ({"answer": "Now.", "text": "x"}, "Now."),
    ],
)
def test_states_and_chains_name_their_answer(value: AttributeValue, answer: str) -> None:
    assert answer_in(value) == answer


@pytest.mark.parametrize("value", [None, [], {}, {"a": 1}, {"a": {"replies": []}}, {"a": {"answers": [1]}}])
def test_a_pipeline_without_a_question_and_an_answer_has_none(value: AttributeValue) -> None:
    assert (question_of(value), answer_of(value)) == (None, None)
