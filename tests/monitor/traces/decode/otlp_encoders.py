"""Spans as OTLP requests, as SDKs and a Collector make them."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, InstrumentationScope, KeyValue, KeyValueList
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Status
from opentelemetry.proto.trace.v1.trace_pb2 import Span as ProtoSpan

from monitor.wire import AttributeValue, Span

Tags = Mapping[str, AttributeValue]


def any_value(value: AttributeValue) -> AnyValue:  # noqa: PLR0911 - one for each type
    match value:
        case None:
            return AnyValue()
        case bool():
            return AnyValue(bool_value=value)
        case int():
            return AnyValue(int_value=value)
        case float():
            return AnyValue(double_value=value)
        case str():
            return AnyValue(string_value=value)
        case bytes():
            return AnyValue(bytes_value=value)
        case list():
            return AnyValue(array_value=ArrayValue(values=map(any_value, value)))
        case dict():
            return AnyValue(kvlist_value=KeyValueList(values=key_values(value)))


def key_values(tags: Tags) -> list[KeyValue]:
    return [KeyValue(key=key, value=any_value(value)) for key, value in tags.items()]


def otlp_proto(spans: Sequence[Span]) -> list[bytes]:
    return [ExportTraceServiceRequest(resource_spans=map(_otlp_group, spans)).SerializeToString()]


def _otlp_group(span: Span) -> ResourceSpans:
    message = ProtoSpan(
        trace_id=bytes.fromhex(span.trace_id),
        span_id=bytes.fromhex(span.span_id),
        parent_span_id=bytes.fromhex(span.parent_id),
        trace_state=span.trace_state,
        name=span.name,
        kind=ProtoSpan.SpanKind.ValueType(span.kind),
        start_time_unix_nano=span.start_ns,
        end_time_unix_nano=span.end_ns,
        attributes=key_values(span.attributes),
        dropped_attributes_count=span.dropped_attributes,
        flags=span.flags,
        status=Status(code=Status.StatusCode.ValueType(int(span.status)), message=span.status_message),
        events=[
            ProtoSpan.Event(name=event.name, time_unix_nano=event.time_ns, attributes=key_values(event.attributes))
            for event in span.events
        ],
        links=[
            ProtoSpan.Link(
                trace_id=bytes.fromhex(link.trace_id),
                span_id=bytes.fromhex(link.span_id),
                attributes=key_values(link.attributes),
            )
            for link in span.links
        ],
    )
    return ResourceSpans(
        resource=Resource(attributes=key_values(span.resource)),
        scope_spans=[ScopeSpans(scope=InstrumentationScope(name=span.scope), spans=[message])],
    )


def json_value(value: AttributeValue) -> dict[str, Any]:  # noqa: PLR0911 - one for each type
    match value:
        case None:
            return {}
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
        case bytes():
            return {"bytesValue": base64.b64encode(value).decode()}
        case list():
            return {"arrayValue": {"values": [json_value(item) for item in value]}}
        case dict():
            return {"kvlistValue": {"values": json_pairs(value)}}


def json_pairs(tags: Tags) -> list[dict[str, Any]]:
    return [{"key": key, "value": json_value(value)} for key, value in tags.items()]


def otlp_json(spans: Sequence[Span]) -> list[bytes]:
    groups = [
        {
            "resource": {"attributes": json_pairs(span.resource)},
            "scopeSpans": [{"scope": {"name": span.scope}, "spans": [_otlp_json_span(span)]}],
        }
        for span in spans
    ]
    return [json.dumps({"resourceSpans": groups}).encode()]


def _otlp_json_span(span: Span) -> dict[str, Any]:
    return {
        "traceId": span.trace_id,
        "spanId": span.span_id,
        "parentSpanId": span.parent_id,
        "traceState": span.trace_state,
        "name": span.name,
        "kind": span.kind,
        "startTimeUnixNano": str(span.start_ns),
        "endTimeUnixNano": str(span.end_ns),
        "attributes": json_pairs(span.attributes),
        "droppedAttributesCount": span.dropped_attributes,
        "flags": span.flags,
        "status": {"code": int(span.status), "message": span.status_message},
        "events": [
            {"name": event.name, "timeUnixNano": str(event.time_ns), "attributes": json_pairs(event.attributes)}
            for event in span.events
        ],
        "links": [
            {"traceId": link.trace_id, "spanId": link.span_id, "attributes": json_pairs(link.attributes)}
            for link in span.links
        ],
    }
