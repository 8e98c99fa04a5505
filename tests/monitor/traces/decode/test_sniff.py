from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans

from monitor.errors import ConfigError, DecodeError
from monitor.traces.decode import ENCODINGS, make_decoder
from monitor.traces.decode.sniff import sniff
from monitor.wire import Decoded
from tests.monitor.traces.decode.samples import (
    SPAN_CAPTURES,
    SPAN_ID,
    TRACE_ID,
    TRACES,
    attribute,
    proto_span,
    request,
    wire,
)

TWIN = (TRACES / "openinference-langchain-success.otlp.json").read_bytes()


def refusal(value: bytes) -> DecodeError:
    with pytest.raises(DecodeError) as caught:
        make_decoder("auto").decode(value)
    return caught.value


@pytest.mark.parametrize(
    ("value", "encoding"),
    [
        (TWIN, "otlp_json"),
        (b"\xef\xbb\xbf  " + TWIN, "otlp_json"),
        (b"\n" + TWIN, "otlp_json"),
        (json.dumps(json.loads(TWIN), indent=2).encode(), "otlp_json"),
        (b"\n" + json.dumps(json.loads(TWIN), indent=2).encode(), "otlp_json"),
        (b'{"x": "' + b" " * 1000 + b'", "resourceSpans": []}', "otlp_json"),
        (b'{"resourceLogs": []}', "otlp_json"),
        (b'{"question": "the key \\"resourceSpans\\" stands in it", "trace_id": "t"}', "plain"),
        (b'\r\n{"trace_id": "t"}', "plain"),
        (b'[{"trace_id": "t"}]', "plain"),
        (b'{"tags": ["resourceSpans"], "x": {"resourceSpans": 1}, "trace_id": "t"}', "plain"),
        (b'{"trace_id": "t", "context": {"a": 1}, "parent_id": "p"}', "plain"),
    ],
)
def test_the_encoding_shows_in_the_value(value: bytes, encoding: str) -> None:
    assert sniff(value) == encoding


def test_every_capture_is_otlp_protobuf() -> None:
    assert {sniff(path.read_bytes()) for path in SPAN_CAPTURES} == {"otlp_proto"}


@pytest.mark.parametrize("size", range(100, 160))
def test_a_length_that_spells_a_brace_is_still_protobuf(size: int) -> None:
    r"""A request of 123 bytes begins with `\n{`."""
    value = request(proto_span(name="x" * (size - 50)))

    assert make_decoder("auto").decode(value).spans[0].name == "x" * (size - 50)


@pytest.mark.parametrize(
    ("value", "encoding"),
    [
        (b'{"traceId": "Jbgg", "spanId": "c2E=", "operationName": "search"}', "jaeger_json"),
        (b'{"traceId":"Jbgg","spanId":"c2E=","operationName":"search"}', "jaeger_json"),
        (b'{"traceId": "Jbgg", "references": []}', "jaeger_json"),
        (b'{"traceID": "0123", "operationName": "search"}', "jaeger_json"),
        (b'{"data": [{"traceID": "0123", "spans": []}]}', "jaeger_json"),
        (b'{"traceID": "0123", "spans": [], "processes": {}}', "jaeger_json"),
        (b'[{"traceID": "0123", "operationName": "search"}]', "jaeger_json"),
        (b'[{"traceID": "0123", "spans": [], "processes": {}}]', "jaeger_json"),
        (b'{"name": "ask", "context": {"trace_id": "0x1"}, "parent_id": null}', "python_json"),
        (b'[{"name": "ask", "context": {"trace_id": "0x1"}, "parent_id": null}]', "python_json"),
        (b'[{"traceId": "0123", "id": "45", "localEndpoint": {}}]', "zipkin_json"),
        (b'{"traceId": "0123", "id": "45"}', "zipkin_json"),
        (b'[{}, {"traceId": "0123", "id": "45"}]', "zipkin_json"),
        (b"\x0a\x10" + TRACE_ID + b"\x12\x08" + SPAN_ID + b"\x1a\x03ask", "jaeger_proto"),
        (b"\x0a\x10" + TRACE_ID + b"\x1a\x03ask\x12\x08" + SPAN_ID, "jaeger_proto"),
        (b"\x0a\x1c\x0a\x10" + TRACE_ID + b"\x1a\x08" + SPAN_ID, "zipkin_proto"),
        (b"\x0a\x14\x0a\x08" + TRACE_ID[:8] + b"\x1a\x08" + SPAN_ID, "zipkin_proto"),
        (b"\x0a\x2a\x0a\x10" + TRACE_ID + b"\x12\x08" + SPAN_ID + b"\x1a\x08retrieve\x32\x02\x08\x01", "otlp_proto"),
        (b"\x0a\x10" + TRACE_ID, "otlp_proto"),
        (b"\x0a\x80\x80\x80\x80\x80", "otlp_proto"),
        (b"\x0a", "otlp_proto"),
    ],
)
def test_jaeger_and_zipkin_show_in_the_value(value: bytes, encoding: str) -> None:
    assert sniff(value) == encoding


