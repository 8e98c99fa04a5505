"""The walk over an export request finds what protobuf's own parser finds, in whatever way the bytes were written."""

from __future__ import annotations

from google.protobuf.message import DecodeError as ProtobufError
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from monitor.errors import DecodeError
from monitor.traces.decode.declare import BYTES, Field, declare
from monitor.traces.decode.envelope import Envelope
from tests.monitor.traces.decode.samples import wire

Found = list[tuple[bytes, bytes, bytes]]
"""Of each item: its resource, its scope, and its bytes."""

_VIEW = declare(
    "ragmon.test",
    {
        "Scope": (Field("scope", 1, BYTES), Field("items", 2, BYTES, repeated=True)),
        "Group": (Field("resource", 1, BYTES), Field("scopes", 2, "Scope", repeated=True)),
        "Request": (Field("groups", 1, "Group", repeated=True),),
    },
)["Request"]


def parsed(value: bytes) -> Found | None:
    """What protobuf finds; None when it refuses the bytes."""
    try:
        request = _VIEW.FromString(value)
    except ProtobufError:
        return None
    places = [(group, scope) for group in request.groups for scope in group.scopes]
    return [(group.resource, scope.scope, item) for group, scope in places for item in scope.items]


def walked(value: bytes) -> Found | None:
    """What the walk finds."""
    try:
        envelope = Envelope(value)
    except DecodeError:
        return None
    frames = [envelope.frame(envelope.scope_of(number)) for number in range(len(envelope))]
    return [(*frame, envelope.item(number)) for number, frame in enumerate(frames)]


def varint(value: int, padding: int) -> bytes:
    """A number with more bytes than it needs, as the format allows."""
    out = bytearray()
    while value > 0x7F or padding:
        padding -= value <= 0x7F
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


PADDING = st.sampled_from([0, 0, 0, 0, 1, 2])
TEXTS = st.binary(max_size=4) | st.sampled_from([b"\x0a\x10" + b"i" * 16, bytes(127), bytes(128), bytes(20_000)])
UNKNOWN = st.sampled_from(
    [b"\x20\x05", b"\x25abcd", b"\x29abcdefgh", b"\xc2\x3e\x02ab", b"\x12\x00", b"\x1a\x03url", b""]
)


def field(number: int, content: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """A length-delimited field."""
    return st.builds(lambda data, more: bytes([number << 3 | 2]) + varint(len(data), more) + data, content, PADDING)


def shell(first: st.SearchStrategy[bytes], second: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """A message of two kinds of fields in any order, any number of each, and fields that nobody knows."""
    return st.lists(field(1, first) | field(2, second) | field(2, second) | UNKNOWN, max_size=5).map(b"".join)


REQUESTS = st.lists(field(1, shell(TEXTS, shell(TEXTS, TEXTS))) | UNKNOWN, max_size=4).map(b"".join)


@given(REQUESTS)
def test_any_order_of_fields_any_lengths_and_unknown_fields(value: bytes) -> None:
    assert walked(value) == parsed(value)


@given(REQUESTS, st.data())
def test_damaged_bytes(value: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(value)))
    damaged = value[:at] + data.draw(st.binary(max_size=2)) + value[at + data.draw(st.integers(0, 2)) :]
    assert walked(damaged) == parsed(damaged)


@given(st.binary(max_size=40))
def test_any_bytes(value: bytes) -> None:
    assert walked(value) == parsed(value)


def test_what_a_collector_and_the_library_write() -> None:
    for value in wire("otlp_proto"):
        assert walked(value) == parsed(value)
        assert len(walked(value) or ()) > 0
        again = ExportTraceServiceRequest.FromString(value).SerializeToString()
        assert walked(again) == parsed(again)
