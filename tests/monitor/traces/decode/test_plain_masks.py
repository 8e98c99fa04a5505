"""Plain records with marks in place of contents: they are read as traces with such marks are."""

from __future__ import annotations

import json
from typing import Any

import pytest

from monitor.records import RagTrace
from monitor.traces.decode.plain import Plain


def request(**fields: Any) -> RagTrace:  # noqa: ANN401 - any JSON
    asked = {"question": "When?", "answer": "At six.", "search_query": "closing time", "contexts": ["At six."]}
    (trace,) = Plain().decode(json.dumps({"trace_id": "t", **asked, **fields}).encode()).requests
    return trace


@pytest.mark.parametrize("mark", ["[REDACTED]", " *** ", "HIDDEN:non-empty"])
@pytest.mark.parametrize("field", ["question", "answer", "search_query", "contexts"])
def test_a_mark_as_a_whole_text_or_as_all_passages_hides_the_record(field: str, mark: str) -> None:
    hidden = request(**{field: [mark, {"text": mark}] if field == "contexts" else mark})

    assert (hidden.redacted, request().redacted) == (True, False)


def test_a_mark_inside_a_longer_text_hides_nothing() -> None:
    trace = request(question="Who is [REDACTED]?", answer="It is [REDACTED].", contexts=["***\n[REDACTED] is a man."])

    assert (trace.redacted, trace.truncated) == (False, False)


@pytest.mark.parametrize(("mark", "missing"), [("[REDACTED]", True), ("***", False)])
def test_a_mark_for_one_of_several_passages_tells_of_a_missing_text_and_a_scene_break_does_not(
    mark: str, *, missing: bool
) -> None:
    trace = request(contexts=[mark, "At six."])

    assert (trace.redacted, trace.truncated) == (False, missing)


def test_what_a_record_says_of_itself_counts_whatever_its_texts_are() -> None:
    trace = request(redacted=True, truncated=True)

    assert (trace.redacted, trace.truncated, trace.answer) == (True, True, "At six.")
    assert request(question="[REDACTED]", redacted=False).redacted
