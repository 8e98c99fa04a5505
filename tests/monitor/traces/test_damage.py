from __future__ import annotations

import json
from dataclasses import replace

import pytest

from monitor.wire import AttributeValue, Span
from tests.monitor.traces.spans import chat, extract, only, retrieval, span, workflow


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


def test_errors_of_a_hidden_trace_quote_nothing() -> None:
    hidden = span("b", attributes={"openinference.span.kind": "RETRIEVER", "input.value": "__REDACTED__"})
    failed = replace(hidden, status=type(hidden.status)(2), status_message="no page on: my salary")
    error = only(extract(failed)).error
    assert error is not None
    assert (error.type, error.message) == ("error", "")
