"""Zipkin v1 in JSON: annotations say what v2 has fields for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given

from monitor.traces.decode import make_decoder
from monitor.traces.decode.zipkin_json import ZipkinJson
from monitor.wire import Span, SpanEvent
from tests.monitor.traces.decode.encoders import zipkin_json_span
from tests.monitor.traces.decode.samples import SPAN_ID, TRACE_ID
from tests.monitor.traces.decode.test_round_trips import spans

MOMENTS = {"CLIENT": ("cs", "cr"), "SERVER": ("sr", "ss"), "PRODUCER": ("ms",), "CONSUMER": ("mr",)}
APP, STORE = {"serviceName": "app", "ipv4": "10.0.0.1"}, {"serviceName": "store"}


def decode(*items: dict[str, Any]) -> Sequence[Span]:
    return make_decoder("auto").decode(json.dumps(items).encode()).spans


def v1(*annotations: tuple[int, str], tags: Sequence[dict[str, Any]] = (), **fields: Any) -> Span:  # noqa: ANN401 - any JSON
    noted = [{"timestamp": at, "value": value, "endpoint": APP} for at, value in annotations]
    ids = {"traceId": TRACE_ID.hex(), "id": SPAN_ID.hex(), "name": "ask"}
    (span,) = decode({**ids, "annotations": noted, "binaryAnnotations": list(tags), **fields})
    return span


def as_v1(span: dict[str, Any]) -> dict[str, Any]:
    """A v2 span as a writer of v1 has it."""
    end = span.pop("localEndpoint")
    kind, tags = span.pop("kind", None), span.pop("tags")
    moments = [{"timestamp": span["timestamp"], "value": value} for value in MOMENTS.get(kind, ())[:1]]
    noted = [*moments, *span.pop("annotations")]
    return {
        **span,
        "annotations": [{**item, "endpoint": end} for item in noted],
        "binaryAnnotations": [{"key": key, "value": value, "endpoint": end} for key, value in tags.items()],
    }


@given(spans())
def test_what_v2_says_in_fields_v1_says_in_annotations(span: Span) -> None:
    """The span is the same, with its kind, its service and its tags."""
    found = zipkin_json_span(span)
    found["annotations"] = [item for item in found["annotations"] if item["value"] not in {"cs", "sr", "ms", "mr"}]

    assert decode(as_v1(json.loads(json.dumps(found)))) == decode(found)


def test_a_call_is_as_long_as_its_moments_are_apart() -> None:
    span = v1((1_000, "cs"), (4_000, "cr"))

    assert (span.kind, span.start_ns, span.end_ns, span.events) == (3, 1_000_000, 4_000_000, ())
    assert span.resource == {"service.name": "app"}


def test_a_span_keeps_its_own_times() -> None:
    span = v1((1_000, "cs"), (4_000, "cr"), timestamp=500, duration=10_000)

    assert (span.start_ns, span.end_ns) == (500_000, 10_500_000)


def test_a_half_of_the_server_without_a_time_of_its_own_is_below_the_clients() -> None:
    client, server = v1((1_000, "cs")), v1((2_000, "sr"), (3_000, "ss"))

    assert client.span_id == server.parent_id == SPAN_ID.hex() != server.span_id
    assert v1((2_000, "sr"), timestamp=2_000).span_id == SPAN_ID.hex()


@pytest.mark.parametrize("value", [True, "true"])
def test_an_address_is_the_other_end_and_no_tag(value: object) -> None:
    tags: list[dict[str, Any]] = [
        {"key": "sa", "value": value, "endpoint": STORE},
        {"key": "k", "value": "v", "endpoint": APP},
    ]

    assert v1((1_000, "cs"), tags=tags).attributes == {"k": "v", "peer.service": "store"}


def test_a_span_of_no_call_has_its_service_from_its_component() -> None:
    tags: list[dict[str, Any]] = [{"key": "lc", "value": "", "endpoint": APP}, {"key": "n", "value": 7}, {"key": "no"}]
    span = v1(tags=tags, timestamp=5, annotations=[{"timestamp": 7, "value": "cache.miss"}])

    assert (span.resource, span.attributes, span.kind) == ({"service.name": "app"}, {"n": 7}, 0)
    assert span.events == (SpanEvent("cache.miss", 7_000, {}),)


def test_annotations_with_an_endpoint_are_v1s_by_themselves() -> None:
    ids = {"traceId": TRACE_ID.hex(), "id": SPAN_ID.hex()}
    value = json.dumps([{**ids, "annotations": [{"timestamp": 9, "value": "sr", "endpoint": APP}]}]).encode()

    (span,) = ZipkinJson().decode(value).spans

    assert (span.kind, span.start_ns, span.resource) == (2, 9_000, {"service.name": "app"})


def test_odd_annotations_cost_nothing_but_themselves() -> None:
    span = v1((0, "cs"), (-5, "cr"), tags=[{}, {"key": "sa", "value": True}, {"key": "ca", "value": "text"}])

    assert (span.kind, span.start_ns, span.attributes) == (3, 0, {"ca": "text"})
