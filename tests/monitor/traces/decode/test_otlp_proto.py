from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValueList
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord, ResourceLogs, ScopeLogs
from opentelemetry.proto.metrics.v1.metrics_pb2 import Metric, ResourceMetrics, ScopeMetrics
from opentelemetry.proto.trace.v1.trace_pb2 import Span as ProtoSpan
from opentelemetry.proto.trace.v1.trace_pb2 import Status

from monitor.errors import DecodeError
from monitor.traces.decode.limits import MAX_BYTES
from monitor.traces.decode.otlp_proto import OtlpProto
from monitor.traces.text import is_fit
from monitor.wire import Decoded, LogEvent, SpanEvent, SpanLink, SpanStatus
from tests.monitor.traces.decode.samples import (
    SPAN_ID,
    TRACE_ID,
    TRACES,
    attribute,
    case_bytes,
    proto_span,
    request,
)
from tests.monitor.traces.decode.wishes import only

CAPTURE = (TRACES / "otel-openai-v2-success.pb").read_bytes()


def text(value: str) -> AnyValue:
    return AnyValue(string_value=value)


def logs(*records: LogRecord) -> bytes:
    scopes = [ScopeLogs(log_records=records)]
    return ExportLogsServiceRequest(resource_logs=[ResourceLogs(scope_logs=scopes)]).SerializeToString()


def kind_of(value: bytes) -> str:
    with pytest.raises(DecodeError) as caught:
        OtlpProto().decode(value)
    return caught.value.kind


def test_every_value_type_is_read_and_unset_is_absent() -> None:
    pairs = {
        "text": text("开放 🙂"),
        "empty": text(""),
        "int": AnyValue(int_value=-(2**63)),
        "zero": AnyValue(int_value=0),
        "float": AnyValue(double_value=0.25),
        "false": AnyValue(bool_value=False),
        "bytes": AnyValue(bytes_value=b"\x00\xff"),
        "list": AnyValue(array_value=ArrayValue(values=[text("a"), AnyValue(), AnyValue(int_value=1)])),
        "map": AnyValue(kvlist_value=KeyValueList(values=[attribute("k", text("v")), attribute("unset", AnyValue())])),
        "unset": AnyValue(),
    }
    span = proto_span(attributes=[attribute(key, value) for key, value in pairs.items()])

    (decoded,) = OtlpProto().decode(request(span)).spans

    assert decoded.attributes == {
        "text": "开放 🙂",
        "empty": "",
        "int": -(2**63),
        "zero": 0,
        "float": 0.25,
        "false": False,
        "bytes": b"\x00\xff",
        "list": ["a", None, 1],
        "map": {"k": "v"},
    }


def test_status_events_links_and_flags_are_read() -> None:
    span = proto_span(
        parent_span_id=b"12345678",
        kind=ProtoSpan.SPAN_KIND_CLIENT,
        flags=0x300,
        trace_state="ot=th:8",
        dropped_attributes_count=3,
        status=Status(code=Status.STATUS_CODE_ERROR, message="no index"),
        events=[ProtoSpan.Event(name="e", time_unix_nano=5, attributes=[attribute("a", text("b"))])],
        links=[ProtoSpan.Link(trace_id=TRACE_ID, span_id=SPAN_ID), ProtoSpan.Link(trace_id=b"short", span_id=SPAN_ID)],
    )

    decoded = OtlpProto().decode(request(span))

    (read,) = decoded.spans
    assert (read.parent_id, read.kind, read.flags, read.trace_state) == (b"12345678".hex(), 3, 0x300, "ot=th:8")
    assert (read.status, read.status_message, read.dropped_attributes) == (SpanStatus.ERROR, "no index", 3)
    assert read.events == (SpanEvent("e", 5, {"a": "b"}),)
    assert read.links == (SpanLink(TRACE_ID.hex(), SPAN_ID.hex(), {}),)
    assert decoded.skipped == {"bad_link": 1}


def test_an_unknown_status_code_is_unset() -> None:
    raw = proto_span().SerializeToString() + bytes.fromhex("7a021809")  # status { code: 9 }

    (span,) = OtlpProto().decode(request(ProtoSpan.FromString(raw))).spans

    assert span.status is SpanStatus.UNSET


