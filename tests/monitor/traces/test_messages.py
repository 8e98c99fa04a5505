from __future__ import annotations

import json

import pytest

from monitor.traces.messages import (
    flat_text,
    last_text,
    read_message,
    read_messages,
    tool_result,
    whole_items,
    whole_text,
)
from monitor.traces.reading import Message
from monitor.wire import AttributeValue


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"role": "user", "parts": [{"type": "text", "content": "Hi"}]}, Message("user", "Hi")),
        ({"role": "user", "content": "Hi"}, Message("user", "Hi")),
        ({"role": "user", "content": '{"a": 1}'}, Message("user", '{"a": 1}')),
        ({"role": "user", "content": [{"type": "text", "text": "Hi"}, {"type": "image_url"}]}, Message("user", "Hi")),
        ({"role": "user", "content": [{"text": "Hi"}]}, Message("user", "Hi")),
        ({"type": "human", "content": "Hi"}, Message("user", "Hi")),
        ({"type": "ai", "data": {"content": "Hi", "type": "ai"}}, Message("assistant", "Hi")),
        ({"lc": 1, "id": ["x", "AIMessage"], "kwargs": {"content": "Hi"}}, Message("assistant", "Hi")),
        (
            {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
            Message("assistant", "", calls_tool=True),
        ),
        (
            {"role": "assistant", "parts": [{"type": "tool_call", "name": "s"}]},
            Message("assistant", "", calls_tool=True),
        ),
        ({"role": "assistant", "content": [{"toolUse": {}}]}, Message("assistant", "", calls_tool=True)),
        (
            {"role": "assistant", "parts": [{"type": "reasoning", "content": "Hm"}, {"type": "text", "content": "Hi"}]},
            Message("assistant", "Hi"),
        ),
        (
            {"role": "user", "parts": [{"type": "tool_call_response", "response": [{"text": "Rain"}]}]},
            Message("user", "", results=("Rain",)),
        ),
        ({"role": "tool", "content": "Rain"}, Message("tool", "", results=("Rain",))),
        (
            {"role": "assistant", "content": [{"type": "tool-call", "toolName": "s"}]},
            Message("assistant", "", calls_tool=True),
        ),
        (
            {"role": "tool", "content": [{"type": "tool-result", "output": {"type": "text", "value": "Rain"}}]},
            Message("tool", "", results=("Rain",)),
        ),
        (
            {"role": "assistant", "content": [{"kind": "thinking", "text": "Hm"}, {"kind": "text", "text": "Hi"}]},
            Message("assistant", "Hi"),
        ),
        ({"role": "assistant", "blocks": [{"block_type": "text", "text": "Hi"}]}, Message("assistant", "Hi")),
    ],
)
def test_every_known_shape_is_read(value: AttributeValue, message: Message) -> None:
    assert read_message(value) == message
    assert read_message(json.dumps(value)) == message


@pytest.mark.parametrize(
    "value", [None, 1, "Hi", [], {}, {"role": 3}, {"type": "Document", "content": "x"}, {"id": []}]
)
def test_what_is_no_message_is_none(value: AttributeValue) -> None:
    assert read_message(value) is None
    assert read_messages(value) is None


def test_lists_may_be_wrapped() -> None:
    one: AttributeValue = {"role": "user", "content": "Hi"}
    assert (
        read_messages([one])
        == read_messages([[one]])
        == read_messages({"messages": [[one]]})
        == (Message("user", "Hi"),)
    )


def test_of_a_cut_list_the_whole_messages_are_read() -> None:
    text = json.dumps([{"role": "system", "content": "Rules"}, {"role": "user", "content": "Which form do I need?"}])
    assert read_messages(text[:-20]) == (Message("system", "Rules"),)
    assert read_messages(text[:20]) is None


def test_whole_items_end_at_the_cut() -> None:
    assert whole_items('[1, "a", {"b": [2]}, {"c') == ["1", "a", {"b": [2]}]
    assert whole_items("[") == []


def test_the_last_message_with_text_counts() -> None:
    asked = [Message("user", "First"), Message("user", "Second"), Message("user", "", results=("Rain",))]
    assert last_text(asked, "user") == "Second"
    assert last_text(asked, "assistant") is None
    assert whole_text(asked) == "First\nSecond\nRain"


def test_flat_text_has_the_texts_without_the_punctuation() -> None:
    assert flat_text([{"id": "d-1", "text": "Open"}, '{"score": 0.5}', None]) == "d-1\nOpen\n0.5"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (["user", "When?"], Message("user", "When?")),
        (["ai", "Now."], Message("assistant", "Now.")),
        (["shop", "When?"], None),
        (["user", "When?", "x"], None),
        ([["user"], "When?"], None),
        ({"type": "function_call", "name": "s"}, Message("assistant", "", calls_tool=True)),
        ({"type": "function_call_output", "output": "Rain."}, Message("tool", results=("Rain.",))),
        ({"role": "model", "parts": [{"thought": True, "text": "Hm"}, {"text": "Now."}]}, Message("assistant", "Now.")),
        (
            {"role": "user", "parts": [{"functionResponse": {"name": "s", "response": "Rain."}}]},
            Message("user", "", results=("Rain.",)),
        ),
        (
            {
                "role": "assistant",
                "blocks": [{"block_type": "thinking", "content": "Hm"}, {"block_type": "text", "text": "Now."}],
            },
            Message("assistant", "Now."),
        ),
        (
            {"role": "assistant", "content": [{"tool_call": {"tool_name": "s"}}]},
            Message("assistant", "", calls_tool=True),
        ),
        (
            {"role": "tool", "content": [{"tool_call_result": {"result": "Rain.", "origin": {"tool_name": "s"}}}]},
            Message("tool", results=("Rain.",)),
        ),
        ({"_role": "user", "_content": [{"text": "When?"}]}, Message("user", "When?")),
    ],
)
def test_pairs_parts_and_items_of_frameworks_are_read(value: AttributeValue, message: Message | None) -> None:
    assert read_message(value) == message


def test_a_single_pair_is_a_message_and_no_batch() -> None:
    assert read_messages({"messages": [["user", "When?"]]}) == (Message("user", "When?"),)
    assert read_messages([[["user", "When?"]]]) == (Message("user", "When?"),)


@pytest.mark.parametrize(
    ("value", "result"),
    [
        (
            [{"role": "tool", "parts": [{"type": "tool_call_response", "response": [{"text": "Rain"}]}]}],
            [{"text": "Rain"}],
        ),
        ([{"role": "user", "parts": [{"type": "text"}, {"type": "tool_call_response", "result": "Rain"}]}], "Rain"),
        ({"content": [{"type": "tool-result", "output": {"type": "json", "value": [1]}}]}, [1]),
        ([{"role": "tool", "parts": [{"type": "tool_call", "arguments": {}}]}], None),
        ([{"role": "tool", "content": "Rain"}], None),
        ("Rain", None),
        (None, None),
    ],
)
def test_a_tools_result_is_kept_as_it_stands(value: AttributeValue, result: AttributeValue) -> None:
    assert tool_result(value) == result
    assert tool_result(json.dumps(value)) == result