@pytest.mark.parametrize("name", ["jaeger_proto", "jaeger_json", "zipkin_proto", "zipkin_json"])
def test_every_record_of_a_collector_is_recognised(name: str) -> None:
    assert {sniff(value) for value in wire(name)} == {name}


def test_a_resource_of_16_bytes_is_no_trace_id() -> None:
    """An OTLP request can begin like a Jaeger span, and a resource like the id of a Zipkin span."""
    resource = Resource(attributes=[attribute("k", AnyValue(string_value="value67"))])
    spans = ScopeSpans(spans=[proto_span()])
    group = ResourceSpans(resource=resource, scope_spans=[spans], schema_url="12345678")
    empty = ResourceSpans(resource=resource)
    assert resource.ByteSize() == 16

    for groups in ([group], [empty, group]):
        value = ExportTraceServiceRequest(resource_spans=groups).SerializeToString()
        assert make_decoder("auto").decode(value).spans[0].resource == {"k": "value67"}


def test_zipkin_spans_behind_a_broken_one_are_found() -> None:
    broken, good = b"\x0a\x04\x2a\x02hi", b"\x0a\x1c\x0a\x10" + TRACE_ID + b"\x1a\x08" + SPAN_ID

    decoded = make_decoder("auto").decode(broken + good)

    assert (len(decoded.spans), decoded.skipped) == (1, {"bad_trace_id": 1})


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (b"hello", "unknown_encoding"),
        (b"\x00\x00\x00\x00\x01{}", "unknown_encoding"),
        (b"   ", "unknown_encoding"),
        (b'{"message": "a log line"}', "unknown_encoding"),
        (b"[1, 2]", "wrong_type"),
        (b"[]", "unknown_encoding"),
        (b'{"trace_id": ', "bad_json"),
        (b"{" * 100_000, "bad_json"),
        (b"[" * 100_000, "wrong_type"),
        (b'{"trace_id": ' + b"[" * 100_000, "too_deep"),
        (b"\x0a\x05hello", "not_protobuf"),
    ],
)
def test_anything_else_is_a_decode_error(value: bytes, kind: str) -> None:
    assert refusal(value).kind == kind


@given(st.binary(max_size=100), st.sampled_from([b"", b"\x0a", b"{", b"[", b'{"trace_id": ', b'{"resourceSpans": ']))
def test_random_bytes_never_raise_anything_but_a_decode_error(value: bytes, start: bytes) -> None:
    if start + value:
        refusal(start + value)


def test_an_unknown_name_is_a_configuration_error_that_lists_the_known() -> None:
    with pytest.raises(ConfigError, match=r"use one of auto, otlp_proto, .*, zipkin_json, python_json, plain"):
        make_decoder("avro")


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_empty_value_is_nothing_in_any_encoding(encoding: str) -> None:
    assert make_decoder(encoding).decode(b"") == Decoded()


def test_every_registered_decoder_knows_its_name() -> None:
    assert [make_decoder(name).name for name in ENCODINGS] == list(ENCODINGS)
