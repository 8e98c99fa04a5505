"""Every captured message decodes, and all encodings of the same spans give the same spans."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from monitor.traces.decode import make_decoder
from monitor.wire import Span
from tests.monitor.traces.decode.samples import LOG_CAPTURES, SPAN_CAPTURES, TRACES, wire
from tests.monitor.traces.decode.wishes import only

_IDS = frozenset({"traceId", "spanId", "parentSpanId"})


def _in_order(spans: Iterable[Span]) -> list[Span]:
    """By id and time: two pairs of captures were made with the same seed and share their ids."""
    return sorted(spans, key=lambda span: (span.trace_id, span.span_id, span.start_ns))


def _captured() -> list[Span]:
    decoder = make_decoder("otlp_proto")
    return _in_order(span for path in SPAN_CAPTURES for span in decoder.decode(path.read_bytes()).spans)


def _with_hex_ids(value: Any) -> Any:  # noqa: ANN401 - any JSON
    match value:
        case dict():
            return {
                key: base64.b64decode(item).hex() if key in _IDS else _with_hex_ids(item) for key, item in value.items()
            }
        case list():
            return [_with_hex_ids(item) for item in value]
        case _:
            return value


@pytest.mark.parametrize("path", SPAN_CAPTURES, ids=lambda path: path.stem)
def test_a_capture_gives_the_spans_that_protobufs_own_json_form_gives(path: Path) -> None:
    value = path.read_bytes()
    message = MessageToDict(ExportTraceServiceRequest.FromString(value))

    decoded = make_decoder("otlp_proto").decode(value)

    assert decoded.spans
    assert (decoded.skipped, decoded.repaired) == ({}, 0)
    assert decoded == make_decoder("otlp_json").decode(msgspec.json.encode(_with_hex_ids(message)))


@pytest.mark.parametrize("path", LOG_CAPTURES, ids=lambda path: path.stem)
def test_captured_logs_are_events_of_captured_spans(path: Path) -> None:
    decoded = make_decoder("otlp_proto").decode(path.read_bytes())
    spans = make_decoder("otlp_proto").decode(Path(str(path).replace(".logs.pb", ".pb")).read_bytes()).spans

    assert decoded.logs
    assert (decoded.spans, decoded.skipped) == ((), {})
    assert {(log.trace_id, log.span_id) for log in decoded.logs} <= {(span.trace_id, span.span_id) for span in spans}
    assert all(log.event.name.startswith("gen_ai.") for log in decoded.logs)


def test_legacy_logs_carry_their_content_in_the_body() -> None:
    decoded = make_decoder("otlp_proto").decode((TRACES / "otel-openai-v2-legacy-event.logs.pb").read_bytes())

    assert decoded.logs[0].event.body == {"content": "You are the Velora helpdesk."}


def test_the_json_twin_equals_its_protobuf() -> None:
    name = "openinference-langchain-success"

    proto = make_decoder("otlp_proto").decode((TRACES / f"{name}.pb").read_bytes())

    assert make_decoder("otlp_json").decode((TRACES / f"{name}.otlp.json").read_bytes()) == proto


@pytest.mark.parametrize("name", ["otlp_proto", "otlp_proto_nokey", "otlp_json"])
@pytest.mark.parametrize("encoding", ["configured", "auto"])
def test_what_a_real_collector_wrote_holds_the_captured_spans(name: str, encoding: str) -> None:
    """492 spans, each attribute, event, link, time and status as captured; only the Collector's batching differs."""
    decoder = make_decoder("auto" if encoding == "auto" else name.removesuffix("_nokey"))

    spans = [span for value in wire(name) for span in decoder.decode(value).spans]

    assert len(spans) == 492
    assert _in_order(spans) == _captured()


@pytest.mark.parametrize(
    "name",
    [
        "otlp_proto",
        "otlp_proto_nokey",
        "otlp_json",
        "jaeger_proto",
        "jaeger_json",
        "zipkin_proto",
        "zipkin_json",
    ],
)
def test_only_wanted_traces_are_read(name: str) -> None:
    """The Collector writes fields in descending order, so this covers trace ids at the end of a span."""
    decoder = make_decoder(name.removesuffix("_nokey"))
    for value in wire(name):
        every = decoder.decode(value)
        traces = sorted({span.trace_id for span in every.spans})
        wish = only(traces[0])
        some = decoder.decode(value, wish)

        assert some.spans == tuple(span for span in every.spans if span.trace_id == traces[0])
        assert sorted(wish.asked) == traces
        assert not decoder.decode(value, only()).spans
