from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.errors import DecodeError
from monitor.traces.decode.otlp_json import OtlpJson
from monitor.traces.text import is_fit
from monitor.traces.values import as_json, looks_cut
from monitor.wire import Decoded, LogEvent, SpanEvent, SpanLink, SpanStatus
from tests.monitor.traces.decode.samples import SPAN_ID, TRACE_ID, TRACES, case_bytes
from tests.monitor.traces.decode.wishes import Wish, only

TWIN = (TRACES / "openinference-langchain-success.otlp.json").read_bytes()


def span(**fields: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
    return {"traceId": TRACE_ID.hex(), "spanId": SPAN_ID.hex(), "name": "ask", **fields}


def request(*spans: Any) -> bytes:  # noqa: ANN401 - any JSON
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).encode()


def kind_of(value: bytes) -> str:
    with pytest.raises(DecodeError) as caught:
        OtlpJson().decode(value)
    return caught.value.kind


def test_every_value_type_is_read_and_unset_is_absent() -> None:
    values: dict[str, Any] = {
        "text": {"stringValue": "开放 🙂"},
        "empty": {"stringValue": ""},
        "int": {"intValue": "-9223372036854775808"},
        "number": {"intValue": 7},
        "float": {"doubleValue": 0.25},
        "whole": {"doubleValue": 1},
        "float text": {"doubleValue": "0.5"},
        "no float": {"doubleValue": "x"},
        "false": {"boolValue": False},
        "bytes": {"bytesValue": "AP8="},
        "bytes url": {"bytesValue": "_-8"},
        "no bytes": {"bytesValue": "?"},
        "list": {"arrayValue": {"values": [{"stringValue": "a"}, {}, {"intValue": "1"}]}},
        "empty list": {"arrayValue": {}},
        "map": {"kvlistValue": {"values": [{"key": "k", "value": {"stringValue": "v"}}, {"key": "unset"}]}},
        "unset": {},
        "null": None,
        "future": {"newValue": 1},
        "huge": {"intValue": "9" * 5000},
    }
    attributes = [{"key": key, "value": value} for key, value in values.items()]

    (decoded,) = OtlpJson().decode(request(span(attributes=attributes))).spans

    assert decoded.attributes == {
        "text": "开放 🙂",
        "empty": "",
        "int": -(2**63),
        "number": 7,
        "float": 0.25,
        "whole": 1.0,
        "float text": 0.5,
        "false": False,
        "bytes": b"\x00\xff",
        "bytes url": b"\xff\xef",
        "list": ["a", None, 1],
        "empty list": [],
        "map": {"k": "v"},
    }


@pytest.mark.parametrize(
    ("kind", "code", "time", "flags"),
    [
        (3, 2, "1790000000000000001", 768),
        ("SPAN_KIND_CLIENT", "STATUS_CODE_ERROR", 1790000000000000001, "768"),
        ("3", "2", "1790000000000000001", 768),
        (3, 2, "1790000000000000001", 768.0),
    ],
)
def test_enums_and_64_bit_numbers_come_as_numbers_names_or_text(
    kind: int | str, code: int | str, time: int | str, flags: int | str
) -> None:
    value = request(
        span(
            kind=kind,
            status={"code": code, "message": "no index"},
            startTimeUnixNano=time,
            endTimeUnixNano=time,
            flags=flags,
            droppedAttributesCount=flags,
            parentSpanId="00F067AA0BA902B8",
            traceState="ot=th:8",
            events=[{"name": "e", "timeUnixNano": time}],
            links=[{"traceId": TRACE_ID.hex().upper(), "spanId": SPAN_ID.hex()}, {"traceId": "x"}],
        )
    )

    decoded = OtlpJson().decode(value)

    (read,) = decoded.spans
    assert (read.kind, read.status, read.status_message) == (3, SpanStatus.ERROR, "no index")
    assert (read.start_ns, read.end_ns, read.flags) == (1790000000000000001, 1790000000000000001, 768)
    assert (read.parent_id, read.trace_state, read.dropped_attributes) == ("00f067aa0ba902b8", "ot=th:8", 768)
    assert read.events == (SpanEvent("e", 1790000000000000001, {}),)
    assert read.links == (SpanLink(TRACE_ID.hex(), SPAN_ID.hex(), {}),)
    assert decoded.skipped == {"bad_link": 1}


