from __future__ import annotations

import pytest

from monitor.traces.shapes import answer_in, question_in
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