@pytest.mark.parametrize("parent", [b"", bytes(8)])
def test_no_parent_and_a_parent_of_zeros_are_a_root(parent: bytes) -> None:
    (span,) = OtlpProto().decode(request(proto_span(parent_span_id=parent))).spans

    assert span.parent_id == ""


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"trace_id": b"\x01" * 15}, "bad_trace_id"),
        ({"trace_id": b""}, "bad_trace_id"),
        ({"trace_id": bytes(16)}, "bad_trace_id"),
        ({"span_id": b"\x01" * 7}, "bad_span_id"),
        ({"span_id": bytes(8)}, "bad_span_id"),
        ({"parent_span_id": b"\x01" * 9}, "bad_span_id"),
    ],
)
def test_a_bad_id_costs_its_span_and_not_the_neighbours(fields: dict[str, bytes], reason: str) -> None:
    bad, good = proto_span(**fields), proto_span(name="good")

    decoded = OtlpProto().decode(request(bad, good))

    assert ([span.name for span in decoded.spans], decoded.skipped) == (["good"], {reason: 1})
    assert kind_of(request(bad)) == reason


def test_fc_020_a_bad_id_and_a_poison_record() -> None:
    bad_and_good, poison, good = case_bytes("FC-020")

    first, last = OtlpProto().decode(bad_and_good), OtlpProto().decode(good)

    assert ([span.name for span in first.spans], first.skipped) == (["good"], {"bad_trace_id": 1})
    assert [span.name for span in last.spans] == ["ok"]
    assert kind_of(poison) == "not_protobuf"


@pytest.mark.parametrize("where", ["attribute", "key", "name", "nested", "event", "trace_state"])
def test_invalid_utf8_costs_its_characters_and_nothing_else(where: str) -> None:
    """Protobuf refuses the whole message for it."""
    mark = "MARK"
    variants: dict[str, dict[str, Any]] = {
        "attribute": {"attributes": [attribute("a", text(mark))]},
        "key": {"attributes": [attribute(mark, text("v"))]},
        "name": {"name": mark},
        "nested": {"attributes": [attribute("a", AnyValue(array_value=ArrayValue(values=[text("fine"), text(mark)])))]},
        "event": {"events": [ProtoSpan.Event(name=mark)]},
        "trace_state": {"trace_state": mark},
    }
    clean = request(proto_span(**variants[where], flags=257), proto_span(name="good"))

    decoded = OtlpProto().decode(clean.replace(b"MARK", b"ab\xff\xe9"))

    expected = OtlpProto().decode(clean)
    assert repr(decoded.spans) == repr(expected.spans).replace("MARK", "ab\ufffd\ufffd")
    assert (decoded.repaired, decoded.skipped) == (1, {})


def test_nul_in_any_text_is_repaired_and_counted() -> None:
    span = proto_span(name="a\x00", attributes=[attribute("k\x00", text("v\x00"))])

    decoded = OtlpProto().decode(request(span))

    assert (decoded.spans[0].name, decoded.spans[0].attributes, decoded.repaired) == (
        "a\ufffd",
        {"k\ufffd": "v\ufffd"},
        3,
    )


def test_repairs_in_a_remembered_resource_count_in_each_record() -> None:
    value = CAPTURE.replace(b"velora-helpdesk", b"velora-help\xffesk")
    decoder = OtlpProto()

    first, second = decoder.decode(value), decoder.decode(value)

    assert first == second
    assert first.repaired > 0
    assert first.spans[0].resource["service.name"] == "velora-help\ufffdesk"


def test_a_span_that_cannot_be_read_costs_only_itself() -> None:
    """The first span's last field is cut: its name says it is longer than it is."""
    cut = proto_span().SerializeToString()[:-1]
    inner = b"".join(bytes((0x12, len(raw))) + raw for raw in (cut, proto_span(name="good").SerializeToString()))
    scope = bytes((0x12, len(inner))) + inner
    decoded = OtlpProto().decode(bytes((0x0A, len(scope))) + scope)

    assert ([span.name for span in decoded.spans], decoded.skipped) == (["good"], {"unreadable_span": 1})


@pytest.mark.parametrize(("depth", "readable"), [(30, True), (60, False), (5000, False)])
def test_a_value_nested_too_deep_costs_its_span(depth: int, readable: bool) -> None:  # noqa: FBT001 - a table
    body = b"\x0a\x01x"  # string_value: "x"
    for _ in range(depth):
        body = _field(5, _field(1, body))  # array_value { values { ... } }
    pair = _field(9, _field(1, b"deep") + _field(2, body))
    bad = proto_span().SerializeToString() + pair
    value = _field(1, _field(2, _field(2, bad) + _field(2, proto_span(name="good").SerializeToString())))

    decoded = OtlpProto().decode(value)

    assert [span.name for span in decoded.spans] == (["ask", "good"] if readable else ["good"])
    assert decoded.skipped == ({} if readable else {"unreadable_span": 1})


def _field(number: int, body: bytes) -> bytes:
    length, out = len(body), bytearray((number << 3 | 2,))
    while length > 0x7F:
        out.append(length & 0x7F | 0x80)
        length >>= 7
    out.append(length)
    return bytes(out) + body


