"""Spans as the Python SDK prints them: written by the SDK itself, and by older ones."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.errors import DecodeError
from monitor.traces.decode import make_decoder
from monitor.wire import AttributeValue, Decoded, Span, SpanEvent, SpanLink, SpanStatus
from tests.monitor.traces.decode.otlp_encoders import otlp_proto
from tests.monitor.traces.decode.python_encoders import printable, python_json
from tests.monitor.traces.decode.requests import differences, find
from tests.monitor.traces.decode.samples import SPAN_CAPTURES, SPAN_ID, TRACE_ID
from tests.monitor.traces.decode.test_choice import agrees
from tests.monitor.traces.decode.test_round_trips import spans

IDS = {"trace_id": f"0x{TRACE_ID.hex()}", "span_id": f"0x{SPAN_ID.hex()}", "trace_state": "[]"}
NS_OF_A_FLOAT = 1_000
"""The SDK makes a time's text from a float of seconds."""


def printed(**fields: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    return {"name": "ask", "context": IDS, "parent_id": None, **fields}


def decode(*items: object, encoding: str = "auto") -> Decoded:
    value = json.dumps(items[0] if len(items) == 1 else items).encode()
    return make_decoder(encoding).decode(value)


def span_of(**fields: Any) -> Span:  # noqa: ANN401 - any JSON
    (span,) = decode(printed(**fields)).spans
    return span


@pytest.mark.parametrize("seed", range(3))
def test_captured_spans_that_the_sdk_printed_give_their_requests(seed: int) -> None:
    """The same as the spans themselves, but for what the page tells; shuffled, and some twice."""
    found = [span for path in SPAN_CAPTURES for span in make_decoder("otlp_proto").decode(path.read_bytes()).spans]
    spans = [replace(span, attributes=printable(span.attributes)) for span in _once(found)]
    random = Random(seed)
    values = python_json(spans)
    values += random.sample(values, 20)
    random.shuffle(values)
    want, got = find(otlp_proto(spans), make_decoder("otlp_proto")), find(values, make_decoder("auto"))

    told = differences(want, got, ["python_json"])

    assert {name: pair[0] for name, pair in told.items()} in ({}, {"session_id": None})
    assert len(got.requests) > 60


def _once(found: list[Span]) -> list[Span]:
    """The last span of each id: some captures share theirs."""
    return list({(span.trace_id, span.span_id): span for span in found}.values())


@given(spans(), st.booleans())
def test_the_sdk_prints_all_of_a_span_but_its_scope_and_flags(span: Span, with_parent: bool) -> None:  # noqa: FBT001 - drawn
    told = span.status_message if span.status is SpanStatus.ERROR else ""  # the SDK drops any other
    parent_id = "00f067aa0ba902b7" if with_parent else ""
    whole = replace(span, parent_id=parent_id, kind=max(span.kind, 1), status_message=told)
    (value,) = python_json([whole])

    (got,) = make_decoder("python_json").decode(value).spans

    assert make_decoder("auto").decode(value).spans == (got,)
    assert abs(got.start_ns - whole.start_ns) <= NS_OF_A_FLOAT
    assert abs(got.end_ns - whole.end_ns) <= NS_OF_A_FLOAT
    assert all(abs(a.time_ns - b.time_ns) <= NS_OF_A_FLOAT for a, b in zip(got.events, whole.events, strict=True))
    assert _timeless(got) == _timeless(replace(whole, scope="", flags=0))


def _timeless(span: Span) -> Span:
    events = tuple(replace(event, time_ns=0) for event in span.events)
    resource = {key: value for key, value in span.resource.items() if key.startswith("service.")}
    return replace(span, start_ns=0, end_ns=0, events=events, resource=resource, dropped_attributes=0)


def test_every_field_is_read() -> None:
    span = span_of(
        context={**IDS, "trace_state": "['{key=ot, value=th:8}', '{key=a, value=b}']"},
        parent_id="0x1",
        kind="SpanKind.CLIENT",
        start_time="2026-11-30T10:00:00.000001Z",
        end_time="2026-11-30T10:00:01Z",
        status={"status_code": "ERROR", "description": "no index"},
        attributes={"list": ["a", 1, True, None], "unset": None, "map": {"k": 1.5}, "huge": 2**70},
        events=[{"name": "e", "timestamp": "2026-11-30T10:00:00Z", "attributes": {"k": 1}}],
        links=[{"context": IDS, "attributes": {"k": "v"}}, {"context": {}}, {}],
        resource={"attributes": {"service.name": "app"}, "schema_url": ""},
    )

    assert (span.trace_id, span.span_id, span.parent_id) == (TRACE_ID.hex(), SPAN_ID.hex(), "0" * 15 + "1")
    assert (span.kind, span.trace_state, span.status, span.status_message) == (
        3,
        "ot=th:8,a=b",
        SpanStatus.ERROR,
        "no index",
    )
    assert (span.end_ns - span.start_ns, span.start_ns % 10**9) == (999_999_000, 1_000)
    assert span.attributes == {"list": ["a", 1, True, None], "map": {"k": 1.5}}
    assert span.events == (SpanEvent("e", span.start_ns - 1_000, {"k": 1}),)
    assert span.links == (SpanLink(TRACE_ID.hex(), SPAN_ID.hex(), {"k": "v"}),)
    assert span.resource == {"service.name": "app"}


def test_old_versions_print_the_resource_bare_and_ids_without_zeros() -> None:
    span = span_of(context={"trace_id": "0xab", "span_id": "0xc"}, resource={"service.name": "app"})

    assert (span.trace_id, span.span_id, span.resource) == ("0" * 30 + "ab", "0" * 15 + "c", {"service.name": "app"})


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"context": {"span_id": "0x1"}}, "bad_trace_id"),
        ({"context": {**IDS, "trace_id": "0x0"}}, "bad_trace_id"),
        ({"context": {**IDS, "span_id": "0xzz"}}, "bad_span_id"),
        ({"parent_id": "none"}, "bad_span_id"),
        ({"name": 5}, "unreadable_span"),
    ],
)
def test_a_bad_span_costs_itself(fields: dict[str, Any], reason: str) -> None:
    decoded = decode(printed(**fields), printed(name="good"))
    with pytest.raises(DecodeError) as caught:
        decode(printed(**fields))

    assert ([span.name for span in decoded.spans], decoded.skipped) == (["good"], {reason: 1})
    assert caught.value.kind == reason


