"""Whatever a trace holds, it is read without an exception."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from monitor.traces import semconv
from monitor.traces.extract import REASONS
from monitor.wire import AttributeValue, Span, SpanEvent, SpanLink, SpanStatus
from tests.monitor.traces.spans import (
    ANSWER,
    PROMPT,
    chat,
    extract,
    messages,
    only,
    retrieval,
    span,
    workflow,
)

KEYS = [value for key, value in vars(semconv).items() if key.isupper() and isinstance(value, str)] + [
    "llm.input_messages.0.message.role",
    "llm.input_messages.0.message.content",
    "llm.input_messages.1.message.contents.0.message_content.text",
    "llm.output_messages.3.message.tool_calls.0.tool_call.id",
    "retrieval.documents.0.document.id",
    "retrieval.documents.7.document.metadata",
    "retrieval.documents.x.document.content",
    "reranker.output_documents.0.document.score",
    "gen_ai.prompt.variable.context",
    "annotations.0.annotation.score",
    "question",
    "answer",
    "documents",
    "db.system",
]
WORDS = [
    "CHAIN", "LLM", "RETRIEVER", "RERANKER", "TOOL", "PROMPT", "EVALUATOR", "chat", "retrieval", "invoke_agent",
    "execute_tool", "application/json", "__REDACTED__", "***", "[", "{", '"', '[{"role":', "[[1,2],[3]]",
    '{"documents": [{}]}',
    '{"messages": [[{"type": "ai", "data": 3}]]}', '[{"id": {}, "text": []}]', "Context:\nx\nQuestion: y", "ot=th:zz",
    '[{"role": "user", "parts": [{"type": "tool_call_response", "result": [[[1e999]]]}]}]', "\ud83d", "ragmon",
]  # fmt: skip
scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.binary(max_size=8) | st.sampled_from(WORDS) | st.text()
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*KEYS, "role", "parts", "type"]), inner, max_size=3)
    ),
    max_leaves=6,
)
attribute_sets = st.dictionaries(st.sampled_from(KEYS), values, max_size=6)
event_names = st.sampled_from(
    [
        "exception",
        semconv.CHOICE_EVENT,
        semconv.USER_EVENT,
        semconv.DETAILS_EVENT,
        semconv.EVALUATION_EVENT,
        semconv.DB_QUERY_RESULT,
    ]
)
event_tuples = st.lists(st.builds(SpanEvent, event_names, st.integers(0, 9), attribute_sets, values), max_size=2).map(
    tuple
)
ids = st.integers(0, 7).map(str)


@st.composite
def traces(draw: st.DrawFn) -> list[Span]:
    """Any tree, forest or ring of up to eight spans with anything in them."""
    return [
        span(
            span_id,
            draw(ids | st.just("")),
            draw(st.integers(0, 5)),
            attributes=draw(attribute_sets),
            events=draw(event_tuples),
            links=draw(st.lists(st.builds(SpanLink, ids, ids, attribute_sets), max_size=2).map(tuple)),
            resource=draw(st.dictionaries(st.just("service.name"), values)),
            status=draw(st.sampled_from(SpanStatus)),
            kind=draw(st.integers(0, 5)),
            trace_state=draw(st.text(max_size=5) | st.sampled_from(WORDS)),
        )
        for span_id in draw(st.sets(ids, max_size=8))
    ]


@given(traces(), st.randoms(use_true_random=False), st.booleans())
def test_any_trace_gives_requests_or_one_reason_in_whatever_order(
    spans: list[Span],
    rng: random.Random,
    plain_chat: bool,  # noqa: FBT001 - drawn
) -> None:
    extracted = extract(*spans, plain_chat=plain_chat)
    assert bool(extracted.requests) != (sum(extracted.dropped.values()) == 1)
    assert set(extracted.dropped) <= set(REASONS)
    shuffled = list(spans)
    rng.shuffle(shuffled)
    again = extract(*shuffled, plain_chat=plain_chat)
    assert repr(again) == repr(extracted)  # repr: NaN is unlike itself


@given(attribute_sets, values)
def test_whatever_a_request_holds_its_texts_are_texts(
    attributes: dict[str, AttributeValue], value: AttributeValue
) -> None:
    """Any attribute may hold anything: what comes out can be written down as UTF-8."""
    root = workflow("a")
    spans = [
        replace(root, attributes=dict(root.attributes) | attributes),
        retrieval("b", "a", documents=["x"]),
        chat("c", "a"),
    ]
    spans[1] = replace(spans[1], attributes=dict(spans[1].attributes) | {"gen_ai.retrieval.documents": value})
    for request in extract(*spans).requests:
        for text in (request.question, request.answer, request.model, *(passage.text for passage in request.contexts)):
            assert text is None or text.encode()


def test_a_deep_tree_is_no_problem() -> None:
    deep = [span(str(n), str(n - 1) if n else "", n) for n in range(3000)]
    spans = [*deep, retrieval("r", "2999", 3001), chat("c", "2999", 3002, PROMPT)]
    assert only(extract(*spans)).request_id == "2999"
    nested = [replace(chat(f"m{n}", f"m{n - 1}" if n else "", n), name="x") for n in range(3000)]
    assert only(extract(*nested)).answer == ANSWER
    retrievers = [retrieval(f"r{n}", f"r{n - 1}" if n else "", n, "nothing") for n in range(3000)]
    assert only(extract(*retrievers)).contexts == ()


def test_messages_of_another_role_are_no_answer() -> None:
    root = span(
        "a", attributes={"gen_ai.operation.name": "invoke_agent", "gen_ai.output.messages": messages("user", "Hi")}
    )
    assert only(extract(root, retrieval("b", "a"))).answer is None