def test_nothing_decodes_to_nothing() -> None:
    assert OtlpProto().decode(b"") == Decoded()


def test_a_value_beyond_the_size_limit_is_refused() -> None:
    assert kind_of(bytes(MAX_BYTES + 1)) == "too_large"


def test_metrics_are_no_spans() -> None:
    scopes = [ScopeMetrics(metrics=[Metric(name="requests"), Metric(name="sixteen.letters.")])]
    value = ExportMetricsServiceRequest(resource_metrics=[ResourceMetrics(scope_metrics=scopes)]).SerializeToString()

    assert kind_of(value) in {"bad_trace_id", "unreadable_span"}


def test_only_logs_that_are_events_of_a_span_are_kept() -> None:
    whole = LogRecord(
        time_unix_nano=7, trace_id=TRACE_ID, span_id=SPAN_ID, event_name="gen_ai.choice", body=text("Yes.")
    )
    older = LogRecord(
        observed_time_unix_nano=8, trace_id=TRACE_ID, span_id=SPAN_ID, attributes=[attribute("event.name", text("e"))]
    )
    no_span = LogRecord(time_unix_nano=7, event_name="e")
    no_event = LogRecord(time_unix_nano=7, trace_id=TRACE_ID, span_id=SPAN_ID, body=text("a log line"))

    decoded = OtlpProto().decode(logs(whole, older, no_span, no_event))

    assert decoded.logs == (
        LogEvent(TRACE_ID.hex(), SPAN_ID.hex(), SpanEvent("gen_ai.choice", 7, {}, "Yes.")),
        LogEvent(TRACE_ID.hex(), SPAN_ID.hex(), SpanEvent("e", 8, {"event.name": "e"})),
    )
    assert decoded.skipped == {"log_without_span": 1, "log_without_event": 1}


def test_a_log_line_of_contents_is_an_event_of_its_span() -> None:
    line = LogRecord(
        time_unix_nano=7, trace_id=TRACE_ID, span_id=SPAN_ID, body=text('Chat Model Completion:\n["Yes."]')
    )
    event = SpanEvent("gen_ai.content.completion", 7, {"gen_ai.completion": '["Yes."]'})
    assert OtlpProto().decode(logs(line)).logs == (LogEvent(TRACE_ID.hex(), SPAN_ID.hex(), event),)


def test_a_record_of_ordinary_log_lines_is_understood() -> None:
    assert OtlpProto().decode(logs(LogRecord(time_unix_nano=7, body=text("started")))).logs == ()


def test_logs_of_unwanted_traces_are_left_out() -> None:
    record = LogRecord(time_unix_nano=7, trace_id=TRACE_ID, span_id=SPAN_ID, event_name="e")

    assert OtlpProto().decode(logs(record), only()).logs == ()


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00")))
def test_text_in_is_text_out_over_all_of_unicode(value: str) -> None:
    decoded = OtlpProto().decode(request(proto_span(name=value, attributes=[attribute("k", text(value))])))

    assert (decoded.spans[0].name, decoded.spans[0].attributes, decoded.repaired) == (value, {"k": value}, 0)


@given(st.integers(0, len(CAPTURE)), st.binary(max_size=8), st.integers(0, 8))
def test_damaged_bytes_give_spans_or_a_decode_error_and_only_fit_texts(at: int, new: bytes, lost: int) -> None:
    value = CAPTURE[:at] + new + CAPTURE[at + lost :]
    try:
        decoded = OtlpProto().decode(value)
    except DecodeError:
        return
    assert is_fit(repr(decoded))
    assert all(len(span.trace_id) == 32 and len(span.span_id) == 16 for span in decoded.spans)


@given(st.integers(0, len(CAPTURE) - 1))
def test_a_truncated_message_is_a_decode_error_or_nothing(length: int) -> None:
    value = CAPTURE[:length]
    if value:
        kind_of(value)


@given(st.binary(max_size=200))
def test_random_bytes_are_a_decode_error(value: bytes) -> None:
    if value:
        kind_of(value)


@pytest.mark.parametrize("odd", [2**63, 2**64 - 1, 7_258_118_400 * 10**9])
def test_a_time_that_no_request_can_have_is_a_missing_one(odd: int) -> None:
    event = ProtoSpan.Event(name="e", time_unix_nano=odd)
    end, both = (
        OtlpProto()
        .decode(
            request(
                proto_span(start_time_unix_nano=5, end_time_unix_nano=odd, events=[event]),
                proto_span(start_time_unix_nano=odd, end_time_unix_nano=odd),
            )
        )
        .spans
    )
    assert (end.start_ns, end.end_ns, end.events[0].time_ns) == (5, 5, 0)
    assert (both.start_ns, both.end_ns) == (0, 0)
