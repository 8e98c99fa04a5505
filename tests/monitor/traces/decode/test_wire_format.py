from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.trace.v1.trace_pb2 import Span as ProtoSpan

from monitor.traces.decode.wire_format import WireError, mend, parse
from monitor.traces.text import Repairer
from tests.monitor.traces.decode.samples import proto_span

DESCRIPTOR = ProtoSpan.DESCRIPTOR


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=300), st.integers(0, 2**64 - 1))
def test_a_sound_message_is_copied_byte_for_byte(name: str, time: int) -> None:
    data = proto_span(name=name, start_time_unix_nano=time, dropped_events_count=time % 2**32).SerializeToString()
    repairer = Repairer()

    assert (mend(data, DESCRIPTOR, repairer), repairer.count) == (data, 0)


def test_mended_text_may_be_longer_and_its_length_follows() -> None:
    """127 bad bytes become 381 good ones, so the length takes a second byte."""
    data = proto_span(name="A" * 127).SerializeToString().replace(b"A" * 127, b"\xff" * 127)
    repairer = Repairer()

    assert parse(ProtoSpan, data, repairer) == proto_span(name="\ufffd" * 127)
    assert repairer.count == 1


def test_unknown_fields_and_bytes_fields_are_left_alone() -> None:
    unknown = b"\xfa\x06\x02\xff\xfe"  # field 111, length-delimited
    data = proto_span(trace_id=b"\xff" * 16).SerializeToString() + unknown

    assert mend(data, DESCRIPTOR, Repairer()) == data


@pytest.mark.parametrize(
    "data",
    [
        b"\x0a",  # tag without length
        b"\x0a\x05abc",  # field beyond the end
        b"\x39\x00",  # fixed64 cut short
        b"\xb5\x01",  # fixed32 cut short
        b"\xff" * 11,  # number without end
        b"\x02\x00",  # field number zero
        b"\x0b\x0c",  # group
    ],
)
def test_what_cannot_be_walked_is_a_wire_error(data: bytes) -> None:
    with pytest.raises(WireError):
        mend(data, DESCRIPTOR, Repairer())


@given(st.binary(max_size=300))
def test_random_bytes_are_a_message_or_a_wire_error(data: bytes) -> None:
    try:
        message = parse(ProtoSpan, data, Repairer())
    except WireError:
        return
    assert isinstance(message, ProtoSpan)
