"""Any span that an encoding can carry comes back from it as it was."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.traces.decode import make_decoder
from monitor.traces.decode.zipkin import RESOURCE_PREFIXES
from monitor.wire import AttributeValue, Span, SpanEvent, SpanLink, SpanStatus
from tests.monitor.traces.decode.encoders import ENCODERS, go_text, jaeger_answer
from tests.monitor.traces.decode.samples import wire

MARKS = ("error", "span.kind", "w3c.tracestate", "service.name", "peer.service")

texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=20)
keys = texts.filter(lambda key: key not in MARKS and not key.startswith(("otel.", "otlp.", *RESOURCE_PREFIXES)))
values: st.SearchStrategy[AttributeValue] = st.one_of(
    texts,
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.lists(texts, max_size=3),
    st.dictionaries(texts, st.integers(0, 9), max_size=3),
)
tags = st.dictionaries(keys, values, max_size=5)
times = st.integers(1, 4 * 10**18)
span_ids = st.integers(1, 2**64 - 1).map(lambda number: f"{number:016x}")
trace_ids = st.integers(1, 2**128 - 1).map(lambda number: f"{number:032x}")
events = st.builds(SpanEvent, texts.filter(bool), times, tags)
links = st.builds(SpanLink, trace_ids, span_ids, st.just({}))


@st.composite
def spans(draw: st.DrawFn) -> Span:
    """A span; in microseconds, without what the page says is lost."""
    start = draw(st.integers(1, 2 * 10**15)) * 1000
    status = draw(st.sampled_from(SpanStatus))
    return Span(
        trace_id=draw(trace_ids),
        span_id=draw(span_ids),
        parent_id="",
        name=draw(texts),
        start_ns=start,
        end_ns=start + draw(st.integers(0, 10**12)) * 1000,
        status=status,
        status_message="" if status is SpanStatus.UNSET else draw(texts),
        attributes=draw(tags),
        events=tuple(
            replace(event, time_ns=event.time_ns // 1000 * 1000) for event in draw(st.lists(events, max_size=2))
        ),
        links=tuple(draw(st.lists(links, max_size=2))),
        resource={"service.name": draw(texts.filter(bool)), "service.version": draw(texts)},
        scope=draw(texts),
        kind=draw(st.integers(0, 5)),
        flags=draw(st.integers(0, 1)),
        trace_state=draw(st.sampled_from(["", "ot=th:8,a=b|c"])),
    )


def as_jaeger(span: Span) -> Span:
    """Structures are JSON text there."""
    structured = [replace(event, attributes=_flat(event.attributes)) for event in span.events]
    return replace(span, attributes=_flat(span.attributes), events=tuple(structured), flags=span.flags & 1)


def _flat(tags: Mapping[str, AttributeValue]) -> dict[str, AttributeValue]:
    return {key: go_text(value) if isinstance(value, list | dict) else value for key, value in tags.items()}


def as_zipkin(span: Span) -> Span:
    """All tags are texts there, those of the resource among them; the attributes of events are JSON."""
    attributes = {"service.version": span.resource["service.version"], **span.attributes}
    texts = {key: go_text(value) for key, value in attributes.items()}
    told = [
        replace(event, attributes=json.loads(go_text(dict(event.attributes)))) if event.attributes else event
        for event in span.events
    ]
    return replace(span, attributes=texts, events=tuple(told), flags=0)


def decoded(name: str, records: Sequence[bytes]) -> tuple[Span, ...]:
    (value,) = records
    return make_decoder(name).decode(value).spans


@given(spans(), st.booleans())
def test_otlp_carries_every_span(span: Span, with_parent: bool) -> None:  # noqa: FBT001 - drawn
    whole = replace(span, parent_id="00f067aa0ba902b7" if with_parent else "")

    for name in ("otlp_proto", "otlp_json"):
        assert decoded(name, ENCODERS[name]([whole])) == (whole,)


@given(spans(), st.booleans())
def test_jaeger_carries_every_span(span: Span, with_parent: bool) -> None:  # noqa: FBT001 - drawn
    whole = replace(span, parent_id="00f067aa0ba902b7" if with_parent else "")

    for name in ("jaeger_proto", "jaeger_json"):
        assert decoded(name, ENCODERS[name]([whole])) == (as_jaeger(whole),)
    assert decoded("jaeger_json", jaeger_answer([whole])) == (as_jaeger(whole),)
    assert decoded("auto", [json.dumps(json.loads(jaeger_answer([whole])[0])["data"]).encode()]) == (as_jaeger(whole),)


@given(spans(), st.booleans())
def test_zipkin_carries_every_span(span: Span, with_parent: bool) -> None:  # noqa: FBT001 - drawn
    whole = replace(span, parent_id="00f067aa0ba902b7" if with_parent else "")
    small = replace(
        as_zipkin(whole),
        name=whole.name.lower(),
        resource={**whole.resource, "service.name": go_text(whole.resource["service.name"]).lower()},
    )

    assert decoded("zipkin_proto", ENCODERS["zipkin_proto"]([whole])) == (as_zipkin(whole),)
    assert decoded("zipkin_json", ENCODERS["zipkin_json"]([whole])) == (small,)


@pytest.mark.parametrize("name", ["jaeger_proto", "jaeger_json"])
def test_a_collectors_jaeger_spans_are_its_otlp_spans(name: str) -> None:
    """But for what the page lists: here the flags of one byte, unset attributes and one dropped count."""
    otlp = _by_id(wire("otlp_proto"), "otlp_proto")
    jaeger = _by_id(wire(name), name)

    assert jaeger.keys() == otlp.keys()
    for key, span in otlp.items():
        want = as_jaeger(span)
        got = replace(jaeger[key], dropped_attributes=span.dropped_attributes)
        unset = dict.fromkeys(got.attributes.keys() - want.attributes.keys(), "")
        assert unset.keys() <= {"gen_ai.request.model", "gen_ai.request.temperature"}
        assert _parsed(got) == _parsed(replace(want, attributes={**want.attributes, **unset}))


def _by_id(records: list[bytes], encoding: str) -> dict[tuple[str, str, int], Span]:
    decoder = make_decoder(encoding)
    found = [span for value in records for span in decoder.decode(value).spans]
    return {(span.trace_id, span.span_id, span.start_ns): span for span in found}


def _parsed(span: Span) -> Span:
    """The order of keys in JSON text is nobody's."""
    read = {
        key: json.loads(value) if isinstance(value, str) and value[:1] in {"[", "{"} and _is_json(value) else value
        for key, value in span.attributes.items()
    }
    return replace(span, attributes=read)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
