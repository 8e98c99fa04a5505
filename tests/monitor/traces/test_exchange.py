from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.traces.exchange import Answering, read_answering, read_prompt, read_reply
from monitor.traces.reading import Message
from monitor.wire import AttributeValue

ASKED = Message("user", "When?")
SYSTEM = Message("system", "Be brief.")
SAID = Message("assistant", "Now.")
CALLS = Message("assistant", "", calls_tool=True)
LANGCHAIN_REPLY = {
    "lc": 1,
    "type": "constructor",
    "id": ["langchain", "schema", "messages", "AIMessage"],
    "kwargs": {"content": "Now.", "response_metadata": {"model_name": "m-1", "id": "r-1"}, "tool_calls": []},
}


@pytest.mark.parametrize(
    ("value", "messages"),
    [
        ("When?", (ASKED,)),
        ('{"messages": [{"role": "user", "content": "When?"}], "model": "m"}', (ASKED,)),
        ({"messages": [[{"role": "user", "content": "When?"}]]}, (ASKED,)),
        ({"messages": [["system", "Be brief."], ["human", "When?"]]}, (SYSTEM, ASKED)),
        ({"input": "When?", "instructions": "Be brief.", "model": "m"}, (SYSTEM, ASKED)),
        ({"input": [{"role": "user", "content": [{"type": "input_text", "text": "When?"}]}]}, (ASKED,)),
        ({"system": [{"type": "text", "text": "Be brief."}], "messages": [["user", "When?"]]}, (SYSTEM, ASKED)),
        (
            {
                "contents": [{"role": "user", "parts": [{"text": "When?"}]}],
                "config": {"system_instruction": "Be brief."},
            },
            (SYSTEM, ASKED),
        ),
        ({"prompts": ["When?"]}, (ASKED,)),
        ({"prompt": None, "messages": [{"role": "user", "content": "When?"}]}, (ASKED,)),
        ({"messages": [{"role": "user", "blocks": [{"block_type": "text", "text": "When?"}]}]}, (ASKED,)),
        ({"prompt": {"template": "x", "kwargs": {}}}, None),
        ({"temperature": 0}, None),
        ("<generator object>", None),
        (" ", None),
        (None, None),
    ],
)
def test_a_prompt_is_read_in_the_shapes_of_clients(value: AttributeValue, messages: tuple[Message, ...] | None) -> None:
    assert read_prompt(value) == messages


@pytest.mark.parametrize(
    ("value", "reply"),
    [
        ("Now.", SAID),
        ({"role": "assistant", "content": "Now."}, SAID),
        ({"choices": [{"message": {"role": "assistant", "content": "Now."}}, {"message": {"content": "x"}}]}, SAID),
        ({"choices": [{"text": "Now."}]}, SAID),
        ({"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}}]}, CALLS),
        ({"generations": [[{"text": "Now.", "message": LANGCHAIN_REPLY}]]}, SAID),
        ({"generations": [[{"text": "Now.", "type": "Generation"}]]}, SAID),
        (
            {
                "output": [
                    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Now."}]}
                ]
            },
            SAID,
        ),
        (
            {
                "output": [
                    {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "Hm."}]},
                    {"type": "function_call", "name": "s", "arguments": "{}"},
                ]
            },
            CALLS,
        ),
        (
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "thinking"}, {"type": "text", "text": "Now."}],
            },
            SAID,
        ),
        (
            {
                "candidates": [
                    {"content": {"role": "model", "parts": [{"text": "Hm", "thought": True}, {"text": "Now."}]}}
                ]
            },
            SAID,
        ),
        ({"output": {"message": {"role": "assistant", "content": [{"text": "Now."}]}}, "stopReason": "end_turn"}, SAID),
        ({"message": {"role": "assistant", "blocks": [{"block_type": "text", "text": "Now."}]}, "raw": None}, SAID),
        ({"text": "Now.", "raw": {}}, SAID),
        (["Now."], SAID),
        ({"replies": ["Now."], "meta": [{}]}, SAID),
        ({"replies": [{"role": "assistant", "content": [{"text": "Now."}]}]}, SAID),
        ({"replies": [{"_role": "assistant", "_content": [{"text": "Now."}]}]}, SAID),
        ({"replies": [{"role": "assistant", "content": [{"tool_call": {"tool_name": "s"}}]}]}, CALLS),
        (["No", "w."], None),
        ({"role": "user", "content": "When?"}, None),
        ({"embedding": [0.1]}, None),
        ("<Stream object>", None),
        ({}, None),
        (None, None),
    ],
)
def test_a_reply_is_read_in_the_shapes_of_clients(value: AttributeValue, reply: Message | None) -> None:
    assert read_reply(value) == reply
    if isinstance(value, list | dict):
        assert read_reply(json.dumps(value)) == reply


@pytest.mark.parametrize(
    ("value", "answering"),
    [
        ({"id": "r-1", "model": "m-1", "choices": []}, Answering("m-1", "r-1")),
        ({"generations": [[{"text": "Now.", "message": LANGCHAIN_REPLY}]]}, Answering("m-1", "r-1")),
        ({"message": {"role": "assistant"}, "raw": {"id": "r-1", "model": "m-1"}}, Answering("m-1", "r-1")),
        ({"replies": [{"role": "assistant", "meta": {"model": "m-1"}}]}, Answering("m-1", None)),
        ({"replies": ["Now."], "meta": [{"model": "m-1"}]}, Answering("m-1", None)),
        ("Now.", Answering()),
        ([], Answering()),
        (None, Answering()),
    ],
)
def test_who_answered_is_read_where_the_service_named_itself(value: AttributeValue, answering: Answering) -> None:
    assert read_answering(value) == answering


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "messages",
                        "role",
                        "content",
                        "type",
                        "choices",
                        "generations",
                        "output",
                        "parts",
                        "id",
                        "message",
                    ]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=20,
    )
)
def test_any_value_is_read_or_refused(value: AttributeValue) -> None:
    read_prompt(value)
    read_reply(value)
    assert isinstance(read_answering(value), Answering)
