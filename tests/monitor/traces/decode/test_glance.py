from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from monitor.errors import DecodeError
from monitor.traces.decode import make_decoder
from monitor.traces.decode.glance import Glance, sights_of
from monitor.traffic import Sight
from tests.monitor.streams import entry, otlp, plain, retrieval
from tests.monitor.traces.decode.samples import SPAN_CAPTURES, proto_span, request

DECODER = make_decoder("auto")
ROOT, CHILD, GRANDCHILD = b"rootroot", b"childish", b"grandson"


def look(value: bytes) -> list[Sight]:
    return Glance(DECODER, "trace_id").look(value)


def tagged(**tags: int | str | list[str]) -> list[KeyValue]:
    return [KeyValue(key=key.replace("__", "."), value=value_of(value)) for key, value in tags.items()]


def value_of(value: int | str | list[str]) -> AnyValue:
    match value:
        case int():
            return AnyValue(int_value=value)
        case str():
            return AnyValue(string_value=value)
        case list():
            return AnyValue(array_value=ArrayValue(values=[AnyValue(string_value=text) for text in value]))


def span(span_id: bytes, parent: bytes = b"", **fields: Any) -> Span:  # noqa: ANN401 - fields of a generated class
    return proto_span(span_id=span_id, parent_span_id=parent, **fields)


@pytest.mark.parametrize("path", SPAN_CAPTURES, ids=lambda path: path.name)
def test_the_quick_way_sees_what_a_whole_decode_shows(path: Any) -> None:  # noqa: ANN401 - a path
    value = path.read_bytes()
    assert look(value) == list(sights_of(DECODER.decode(value)))


keys = st.sampled_from(
    [
        "gen_ai.request.model",
        "llm.model_name",
        "gen_ai.usage.input_tokens",
        "llm.token_count.completion",
        "gen_ai.retrieval.documents",
        "retrieval.documents",
        "x" * 200,
    ]
)
values = st.integers(-5, 99) | st.sampled_from(["", "7", "[]", " [ ] ", "[1]", "m" * 300, "\0"]) | st.just(["a"])
pairs = st.builds(lambda key, value: KeyValue(key=key, value=value_of(value)), keys, values | st.builds(list))
ids = st.sampled_from([ROOT, CHILD, GRANDCHILD, b"\0" * 8, b"short"])
spans = st.builds(
    lambda trace, own, parent, attributes, code, flags, end: Span(
        trace_id=trace,
        span_id=own,
        parent_span_id=parent,
        attributes=attributes,
        status=None if code is None else Status(code=code, message="why"),
        flags=flags,
        start_time_unix_nano=10**18,
        end_time_unix_nano=end,
    ),
    st.sampled_from([b"t" * 16, b"u" * 16, b"\0" * 16]),
    ids,
    ids | st.just(b""),
    st.lists(pairs, max_size=3, unique_by=lambda pair: pair.key),
    st.none() | st.sampled_from([0, 1, 2]),
    st.sampled_from([0, 0x300]),
    st.sampled_from([0, 10**18 - 5, 10**18 + 5 * 10**8, 2**64 - 1]),
)


@given(st.lists(spans, max_size=6))
def test_the_quick_way_sees_what_a_whole_decode_shows_of_any_spans(drawn: list[Span]) -> None:
    value = request(*drawn)
    try:
        decoded = DECODER.decode(value)
    except DecodeError:  # not one usable span
        assert look(value) == []
        return
    assert look(value) == list(sights_of(decoded))


def test_an_entry_span_is_a_request_and_the_spans_below_it_say_what_it_used() -> None:
    value = request(
        span(ROOT, status=Status(code=Status.STATUS_CODE_ERROR), start_time_unix_nano=1, end_time_unix_nano=10**9 + 1),
        span(CHILD, ROOT, attributes=tagged(gen_ai__retrieval__documents="[]")),
        span(GRANDCHILD, ROOT, attributes=tagged(gen_ai__request__model="m", gen_ai__usage__input_tokens=9)),
    )
    assert look(value) == [Sight(None, "m", 1.0, failed=True, input_tokens=9, empty=True)]


def test_tokens_that_a_span_repeats_of_those_below_it_count_once() -> None:
    used = tagged(gen_ai__usage__input_tokens=9, gen_ai__usage__output_tokens=2)
    value = request(span(ROOT, attributes=used), span(CHILD, ROOT), span(GRANDCHILD, CHILD, attributes=used))
    (sight,) = look(value)
    assert (sight.input_tokens, sight.output_tokens) == (9, 2)


def test_parents_that_go_in_circles_end() -> None:
    used = tagged(gen_ai__usage__input_tokens=9)
    value = request(span(CHILD, GRANDCHILD, attributes=used), span(GRANDCHILD, CHILD, attributes=used))
    assert sum(sight.input_tokens for sight in look(value)) in {0, 9}


def test_a_long_chain_of_spans_that_all_count_takes_linear_time() -> None:
    used = tagged(gen_ai__usage__input_tokens=9)
    chain = [span(f"{n:08d}".encode(), f"{n - 1:08d}".encode() if n else b"", attributes=used) for n in range(20_000)]
    (sight,) = look(request(*chain))  # minutes, if each span walked up to the root
    assert sight.input_tokens == 9


def test_a_part_without_the_entry_span_is_no_request_but_tells_what_was_used() -> None:
    value = request(span(CHILD, ROOT, attributes=tagged(llm__token_count__prompt=4)))
    assert look(value) == [Sight(input_tokens=4, is_request=False)]
    assert look(request(span(CHILD, ROOT))) == []


def test_a_parent_in_another_process_makes_a_request_of_its_own() -> None:
    assert look(request(span(ROOT), span(CHILD, GRANDCHILD, flags=0x300))) == [Sight(), Sight()]


def test_other_encodings_and_frames_are_looked_at_too() -> None:
    trace = "1" * 32
    assert look(otlp(entry(trace), retrieval(trace))) == [Sight("support-rag", None, 1.0)]
    assert look(plain("a", contexts=[])) == [Sight(empty=True)]
    assert look(b"\0\0\0\0\1" + b"\0" + request(span(ROOT))) == look(request(span(ROOT)))


def test_what_cannot_be_decoded_raises() -> None:
    with pytest.raises(DecodeError):
        look(b"\xff")
