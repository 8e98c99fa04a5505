from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest

from monitor.wire import AttributeValue, Span
from tests.monitor.traces.spans import DOCUMENTS, chat, extract, is_hidden, messages, only, retrieval, span, workflow


def _with(root: Span, **attributes: AttributeValue) -> Span:
    return replace(
        root, attributes=dict(root.attributes) | {key.replace("__", "."): v for key, v in attributes.items()}
    )


def _truncated(*spans: Span) -> bool:
    return only(extract(*spans)).truncated


def test_a_whole_request_is_not_truncated() -> None:
    assert not _truncated(workflow("a"), retrieval("b", "a"), chat("c", "a"))


def test_json_that_breaks_off_was_cut() -> None:
    cut = json.dumps([{"id": "d-1", "content": "Open daily from ten."}])[:-6]
    assert _truncated(workflow("a"), _with(retrieval("b", "a"), gen_ai__retrieval__documents=cut))


@pytest.mark.parametrize("old", [",", ":", "}]"])
def test_json_that_does_not_parse_any_more_is_damaged(old: str) -> None:
    broken = json.dumps([{"id": "d-1", "content": "Open daily from ten."}]).replace(old, "\\q", 1) + "]"
    assert _truncated(workflow("a"), _with(retrieval("b", "a"), gen_ai__retrieval__documents=broken))


def test_a_users_own_text_that_breaks_off_like_json_was_not_cut() -> None:
    """Or anybody could keep their requests from being judged."""
    root = span("a", attributes={"openinference.span.kind": "CHAIN", "input.value": '{"a": [', "output.value": "What?"})
    assert not _truncated(root, retrieval("b", "a"))
    assert only(extract(root, retrieval("b", "a"))).question == '{"a": ['


@pytest.mark.parametrize(("role", "expected"), [("retrieval", True), ("embeddings", False)])
def test_dropped_attributes_count_on_spans_with_content(role: str, expected: bool) -> None:  # noqa: FBT001 - a table
    dropped = span("x", "a", attributes={"gen_ai.operation.name": role}, dropped_attributes=1)
    assert _truncated(workflow("a"), retrieval("b", "a"), dropped) is expected


def test_a_span_may_have_lost_what_it_was() -> None:
    assert _truncated(workflow("a"), retrieval("b", "a"), span("x", "a", dropped_attributes=1))


@pytest.mark.parametrize(
    ("endings", "length", "expected"),
    [
        (["word", "wor"], 777, True),
        (["word", "end."], 777, False),
        (["word"], 777, False),
        (["word"], 1024, True),
        (["end."], 1024, False),
        (["end.", "stop?", "so:"], 777, True),
    ],
)
def test_texts_of_the_greatest_length_that_break_off_were_cut(
    endings: list[str],
    length: int,
    expected: bool,  # noqa: FBT001 - a table
) -> None:
    texts = {f"gen_ai.prompt.variable.{n}": ending.rjust(length, "x") for n, ending in enumerate(endings)}
    base = chat("c", "a")
    assert _truncated(workflow("a"), replace(base, attributes=dict(base.attributes) | texts)) is expected


def test_many_different_texts_of_the_greatest_length_were_cut() -> None:
    texts = {f"gen_ai.prompt.variable.{n}": str(n) * 4000 for n in range(3)}
    base = chat("c", "a")
    assert _truncated(workflow("a"), retrieval("b", "a"), replace(base, attributes=dict(base.attributes) | texts))
    same = {f"gen_ai.prompt.variable.{n}": "x" * 4001 for n in range(3)}
    assert not _truncated(workflow("a"), retrieval("b", "a"), replace(base, attributes=dict(base.attributes) | same))


def test_one_hidden_value_hides_the_whole_trace() -> None:
    hidden = span("p", "a", attributes={"openinference.span.kind": "PROMPT", "input.value": "__REDACTED__"})
    request = only(extract(workflow("a"), retrieval("b", "a"), chat("c", "a"), hidden))
    assert (request.redacted, request.question, request.answer, request.contexts) == (True, None, None, ())


_MARKS = ("[REDACTED]", "***", "****", "HIDDEN:non-empty", "[Scrubbed due to 'password']", "[CONTENT REDACTED]")
"""What an application, a Collector, Koog and Logfire write in place of a value."""