def test_nulls_and_unknown_fields_are_ignored() -> None:
    nulls = dict.fromkeys(
        ["parentSpanId", "traceState", "kind", "startTimeUnixNano", "attributes", "events", "links", "status", "flags"]
    )

    decoded = OtlpJson().decode(request(span(**nulls, newField={"deep": [1]})))

    assert decoded == OtlpJson().decode(request(span()))


def test_fc_022_hex_ids_in_either_case_and_unknown_fields() -> None:
    (value,) = case_bytes("FC-022")
    upper = value.replace(b"5b8efff798038103d269b633813fc60c", b"5B8EFFF798038103D269B633813FC60C")
    upper = upper.replace(b'"attributes": []', b'"attributes": [], "somethingNew": {"a": [1, null]}')

    (read,) = OtlpJson().decode(value).spans

    assert (read.trace_id, read.span_id) == ("5b8efff798038103d269b633813fc60c", "eee19b7ec3c1b174")
    assert OtlpJson().decode(upper).spans == (read,)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (span(traceId="W47/95gDgQPSabYzgT/G"), "bad_trace_id"),
        (span(traceId="0" * 32), "bad_trace_id"),
        (span(traceId=None), "bad_trace_id"),
        (span(spanId="1234"), "bad_span_id"),
        (span(parentSpanId="zz"), "bad_span_id"),
        (span(name=5), "unreadable_span"),
        (span(attributes={"key": "no list"}), "unreadable_span"),
        ("no object", "unreadable_span"),
    ],
)
def test_a_bad_span_costs_itself_and_not_the_neighbours(bad: dict[str, Any], reason: str) -> None:
    decoded = OtlpJson().decode(request(bad, span(name="good")))

    assert ([read.name for read in decoded.spans], decoded.skipped) == (["good"], {reason: 1})
    assert kind_of(request(bad)) == reason


def test_a_value_nested_too_deep_costs_its_span() -> None:
    value: dict[str, Any] = {"stringValue": "x"}
    for _ in range(100):
        value = {"arrayValue": {"values": [value]}}

    decoded = OtlpJson().decode(request(span(attributes=[{"key": "k", "value": value}]), span(name="good")))

    assert ([read.name for read in decoded.spans], decoded.skipped) == (["good"], {"too_deep": 1})


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (b"[" * 100_000, "wrong_type"),
        (b'{"a":' * 100_000, "too_deep"),
        (b'{"resourceSpans": [{"a":' + b"[" * 100_000, "too_deep"),
        (b'{"resourceSpans": NaN}', "bad_json"),
        (b'{"resourceSpans": 5}', "wrong_type"),
        (b'{"resourceSpans": []}', "no_spans"),
        (b"{}", "no_spans"),
        (b'{"resourceSpans": [', "bad_json"),
        (b"null", "wrong_type"),
        ("{}".encode("utf-16"), "bad_json"),
    ],
)
def test_what_holds_no_spans_is_a_decode_error(value: bytes, kind: str) -> None:
    assert kind_of(value) == kind


def test_nothing_decodes_to_nothing() -> None:
    assert OtlpJson().decode(b"") == Decoded()


def test_a_byte_order_mark_is_no_content() -> None:
    value = request(span())

    assert OtlpJson().decode(b"\xef\xbb\xbf" + value) == OtlpJson().decode(value)


@pytest.mark.parametrize("wanted", [None, Wish(lambda _: True)], ids=["all", "asked"])
@pytest.mark.parametrize("bad", [rb"\ud83e", b"\xff", rb"\u0000"])
def test_a_broken_character_is_replaced_and_counted(bad: bytes, wanted: Any) -> None:  # noqa: ANN401 - a table
    value = request(span(name="Yes MARK is open 🙂")).replace(b"MARK", bad)

    decoded = OtlpJson().decode(value, wanted)

    assert ([read.name for read in decoded.spans], decoded.repaired) == (["Yes \ufffd is open 🙂"], 1)


