"""What a value is that no decoder reads, and what to do about it: by its first bytes, or by the keys of its JSON."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

_COMPRESSED = (
    "the value itself is compressed ({}); let the producer compress by Kafka's own `compression.type` instead, "
    "of which every kind is read"
)
_UTF_16 = "the text is UTF-16; have the producer write UTF-8, as JSON between systems is (RFC 8259)"
_THRIFT = "this is Zipkin's Thrift; set the encoding of its reporter to JSON or PROTO3"
_STARTS: Mapping[bytes, str] = {
    b"\x1f\x8b": _COMPRESSED.format("gzip"),
    b"\x78\x9c": _COMPRESSED.format("zlib"),
    b"\x28\xb5\x2f\xfd": _COMPRESSED.format("zstd"),
    b"\x04\x22\x4d\x18": _COMPRESSED.format("lz4"),
    b"\x82SNAPPY\x00": _COMPRESSED.format("snappy"),
    b"\xff\x06\x00\x00sNaPpY": _COMPRESSED.format("snappy"),
    b"\xff\xfe": _UTF_16,
    b"\xfe\xff": _UTF_16,
    b"{\x00": _UTF_16,
    b"[\x00": _UTF_16,
    b"\x00{\x00": _UTF_16,
    b"\x00[\x00": _UTF_16,
    b"\x0c\x00\x00\x00": _THRIFT,  # a list of structures, fewer than 2^24
    b"\x0a\x00\x01": _THRIFT,  # a structure: field 1, 64 bits; protobuf has no field 0
    b"Obj\x01": "this is a file of Avro; write one trace a record, in an encoding of OpenTelemetry's Collector",
}
_BASE64 = re.compile(rb'"?(?:C[g-v]|eyJ|W3s)[A-Za-z0-9+/]{24}')
"""How protobuf, an object and an array begin in base64."""
_IN_BASE64 = "the value is in base64; have the producer write the bytes themselves"
_METRICS = "these are metrics in OTLP; send them to a topic that is not among source.topics"
_KEYS: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"resourceMetrics"}), _METRICS),
    (frozenset({"resource_metrics"}), _METRICS),
    (
        frozenset({"Name", "SpanContext"}),
        "this is a span as Go's stdouttrace prints it; export spans by OTLP",
    ),
    (
        frozenset({"traceId", "spanId"}),
        'this is a span without the request around it; write {"resourceSpans": ...}, as OTLP\'s exporters do',
    ),
    (
        frozenset({"schema", "payload"}),
        "this is a record of Kafka Connect with its schema; set value.converter.schemas.enable=false there",
    ),
)


def told_by_bytes(value: bytes) -> str | None:
    """What a value is and what to do about it; None when its first bytes do not tell."""
    if _BASE64.match(value):
        return _IN_BASE64
    return next((told for start, told in _STARTS.items() if value.startswith(start)), None)


def told_by_keys(keys: Collection[str]) -> str | None:
    """The same by the keys of a JSON object."""
    return next((told for marks, told in _KEYS if marks <= set(keys)), None)


def says_what_to_do(reason: str) -> bool:
    """Whether a reason, whatever stands around it, is one of those above."""
    return any(told in reason for told in (_IN_BASE64, *_STARTS.values(), *(told for _, told in _KEYS)))
