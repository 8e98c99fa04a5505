"""Rows of files, as plain records."""

from __future__ import annotations

import json

import pytest

from monitor.records import ContextsSource
from monitor.traces.decode import make_decoder
from monitor.traces.decode.rows import record_of_row


@pytest.mark.parametrize(
    ("contexts", "texts", "source"),
    [
        ("One.", ["One."], ContextsSource.RECORD),
        (["One.", "Two."], ["One.", "Two."], ContextsSource.RECORD),
        ([], [], ContextsSource.RECORD),
        ("", [], ContextsSource.UNKNOWN),
        (None, [], ContextsSource.UNKNOWN),
    ],
)
def test_one_passage_may_be_a_text_and_a_blank_one_is_not_known(
    contexts: object, texts: list[str], source: ContextsSource
) -> None:
    made = record_of_row({"question": "Q", "answer": "A", "contexts": contexts, "trace_id": "theirs"}, "ours")
    [request] = make_decoder("plain").decode(made).requests
    assert [passage.text for passage in request.contexts] == texts
    assert (request.contexts_source, request.trace_id) == (source, "ours")


def test_everything_else_of_a_row_stays() -> None:
    assert json.loads(record_of_row({"id": 1, "label": 0.5}, "t")) == {"id": 1, "label": 0.5, "trace_id": "t"}