def test_logs_are_read_as_from_protobuf() -> None:
    ids = {"traceId": TRACE_ID.hex(), "spanId": SPAN_ID.hex()}
    body = {"kvlistValue": {"values": [{"key": "content", "value": {"stringValue": "Hi"}}]}}
    name = [{"key": "event.name", "value": {"stringValue": "e"}}]
    records = [
        {**ids, "timeUnixNano": "7", "eventName": "gen_ai.user.message", "body": body},
        {**ids, "observedTimeUnixNano": 8, "attributes": name},
        {"timeUnixNano": "7", "eventName": "e"},
        {**ids, "timeUnixNano": "7"},
        {"timeUnixNano": []},
    ]
    value = json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}).encode()

    decoded = OtlpJson().decode(value)

    assert decoded.logs == (
        LogEvent(TRACE_ID.hex(), SPAN_ID.hex(), SpanEvent("gen_ai.user.message", 7, {}, {"content": "Hi"})),
        LogEvent(TRACE_ID.hex(), SPAN_ID.hex(), SpanEvent("e", 8, {"event.name": "e"})),
    )
    assert decoded.skipped == {"log_without_span": 1, "log_without_event": 1, "unreadable_log": 1}
    assert OtlpJson().decode(value, only()).logs == ()


def test_a_log_line_of_contents_is_an_event_of_its_span() -> None:
    ids = {"traceId": TRACE_ID.hex(), "spanId": SPAN_ID.hex()}
    record = {**ids, "timeUnixNano": "7", "body": {"stringValue": 'Chat Model Completion:\n["Yes."]'}}
    value = json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}).encode()
    event = SpanEvent("gen_ai.content.completion", 7, {"gen_ai.completion": '["Yes."]'})
    assert OtlpJson().decode(value).logs == (LogEvent(TRACE_ID.hex(), SPAN_ID.hex(), event),)


def test_fc_018_a_cut_json_attribute_costs_nothing_but_its_own_meaning() -> None:
    """Whatever the length limit, the span stays, the cut text stays text, and the cut can be seen."""
    (value,) = case_bytes("FC-018")
    payload = json.loads(value)
    messages = payload["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["attributes"][1]["value"]
    whole = messages["stringValue"]
    for limit in range(1, len(whole) + 1):
        messages["stringValue"] = whole[:limit]

        (read,) = OtlpJson().decode(json.dumps(payload).encode()).spans

        cut = read.attributes["gen_ai.input.messages"]
        assert isinstance(cut, str)
        assert looks_cut(cut) is (limit < len(whole))
        assert as_json(cut) == (cut if limit < len(whole) else json.loads(whole))
        assert as_json(read.attributes["gen_ai.output.messages"]) == [
            {"role": "assistant", "parts": [{"type": "text", "content": "You need form B."}]}
        ]


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00")))
def test_text_in_is_text_out_over_all_of_unicode(text: str) -> None:
    decoded = OtlpJson().decode(request(span(name=text)))

    assert (decoded.spans[0].name, decoded.repaired) == (text, 0)


@given(st.integers(0, len(TWIN)), st.binary(max_size=8), st.integers(0, 8))
def test_damaged_bytes_give_spans_or_a_decode_error_and_only_fit_texts(at: int, new: bytes, lost: int) -> None:
    try:
        decoded = OtlpJson().decode(TWIN[:at] + new + TWIN[at + lost :])
    except DecodeError:
        return
    assert is_fit(repr(decoded))


@pytest.mark.parametrize(
    "odd", [str(2**70), "-99999999999999999999", "-1", 2**63, str(315_532_800_000 * 10**12), 2**70]
)
def test_a_time_that_no_request_can_have_is_a_missing_one(odd: str | int) -> None:
    end, both = (
        OtlpJson()
        .decode(
            request(
                span(startTimeUnixNano="5", endTimeUnixNano=odd, events=[{"name": "e", "timeUnixNano": odd}]),
                span(startTimeUnixNano=odd, endTimeUnixNano=odd),
            )
        )
        .spans
    )
    assert (end.start_ns, end.end_ns, end.events[0].time_ns) == (5, 5, 0)
    assert (both.start_ns, both.end_ns) == (0, 0)


def test_a_whole_number_beyond_64_bits_is_no_attribute() -> None:
    values = {"most": 2**63 - 1, "more": 2**64, "less": str(-(2**70))}
    attributes = [{"key": key, "value": {"intValue": value}} for key, value in values.items()]
    (read,) = OtlpJson().decode(request(span(attributes=attributes))).spans
    assert read.attributes == {"most": 2**63 - 1}
