"""Spans as records in each encoding, as a Collector or another writer makes them: what the decoders are proved with.

Protobuf is written by hand here, so that nothing of the decoders' own declarations is trusted.
"""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from monitor.wire import AttributeValue, Span, SpanEvent, SpanStatus
from tests.monitor.traces.decode.otlp_encoders import otlp_json, otlp_proto

Tags = Mapping[str, AttributeValue]

KINDS = ("", "internal", "server", "client", "producer", "consumer")
NO_SERVICE = "OTLPResourceNoServiceName"


# --------------------------------------------------------------------------------------------------------------- values


def go_text(value: AttributeValue) -> str:
    """A value as the Collector makes text of it: whole floats without fraction, structures as sorted JSON."""
    match value:
        case str():
            return value
        case bytes():
            return base64.b64encode(value).decode()
        case float() if value.is_integer() and abs(value) < 1e21:  # Go turns to exponents there
            return str(int(value))
        case _:
            return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=go_text)


def service_of(span: Span) -> str:
    return go_text(span.resource.get("service.name", NO_SERVICE))


def marked(span: Span) -> dict[str, AttributeValue]:
    """The span's attributes with the tags that carry its other fields."""
    tags = {
        "otel.scope.name": span.scope,
        **span.attributes,
        "span.kind": KINDS[span.kind],
        "otel.status_code": span.status.name if span.status is not SpanStatus.UNSET else "",
        "error": True if span.status is SpanStatus.ERROR else span.attributes.get("error", ""),
        "otel.status_description": span.status_message,
        "w3c.tracestate": span.trace_state,
    }
    given = span.attributes.keys()
    return {key: value for key, value in tags.items() if value != "" or key in given}


# ----------------------------------------------------------------------------------------------------- protobuf by hand


def varint(number: int) -> bytes:
    out = bytearray()
    number &= 2**64 - 1
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value) if value else b""


def fixed(field: int, value: int) -> bytes:
    return varint(field << 3 | 1) + struct.pack("<Q", value) if value else b""


def double(field: int, value: float) -> bytes:
    return varint(field << 3 | 1) + struct.pack("<d", value) if value else b""


def blob(field: int, value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(data)) + data


# --------------------------------------------------------------------------------------------------------------- Jaeger


def jaeger_proto(spans: Sequence[Span]) -> list[bytes]:
    return list(map(jaeger_proto_span, spans))


def jaeger_proto_span(span: Span) -> bytes:
    process = {key: value for key, value in span.resource.items() if key != "service.name"}
    return b"".join(
        [
            blob(1, bytes.fromhex(span.trace_id)),
            blob(2, bytes.fromhex(span.span_id)),
            blob(3, span.name),
            *(blob(4, _proto_reference(*reference)) for reference in _references(span)),
            number(5, span.flags & 1),
            blob(6, _proto_time(span.start_ns)),
            blob(7, _proto_time(span.end_ns - span.start_ns)),
            *(blob(8, _proto_tag(key, value)) for key, value in marked(span).items()),
            *(blob(9, _proto_log(event)) for event in span.events),
            blob(10, blob(1, service_of(span)) + b"".join(blob(2, _proto_tag(*pair)) for pair in process.items())),
        ]
    )


def _references(span: Span) -> list[tuple[str, str, int]]:
    parent = [(span.trace_id, span.parent_id, 0)] if span.parent_id else []
    return [*parent, *((link.trace_id, link.span_id, 1) for link in span.links)]


def _proto_reference(trace_id: str, span_id: str, kind: int) -> bytes:
    return blob(1, bytes.fromhex(trace_id)) + blob(2, bytes.fromhex(span_id)) + number(3, kind)


