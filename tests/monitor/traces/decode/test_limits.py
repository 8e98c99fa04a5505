"""What a record may cost: parts that are no spans are looked at up to a bound."""

from __future__ import annotations

import tracemalloc

import pytest

from monitor.errors import DecodeError
from monitor.traces.decode import make_decoder
from monitor.traces.decode.limits import MAX_UNUSABLE
from tests.monitor.traces.decode.encoders import blob
from tests.monitor.traces.decode.wishes import Wish, only

MANY = MAX_UNUSABLE + 2
EMPTY = b"\x12\x00" * MANY
LARGE = b"\x12\x00" * (3 << 20)
SPAN = blob(1, b"i" * 16) + blob(2, b"12345678")
BROKEN = blob(2, b"\xff")
RECORDS = {
    "items of a scope": ("otlp_proto", blob(1, blob(2, EMPTY))),
    "scopes": ("otlp_proto", blob(1, EMPTY)),
    "items, written unusually": ("otlp_proto", blob(1, blob(2, EMPTY)) + b"\x20\x01"),
    "items of a scope, beyond what is parsed unseen": ("otlp_proto", blob(1, blob(2, LARGE))),
    "items of an old scope, beyond that": ("otlp_proto", blob(1, blob(1000, LARGE))),
    "items of a scope, beyond that, and one broken": ("otlp_proto", blob(1, blob(2, BROKEN + LARGE))),
    "items of scopes": ("otlp_proto", blob(1, blob(2, b"\x12\x00") * MANY)),
    "spans as OTLP/JSON": (
        "otlp_json",
        b'{"resourceSpans":[{"scopeSpans":[{"spans":[%s]}]}]}' % b",".join([b"{}"] * MANY),
    ),
    "spans as Jaeger JSON": ("jaeger_json", b"[%s]" % b",".join([b"{}"] * MANY)),
    "spans as Zipkin JSON": ("zipkin_json", b"[%s]" % b",".join([b"{}"] * MANY)),
    "spans as Zipkin protobuf": ("zipkin_proto", b"\x0a\x00" * MANY),
}


UNKNOWN_BYTES = 1 << 20
UNKNOWN = {
    "numbers": b"\x28\x00" * (UNKNOWN_BYTES // 2),
    "nested groups": (b"\x2b" * 90 + b"\x2c" * 90) * (UNKNOWN_BYTES // 180),
    "empty groups": b"\x2b\x2c" * (UNKNOWN_BYTES // 2),
}


@pytest.mark.parametrize("level", ["request", "group", "scope"])
@pytest.mark.parametrize("name", UNKNOWN)
def test_fields_that_nobody_knows_are_no_objects(name: str, level: str) -> None:
    filler = {"request": b"", "group": b"", "scope": b"", level: UNKNOWN[name]}
    scope = filler["scope"] + blob(2, SPAN)
    value = filler["request"] + blob(1, filler["group"] + blob(2, scope))
    decoder = make_decoder("otlp_proto")
    tracemalloc.start()
    try:
        decoded = decoder.decode(value)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(decoded.spans) == 1
    assert decoded.skipped == ({} if level == "scope" else {"unknown_field": 1})
    assert peak < 2 * UNKNOWN_BYTES


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("name", UNKNOWN)
def test_a_record_of_nothing_else_is_refused(name: str, level: int) -> None:
    value = (UNKNOWN[name], blob(1, UNKNOWN[name]), blob(1, blob(2, UNKNOWN[name])))[level]
    with pytest.raises(DecodeError) as caught:
        make_decoder("otlp_proto").decode(value)
    assert caught.value.kind == "unknown_field"


@pytest.mark.parametrize("wanted", [None, only()], ids=["all", "asked"])
@pytest.mark.parametrize("name", RECORDS)
def test_a_record_of_too_many_parts_that_are_no_spans_is_refused(name: str, wanted: Wish | None) -> None:
    encoding, value = RECORDS[name]
    with pytest.raises(DecodeError) as caught:
        make_decoder(encoding).decode(value, wanted)
    assert caught.value.kind == "too_many_unusable"


TEXT_BYTES = 4 << 20
TEXTS = {
    "keys in protobuf's own names": b'{"resource_spans":[{%s"x":1}]}' % (b'"span_id":1,' * (TEXT_BYTES // 12)),
    "objects on lines": b"{}\n" * (TEXT_BYTES // 3),
    "a text with JSON in it": b'"%s"' % (b'{\\"a\\":1}' * (TEXT_BYTES // 10)),
}


@pytest.mark.parametrize("name", TEXTS)
def test_small_parts_of_a_text_by_the_million_take_a_few_times_its_room(name: str) -> None:
    decoder = make_decoder("auto")
    tracemalloc.start()
    try:
        with pytest.raises(DecodeError):
            decoder.decode(TEXTS[name])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10 * TEXT_BYTES


def test_as_many_spans_are_read() -> None:
    decoded = make_decoder("otlp_proto").decode(blob(1, blob(2, blob(2, SPAN) * MANY)))
    assert len(decoded.spans) == MANY


@pytest.mark.parametrize("wanted", [None, only((b"i" * 16).hex())], ids=["all", "asked"])
def test_a_broken_span_in_a_large_record_costs_only_itself(wanted: Wish | None) -> None:
    spans = blob(2, SPAN + blob(100, bytes(1 << 20))) * 6
    decoded = make_decoder("otlp_proto").decode(blob(1, blob(2, spans + BROKEN + spans)), wanted)
    assert (len(decoded.spans), decoded.skipped) == (12, {"unreadable_span": 1})


@pytest.mark.parametrize("encoding", ["otlp_proto", "otlp_json"])
def test_parts_that_stay_unread_hold_a_few_times_the_record(encoding: str) -> None:
    """Each has the resource of its spans with it; where that would be too much, the spans are read at once."""
    large, ids = b"r" * (2 << 20), [number.to_bytes(16, "big") for number in range(1, 101)]
    if encoding == "otlp_proto":
        spans = b"".join(blob(2, blob(1, trace_id) + blob(2, b"12345678")) for trace_id in ids)
        value = blob(1, blob(1, blob(1, blob(1, large))) + blob(2, spans))
    else:
        items = [b'{"traceId":"%s","spanId":"3132333435363738"}' % trace_id.hex().encode() for trace_id in ids]
        value = b'{"resourceSpans":[{"resource":{"a":"%s"},"scopeSpans":[{"spans":[%s]}]}]}' % (large, b",".join(items))
    decoded = make_decoder(encoding).decode(value, Wish(lambda _: True, lambda _: False))
    parts = sum(len(part.value) for part in decoded.parts)
    assert len(value) < parts <= 4.6 * len(value)
    assert len(decoded.spans) + sum(part.spans for part in decoded.parts) == 100
