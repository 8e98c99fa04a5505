"""Zipkin spans of other writers than today's Collector, and broken ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from monitor.errors import DecodeError
from monitor.traces.decode.zipkin_json import ZipkinJson
from monitor.traces.decode.zipkin_proto import ZipkinProto
from monitor.wire import AttributeValue, Decoded, Span, SpanEvent, SpanLink, SpanStatus
from tests.monitor.traces.decode.encoders import blob, number
from tests.monitor.traces.decode.samples import SPAN_ID, TRACE_ID
from tests.monitor.traces.decode.wishes import only

TRACE, SPAN = TRACE_ID.hex(), SPAN_ID.hex()
PARENT = "1" * 16


def decode(value: Any) -> Decoded:  # noqa: ANN401 - any JSON
    return ZipkinJson().decode(json.dumps(value).encode())


def span_of(**fields: Any) -> Span:  # noqa: ANN401 - any JSON
    (span,) = decode([{"traceId": TRACE, "id": SPAN, **fields}]).spans
    return span


def proto_item(*parts: bytes, trace_id: bytes = TRACE_ID, span_id: bytes = SPAN_ID) -> bytes:
    return b"".join([blob(1, trace_id), blob(3, span_id), *parts])


def proto_list(*items: bytes) -> bytes:
    return b"".join(blob(1, item) for item in items)


# ----------------------------------------------------------------------------------------------------- ids and parents


def test_a_64_bit_trace_id_is_padded_in_both_forms() -> None:
    short = proto_list(proto_item(trace_id=TRACE_ID[:8]))

    assert span_of(traceId="0123456789ABCDEF").trace_id == "0" * 16 + "0123456789abcdef"
    assert ZipkinProto().decode(short).spans[0].trace_id == "0" * 16 + TRACE[:16]
    assert ZipkinProto().decode(short, only("0" * 16 + TRACE[:16])).spans


@pytest.mark.parametrize(
    ("parent", "read"), [(None, ""), ("", ""), ("0" * 16, ""), (SPAN, ""), (PARENT, PARENT), ("f" * 15, "0" + "f" * 15)]
)
def test_no_parent_zeros_and_the_span_itself_are_a_root(parent: str | None, read: str) -> None:
    assert span_of(parentId=parent).parent_id == read


def test_the_servers_half_of_a_shared_span_gets_its_own_id_below_the_clients() -> None:
    client, server = decode(
        [
            {"traceId": TRACE, "id": SPAN, "parentId": PARENT, "kind": "CLIENT"},
            {"traceId": TRACE, "id": SPAN, "parentId": PARENT, "kind": "SERVER", "shared": True},
        ]
    ).spans

    assert (client.span_id, client.parent_id) == (SPAN, PARENT)
    assert (server.span_id, server.parent_id) == ("80f067aa0ba902b7", SPAN)
    assert ZipkinProto().decode(proto_list(proto_item(number(13, 1)))).spans[0].span_id == server.span_id


# --------------------------------------------------------------------------------------------------------------- fields


def test_one_span_without_a_list_is_read() -> None:
    assert decode({"traceId": TRACE, "id": SPAN, "name": "ask"}).spans[0].name == "ask"


@pytest.mark.parametrize(
    ("timestamp", "duration", "read"),
    [
        (1795974379808474, 324, (1795974379808474000, 324000)),
        ("1795974379808474", "324", (1795974379808474000, 324000)),
        (1795974379808474.5, 0.25, (1795974379808474500, 250)),
        (None, None, (0, 0)),
        (-5, -5, (0, 0)),
        (10**400, 10**400, (0, 0)),
        ("soon", "long", (0, 0)),
    ],
)
def test_times_are_microseconds_and_an_unusable_one_is_unknown(
    timestamp: object, duration: object, read: tuple[int, int]
) -> None:
    span = span_of(timestamp=timestamp, duration=duration)

    assert (span.start_ns, span.end_ns - span.start_ns) == read


@pytest.mark.parametrize(
    ("kind", "tags", "read"),
    [("SERVER", {}, 2), ("client", {}, 3), (None, {"span.kind": "internal"}, 1), (None, {}, 0), ("ODD", {}, 0)],
)
def test_the_kind_is_a_field_and_internal_a_tag(kind: str | None, tags: dict[str, str], read: int) -> None:
    span = span_of(kind=kind, tags=tags)

    assert (span.kind, span.attributes) == (read, {})


@pytest.mark.parametrize(
    ("tags", "status", "message"),
    [
        ({"error": "true"}, SpanStatus.ERROR, ""),
        ({"error": ""}, SpanStatus.ERROR, ""),
        ({"error": "Timed out"}, SpanStatus.ERROR, "Timed out"),
        ({"error": "Timed out", "otel.status_description": "why"}, SpanStatus.ERROR, "why"),
        ({"error": "false"}, SpanStatus.UNSET, ""),
        ({"otel.status_code": "STATUS_CODE_ERROR", "error": "true"}, SpanStatus.ERROR, ""),
        ({"otel.status_code": "ERROR", "otel.status_description": "why"}, SpanStatus.ERROR, "why"),
        ({"otel.status_code": "STATUS_CODE_OK"}, SpanStatus.OK, ""),
    ],
)
def test_any_error_tag_but_false_is_a_failure(tags: dict[str, str], status: SpanStatus, message: str) -> None:
    span = span_of(tags=tags)

    assert (span.status, span.status_message) == (status, message)


def test_tags_that_are_no_text_are_kept_as_they_are() -> None:
    tags = {"n": 5, "x": 0.5, "t": True, "none": None, "big": 10**30}

    assert span_of(tags=tags).attributes == {"n": 5, "x": 0.5, "t": True}


def test_well_known_resource_attributes_are_read_as_the_resources_and_the_spans() -> None:
    tags = {"service.version": "1", "deployment.environment.name": "live", "service.name": "the span's", "mine": "x"}

    span = span_of(tags=tags, localEndpoint={"serviceName": "desk"}, remoteEndpoint={"serviceName": "index"})

    assert span.resource == {"service.name": "desk", "service.version": "1", "deployment.environment.name": "live"}
    assert span.attributes == {**tags, "peer.service": "index"}


def test_a_service_name_may_come_from_another_attribute_or_from_none() -> None:
    borrowed = span_of(localEndpoint={"serviceName": "fn"}, tags={"otlp.service.name.source": "faas.name"})

    assert (borrowed.resource, borrowed.attributes) == ({"faas.name": "fn"}, {})
    assert span_of(localEndpoint={"serviceName": "OTLPResourceNoServiceName"}).resource == {}


# ---------------------------------------------------------------------------------------------------- events and links


@pytest.mark.parametrize(
    ("text", "name", "attributes"),
    [
        ("First Token", "First Token", {}),
        ('e|{"a":"x|y","n":0.5,"none":null}|0', "e", {"a": "x|y", "n": 0.5}),
        ('a|b|{"k":1}|12', "a|b", {"k": 1}),
        ("e|{}|3", "e", {}),
        ('"exception": {"type": "E"}', "exception", {"type": "E"}),
        ('"a": {"k": 1}, "b": {}', '"a": {"k": 1}, "b": {}', {}),
        ('e|{"a":|0', 'e|{"a":|0', {}),
        ('e|{"a":1}|x', 'e|{"a":1}|x', {}),
        ('"quoted"', '"quoted"', {}),
        ("", "", {}),
    ],
)
def test_an_annotation_is_a_name_with_or_without_attributes(
    text: str, name: str, attributes: dict[str, AttributeValue]
) -> None:
    assert span_of(annotations=[{"timestamp": 5, "value": text}]).events == (SpanEvent(name, 5000, attributes),)


def test_links_stand_in_numbered_tags() -> None:
    tags = {
        "otlp.link.0": f'{"a" * 32}|{"b" * 16}|v=x|y|{{"k":"a|b"}}|0',
        "otlp.link.1": "nothing",
        "otlp.link.2": f"{'c' * 32}|{'d' * 16}||{{}}|0",
        "otlp.link.9": "not in the row",
    }

    decoded = decode([{"traceId": TRACE, "id": SPAN, "tags": tags}])

    assert decoded.spans[0].links == (
        SpanLink("a" * 32, "b" * 16, {"k": "a|b"}),
        SpanLink("c" * 32, "d" * 16, {}),
    )
    assert decoded.skipped == {"bad_link": 1}
    assert decoded.spans[0].attributes == {"otlp.link.9": "not in the row"}


# --------------------------------------------------------------------------------------------------------- broken ones


def test_one_broken_span_of_a_list_costs_only_itself() -> None:
    good = {"traceId": TRACE, "id": SPAN}

    decoded = decode([good, {**good, "id": "x"}, {**good, "tags": {"a": []}}, 7, {**good, "parentId": "!"}])
    proto = ZipkinProto().decode(
        proto_list(
            b"\xff", proto_item(), proto_item(span_id=b""), proto_item(trace_id=b"12"), proto_item(blob(2, b"1"))
        )
    )

    assert len(decoded.spans) == len(proto.spans) == 1
    assert decoded.skipped == {"bad_span_id": 2, "unreadable_span": 2}
    assert proto.skipped == {"unreadable_span": 1, "bad_span_id": 2, "bad_trace_id": 1}


def test_bad_text_is_mended_and_counted() -> None:
    item = proto_item(blob(5, b"a\xff"), blob(11, blob(1, "k") + blob(2, b"\xfe")), blob(10, blob(2, b"\xfd")))

    decoded = ZipkinProto().decode(proto_list(item))

    (span,) = decoded.spans
    assert (span.name, span.attributes, span.events[0].name) == ("a\ufffd", {"k": "\ufffd"}, "\ufffd")
    assert decoded.repaired == 3
    assert decode([{"traceId": TRACE, "id": SPAN, "name": "\ud83d"}]).repaired == 1


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (b"[", "bad_json"),
        (b"7", "wrong_type"),
        (b"[]", "no_spans"),
        (b"{}", "bad_trace_id"),
        (b"[" + b'{"x": ' * 100_000, "too_deep"),
    ],
)
def test_a_broken_json_record_is_a_decode_error_with_its_reason(value: bytes, kind: str) -> None:
    with pytest.raises(DecodeError) as caught:
        ZipkinJson().decode(value)

    assert caught.value.kind == kind


@pytest.mark.parametrize(("value", "kind"), [(b"\x0a\x05ab", "not_protobuf"), (b"\x12\x01a", "no_spans")])
def test_a_broken_protobuf_record_is_a_decode_error_with_its_reason(value: bytes, kind: str) -> None:
    with pytest.raises(DecodeError) as caught:
        ZipkinProto().decode(value)

    assert caught.value.kind == kind


def test_a_hostile_annotation_or_link_takes_linear_time() -> None:
    """A million half-open mappings: a search that goes back would never end."""
    text = "|{" * 1_000_000

    span = span_of(annotations=[{"value": text}], tags={"otlp.link.0": f"{'a' * 32}|{'b' * 16}|{text}"})

    assert span.events[0].name == text
    assert span.links[0].attributes == {}


# ------------------------------------------------------------------------------------------------------------- wanted


def test_refused_spans_are_not_parsed() -> None:
    other = bytes(15) + b"\x07"
    wish = only(TRACE)
    broken = blob(1, other) + blob(11, b"\xff")
    proto = ZipkinProto().decode(proto_list(broken, proto_item(), broken, proto_item(span_id=b"12345678")), wish)

    assert (len(proto.spans), proto.skipped, wish.asked) == (2, {}, {other.hex(), TRACE})
    assert ZipkinJson().decode(b'[{"traceId": "7", "tags": 5}]', wish) == Decoded(unwanted_spans=1)


def test_a_record_of_refused_and_broken_spans_is_no_dead_letter() -> None:
    """Nobody can tell whether the broken ones were wanted; the record as a whole was understood."""
    value = b'[{"traceId": "7", "id": "1"}, {"traceId": "!", "id": "1"}]'

    assert ZipkinJson().decode(value, only()) == Decoded(skipped={"bad_trace_id": 1}, unwanted_spans=1)
