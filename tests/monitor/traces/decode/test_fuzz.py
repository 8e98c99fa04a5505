"""Mutated records: a decoder gives spans that are fit for use, or a DecodeError, and never anything else."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from random import Random

import pytest
from google.protobuf.json_format import MessageToJson
from hypothesis import given, settings
from hypothesis import strategies as st
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

from monitor.errors import DecodeError
from monitor.traces.decode import ENCODINGS, make_decoder
from monitor.traces.decode.times import END_NS
from monitor.traces.text import is_fit
from monitor.wire import AttributeValue, Decoded
from tests.monitor.traces.decode.encoders import jaeger_answer
from tests.monitor.traces.decode.python_encoders import python_json
from tests.monitor.traces.decode.samples import SPAN_CAPTURES, wire

SECONDS = 2.0
"""For the decoding of one small record, with all the room that a loaded machine needs."""
PLAIN = '{"trace_id": "t", "question": "Q?", "contexts": [{"text": "x", "id": 1}], "feedback": [{"score": 1}]}'
ZIPKIN_V1 = (
    '{"traceId": "463ac35c9f6413ad", "id": "a2fb4a1d1a96d312", "binaryAnnotations": [{"key": "input.value", '
    '"value": "Q?"}, {"key": "sa", "value": true, "endpoint": {"serviceName": "db"}}], "annotations": [{"value": '
    '"cs", "timestamp": 1}, {"timestamp": 9, "value": "cr", "endpoint": {"serviceName": "app"}}]}'
)
FIELDS = {"question": "contexts.0.text", "contexts.text": "id"}

ODD = (b"1e400", b"-1", b"9" * 400, b"null", b"[]", b"{}", b'"\\ud800"', b'""', b"NaN", b'"\\u0000"')
NAMES = ("otlp_proto", "otlp_json", "jaeger_proto", "jaeger_json", "zipkin_proto", "zipkin_json", "plain")
STARTS = (b"", b"\x0a\x10", b"\x0a\x1c\x0a\x10", b"\x00")

Mutation = Callable[[bytes, Random], bytes]


def _flip(value: bytes, random: Random) -> bytes:
    data = bytearray(value)
    for _ in range(random.randint(1, 8)):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return bytes(data)


def _cut(value: bytes, random: Random) -> bytes:
    return value[: random.randrange(len(value))]


def _drop(value: bytes, random: Random) -> bytes:
    at = random.randrange(len(value))
    return value[:at] + value[at + random.randint(1, 20) :]


def _double(value: bytes, random: Random) -> bytes:
    start = random.randrange(len(value))
    part = value[start : start + random.randint(1, 200)]
    return value[:start] + part * random.randint(2, 50) + value[start:]


def _nest(value: bytes, random: Random) -> bytes:
    """A JSON value, or any bytes, in many brackets; protobuf in its own field again and again."""
    depth = random.choice([3, 70, 5000])
    if value[:1] in (b"{", b"["):
        spot = random.choice([match.end() for match in re.finditer(rb"[:\[]", value)] or [0])
        opened, closed = random.choice([(b"[", b"]"), (b'{"x":', b"}")])
        return value[:spot] + opened * depth + b"1" + closed * depth + value[spot:]
    for _ in range(min(depth, 100)):
        head = bytearray(b"\x0a")
        size = len(value)
        while size > 0x7F:
            head.append(size & 0x7F | 0x80)
            size >>= 7
        head.append(size)
        value = bytes(head) + value
    return value


def _swap(value: bytes, random: Random) -> bytes:
    """A number, text or word of JSON for another; in protobuf a random byte."""
    spots = list(re.finditer(rb'(?<=:)\s*(?:-?\d+(?:\.\d+)?|"[^"\\]{0,60}"|true|null)', value))
    if value[:1] not in (b"{", b"[") or not spots:
        return _flip(value, random)
    spot = random.choice(spots)
    return value[: spot.start()] + random.choice(ODD) + value[spot.end() :]


def _frame(value: bytes, random: Random) -> bytes:
    return b"\x00" + random.randbytes(random.randint(0, 12)) + value


MUTATIONS: tuple[Mutation, ...] = (_flip, _cut, _drop, _double, _nest, _swap, _frame)


@cache
def samples() -> Mapping[str, list[bytes]]:
    """The smaller records of each encoding."""
    records = {name: sorted(wire(name), key=len)[5:65] for name in NAMES if name != "plain"}
    decoder = make_decoder("otlp_proto")
    records["jaeger_json"] += [
        answer for value in records["otlp_proto"][:10] for answer in jaeger_answer(decoder.decode(value).spans)
    ]
    records["otlp_json"] += _other_forms(records["otlp_proto"][:8])
    records["zipkin_json"] += [ZIPKIN_V1.encode(), f"[{ZIPKIN_V1}]".encode()]
    records["python_json"] = python_json(decoder.decode(SPAN_CAPTURES[0].read_bytes()).spans)
    return {**records, "plain": [PLAIN.encode(), f"[{PLAIN}, {PLAIN}]".encode(), f"{PLAIN}\n{PLAIN}".encode()]}


def _other_forms(requests: Iterable[bytes]) -> Iterator[bytes]:
    """OTLP/JSON as protobuf's own mapping has it, in its own names, many at once, and wrapped."""
    for message in map(TracesData.FromString, requests):
        text = MessageToJson(message, indent=None)
        own = MessageToJson(message, indent=None, preserving_proto_field_name=True)
        group = MessageToJson(message.resource_spans[0], indent=None)
        forms = (
            text,
            own,
            group,
            f"[{text}, {text}]",
            f"{own}\n{own}",
            f'{{"trace": {text}}}',
            f'{{"batches": [{group}]}}',
        )
        yield from (form.encode() for form in forms)