def test_a_value_nested_deep_costs_its_span_at_most() -> None:
    value: AttributeValue = "x"
    for _ in range(480):
        value = [value]

    decoded = decode(printed(attributes={"k": value}), printed(name="good"))

    assert [span.name for span in decoded.spans][-1] == "good"


@pytest.mark.parametrize("odd", ["", "yesterday", "1960-01-01T00:00:00Z", "2300-01-01T00:00:00Z"])
def test_a_time_that_no_request_can_have_is_a_missing_one(odd: str) -> None:
    span = span_of(start_time="1970-01-01T00:00:01Z", end_time=odd)

    assert (span.start_ns, span.end_ns) == (10**9, 10**9)


def lines(items: Sequence[object]) -> str:
    return "\n".join(map(json.dumps, items))


TRACES = ["0" * 31 + "1", "0" * 31 + "2"]
wishes = st.sets(st.sampled_from(TRACES), min_size=1)
items = st.builds(
    lambda trace, span, extra: printed(context={"trace_id": trace, "span_id": span}, **extra),
    st.sampled_from([*(f"0x{trace}" for trace in TRACES), "0x1", "0x0", "", "0xzz"]),
    st.sampled_from(["0x1", "0x0", ""]),
    st.sampled_from([dict[str, int](), {}, {"name": 5}]),
)
records = items | st.lists(items, max_size=4)


@given(records.map(lambda found: json.dumps(found, indent=4)) | st.lists(items).map(lines), wishes)
def test_reading_what_is_wanted_gives_what_a_whole_reading_has_of_it(text: str, wish: set[str]) -> None:
    agrees("python_json", text.encode(), wish)
    agrees("auto", text.encode(), wish)
