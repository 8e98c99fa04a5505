"""A record that cannot be read is told by what it is, and what to do, whatever encoding was configured."""

from __future__ import annotations

import base64
import bz2
import gzip
import json
import zlib
from typing import Any

import cramjam
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from monitor.errors import DecodeError
from monitor.traces.decode import ENCODINGS, make_decoder
from monitor.traces.decode.unreadable import told_by_bytes
from tests.monitor.traces.decode.samples import SPAN_ID, TRACE_ID, TRACES, proto_span, request, wire

DOCUMENT = (TRACES / "openinference-langchain-success.otlp.json").read_bytes()
PLAIN = b'{"trace_id": "t", "question": "Why?"}'


def refusal(value: bytes, encoding: str = "auto") -> DecodeError:
    with pytest.raises(DecodeError) as caught:
        make_decoder(encoding).decode(value)
    return caught.value


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("gzip", gzip.compress(DOCUMENT, mtime=0)),
        ("gzip", gzip.compress(request(proto_span()), mtime=0)),
        ("zlib", zlib.compress(DOCUMENT)),
        ("zstd", zstandard.compress(DOCUMENT)),
        ("lz4", bytes(cramjam.lz4.compress(DOCUMENT))),
        ("snappy", bytes(cramjam.snappy.compress(DOCUMENT))),
        ("snappy", b"\x82SNAPPY\x00\0\0\0\1"),
    ],
)
def test_a_compressed_value_is_refused_as_one(encoding: str, kind: str, value: bytes) -> None:
    assert refusal(value, encoding).detail == (
        f"the value itself is compressed ({kind}); let the producer compress by Kafka's own `compression.type` "
        "instead, of which every kind is read"
    )


@pytest.mark.parametrize("encoding", ["auto", "otlp_proto", "plain"])
@pytest.mark.parametrize("quote", [b"", b'"'])
@pytest.mark.parametrize("value", [DOCUMENT, request(proto_span()), b"[" + PLAIN + b"]", wire("jaeger_proto")[0]])
def test_base64_is_refused_as_such(encoding: str, quote: bytes, value: bytes) -> None:
    encoded = quote + base64.b64encode(value) + quote

    assert refusal(encoded, encoding).detail == "the value is in base64; have the producer write the bytes themselves"


@pytest.mark.parametrize("encoding", ["auto", "otlp_json", "plain"])
@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [DOCUMENT, PLAIN, b"[" + PLAIN + b"]"])
def test_utf_16_is_refused_as_such(encoding: str, codec: str, text: bytes) -> None:
    assert "UTF-16; have the producer write UTF-8" in refusal(text.decode().encode(codec), encoding).detail


@pytest.mark.parametrize("encoding", ["auto", "zipkin_json", "zipkin_proto"])
@pytest.mark.parametrize("value", [b"\x0c\0\0\0\1\x0a\0\1" + TRACE_ID, b"\x0a\0\1" + TRACE_ID[:8] + b"\x0b\0\3"])
def test_zipkins_thrift_is_refused_as_such(encoding: str, value: bytes) -> None:
    assert "Thrift; set the encoding of its reporter" in refusal(value, encoding).detail


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"resourceMetrics": []}, "metrics in OTLP"),
        ({"Name": "ask", "SpanContext": {"TraceID": TRACE_ID.hex()}, "Parent": {}}, "Go's stdouttrace"),
        ({"traceId": TRACE_ID.hex(), "spanId": SPAN_ID.hex(), "name": "ask"}, "without the request around it"),
        ({"schema": {"type": "string"}, "payload": "{}"}, "Kafka Connect with its schema"),
    ],
)
def test_json_that_is_no_trace_of_ours_is_told_by_its_keys(keys: dict[str, Any], told: str) -> None:
    for value in (keys, [keys]):
        error = refusal(json.dumps(value).encode())
        assert (error.kind, told in error.detail) == ("unknown_encoding", True)


def test_keys_of_a_plain_record_are_looked_at_first() -> None:
    value = b'{"id": "t", "schema": 1, "payload": "x", "resourceMetrics": [], "question": "Why?"}'

    assert make_decoder("auto", {"trace_id": "id"}).decode(value).requests[0].trace_id == "t"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_avro_in_the_frame_of_a_schema_registry_is_refused_as_such(encoding: str) -> None:
    value = b"\0\0\0\0\7" + b"\x48" + TRACE_ID.hex().encode() + b"\x02\x0aWhy?!"

    assert refusal(value, encoding).detail.endswith(
        "in the frame of a schema registry JSON and protobuf are read, Avro is not"
    )


def test_bad_json_in_a_frame_is_not_taken_for_avro() -> None:
    assert "Avro" not in refusal(b"\0\0\0\0\7{").detail


def told(value: bytes, encoding: str) -> str | None:
    """What is said of a value; None when it is read."""
    try:
        make_decoder(encoding).decode(value)
    except DecodeError as error:
        return error.detail
    return None


OTHERS = {
    "otlp_json": ("otlp_proto", "jaeger_proto", "zipkin_proto", "jaeger_json", "zipkin_json", "plain"),
    "jaeger_json": ("otlp_proto", "otlp_json", "plain"),
    "zipkin_json": ("otlp_proto", "otlp_json"),
    "jaeger_proto": ("otlp_proto", "otlp_json", "plain"),
    "zipkin_proto": ("otlp_json", "zipkin_json", "plain"),
}


@pytest.mark.parametrize(("seen", "encoding"), [(seen, other) for seen, others in OTHERS.items() for other in others])
def test_a_record_of_another_encoding_than_the_configured_is_told(seen: str, encoding: str) -> None:
    said = {(told(value, encoding) or "").rpartition("; ")[2] for value in wire(seen)[:5]}

    assert said == {f"it looks like {seen}, and is read as {encoding}"}


def test_nothing_is_said_of_protobuf_of_which_nothing_is_known() -> None:
    assert "looks like" not in refusal(b"\x0a\x05hello", "zipkin_proto").detail


@given(st.binary(max_size=60), st.sampled_from(ENCODINGS))
def test_whatever_is_said_is_short(value: bytes, encoding: str) -> None:
    said = told(value, encoding)

    assert said is None or 0 < len(said) < 500


def test_no_value_that_is_read_begins_as_one_of_them() -> None:
    for name in ("otlp_proto", "otlp_json", "jaeger_proto", "jaeger_json", "zipkin_proto", "zipkin_json"):
        assert {told_by_bytes(value) for value in wire(name)} == {None}
    assert told_by_bytes(bz2.compress(DOCUMENT)) is None