def _proto_time(nanoseconds: int) -> bytes:
    return number(1, nanoseconds // 10**9) + number(2, nanoseconds % 10**9)


def _proto_tag(key: str, value: AttributeValue) -> bytes:
    match value:
        case bool():
            return blob(1, key) + number(2, 1) + number(4, value)
        case int():
            return blob(1, key) + number(2, 2) + number(5, value)
        case float():
            return blob(1, key) + number(2, 3) + double(6, value)
        case bytes():
            return blob(1, key) + number(2, 4) + blob(7, value)
        case _:
            return blob(1, key) + blob(3, go_text(value))


def _proto_log(event: SpanEvent) -> bytes:
    fields = [("event", event.name), *event.attributes.items()]
    return blob(1, _proto_time(event.time_ns)) + b"".join(blob(2, _proto_tag(*pair)) for pair in fields)


def jaeger_json(spans: Sequence[Span]) -> list[bytes]:
    return [json.dumps(jaeger_json_span(span), ensure_ascii=False).encode() for span in spans]


def jaeger_json_span(span: Span) -> dict[str, Any]:
    """Protobuf's JSON form: base64 ids, zero values left out."""
    process = {key: value for key, value in span.resource.items() if key != "service.name"}
    return {
        "traceId": _base64(span.trace_id),
        "spanId": _base64(span.span_id),
        "operationName": span.name,
        "references": [
            {"traceId": _base64(trace), "spanId": _base64(ref)} | ({"refType": "FOLLOWS_FROM"} if kind else {})
            for trace, ref, kind in _references(span)
        ],
        "startTime": _rfc3339(span.start_ns),
        "duration": f"{(span.end_ns - span.start_ns) // 10**9}.{(span.end_ns - span.start_ns) % 10**9:09d}s",
        "tags": [_json_tag(*pair) for pair in marked(span).items()],
        "logs": [
            {
                "timestamp": _rfc3339(event.time_ns),
                "fields": [_json_tag(*pair) for pair in [("event", event.name), *event.attributes.items()]],
            }
            for event in span.events
        ],
        "process": {"serviceName": service_of(span), "tags": [_json_tag(*pair) for pair in process.items()]},
    } | ({"flags": 1} if span.flags & 1 else {})


def _base64(hex_id: str) -> str:
    return base64.b64encode(bytes.fromhex(hex_id)).decode()


def _rfc3339(nanoseconds: int) -> str:
    seconds, rest = divmod(nanoseconds, 10**9)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{rest:09d}Z"


def _json_tag(key: str, value: AttributeValue) -> dict[str, Any]:
    match value:
        case bool():
            return {"key": key, "vType": "BOOL"} | ({"vBool": True} if value else {})
        case int():
            return {"key": key, "vType": "INT64"} | ({"vInt64": str(value)} if value else {})
        case float():
            return {"key": key, "vType": "FLOAT64"} | ({"vFloat64": value} if value else {})
        case bytes():
            return {"key": key, "vType": "BINARY", "vBinary": base64.b64encode(value).decode()}
        case _:
            return {"key": key} | ({"vStr": go_text(value)} if value != "" else {})


def jaeger_answer(spans: Sequence[Span]) -> list[bytes]:
    """An answer of Jaeger's query service: hex ids, microseconds, processes by id."""
    traces: dict[str, dict[str, Any]] = {}
    for index, span in enumerate(spans):
        trace = traces.setdefault(span.trace_id, {"traceID": span.trace_id, "spans": [], "processes": {}})
        process = {key: value for key, value in span.resource.items() if key != "service.name"}
        trace["processes"][f"p{index}"] = {"serviceName": service_of(span), "tags": _query_tags(process.items())}
        trace["spans"].append(
            {
                "traceID": span.trace_id,
                "spanID": span.span_id,
                "flags": span.flags & 1,
                "operationName": span.name,
                "references": [
                    {"refType": "FOLLOWS_FROM" if kind else "CHILD_OF", "traceID": trace_id, "spanID": span_id}
                    for trace_id, span_id, kind in _references(span)
                ],
                "startTime": span.start_ns // 1000,
                "duration": (span.end_ns - span.start_ns) // 1000,
                "tags": _query_tags(marked(span).items()),
                "logs": [
                    {
                        "timestamp": event.time_ns // 1000,
                        "fields": _query_tags([("event", event.name), *event.attributes.items()]),
                    }
                    for event in span.events
                ],
                "processID": f"p{index}",
                "warnings": None,
            }
        )
    return [json.dumps({"data": list(traces.values()), "total": 0, "errors": None}).encode()]


def _query_tags(pairs: Iterable[tuple[str, AttributeValue]]) -> list[dict[str, Any]]:
    return [_query_tag(key, value) for key, value in pairs]


def _query_tag(key: str, value: AttributeValue) -> dict[str, Any]:
    match value:
        case bool():
            return {"key": key, "type": "bool", "value": value}
        case int():
            return {"key": key, "type": "int64", "value": value}
        case float():
            return {"key": key, "type": "float64", "value": value}
        case bytes():
            return {"key": key, "type": "binary", "value": base64.b64encode(value).decode()}
        case _:
            return {"key": key, "type": "string", "value": go_text(value)}


# --------------------------------------------------------------------------------------------------------------- Zipkin


def zipkin_tags(span: Span) -> dict[str, str]:
    tags = {key: value for key, value in span.resource.items() if key != "service.name"} | marked(span)
    if KINDS[span.kind] != "internal":
        tags.pop("span.kind", None)
    if span.status is not SpanStatus.UNSET:
        tags["otel.status_code"] = f"STATUS_CODE_{span.status.name}"
    for index, link in enumerate(span.links):
        tags[f"otlp.link.{index}"] = f"{link.trace_id}|{link.span_id}||{go_text(dict(link.attributes))}|0"
    return {key: go_text(value) for key, value in tags.items()}


def zipkin_text(event: SpanEvent) -> str:
    return f"{event.name}|{go_text(dict(event.attributes))}|0" if event.attributes else event.name


def zipkin_kind(span: Span) -> int:
    """Zipkin's number of the kind: client, server, producer, consumer from 1."""
    return (0, 0, 2, 1, 3, 4)[span.kind]


def zipkin_proto(spans: Sequence[Span]) -> list[bytes]:
    return [b"".join(blob(1, zipkin_proto_span(span)) for span in spans)]


def zipkin_proto_span(span: Span) -> bytes:
    return b"".join(
        [
            blob(1, bytes.fromhex(span.trace_id)),
            blob(2, bytes.fromhex(span.parent_id)) if span.parent_id else b"",
            blob(3, bytes.fromhex(span.span_id)),
            number(4, zipkin_kind(span)),
            blob(5, span.name),
            fixed(6, span.start_ns // 1000),
            number(7, (span.end_ns - span.start_ns) // 1000),
            blob(8, blob(1, service_of(span))),
            *(blob(10, fixed(1, event.time_ns // 1000) + blob(2, zipkin_text(event))) for event in span.events),
            *(blob(11, blob(1, key) + blob(2, value)) for key, value in zipkin_tags(span).items()),
        ]
    )


def zipkin_json(spans: Sequence[Span]) -> list[bytes]:
    return [json.dumps([zipkin_json_span(span) for span in spans], ensure_ascii=False).encode()]


def zipkin_json_span(span: Span) -> dict[str, Any]:
    """As the Collector writes it, with names in small letters."""
    kind = zipkin_kind(span)
    return {
        "traceId": span.trace_id,
        "id": span.span_id,
        "name": span.name.lower(),
        "timestamp": span.start_ns // 1000,
        "duration": (span.end_ns - span.start_ns) // 1000,
        "localEndpoint": {"serviceName": service_of(span).lower()},
        "annotations": [{"timestamp": event.time_ns // 1000, "value": zipkin_text(event)} for event in span.events],
        "tags": zipkin_tags(span),
    } | {
        key: value
        for key, value in (("parentId", span.parent_id), ("kind", KINDS[span.kind].upper() if kind else ""))
        if value
    }


Encoder = Callable[[Sequence[Span]], list[bytes]]

ENCODERS: Mapping[str, Encoder] = {
    "otlp_proto": otlp_proto,
    "otlp_json": otlp_json,
    "jaeger_proto": jaeger_proto,
    "jaeger_json": jaeger_json,
    "zipkin_proto": zipkin_proto,
    "zipkin_json": zipkin_json,
}
"""By the decoder's name: the spans of one message as the values of its records."""
