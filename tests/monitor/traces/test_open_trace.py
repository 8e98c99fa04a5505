from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.traces.open_trace import OpenTrace
from monitor.wire import AttributeValue, CloseReason, LogEvent, Span, SpanEvent
from tests.growth import grows_linearly


def _span(span_id: str, parent_id: str = "", attributes: int = 0, **values: AttributeValue) -> Span:
    more: dict[str, AttributeValue] = {str(number): number for number in range(attributes)}
    return Span("t", span_id, parent_id, name="n", start_ns=1, end_ns=2, attributes=more | values)


def _complete(spans: list[Span]) -> tuple[bool, tuple[Span, ...]]:
    trace = OpenTrace("t", 0.0)
    for span in spans:
        trace.add_span(span, 1)
    return trace.complete, trace.close(CloseReason.QUIET).spans


SPANS = st.builds(
    _span, st.sampled_from("abc"), st.sampled_from(["", "a", "b", "c", "d"]), st.integers(0, 2), x=st.integers(0, 2)
)


@given(st.lists(SPANS, max_size=8), st.randoms(use_true_random=False))
def test_sent_again_and_in_any_order_a_trace_is_as_complete_as_its_kept_spans(
    spans: list[Span], random: object
) -> None:
    shuffled = sorted(spans, key=lambda _: random.random())  # type: ignore[attr-defined]  # hypothesis types it loosely
    complete, kept = _complete(spans)
    assert _complete(shuffled) == _complete(list(kept)) == (complete, kept)
    ids = {span.span_id for span in kept}
    assert complete == (any(not s.parent_id for s in kept) and all(s.parent_id in ids for s in kept if s.parent_id))


def test_a_log_event_counts_once_whatever_its_values() -> None:
    trace = OpenTrace("t", 0.0)
    trace.add_span(_span("a"), 1)
    first = SpanEvent("e", 1, {"k": [{"a": 1, "b": b"x"}], "n": None}, {"parts": ["y"]})
    for event in (first, replace(first, attributes={"n": None, "k": [{"b": b"x", "a": 1}]}), replace(first, body="y")):
        trace.add_log(LogEvent("t", "a", event))
    assert len(trace.close(CloseReason.QUIET).spans[0].events) == 2


def _logs(count: int) -> None:
    trace = OpenTrace("t", 0.0)
    for number in range(count):
        trace.add_log(LogEvent("t", "a", SpanEvent("e", 1, {"i": number}, None)))


def _again(count: int) -> None:
    trace = OpenTrace("t", 0.0)
    for attributes in range(2):
        for number in range(count):
            trace.add_span(_span(str(number), "0" if number else "", attributes), 1)


def _beside_a_large_one(count: int) -> None:
    trace = OpenTrace("t", 0.0)
    trace.add_span(_span("a", x="y" * 20 * count), 1)
    for number in range(count):
        trace.add_span(_span("a", x=number), 1)


@pytest.mark.parametrize("work", [_logs, _again, _beside_a_large_one])
def test_time_is_linear_in_log_events_and_in_spans_sent_again(work: Callable[[int], None]) -> None:
    assert grows_linearly(lambda count: partial(work, count), 2_500)
