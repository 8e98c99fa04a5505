"""Every encoding gives the same requests, but for what `docs/encodings.md` says that it cannot carry."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor.config.plain_paths import PLAIN_FIELDS
from monitor.records import RagTrace
from monitor.traces.decode import ENCODINGS, make_decoder
from monitor.traces.decode.plain_record import PlainPassage, PlainRecord
from monitor.wire import LogEvent, Span
from tests.monitor.traces.captures import NAMES, Expected, expectation, faults
from tests.monitor.traces.decode.encoders import ENCODERS
from tests.monitor.traces.decode.requests import PAGE, Found, differences, find, lost_fields
from tests.monitor.traces.decode.samples import LOG_CAPTURES, SPAN_CAPTURES, wire

WIRE = ("otlp_proto", "otlp_proto_nokey", "otlp_json", "jaeger_proto", "jaeger_json", "zipkin_proto", "zipkin_json")
FRAMES = (b"", b"\x00\x00\x00\x01\x07")


def encoding_of(name: str) -> str:
    return name.removesuffix("_nokey")


# ---------------------------------------------------------------------------------------- what a real Collector wrote


@cache
def collected() -> Found:
    return find(wire("otlp_proto"), make_decoder("otlp_proto"))


@cache
def programs() -> list[Expected]:
    return [expectation(name) for name in NAMES]


def untold(found: Found, programs: Sequence[Expected]) -> list[str]:
    """What differs from the programs' own account."""
    return faults(programs, list(found.requests.values()), found.feedback)


@pytest.mark.parametrize("name", WIRE)
@pytest.mark.parametrize("configured", [True, False], ids=["configured", "auto"])
def test_what_a_real_collector_wrote_gives_the_same_requests(name: str, configured: bool) -> None:  # noqa: FBT001 - a case
    found = find(wire(name), make_decoder(encoding_of(name) if configured else "auto"))

    assert untold(found, programs()) == []
    assert differences(collected(), found, [encoding_of(name)]) == {}


@pytest.mark.parametrize("name", WIRE)
@given(random=st.randoms(use_true_random=False))
@settings(max_examples=3, deadline=None)
def test_shuffled_records_on_four_partitions_give_the_same_requests(name: str, random: Random) -> None:
    values = wire(name)
    random.shuffle(values)

    found = find(values, make_decoder("auto"), partitions=4)

    assert untold(found, programs()) == []
    assert differences(collected(), found, [encoding_of(name)]) == {}


# ------------------------------------------------------------------------------------------------ all captured traces


@cache
def captured() -> tuple[tuple[Span, ...], tuple[LogEvent, ...], Found]:
    """The spans and log events of all captures, and their requests. Some captures share ids: each gets its own."""
    decoder = make_decoder("otlp_proto")
    spans: list[Span] = []
    logs: list[LogEvent] = []
    for path in (*SPAN_CAPTURES, *LOG_CAPTURES):
        decoded = decoder.decode(path.read_bytes())
        capture = path.name.partition(".")[0]
        spans += [_moved(span, capture) for span in decoded.spans]
        logs += [replace(log, trace_id=_own_id(capture, log.trace_id)) for log in decoded.logs]
    return tuple(spans), tuple(logs), find(ENCODERS["otlp_proto"](spans), decoder, logs)


def _moved(span: Span, capture: str) -> Span:
    links = tuple(replace(link, trace_id=_own_id(capture, link.trace_id)) for link in span.links)
    return replace(span, trace_id=_own_id(capture, span.trace_id), links=links)


def _own_id(capture: str, trace_id: str) -> str:
    return hashlib.sha256(f"{capture}/{trace_id}".encode()).hexdigest()[:32]


@cache
def moved_programs() -> list[Expected]:
    return [
        {**program, "requests": [_wanted(program["name"], one) for one in program["requests"]]}
        for program in programs()
    ]


def _wanted(capture: str, request: Expected) -> Expected:
    moved = {**request, "trace_id": _own_id(capture, request["trace_id"])}
    said = request.get("feedback", {})
    if "carrier_trace_id" in said:
        moved["feedback"] = {**said, "carrier_trace_id": _own_id(capture, said["carrier_trace_id"])}
    return moved


def shuffled(random: Random) -> list[list[Span]]:
    """All captured spans, some twice, mixed over messages of up to 40 spans."""
    spans = list(captured()[0])
    spans += random.sample(spans, 50)
    random.shuffle(spans)
    size = random.randint(1, 40)
    return [spans[at : at + size] for at in range(0, len(spans), size)]


@pytest.mark.parametrize("encoding", ENCODERS)
@given(random=st.randoms(use_true_random=False))
@settings(max_examples=3, deadline=None)
def test_captured_spans_shuffled_split_doubled_and_converted_give_their_requests(encoding: str, random: Random) -> None:
    _, logs, want = captured()
    values = [value for message in shuffled(random) for value in ENCODERS[encoding](message)]

    found = find(values, make_decoder(encoding), logs)

    assert untold(found, moved_programs()) == []
    assert differences(want, found, [encoding]) == {}


@given(random=st.randoms(use_true_random=False))
@settings(max_examples=5, deadline=None)
def test_a_topic_of_all_encodings_with_and_without_frames_gives_the_same_requests(random: Random) -> None:
    _, logs, want = captured()
    encoders = list(ENCODERS.items())
    values = []
    for message in shuffled(random):
        name, encode = random.choice(encoders)
        frame = random.choice(FRAMES)
        indexes = b"\x00" if frame and name.endswith("proto") else b""
        values += [frame + indexes + value for value in encode(message)]

    found = find(values, make_decoder("auto"), logs)

    assert untold(found, moved_programs()) == []
    assert differences(want, found, ENCODERS) == {}


# ------------------------------------------------------------------------------------------------------------ the page


def test_the_page_names_every_encoding() -> None:
    page = PAGE.read_text()

    assert [name for name in ENCODINGS if f"`{name}`" not in page] == []


def test_the_page_speaks_of_fields_that_exist_and_otlp_loses_nothing() -> None:
    lost = {encoding: lost_fields(encoding) for encoding in ENCODERS}

    assert set().union(*lost.values()) == {"start_ns", "end_ns", "app", "truncated"} <= set(RagTrace.__slots__)
    assert lost["otlp_proto"] == lost["otlp_json"] == frozenset()


def test_the_settings_know_every_field_of_a_plain_record() -> None:
    passage = [f"contexts.{name}" for name in PlainPassage.__struct_fields__]

    assert sorted(PLAIN_FIELDS) == sorted([*PlainRecord.__struct_fields__, *passage])