def check(encoding: str, value: bytes) -> None:
    """Decode, within the time, to spans that are fit or to a DecodeError with a word for a kind."""
    decoder = make_decoder(encoding, FIELDS if len(value) % 2 else {})
    started = time.perf_counter()
    try:
        decoded = decoder.decode(value)
    except DecodeError as error:
        assert re.fullmatch(r"[a-z_]+", error.kind)  # noqa: PT017 - either outcome is right
    else:
        check_fit(decoded)
    assert time.perf_counter() - started < SECONDS


def check_fit(decoded: Decoded) -> None:
    for span in decoded.spans:
        assert re.fullmatch(r"[0-9a-f]{32}", span.trace_id)
        assert re.fullmatch(r"[0-9a-f]{16}", span.span_id)
        assert re.fullmatch(r"[0-9a-f]{16}|", span.parent_id)
        assert 0 <= span.start_ns < END_NS
        assert 0 <= span.end_ns < END_NS
        assert all(map(is_fit, (span.name, span.status_message, span.trace_state, span.scope)))
        for tags in (span.attributes, span.resource, *(event.attributes for event in span.events)):
            assert all(is_fit(key) and fits(value) for key, value in tags.items())


def fits(value: AttributeValue) -> bool:
    match value:
        case str():
            return is_fit(value)
        case list():
            return all(map(fits, value))
        case dict():
            return all(is_fit(key) and fits(item) for key, item in value.items())
        case bool() | int():
            return abs(value) <= 2**64
        case _:
            return True


@pytest.mark.parametrize("name", [*NAMES, "python_json"])
@given(seed=st.integers(0, 2**32), auto=st.booleans())
@settings(max_examples=150, deadline=None)
def test_a_mutated_record_gives_fit_spans_or_a_decode_error(name: str, seed: int, auto: bool) -> None:  # noqa: FBT001 - drawn
    random = Random(seed)
    value = random.choice(samples()[name])
    for _ in range(random.randint(1, 3)):
        value = random.choice(MUTATIONS)(value, random) or b"\x00"

    check("auto" if auto else name, value)


@given(
    st.binary(max_size=200),
    st.sampled_from(ENCODINGS),
    st.sampled_from(STARTS),
)
@settings(deadline=None)
def test_random_bytes_give_a_decode_error_in_every_encoding(value: bytes, encoding: str, start: bytes) -> None:
    check(encoding, start + value)
