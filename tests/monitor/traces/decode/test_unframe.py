"""Confluent's wire format around a value."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.errors import DecodeError
from monitor.traces.decode import make_decoder
from monitor.traces.decode.unframe import unframe
from monitor.wire import Decoded
from tests.monitor.traces.decode.encoders import varint
from tests.monitor.traces.decode.samples import proto_span, request

HEAD = b"\x00\x00\x00\x30\x39"
PROTO = request(proto_span())
JSON = b'{"trace_id": "t"}'


def zigzag(number: int) -> bytes:
    return varint(number << 1 ^ number >> 63)


@pytest.mark.parametrize("body", [JSON, b" " + JSON, b"\n" + JSON, b"\xef\xbb\xbf" + JSON, b"[" + JSON + b"]"])
def test_json_stands_right_after_the_schemas_id(body: bytes) -> None:
    assert unframe(HEAD + body) == body
    for encoding in ("auto", "plain"):
        assert make_decoder(encoding).decode(HEAD + body).requests[0].trace_id == "t"


@pytest.mark.parametrize("head", [b"\0\0\0\0\0\0\0\x30\x39", b"\3\0" + bytes(range(16))], ids=["Apicurio", "AWS Glue"])
@pytest.mark.parametrize("body", [JSON, b"[" + JSON + b"]"])
def test_json_in_the_frames_of_other_registries(head: bytes, body: bytes) -> None:
    assert unframe(head + body) == body
    for encoding in ("auto", "plain"):
        assert make_decoder(encoding).decode(head + body).requests[0].trace_id == "t"


@pytest.mark.parametrize("body", [b"\0" + PROTO, b"", b"\x78\x9c"])
def test_nothing_but_json_is_read_in_the_frame_of_aws_glue(body: bytes) -> None:
    with pytest.raises(DecodeError) as caught:
        make_decoder("auto").decode(b"\3\0" + bytes(range(16)) + body)
    assert caught.value.kind == "bad_frame"


@given(st.integers(1, 2**32 - 1), st.sampled_from([b"", b"\0", b"\2\2"]), st.integers(100, 160))
def test_no_id_of_confluents_and_no_length_looks_like_another_registrys(id_: int, path: bytes, size: int) -> None:
    value = request(proto_span(name="x" * size))

    assert unframe(b"\0" + id_.to_bytes(4) + path + value) == value


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=4))
def test_the_message_indexes_before_protobuf_are_skipped(indexes: list[int]) -> None:
    path = zigzag(len(indexes)) + b"".join(map(zigzag, indexes))

    assert unframe(HEAD + path + PROTO) == PROTO


@pytest.mark.parametrize("path", [b"\x00", b""])
def test_the_first_message_has_one_zero_byte_and_some_writers_none(path: bytes) -> None:
    for encoding in ("auto", "otlp_proto"):
        decoder = make_decoder(encoding)
        assert decoder.decode(HEAD + path + PROTO) == decoder.decode(PROTO)


@pytest.mark.parametrize(
    "value",
    [b"\x00", HEAD, HEAD + b"\x00", HEAD + b"\x80", HEAD + b"\x04\x02", HEAD + b"\x7f" + PROTO, HEAD + b"\x01x"],
)
def test_a_frame_without_end_or_content_is_a_decode_error(value: bytes) -> None:
    for encoding in ("auto", "otlp_proto", "jaeger_json"):
        with pytest.raises(DecodeError) as caught:
            make_decoder(encoding).decode(value)
        assert caught.value.kind == "bad_frame"


SPANS = {
    "plain": [b'{"trace_id": "a"}', b'{"trace_id": "b"}'],
    "jaeger_json": [b'{"traceID": "%d", "spanID": "2", "operationName": "n"}' % number for number in (1, 2)],
    "zipkin_json": [b'{"traceId": "%d", "id": "2"}' % number for number in (1, 2)],
    "otlp_json": [
        b'{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "%s", "spanId": "%s"}]}]}]}' % (id_ * 32, id_ * 16)
        for id_ in (b"a", b"b")
    ],
}


@pytest.mark.parametrize("encoding", SPANS)
@pytest.mark.parametrize("configured", ["auto", "its own"])
@pytest.mark.parametrize("between", [b"\n", b"\r\n", b"\n\n  "])
@pytest.mark.parametrize("head", [b"", HEAD, b"\xef\xbb\xbf", b"\n "])
def test_objects_each_on_a_new_line_are_read_as_an_array(
    encoding: str, configured: str, between: bytes, head: bytes
) -> None:
    decoder = make_decoder("auto" if configured == "auto" else encoding)
    first, second = SPANS[encoding]

    got = decoder.decode(head + first + between + second + b"\n")

    assert got == decoder.decode(b"[" + first + b"," + second + b"]")
    assert len(got.spans) + len(got.requests) == 2


@pytest.mark.parametrize("encoding", SPANS)
@pytest.mark.parametrize("configured", ["auto", "its own"])
def test_json_that_was_serialised_twice_is_read(encoding: str, configured: str) -> None:
    """As by a producer whose serialiser is given text."""
    decoder = make_decoder("auto" if configured == "auto" else encoding)
    text = b"[" + b",".join(SPANS[encoding]) + b"]"

    assert decoder.decode(json.dumps(text.decode()).encode()) == decoder.decode(text)


@pytest.mark.parametrize("value", [b'"', b'"{', b'"{}"', b'""', b'"text"', b'"{\\"a', b'"\\ud800"', b'"\xff"'])
def test_a_text_without_spans_is_a_decode_error(value: bytes) -> None:
    for encoding in ("auto", "otlp_json", "plain", "zipkin_proto"):
        decoder = make_decoder(encoding)
        if value == b'""':
            assert decoder.decode(value) == Decoded()
        else:
            with pytest.raises(DecodeError):
                decoder.decode(value)


def test_halves_of_characters_in_a_text_in_a_text_are_mended() -> None:
    inner = b'{"trace_id": "t", "question": "Why \\ud83d?"}'

    (request,) = make_decoder("auto").decode(json.dumps(inner.decode()).encode()).requests

    assert request.question == "Why \ufffd?"


def test_a_bad_object_among_them_costs_what_it_costs_in_an_array() -> None:
    plain = make_decoder("auto").decode(b'{"trace_id": "a"}\n{"trace_id": []}\n{"trace_id": "b"}')
    with pytest.raises(DecodeError) as caught:
        make_decoder("auto").decode(b'{"trace_id": "a"}\n{"trace_id": "b"')

    assert ([one.trace_id for one in plain.requests], plain.skipped) == (["a", "b"], {"bad_record": 1})
    assert caught.value.kind == "bad_json"
