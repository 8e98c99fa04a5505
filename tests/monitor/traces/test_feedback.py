from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from monitor.traces import semconv
from monitor.traces.feedback import is_negative, may_hold_feedback
from monitor.wire import AttributeValue, Span, SpanEvent, SpanLink
from tests.growth import grows_linearly
from tests.monitor.traces.spans import TRACE, chat, extract, only, retrieval, span, workflow

OTHER = "dfcd4b63d21f88e9a0da8e1935fced07"


@pytest.mark.parametrize(
    ("score", "label", "human", "negative"),
    [
        (None, "thumbs_down", True, True),
        (None, "Thumbs Up", True, False),
        (1.0, "差评", True, True),
        (None, "不满意", False, True),
        (0.0, None, True, True),
        (-1.0, "", True, True),
        (1.0, None, True, False),
        (0.5, None, True, None),
        (1.0, "hallucinated", False, None),
        (0.0, None, False, None),
        (None, None, True, None),
    ],
)
def test_label_words_count_before_a_persons_boolean(
    score: float | None,
    label: str | None,
    human: bool,  # noqa: FBT001 - a column of the table
    negative: bool | None,  # noqa: FBT001 - same
) -> None:
    assert is_negative(score, label, human=human) is negative


def _annotations(prefix: str = "annotations.0.annotation.", **more: AttributeValue) -> dict[str, AttributeValue]:
    fields: dict[str, AttributeValue] = {
        "name": "correctness",
        "score": 0,
        "label": "bad",
        "explanation": "no price",
        "annotator_kind": "HUMAN",
    }
    return {prefix + key: value for key, value in (fields | more).items()}


def test_openinference_annotations_stand_inline() -> None:
    root = workflow("a")
    annotated = span("a", attributes=dict(root.attributes) | _annotations())
    (said,) = only(extract(annotated, retrieval("b", "a"), chat("c", "a"))).feedback
    assert (said.name, said.score, said.label, said.comment) == ("correctness", 0.0, "bad", "no price")
    assert (said.negative, said.human, said.trace_id, said.carrier_trace_id) == (True, True, TRACE, None)


@pytest.mark.parametrize("prefix", ["trace.annotations.0.annotation.", "evaluations.5.evaluation."])
def test_openinference_annotations_may_come_on_a_carrier(prefix: str) -> None:
    carrier = span("f", attributes=_annotations(prefix, annotator_kind="LLM"), links=(SpanLink(OTHER, "x", {}),))
    (said,) = extract(carrier).feedback
    assert (said.trace_id, said.carrier_trace_id, said.human) == (OTHER, TRACE, False)


@pytest.mark.parametrize("kind", ["CHAIN", "AGENT", "TOOL", "LLM", "RETRIEVER", "EVALUATOR", "GUARDRAIL", "UNKNOWN"])
def test_a_carrier_may_be_of_any_kind(kind: str) -> None:
    """OpenInference wants one on every span."""
    held = {"openinference.span.kind": kind, "input.value": "no price"} if kind == "CHAIN" else {}
    carrier = span(
        "f", attributes=held | {"openinference.span.kind": kind} | _annotations(), links=(SpanLink(OTHER, "x", {}),)
    )
    extracted = extract(carrier, plain_chat=True)
    (said,) = extracted.feedback
    assert (said.trace_id, said.carrier_trace_id, dict(extracted.dropped)) == (OTHER, TRACE, {"feedback": 1})


def test_a_carrier_beside_a_request_is_no_part_of_it() -> None:
    carrier = span(
        "f", "h", 9, attributes={"openinference.span.kind": "LLM"} | _annotations(), links=(SpanLink(OTHER, "x", {}),)
    )
    extracted = extract(span("h"), workflow("a", "h"), retrieval("b", "a"), chat("c", "a"), carrier)
    assert not only(extracted).feedback
    assert [said.trace_id for said in extracted.feedback] == [OTHER]


def test_an_evaluators_own_calls_are_never_requests() -> None:
    judge = span(
        "f", attributes={"openinference.span.kind": "EVALUATOR"} | _annotations(), links=(SpanLink(OTHER, "x", {}),)
    )
    extracted = extract(judge, chat("c", "f"), plain_chat=True)
    assert (extracted.feedback, dict(extracted.dropped)) == ((), {"evaluator": 1})


def test_a_reply_can_be_named_by_a_span_of_any_kind() -> None:
    event = SpanEvent(semconv.EVALUATION_EVENT, 1, {"gen_ai.evaluation.name": "thumb", "gen_ai.response.id": "r-1"})
    extracted = extract(span("f", attributes={"openinference.span.kind": "LLM"}, events=(event,)))
    (said,) = extracted.feedback
    assert (said.trace_id, said.response_id, dict(extracted.dropped)) == (None, "r-1", {"feedback": 1})


def test_a_link_names_the_span_too_and_the_event_its_time() -> None:
    event = SpanEvent(semconv.EVALUATION_EVENT, 5_001_234_567, {"gen_ai.evaluation.name": "user_rating"})
    (said,) = extract(span("f", links=(SpanLink(OTHER, "ab", {}),), events=(event,))).feedback
    assert (said.trace_id, said.span_id, said.given_ns) == (OTHER, "ab", 5_001_000_000)


def test_spans_of_nothing_but_feedback_are_a_late_part_of_their_own_trace() -> None:
    extracted = extract(span("f", attributes=_annotations()))
    (said,) = extracted.feedback
    assert (said.trace_id, said.carrier_trace_id, dict(extracted.dropped)) == (TRACE, None, {"feedback": 1})


