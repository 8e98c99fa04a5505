"""What real libraries wrote comes out as what the program did: right, or missing where it is not on the wire."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from monitor.records import ContextsSource, Passage, RequestError
from monitor.wire import Assembled
from tests.monitor.traces.captures import EXTRACTOR, NAMES, faults, load


@pytest.mark.parametrize("name", NAMES)
def test_every_request_is_what_the_program_did_but_for_what_is_not_on_the_wire(name: str) -> None:
    assert load(name).faults() == []


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("otel-openai-v2-feedback", {"question": None}),
        ("otel-openai-v2-feedback", {"answer": "No."}),
        ("otel-openai-v2-feedback", {"contexts": ()}),
        ("otel-openai-v2-feedback", {"feedback": ()}),
        ("otel-openai-v2-feedback", {"adjusted_count": 2.0}),
        ("otel-openai-v2-feedback", {"trace_id": "0" * 32}),
        ("openinference-llama-index-success", {"contexts": (Passage("x"),)}),
        ("openinference-langchain-empty", {"contexts_source": ContextsSource.UNKNOWN}),
        ("openinference-langchain-retriever-error", {"contexts_source": ContextsSource.SPAN}),
        ("openinference-langchain-retriever-error", {"error": RequestError("ConnectionError", "retrieval", "")}),
        ("vercel-ai-generate", {"contexts": (Passage("the whole prompt"),)}),
        ("mlflow-functions", {"session_id": "made-up"}),
        ("openinference-langchain-redacted", {"question": "How much does a lost helmet cost?", "redacted": False}),
        ("traceloop-langchain-success", {"model": "another"}),
    ],
)
def test_the_comparison_sees_what_is_not_so(name: str, change: dict[str, Any]) -> None:
    capture = load(name)
    extracted = capture.extract()
    changed = [replace(request, **change) for one in extracted for request in one.requests]
    assert faults([capture.expected], changed, [item for one in extracted for item in one.feedback])


@pytest.mark.parametrize("name", NAMES)
def test_a_trace_gives_requests_or_one_reason(name: str) -> None:
    for extracted in load(name).extract():
        assert bool(extracted.requests) != (sum(extracted.dropped.values()) == 1)


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_the_spans_changes_nothing(name: str) -> None:
    rng = random.Random(name)
    for trace in load(name).traces:
        spans = list(trace.spans)
        rng.shuffle(spans)
        shuffled = Assembled(trace.trace_id, tuple(spans), (), trace.reason)
        assert EXTRACTOR.extract(shuffled) == EXTRACTOR.extract(trace)


@pytest.mark.parametrize("name", ["openinference-langchain-empty", "openinference-haystack-empty"])
def test_an_empty_retrieval_is_told_from_an_unknown_one(name: str) -> None:
    (extracted,) = load(name).extract()
    assert [(r.contexts, r.contexts_source) for r in extracted.requests] == [((), ContextsSource.SPAN)]


def test_a_failed_retrieval_is_unknown_not_empty() -> None:
    (extracted,) = load("openinference-langchain-retriever-error").extract()
    (request,) = extracted.requests
    assert request.contexts_source is ContextsSource.UNKNOWN
    assert request.error is not None
    assert (request.error.type, request.error.stage) == ("ConnectionError", "retrieval")


def test_a_failed_model_call_is_an_error_of_the_generation() -> None:
    (extracted,) = load("otel-openai-v2-llm-error").extract()
    (request,) = extracted.requests
    assert request.error is not None
    assert (request.error.type, request.error.stage) == ("RateLimitError", "generation")


@pytest.mark.parametrize("name", ["openinference-langchain-truncated", "openinference-langchain-manydocs"])
def test_cut_and_dropped_attributes_mark_the_request(name: str) -> None:
    assert [request.truncated for extracted in load(name).extract() for request in extracted.requests] == [True]


def test_only_damaged_captures_are_marked_as_truncated() -> None:
    damaged = {
        name for name in NAMES for extracted in load(name).extract() if any(r.truncated for r in extracted.requests)
    }
    assert damaged == {
        "openinference-langchain-truncated",
        "openinference-langchain-manydocs",
        "openinference-langchain-stream-abandoned",
    }


def test_hidden_contents_stay_hidden() -> None:
    (extracted,) = load("openinference-langchain-redacted").extract()
    (request,) = extracted.requests
    assert "25 euros" not in repr(request)
    assert (request.question, request.answer, request.contexts) == (None, None, ())
    assert (request.redacted, request.language, request.model) == (True, "und", "harbor-chat-1")


def test_inline_feedback_stands_in_the_request() -> None:
    (extracted,) = load("otel-openai-v2-feedback").extract()
    (request,) = extracted.requests
    (said,) = request.feedback
    want = load("otel-openai-v2-feedback").expected["requests"][0]["feedback"]
    assert (said.name, said.score, said.label, said.comment) == tuple(want.values())
    assert (said.negative, said.human) == (True, True)
    assert extracted.feedback == ()


def test_feedback_in_a_trace_of_its_own_names_the_judged_trace() -> None:
    answered, carrier = sorted(load("manual-feedback-later").extract(), key=lambda extracted: not extracted.requests)
    (said,) = carrier.feedback
    want = load("manual-feedback-later").expected["requests"][0]["feedback"]
    assert (said.name, said.score, said.label, said.comment, said.response_id, said.carrier_trace_id) == tuple(
        want[key] for key in ("name", "score", "label", "comment", "response_id", "carrier_trace_id")
    )
    assert said.trace_id == answered.requests[0].trace_id
    assert dict(carrier.dropped) == {"feedback": 1}


def test_a_follow_up_turn_keeps_the_users_words_beside_the_rewritten_query() -> None:
    requests = [r for extracted in load("openinference-langchain-multi-turn").extract() for r in extracted.requests]
    assert {(r.question, r.search_query) for r in requests} == {
        ("When do the stations open?", None),
        ("And on Sundays?", "When do the stations open on Sundays?"),
    }


def test_tokens_of_an_agent_are_those_of_its_innermost_model_calls() -> None:
    (extracted,) = load("pydantic-ai-default").extract()
    assert [(r.input_tokens, r.output_tokens) for r in extracted.requests] == [(197, 34)]
    (extracted,) = load("openinference-llama-index-success").extract()
    assert [(r.input_tokens, r.output_tokens) for r in extracted.requests] == [(213, 17)]


def test_requests_say_where_they_come_from() -> None:
    (extracted,) = load("otel-genai-openai-success").extract()
    (request,) = extracted.requests
    assert (request.app, request.app_version, request.environment) == ("velora-helpdesk", "3.2.0", "production")
    assert (request.convention, request.knowledge_base, request.language) == ("otel_genai", "faq-index", "en")
    assert 0 < request.start_ns < request.end_ns
