"""Jaeger spans of other writers than today's Collector, and broken ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from monitor.errors import DecodeError
from monitor.traces.decode.jaeger_json import JaegerJson
from monitor.traces.decode.jaeger_proto import JaegerProto
from monitor.wire import Decoded, Span, SpanEvent, SpanLink, SpanStatus
from tests.monitor.traces.decode.encoders import blob, number
from tests.monitor.traces.decode.samples import SPAN_ID, TRACE_ID
from tests.monitor.traces.decode.wishes import only

TRACE, SPAN = TRACE_ID.hex(), SPAN_ID.hex()
OTHER = "f" * 32
PARENT = "1" * 16


def json_span(**fields: Any) -> Span:  # noqa: ANN401 - any JSON
    (span,) = decode_json({"traceID": TRACE, "spanID": SPAN, "operationName": "ask", **fields}).spans
    return span


def decode_json(value: Any) -> Decoded:  # noqa: ANN401 - any JSON
    return JaegerJson().decode(json.dumps(value).encode())


def test_an_array_may_hold_spans_and_whole_traces() -> None:
    item = {"traceID": TRACE, "operationName": "ask"}
    whole = {"spans": [{**item, "spanID": "2", "processID": "p1"}], "processes": {"p1": {"serviceName": "app"}}}

    decoded = decode_json([{**item, "spanID": "1"}, whole, 5, {"spans": 5}])

    assert [(span.span_id[-1], span.resource) for span in decoded.spans] == [("2", {"service.name": "app"}), ("1", {})]
    assert decoded.skipped == {"unreadable_span": 1, "bad_trace_id": 1}


def proto_value(*parts: bytes, span_id: bytes = SPAN_ID) -> bytes:
    return b"".join([blob(1, TRACE_ID), blob(2, span_id), blob(3, "ask"), *parts])


def proto_span(*parts: bytes) -> Span:
    (span,) = JaegerProto().decode(proto_value(*parts)).spans
    return span


def tag(key: str, value: object) -> Mapping[str, object]:
    return {"key": key, "type": "string", "value": value}


# ------------------------------------------------------------------------------------------------------------ the ids


@pytest.mark.parametrize(
    ("trace_id", "read"),
    [
        (TRACE.upper(), TRACE),
        ("A+/9", None),
        ("ASNFZ4mrze8BI0VniavN7w==", TRACE),
        ("ASNFZ4mrze8BI0VniavN7w", TRACE),
        ("abc", f"{'0' * 29}abc"),
        ("0123456789abcdef", f"{'0' * 16}0123456789abcdef"),
        ("0" * 32, None),
        ("x" * 33, None),
        ("", None),
        ("项", None),
    ],
)
def test_ids_are_hex_with_or_without_leading_zeros_or_base64(trace_id: str, read: str | None) -> None:
    value = {"traceID": trace_id, "spanID": SPAN, "operationName": "ask"}
    if read is None:
        with pytest.raises(DecodeError, match="bad_trace_id"):
            decode_json(value)
    else:
        (span,) = decode_json(value).spans
        assert span.trace_id == read


def test_a_span_id_without_its_leading_zero_is_read() -> None:
    assert json_span(spanID="f067aa0ba902b7").span_id == SPAN


# ---------------------------------------------------------------------------------------------------------- relatives


def test_the_parent_is_the_child_of_reference_of_the_same_trace_and_all_others_are_links() -> None:
    references = [
        {"refType": "FOLLOWS_FROM", "traceID": TRACE, "spanID": "2" * 16},
        {"refType": "CHILD_OF", "traceID": OTHER, "spanID": "3" * 16},
        {"refType": "CHILD_OF", "traceID": TRACE, "spanID": PARENT},
        {"refType": "CHILD_OF", "traceID": TRACE, "spanID": "4" * 16},
    ]

    span = json_span(references=references)

    assert span.parent_id == PARENT
    assert span.links == (
        SpanLink(TRACE, "2" * 16, {}),
        SpanLink(OTHER, "3" * 16, {}),
        SpanLink(TRACE, "4" * 16, {}),
    )


def test_an_unusable_reference_is_counted_and_the_span_stays() -> None:
    references = [{"refType": "CHILD_OF", "traceID": TRACE, "spanID": "0" * 16}, {"traceID": "!", "spanID": PARENT}]

    decoded = decode_json({"traceID": TRACE, "spanID": SPAN, "operationName": "ask", "references": references})

    assert (decoded.spans[0].parent_id, decoded.skipped) == ("", {"bad_link": 2})


def test_old_jaeger_names_the_parent_by_id_alone() -> None:
    assert json_span(parentSpanID="1111111111111111").parent_id == PARENT
    assert json_span(parentSpanID="0").parent_id == ""


# ------------------------------------------------------------------------------------------------------- tags and logs


def test_the_name_of_an_event_is_taken_from_event_else_from_message_and_taken_once() -> None:
    logs = [
        {"timestamp": 5, "fields": [tag("message", "old"), tag("a", "1")]},
        {"timestamp": 6, "fields": [tag("event", "new"), tag("message", "kept"), tag("event", "own")]},
        {"timestamp": 7, "fields": [tag("level", "info")]},
        {"timestamp": 8},
    ]

    assert json_span(logs=logs).events == (
        SpanEvent("old", 5000, {"a": "1"}),
        SpanEvent("new", 6000, {"message": "kept", "event": "own"}),
        SpanEvent("", 7000, {"level": "info"}),
        SpanEvent("", 8000, {}),
    )


@pytest.mark.parametrize(
    ("read", "as_is"),
    [
        ({"type": "int64", "value": "42"}, 42),
        ({"type": "int64", "value": 42}, 42),
        ({"type": "int64", "value": 10**30}, None),
        ({"type": "float64", "value": "0.83"}, 0.83),
        ({"type": "float64", "value": 10**400}, None),
        ({"type": "bool", "value": "true"}, True),
        ({"type": "bool", "value": False}, False),
        ({"type": "binary", "value": "AQI="}, b"\x01\x02"),
        ({"type": "binary", "value": "?"}, None),
        ({"type": "string", "value": "[1, 2]"}, "[1, 2]"),
        ({"value": 7}, 7),
        ({"vType": "INT64", "vInt64": "42"}, 42),
        ({"vType": 2, "vInt64": 42}, 42),
        ({"vType": "INT64"}, 0),
        ({"vType": "FLOAT64"}, 0.0),
        ({"vType": "BOOL"}, False),
        ({"vType": "BINARY", "vBinary": "AQI="}, b"\x01\x02"),
        ({}, ""),
        ({"vType": "DECIMAL", "vStr": "1"}, None),
        ({"vType": 9}, None),
    ],
)
def test_a_tag_keeps_its_type_in_both_forms(read: dict[str, object], as_is: object) -> None:
    attributes = json_span(tags=[{"key": "k", **read}]).attributes

    assert attributes.get("k") == as_is
    assert type(attributes.get("k")) is type(as_is)


def test_a_tag_of_unknown_type_is_left_out_of_protobuf() -> None:
    assert proto_span(blob(8, blob(1, "k") + number(2, 9)), blob(8, blob(1, "s") + blob(3, "x"))).attributes == {
        "s": "x"
    }


@pytest.mark.parametrize(
    ("tags", "status", "message"),
    [
        ([tag("error", value=True)], SpanStatus.ERROR, ""),
        ([tag("error", "true")], SpanStatus.ERROR, ""),
        ([tag("error", "timeout")], SpanStatus.UNSET, ""),
        ([tag("error", value=False)], SpanStatus.UNSET, ""),
        ([tag("otel.status_code", "OK"), tag("error", value=True)], SpanStatus.OK, ""),
        ([tag("otel.status_code", "error"), tag("otel.status_description", "why")], SpanStatus.ERROR, "why"),
        ([tag("otel.status_code", "?")], SpanStatus.UNSET, ""),
    ],
)
def test_the_status_stands_among_the_tags(tags: list[Mapping[str, object]], status: SpanStatus, message: str) -> None:
    span = json_span(tags=tags)

    assert (span.status, span.status_message) == (status, message)
    assert ("error" in span.attributes) == (tags[0]["value"] in ("timeout", False))


def test_other_fields_stand_among_the_tags_too() -> None:
    tags = [
        tag("span.kind", "SERVER"),
        tag("w3c.tracestate", "ot=th:8"),
        tag("otel.library.name", "lib"),
        tag("otel.library.version", "1"),
        tag("otel.dropped_attributes_count", 17),
        tag("otel.dropped_events_count", 3),
        tag("mine", "yes"),
    ]

    span = json_span(tags=tags)

    assert (span.kind, span.trace_state, span.scope, span.dropped_attributes) == (2, "ot=th:8", "lib", 17)
    assert span.attributes == {"mine": "yes"}


@pytest.mark.parametrize(
    ("keys", "dropped"),
    [
        (["retrieval.documents.7.document.content", "retrieval.documents.8.document.content"], 7),
        (["llm.input_messages.0.message.role", "llm.input_messages.2.message.role"], 1),
        (["gen_ai.prompt.0.content", "gen_ai.prompt.0.role", "gen_ai.prompt.1.role"], 0),
        (["my.list.7.x", "retrieval.documents.9999999.x", "retrieval.documents.x"], 0),
        (["retrieval.documents"], 0),
    ],
)
def test_a_gap_in_a_numbered_list_is_a_dropped_attribute(keys: list[str], dropped: int) -> None:
    """The encoding has no count of them."""
    assert json_span(tags=[tag(key, "x") for key in keys]).dropped_attributes == dropped


# ------------------------------------------------------------------------------------------------- process and shapes


def test_the_process_is_the_spans_own_else_the_one_it_names_else_the_batchs() -> None:
    own = {"serviceName": "own", "tags": [tag("service.version", "1")]}
    base = {"traceID": TRACE, "operationName": "ask"}
    spans = [
        {**base, "spanID": "1", "process": own, "processID": "p1"},
        {**base, "spanID": "2", "process": None, "processID": "p1"},
        {**base, "spanID": "3"},
    ]
    batch = {"spans": spans, "processes": {"p1": {"serviceName": "named"}}, "process": {"serviceName": "batch"}}

    assert [span.resource for span in decode_json(batch).spans] == [
        {"service.name": "own", "service.version": "1"},
        {"service.name": "named"},
        {"service.name": "batch"},
    ]
    assert len(decode_json({"data": [batch, batch]}).spans) == 6
    assert [span.resource for span in decode_json(spans).spans][1:] == [{}, {}]


def test_a_missing_service_name_is_missing() -> None:
    assert json_span(process={"serviceName": "OTLPResourceNoServiceName"}).resource == {}


@pytest.mark.parametrize(
    ("start", "duration", "read"),
    [
        ("2026-11-29T17:46:19.808473841Z", "0.000324317s", (1795974379808473841, 324317)),
        ("2026-11-29T17:46:19Z", "90s", (1795974379000000000, 90 * 10**9)),
        (1795974379808473, 324, (1795974379808473000, 324000)),
        ("1795974379808473", "324", (1795974379808473000, 324000)),
        (1795974379808473.5, 0.5, (1795974379808473500, 500)),
        ("yesterday", "-1s", (0, 0)),
        (None, None, (0, 0)),
        (-1, -1, (0, 0)),
        (10**400, 10**400, (0, 0)),
        ("9999-12-31T23:59:59Z", "9" * 30 + "s", (0, 0)),
    ],
)
def test_times_are_text_or_microseconds_and_an_unusable_one_is_unknown(
    start: object, duration: object, read: tuple[int, int]
) -> None:
    span = json_span(startTime=start, duration=duration)

    assert (span.start_ns, span.end_ns - span.start_ns) == read


# -------------------------------------------------------------------------------------------------------- broken ones


def test_bad_text_is_mended_and_counted_wherever_it_stands() -> None:
    process = blob(1, b"help\xffdesk") + blob(2, blob(1, "k") + blob(3, b"\xfe"))
    log = blob(2, blob(1, "event") + blob(3, b"e\xff"))

    decoded = JaegerProto().decode(
        proto_value(blob(8, blob(1, "k") + blob(3, b"a\xff")), blob(9, log), blob(10, process))
    )

    (span,) = decoded.spans
    assert span.attributes == {"k": "a\ufffd"}
    assert span.events[0].name == "e\ufffd"
    assert span.resource == {"service.name": "help\ufffddesk", "k": "\ufffd"}
    assert decoded.repaired == 4


def test_half_an_emoji_and_nul_are_mended_in_json() -> None:
    decoded = JaegerJson().decode(
        b'{"traceID": "%s", "spanID": "1", "operationName": "a\\ud83d", "tags": [{"key": "k", "vStr": "\\u0000"}]}'
        % TRACE.encode()
    )

    assert (decoded.spans[0].name, decoded.spans[0].attributes) == ("a\ufffd", {"k": "\ufffd"})
    assert decoded.repaired == 2


def test_one_broken_span_of_a_trace_costs_only_itself() -> None:
    good = {"traceID": TRACE, "spanID": SPAN, "operationName": "ask"}

    decoded = decode_json({"spans": [good, {**good, "spanID": "x"}, {**good, "tags": 5}, 7, {**good, "traceID": 5}]})

    assert len(decoded.spans) == 1
    assert decoded.skipped == {"bad_span_id": 1, "unreadable_span": 3}


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (b"\x0a\x10abc", "unreadable_span"),
        (b"\x0a\x02ab\x12\x08" + SPAN_ID, "bad_trace_id"),
        (proto_value(span_id=b"12"), "bad_span_id"),
        (proto_value(blob(8, b"\xff\xff")), "unreadable_span"),
    ],
)
def test_a_broken_protobuf_span_is_a_decode_error_with_its_reason(value: bytes, kind: str) -> None:
    with pytest.raises(DecodeError) as caught:
        JaegerProto().decode(value)

    assert caught.value.kind == kind


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (b"{", "bad_json"),
        (b"7", "wrong_type"),
        (b"{}", "bad_trace_id"),
        (b"[]", "no_spans"),
        (b'{"data": []}', "no_spans"),
        (b'{"data": 7}', "wrong_type"),
        (b'{"traceID": "1", "spanID": "1", "x": ' + b"[" * 100_000, "too_deep"),
    ],
)
def test_a_broken_json_record_is_a_decode_error_with_its_reason(value: bytes, kind: str) -> None:
    with pytest.raises(DecodeError) as caught:
        JaegerJson().decode(value)

    assert caught.value.kind == kind


def test_an_unreadable_process_does_not_cost_its_span() -> None:
    assert proto_span(blob(10, b"\xff\xff")).resource == {}


# ------------------------------------------------------------------------------------------------------------- wanted


def test_a_refused_span_is_not_parsed() -> None:
    """What its fields hold is never looked at."""
    unreadable = blob(1, TRACE_ID) + blob(8, b"\xff\xff")
    refuse = only()

    assert JaegerProto().decode(unreadable, refuse) == Decoded(unwanted_spans=1)
    assert refuse.asked == {TRACE}
    assert JaegerJson().decode(b'{"traceID": "%s", "tags": 5}' % TRACE.encode(), only()) == Decoded(unwanted_spans=1)


def test_a_span_without_a_usable_id_is_counted_not_refused() -> None:
    with pytest.raises(DecodeError, match="bad_trace_id"):
        JaegerProto().decode(blob(2, SPAN_ID), only())
    with pytest.raises(DecodeError, match="bad_trace_id"):
        JaegerJson().decode(b'{"spanID": "1"}', only())


def test_a_trace_of_refused_and_broken_spans_is_no_dead_letter() -> None:
    value = {"spans": [{"traceID": TRACE, "spanID": SPAN}, {"traceID": "!", "spanID": SPAN}]}

    decoded = JaegerJson().decode(json.dumps(value).encode(), only())

    assert decoded == Decoded(skipped={"bad_trace_id": 1}, unwanted_spans=1)