@pytest.mark.parametrize("mark", _MARKS)
@pytest.mark.parametrize(
    "attributes",
    [
        {"openinference.span.kind": "CHAIN", "input.value": "MARK"},
        {"openinference.span.kind": "CHAIN", "output.value": "MARK"},
        {"openinference.span.kind": "RETRIEVER", "retrieval.documents.0.document.content": "MARK"},
        {"openinference.span.kind": "LLM", "llm.input_messages.0.message.content": "MARK"},
        {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.documents": "MARK"},
        {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.documents": [{"id": "d-1", "content": "MARK"}]},
        {"gen_ai.operation.name": "chat", "gen_ai.input.messages": "MARK"},
        {"gen_ai.operation.name": "chat", "gen_ai.output.messages": messages("assistant", "MARK")},
        {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.result": "MARK"},
        {"traceloop.span.kind": "workflow", "traceloop.entity.input": "MARK"},
        {"traceloop.span.kind": "workflow", "traceloop.entity.output": json.dumps({"outputs": "MARK"})},
        {"llm.request.type": "chat", "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "MARK"},
        {"ai.operationId": "ai.generateText", "ai.model.id": "m", "ai.response.text": "MARK"},
        {"mlflow.spanType": '"CHAIN"', "mlflow.spanInputs": json.dumps({"question": "MARK"})},
    ],
)
def test_a_mark_in_place_of_a_text_hides_whoever_wrote_the_span(
    attributes: Mapping[str, AttributeValue], mark: str
) -> None:
    held = {key: json.loads(json.dumps(value).replace("MARK", mark)) for key, value in attributes.items()}
    longer = {key: json.loads(json.dumps(value).replace("MARK", f"Ask {mark}.")) for key, value in attributes.items()}
    assert is_hidden(span("a", attributes=held))
    assert not is_hidden(span("a", attributes=longer))


def test_a_mark_in_a_place_that_holds_no_text_hides_nothing() -> None:
    secrets = {"llm.invocation_parameters": "***", "http.request.header.authorization": "[REDACTED]"}
    call = chat("c", "a")
    told = replace(call, attributes={**call.attributes, **secrets})
    assert not only(extract(workflow("a"), retrieval("b", "a"), told)).redacted


@pytest.mark.parametrize(("mark", "truncated"), [("***", False), ("[Omitted]", True), ("[REDACTED]", True)])
@pytest.mark.parametrize("flat", [False, True])
def test_a_mark_among_other_documents_hides_none_of_them(mark: str, truncated: bool, flat: bool) -> None:  # noqa: FBT001 - a table
    """A scene break is often a chunk of its own; what says that it was taken out is missing."""
    found = retrieval("b", "a", 1, [*DOCUMENTS, {"id": "d-3", "content": mark}])
    if flat:
        texts = ["Riders are sixteen or older.", "Open daily.", mark]
        held = {f"retrieval.documents.{n}.document.content": text for n, text in enumerate(texts)}
        found = span("b", "a", 1, attributes={"openinference.span.kind": "RETRIEVER", **held})
    request = only(extract(workflow("a"), found, chat("c", "a", 2)))
    assert (request.redacted, request.truncated, len(request.contexts)) == (False, truncated, 2)  # those in the prompt


def test_asterisks_as_an_earlier_turn_hide_nothing() -> None:
    turns = [("user", "****"), ("assistant", "Sorry?"), ("user", "Who may ride?")]
    said = [{"role": role, "parts": [{"type": "text", "content": text}]} for role, text in turns]
    told = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": json.dumps(said)}
    flat = {
        f"llm.input_messages.{n}.message.{key}": text
        for n, turn in enumerate(turns)
        for key, text in zip(("role", "content"), turn, strict=True)
    }
    assert not is_hidden(span("a", attributes=told))
    assert not is_hidden(span("a", attributes={"openinference.span.kind": "LLM", **flat}))
    last = {**flat, "llm.input_messages.2.message.content": "***"}
    assert is_hidden(span("a", attributes={"openinference.span.kind": "LLM", **last}))


def test_a_masked_call_alone_is_no_plain_chat() -> None:
    call = span("a", attributes={"ai.operationId": "ai.generateText", "ai.model.id": "m", "ai.prompt": "***"})
    assert extract(call).dropped == {"hidden_content": 1}


def test_errors_of_a_hidden_trace_quote_nothing() -> None:
    hidden = span("b", attributes={"openinference.span.kind": "RETRIEVER", "input.value": "__REDACTED__"})
    failed = replace(hidden, status=type(hidden.status)(2), status_message="no page on: my salary")
    error = only(extract(failed)).error
    assert error is not None
    assert (error.type, error.message) == ("error", "")
