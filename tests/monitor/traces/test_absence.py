"""A trace without a request says what it is instead, and what was missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from monitor.config.settings import Assembly
from monitor.traces.absence import why_none, why_not_counted
from monitor.traces.extract import REASONS, Extractor, Reading
from monitor.wire import Assembled, CloseReason, Span, SpanEvent, SpanLink
from tests.monitor.traces.captures import EXTRACTOR, NAMES, load
from tests.monitor.traces.spans import TRACE, chat, retrieval, span, workflow


def read(*spans: Span) -> Reading:
    return Extractor(Assembly(), ("ragmon",)).read(Assembled(TRACE, spans, (), CloseReason.QUIET))


@pytest.mark.parametrize(
    ("spans", "reason", "said"),
    [
        ((chat("a", prompt="Hello!"),), "plain_chat", "its prompt shows no context"),
        (
            (span("a", attributes={"gen_ai.operation.name": "chat"}),),
            "no_prompt",
            "its prompt is not on the wire: are contents recorded?",
        ),
        (
            (chat("a", prompt="Hello!"), span("b", attributes={"gen_ai.operation.name": "chat"})),
            "no_prompt",
            "its prompt is not on the wire: are contents recorded?",
        ),
        (
            (span("a", attributes={"openinference.span.kind": "LLM", "llm.input_messages": "__REDACTED__"}),),
            "hidden_content",
            "span 'a' (a): contents are hidden on purpose",
        ),
        ((span("a", attributes={"gen_ai.operation.name": "embeddings"}),), "ingestion", "(a)"),
        ((span("a", attributes={"shop.ask": "x", "shop.reply": "y"}),), "no_request", "begin with: shop"),
        ((span("a", attributes={"openinference.span.kind": "EVALUATOR"}),), "evaluator", "is an evaluator"),
        ((chat("a", resource={"service.name": "ragmon"}),), "own_service", "source.own_services"),
    ],
)
def test_a_reason_comes_with_what_was_missing(spans: tuple[Span, ...], reason: str, said: str) -> None:
    reading = read(*spans)
    assert dict(reading.extracted.dropped) == {reason: 1}
    assert said in " ".join(why_none(reading))


@pytest.mark.parametrize("name", NAMES)
def test_every_trace_without_a_request_says_why(name: str) -> None:
    for trace in load(name).traces:
        reading = EXTRACTOR.read(trace)
        if not reading.extracted.requests:
            assert set(reading.extracted.dropped) <= set(REASONS)
            assert len(why_none(reading)) > 1


def test_a_chat_beside_a_request_is_told() -> None:
    reading = read(
        workflow("a"), retrieval("b", "a"), chat("c", "a"), workflow("w", at=50), chat("x", "w", 51, prompt="Hi!")
    )
    assert len(reading.extracted.requests) == 1
    (said,) = why_not_counted(reading)
    assert said.startswith("span 'x' (x) is a model call")


EVENT = SpanEvent("gen_ai.evaluation.result", 1, {"gen_ai.evaluation.name": "user"})
OTHER = "2" * 32


@pytest.mark.parametrize(
    ("links", "response_id", "said"),
    [
        ((SpanLink(OTHER, "", {}),), None, f"feedback on trace {OTHER}; that is joined"),
        ((SpanLink(OTHER, "", {}),), "reply-1", f"feedback on trace {OTHER}, else the reply reply-1; that is joined"),
        ((), "reply-1", "feedback on the reply reply-1; that is joined"),
        ((), None, "only be joined to an earlier request of this same trace"),
        (
            (SpanLink(OTHER, "", {}), SpanLink("3" * 32, "", {})),
            None,
            "only be joined to an earlier request of this same trace",
        ),
    ],
)
def test_feedback_says_what_it_is_joined_by(links: tuple[SpanLink, ...], response_id: str | None, said: str) -> None:
    named = {} if response_id is None else {"gen_ai.response.id": response_id}
    event = replace(EVENT, attributes=dict(EVENT.attributes) | named)
    reading = read(replace(span("a"), events=(event,), links=links))
    assert dict(reading.extracted.dropped) == {"feedback": 1}
    (_, told) = why_none(reading)
    assert said in told


OWN = "is empty, or reads as the user's own words"


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("Which one applies?", "its prompt shows no context by any known label or tag"),
        (
            "<context>Riders are sixteen or older.</context>\nTell me who may ride\nand where.",
            "its prompt shows a context ('<context>'), but no label or tag that parts the question from it",
        ),
        ("Context: I am twelve.\n\nMay I ride?", f"what stands in its prompt at 'Context:' {OWN}"),
        ("Facts: none.\nQuestion: who may ride?", f"what stands in its prompt at 'Facts:' {OWN}"),
    ],
)
def test_a_chat_says_what_its_prompt_lacks(prompt: str, said: str) -> None:
    assert said in " ".join(why_none(read(chat("a", prompt=prompt))))