def test_feedback_on_an_ingestion_speaks_of_no_request() -> None:
    annotated = span("a", attributes={"gen_ai.operation.name": "embeddings"} | _annotations())
    assert (extract(annotated).feedback, dict(extract(annotated).dropped)) == ((), {"ingestion": 1})


def test_a_reply_that_no_request_of_the_trace_gave_is_another_traces() -> None:
    event = SpanEvent(
        semconv.EVALUATION_EVENT, 1, {"gen_ai.evaluation.name": "user_rating", "gen_ai.response.id": "other"}
    )
    spans = [span("h", events=(event,))]
    reply = chat("c", "a", 2)
    reply = replace(reply, attributes=dict(reply.attributes) | {"gen_ai.response.id": "r-1"})
    spans += [workflow("a", "h", 0), retrieval("b", "a", 1), reply]
    (said,) = extract(*spans).feedback
    assert (said.trace_id, said.response_id, said.carrier_trace_id) == (None, "other", TRACE)


@pytest.mark.parametrize(
    ("one", "holds"),
    [
        (span("f", attributes=_annotations()), True),
        (span("f", attributes=_annotations("trace.evaluations.0.evaluation.")), True),
        (span("f", events=(SpanEvent(semconv.EVALUATION_EVENT, 1, {}),)), True),
        (span("f", attributes={"annotations": "none"}, events=(SpanEvent("exception", 1, {}),)), False),
    ],
)
def test_a_span_shows_at_a_glance_whether_it_may_hold_feedback(one: Span, holds: bool) -> None:  # noqa: FBT001 - a column of the table
    assert may_hold_feedback(one) is holds


def test_feedback_on_a_session_says_nothing_about_a_request() -> None:
    carrier = span("f", attributes=_annotations("session.annotations.0.annotation."), links=(SpanLink(OTHER, "x", {}),))
    assert (extract(carrier).feedback, dict(extract(carrier).dropped)) == ((), {"no_request": 1})


def test_a_linked_request_keeps_its_own_feedback() -> None:
    """A request that was taken from a queue links to the span that put it there."""
    event = SpanEvent(semconv.EVALUATION_EVENT, 1, {"gen_ai.evaluation.name": "user_rating"})
    root = workflow("a", links=(SpanLink(OTHER, "x", {}),), events=(event,))
    extracted = extract(root, retrieval("b", "a"), chat("c", "a"))
    assert [said.trace_id for said in only(extracted).feedback] == [TRACE]


def test_an_evaluators_score_is_not_a_persons() -> None:
    event = SpanEvent(
        semconv.EVALUATION_EVENT, 1, {"gen_ai.evaluation.name": "Relevance", "gen_ai.evaluation.score.value": 0}
    )
    (said,) = only(extract(workflow("a", events=(event,)), retrieval("b", "a"))).feedback
    assert (said.human, said.negative) == (False, None)


def test_a_span_above_the_entry_that_belongs_to_the_request_is_counted_once() -> None:
    """A retriever beside a wrapped chain: the wrapper is a member and stands above the entry."""
    event = SpanEvent(semconv.EVALUATION_EVENT, 1, {"gen_ai.evaluation.name": "user_rating"})
    wrapper = span("w", "h", events=(event,))
    extracted = extract(span("h"), retrieval("b", "h"), wrapper, workflow("a", "w"), chat("c", "a", 5))
    assert len(only(extracted).feedback) == 1


@pytest.mark.parametrize(("named", "given"), [("", 0), ("r-9", 0), ("r-1", 1)])
def test_feedback_above_several_requests_is_on_none_of_them_unless_it_names_one(named: str, given: int) -> None:
    more = {"gen_ai.response.id": named} if named else {}
    event = SpanEvent(semconv.EVALUATION_EVENT, 1, {"gen_ai.evaluation.name": "user_rating"} | more)
    spans = [span("h", events=(event,)), span("i", "h")]
    for at, number in enumerate("123"):
        reply = chat(f"c{number}", f"a{number}", 10 * at + 2)
        reply = replace(reply, attributes=dict(reply.attributes) | {"gen_ai.response.id": f"r-{number}"})
        spans += [workflow(f"a{number}", "i", 10 * at), retrieval(f"b{number}", f"a{number}", 10 * at + 1), reply]
    extracted = extract(*spans)
    assert [len(request.feedback) for request in extracted.requests] == [given, 0, 0]
    assert len(extracted.feedback) == 1 - given


def test_of_several_requests_below_the_only_one_without_a_response_id_is_meant() -> None:
    event = SpanEvent(
        semconv.EVALUATION_EVENT, 1, {"gen_ai.evaluation.name": "user_rating", "gen_ai.response.id": "other"}
    )
    spans = [span("h", events=(event,))]
    for at, number in enumerate("1234"):
        reply = chat(f"c{number}", f"a{number}", 10 * at + 2)
        more = {} if number == "4" else {"gen_ai.response.id": f"r-{number}"}
        reply = replace(reply, attributes=dict(reply.attributes) | more)
        spans += [workflow(f"a{number}", "h", 10 * at), retrieval(f"b{number}", f"a{number}", 10 * at + 1), reply]
    assert [len(request.feedback) for request in extract(*spans).requests] == [0, 0, 0, 1]


def _below_a_deep_chain(count: int) -> Callable[[], object]:
    spans = [span(f"s{at}", f"s{at - 1}" if at else "", at) for at in range(count)]
    for at in range(count // 4):
        spans += [workflow(f"a{at}", f"s{count - 1}", count + at), retrieval(f"b{at}", f"a{at}", count + at)]
        spans.append(chat(f"c{at}", f"a{at}", count + at))
    return lambda: extract(*spans)


def test_time_is_linear_in_requests_below_a_deep_chain() -> None:
    assert grows_linearly(_below_a_deep_chain, 400)
