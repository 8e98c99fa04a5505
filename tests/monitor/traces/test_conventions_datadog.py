"""Datadog: the packed event of a span, and the older tags."""

from __future__ import annotations

import base64
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.traces.conventions.datadog import DATADOG
from monitor.traces.reading import Document, Role
from monitor.wire import AttributeValue, Span
from tests.monitor.traces.library_spans import FILLED, LISTED, RIGHT, dropped, one
from tests.monitor.traces.library_spans import told as request_told
from tests.monitor.traces.spans import ANSWER, QUESTION, span, told

WORKFLOW = {"span": {"kind": "workflow"}, "input": {"value": QUESTION}, "output": {"value": ANSWER}}
RETRIEVAL = {"span": {"kind": "retrieval"}, "input": {"value": QUESTION}, "output": {"documents": LISTED}}
CALL = {
    "span": {"kind": "llm"},
    "model_name": "chat-1-2026",
    "input": {"messages": [{"role": "user", "content": FILLED}], "prompt": {"id": "desk", "version": "2"}},
    "output": {"messages": [{"role": "assistant", "content": ANSWER}]},
}


def _observed(span_id: str, parent: str, at: int, meta: dict[str, Any], **more: Any) -> Span:  # noqa: ANN401 - any member
    event = {"name": span_id, "meta": meta, **more}
    attributes: dict[str, AttributeValue] = {"_llmobs": msgspec.msgpack.encode(event), "gen_ai.operation.name": "llm"}
    return span(span_id, parent, at, attributes=attributes | {"openai.request.model": "chat-1"})


def test_a_request() -> None:
    spans = (
        _observed("r", "", 0, WORKFLOW, session_id="s-1", tags={"user_id": "u-1"}),
        _observed("k", "r", 1, RETRIEVAL),
        _observed("m", "r", 2, CALL, metrics={"input_tokens": 10, "output_tokens": 3}),
    )
    request = one(*spans)
    assert request_told(request) == RIGHT
    assert (request.response_model, request.input_tokens, request.prompt_version) == ("chat-1-2026", 10, "desk:2")
    assert (request.session_id, request.user_id, request.convention) == ("s-1", "u-1", "datadog")


def test_a_call_without_a_workflow_is_a_chat() -> None:
    chat = {**CALL, "input": {"messages": [{"role": "user", "content": "Hello."}]}}
    assert dropped(_observed("m", "", 0, chat)) == {"plain_chat": 1}


def test_documents_are_named_by_their_source() -> None:
    found = {**RETRIEVAL, "output": {"documents": [{"id": "d-1", "text": "Open.", "name": "hours.md", "score": 0.5}]}}
    read = told(DATADOG, _observed("k", "", 0, found), Role.RETRIEVER)
    assert read == {"query": QUESTION, "documents": (Document("Open.", "d-1", 0.5, "hours.md"),)}


@pytest.mark.parametrize(
    ("note", "documents"), [("[0 document(s) retrieved]", ()), ("[2 document(s) retrieved]", None)]
)
def test_a_note_of_how_many_were_found(note: str, documents: tuple[Document, ...] | None) -> None:
    found = {**RETRIEVAL, "output": {"value": note}}
    assert told(DATADOG, _observed("k", "", 0, found), Role.RETRIEVER).get("documents") == documents


def test_an_object_that_was_not_written_is_no_answer() -> None:
    unwritten = {**WORKFLOW, "output": {"value": "Can not serialize [TextAccessor] object"}}
    spans = (_observed("r", "", 0, unwritten), _observed("k", "r", 1, RETRIEVAL), _observed("m", "r", 2, CALL))
    assert request_told(one(*spans)) == RIGHT


def test_what_was_filled_into_the_prompt() -> None:
    asked = {**CALL["input"], "prompt": {"id": "made.up", "variables": {"question": QUESTION, "top": 3}}}  # type: ignore[dict-item]
    call = _observed("m", "", 0, {**CALL, "input": asked})
    assert told(DATADOG, call, Role.MODEL)["variables"] == {"question": QUESTION}
    assert "prompt_version" not in told(DATADOG, call)


def test_bytes_that_an_encoding_wrote_as_text() -> None:
    """Zipkin has text only."""
    packed = base64.b64encode(msgspec.msgpack.encode({"meta": WORKFLOW})).decode()
    read = told(DATADOG, span("r", attributes={"_llmobs": packed}), Role.CHAIN)
    assert (read["question"], read["answer"]) == (QUESTION, ANSWER)


def test_older_tags() -> None:
    tags: dict[str, AttributeValue] = {
        "_ml_obs.meta.span.kind": "llm",
        "_ml_obs.meta.input.messages": json.dumps(CALL["input"]["messages"]),  # type: ignore[index]
        "_ml_obs.meta.output.messages": json.dumps([{"role": "assistant", "content": ANSWER}]),
        "_ml_obs.metrics": json.dumps({"input_tokens": 10}),
        "_ml_obs.session_id": "s-1",
    }
    old = span("m", attributes=tags)
    assert DATADOG.role(old) is Role.MODEL
    assert told(DATADOG, old) == {"input_tokens": 10, "session_id": "s-1"}


@pytest.mark.parametrize("kind", ["retrieval", "workflow", "task", "agent"])
def test_a_function_that_returned_documents_is_a_retriever(kind: str) -> None:
    found = {"span": {"kind": kind}, "input": {"value": QUESTION}, "output": {"value": json.dumps(LISTED)}}
    assert DATADOG.role(_observed("k", "", 0, found)) is Role.RETRIEVER


@given(st.one_of(st.binary(max_size=200), st.text(max_size=50), st.integers(), st.lists(st.integers())))
def test_what_does_not_unpack_says_nothing(value: AttributeValue) -> None:
    odd = span("r", attributes={"_llmobs": value})
    assert DATADOG.role(odd) is None
    assert told(DATADOG, odd, Role.CHAIN) == {}


@given(st.recursive(st.one_of(st.none(), st.binary(), st.floats(), st.text(), st.dates()), st.lists, max_leaves=8))
def test_members_that_json_has_no_word_for_are_left_out(member: object) -> None:
    """A question beside them is still read."""
    packed = msgspec.msgpack.encode({"meta": {**WORKFLOW, "metadata": member, "output": {"value": member}}})
    assert told(DATADOG, span("r", attributes={"_llmobs": packed}), Role.CHAIN)["question"] == QUESTION


def test_a_bomb_of_nested_lists_says_nothing() -> None:
    bomb = b"\x81\xa4meta" + b"\x91" * 100_000 + b"\xc0"
    assert DATADOG.role(span("r", attributes={"_llmobs": bomb})) is None
