from __future__ import annotations

from dataclasses import replace

import pytest

from monitor.records import RequestError
from monitor.wire import AttributeValue, SpanEvent, SpanStatus
from tests.monitor.traces.spans import chat, extract, failed, only, retrieval, span, workflow

EXCEPTION = SpanEvent("exception", 1, {"exception.type": "app.Timeout", "exception.message": "after 2 s"})


def test_a_retry_that_succeeded_is_no_error() -> None:
    spans = [workflow("a"), retrieval("b", "a"), chat("c", "a", 2, **failed("429")), chat("d", "a", 5)]
    assert only(extract(*spans)).error is None


def test_a_failure_without_a_later_success_is_an_error_though_the_entry_is_fine() -> None:
    spans = [workflow("a"), retrieval("b", "a"), chat("c", "a", 5, **failed("RateLimit\nTraceback")), chat("d", "a", 2)]
    assert only(extract(*spans)).error == RequestError("RateLimit", "generation", "RateLimit")


def test_the_deepest_failed_span_gives_stage_type_and_message() -> None:
    broken = retrieval("b", "a", events=(EXCEPTION,), status=SpanStatus.ERROR)
    assert only(extract(workflow("a", **failed("outer")), broken)).error == RequestError(
        "app.Timeout", "retrieval", "after 2 s"
    )


def test_an_error_type_counts_more_than_an_exception() -> None:
    broken = retrieval("b", "a", events=(EXCEPTION,), status=SpanStatus.ERROR)
    broken = replace(broken, attributes=dict(broken.attributes) | {"error.type": "timeout"})
    error = only(extract(workflow("a"), broken)).error
    assert error is not None
    assert error.type == "timeout"


@pytest.mark.parametrize("reasons", ["error", '["error"]', ["error"]])
def test_a_reply_that_ended_with_an_error_failed_though_its_span_did_not(reasons: AttributeValue) -> None:
    call = chat("c", "a", status=SpanStatus.OK)
    broken = replace(call, attributes={**call.attributes, "gen_ai.response.finish_reasons": reasons})
    error = only(extract(workflow("a"), retrieval("b", "a"), broken)).error
    assert error == RequestError("finish reason: error", "generation", "finish reason: error")


CLOSED = {"exception.type": "GeneratorExit", "exception.message": ""}
PACKED = {"exception.type": "Exception", "exception.message": "GeneratorExit()Traceback (most recent call last):"}


@pytest.mark.parametrize("thrown", [CLOSED, PACKED])
def test_a_stream_that_its_reader_closed_is_no_failure(thrown: dict[str, str]) -> None:
    closed = chat("c", "a", events=(SpanEvent("exception", 1, thrown),), status=SpanStatus.ERROR)
    request = only(extract(workflow("a", events=closed.events, status=SpanStatus.ERROR), retrieval("b", "a"), closed))
    assert (request.error, request.answer) == (None, "Anyone aged sixteen or older.")


def test_a_closed_stream_may_be_told_by_the_error_type_alone() -> None:
    call = chat("c", "a", status=SpanStatus.ERROR)
    closed = replace(call, attributes=dict(call.attributes) | {"error.type": "GeneratorExit"})
    assert only(extract(workflow("a"), retrieval("b", "a"), closed)).error is None


def test_a_failure_before_the_stream_was_closed_is_one() -> None:
    events = (EXCEPTION, SpanEvent("exception", 2, CLOSED))
    broken = chat("c", "a", events=events, status=SpanStatus.ERROR)
    assert only(extract(workflow("a"), retrieval("b", "a"), broken)).error is not None


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Error code: 500 - {'error': {'message': 'overloaded', 'id': 'req-17'}}", "Error code: 500"),
        ("An error occurred (ThrottlingException) when calling the Converse operation: slow", "ThrottlingException"),
        ("openai.RateLimitError: slow down, request 17", "openai.RateLimitError"),
        ("TimeoutError('after 2 s')", "TimeoutError"),
        ("the index is away", "the index is away"),
    ],
)
def test_a_message_alone_gives_the_kind_that_it_begins_with(message: str, kind: str) -> None:
    error = only(extract(workflow("a"), retrieval("b", "a"), chat("c", "a", **failed(message)))).error
    assert error == RequestError(kind, "generation", message)


def test_a_server_error_above_the_entry_is_an_error() -> None:
    above = span("h", kind=2, attributes={"http.response.status_code": 503})
    assert only(extract(above, workflow("a", "h"), retrieval("b", "a"))).error == RequestError("503", "request")


def test_a_failed_batch_job_above_is_no_error_of_its_requests() -> None:
    assert only(extract(span("job", **failed()), workflow("a", "job"), retrieval("b", "a"))).error is None


def test_a_client_error_is_the_clients() -> None:
    above = span("h", kind=2, attributes={"http.response.status_code": 404})
    assert only(extract(above, workflow("a", "h"), retrieval("b", "a"))).error is None


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("APIError('upstream broke')Traceback (most recent call last):", "APIError"),
        ("openai.RateLimitError('slow down')", "openai.RateLimitError"),
        ("something else (APIError)", "Exception"),
        ("", "Exception"),
    ],
)
def test_a_bare_exception_has_the_class_that_its_message_begins_with(message: str, kind: str) -> None:
    event = SpanEvent("exception", 1, {"exception.type": "Exception", "exception.message": message})
    broken = retrieval("b", "a", events=(event,), status=SpanStatus.ERROR)
    error = only(extract(workflow("a"), broken)).error
    assert error is not None
    assert error.type == kind
    assert "Traceback" not in error.message
