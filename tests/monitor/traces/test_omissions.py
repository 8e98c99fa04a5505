"""What is known of a library is said where a request lacks it, and stands in the page for operators."""

from __future__ import annotations

from pathlib import Path

import pytest

from monitor.traces.absence import why_none, why_not_counted
from monitor.traces.omissions import OMISSIONS, Omission
from monitor.wire import Span, SpanStatus
from tests.monitor.traces.spans import chat, retrieval, workflow
from tests.monitor.traces.test_absence import read

COHERE = "opentelemetry.instrumentation.cohere"
OPENLIT = "openlit.instrumentation.langchain"
PAGE = Path(__file__).parents[3] / "docs" / "zero-judged.md"
ALONE = "has no span of a model call"


def _told(*spans: Span) -> str:
    reading = read(*spans)
    return " ".join(why_none(reading) if reading.extracted.dropped else why_not_counted(reading))


def test_a_trace_without_a_request_is_told_what_its_library_leaves_out() -> None:
    assert "does not record the parameter `documents`" in _told(chat("a", prompt="Who may ride?", scope=COHERE))


def test_a_request_that_lacks_nothing_is_not() -> None:
    assert "documents" not in _told(workflow("a"), retrieval("b", "a"), chat("c", "a", scope=COHERE))


def test_a_request_that_lacks_something_else_is_not() -> None:
    spans = workflow("a"), retrieval("b", "a", documents=None), chat("c", "a", prompt="Who may ride?", scope=OPENLIT)
    assert "OpenLIT" not in _told(*spans)


def test_what_lacks_an_answer_is_told_why() -> None:
    found = retrieval("b", scope=OPENLIT)
    assert "its answer may be missing because of its library: OpenLIT" in _told(found)
    assert f"request b {ALONE}" in _told(found)


def test_a_failed_request_has_its_reason() -> None:
    assert ALONE not in _told(retrieval("b", status=SpanStatus.ERROR))


@pytest.mark.parametrize("one", OMISSIONS, ids=lambda one: one.scope)
def test_the_page_for_operators_says_the_same(one: Omission) -> None:
    assert one.why in PAGE.read_text()
