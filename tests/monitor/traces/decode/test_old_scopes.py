"""Scopes under the number and the names that OTLP had for them until June 2022 are read, and are not read twice."""

from __future__ import annotations

import json

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord

from monitor.errors import DecodeError
from monitor.protocols import Decoder
from monitor.traces.decode import make_decoder
from monitor.traces.decode.glance import Glance
from monitor.traces.decode.otlp_json import OtlpJson
from monitor.traces.decode.otlp_proto import OtlpProto
from tests.monitor.traces.decode.encoders import blob
from tests.monitor.traces.decode.samples import SPAN_ID, TRACE_ID, proto_span, request
from tests.monitor.traces.decode.wishes import Wish, only

ID = {"traceId": TRACE_ID.hex(), "spanId": SPAN_ID.hex()}
TODAY, OLD, STRANGE = 2, 1000, 1001


def group(number: int, item: bytes) -> bytes:
    """A request of one scope with one item, which stands in this field."""
    return blob(1, blob(number, blob(1, blob(1, "library")) + blob(2, item)))


SPAN, OTHER = proto_span().SerializeToString(), proto_span(span_id=b"12345678").SerializeToString()


def as_json(spans: list[dict[str, str]], *, today: bool = False) -> bytes:
    old = {"instrumentationLibrarySpans": [{"instrumentationLibrary": {"name": "library"}, "spans": spans}]}
    both = old | ({"scopeSpans": [{"scope": {"name": "scope"}, "spans": spans}]} if today else {})
    return json.dumps({"resourceSpans": [both]}).encode()


@pytest.mark.parametrize("wanted", [None, only(TRACE_ID.hex())], ids=["all", "asked"])
@pytest.mark.parametrize(
    ("decoder", "value"), [(OtlpProto(), group(OLD, SPAN)), (OtlpJson(), as_json([ID]))], ids=["protobuf", "json"]
)
def test_the_spans_of_old_scopes_are_read(decoder: Decoder, value: bytes, wanted: Wish | None) -> None:
    (span,) = decoder.decode(value, wanted).spans
    assert (span.trace_id, span.span_id, span.scope) == (TRACE_ID.hex(), SPAN_ID.hex(), "library")
    assert decoder.decode(value, only()).unwanted_spans == 1


def test_groups_of_both_kinds_may_be_in_one_record() -> None:
    value = group(OLD, SPAN) + group(TODAY, OTHER)
    for wanted in (None, only(TRACE_ID.hex())):
        spans = OtlpProto().decode(value, wanted).spans
        assert [span.span_id for span in spans] == [SPAN_ID.hex(), b"12345678".hex()]


def test_what_a_writer_published_in_both_ways_is_read_once() -> None:
    fields = ExportTraceServiceRequest.FromString(request(proto_span())).resource_spans[0].SerializeToString()
    value = blob(1, fields + blob(OLD, blob(2, SPAN)))
    assert len(OtlpProto().decode(value).spans) == 1
    assert [span.scope for span in OtlpJson().decode(as_json([ID], today=True)).spans] == ["scope"]


def test_the_log_records_of_old_scopes_are_read() -> None:
    record = LogRecord(trace_id=TRACE_ID, span_id=SPAN_ID, event_name="gen_ai.choice", time_unix_nano=5)
    scope = {"logRecords": [ID | {"eventName": "gen_ai.choice", "timeUnixNano": "5"}]}
    text = json.dumps({"resourceLogs": [{"instrumentationLibraryLogs": [scope]}]}).encode()
    for decoder, value in ((OtlpProto(), group(OLD, record.SerializeToString())), (OtlpJson(), text)):
        assert [log.event.name for log in decoder.decode(value).logs] == ["gen_ai.choice"]


def test_traffic_counts_the_spans_of_old_scopes() -> None:
    look = Glance(make_decoder("auto"), "trace_id").look
    assert look(group(OLD, SPAN)) == look(group(TODAY, SPAN)) != []


def test_fields_that_are_none_of_otlps_are_counted_and_not_read() -> None:
    decoded = OtlpProto().decode(group(STRANGE, SPAN) + group(TODAY, OTHER))
    assert (len(decoded.spans), decoded.skipped) == (1, {"unknown_field": 1})
    with pytest.raises(DecodeError, match="unknown_field"):
        OtlpProto().decode(group(STRANGE, SPAN))
