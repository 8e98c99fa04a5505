"""Which encoding a record's value is in, told from its first bytes and, for JSON, from its top-level keys."""

from __future__ import annotations

import re

import msgspec
from msgspec import UNSET, Raw, UnsetType

from monitor.errors import DecodeError
from monitor.traces.decode.json_text import read_json
from monitor.traces.text import Repairer

_BLANKS = b"\xef\xbb\xbf \t\r\n"
_PROTO = b"\x0a"
"""Field 1, length-delimited: how every OTLP request begins. It is a line feed as well."""
_JSON_AFTER_LINE = re.compile(rb'\s+[{\[][\s{]*"[A-Za-z]')
_OTLP_JSON = re.compile(rb'\{\s*"resource(?:Spans|Logs)"\s*:')
"""OTLP/JSON as all writers begin it; any other object has all its top-level keys looked at."""

Mark = Raw | UnsetType


class _Keys(msgspec.Struct):
    """The top-level keys that tell the JSON encodings apart; their values stay unread."""

    resource_spans: Mark = msgspec.field(default=UNSET, name="resourceSpans")
    resource_logs: Mark = msgspec.field(default=UNSET, name="resourceLogs")
    otel_id: Mark = msgspec.field(default=UNSET, name="traceId")
    operation: Mark = msgspec.field(default=UNSET, name="operationName")
    references: Mark = UNSET
    trace_id: Mark = UNSET


_OBJECT = msgspec.json.Decoder(_Keys)
_ARRAY = msgspec.json.Decoder(list[_Keys])


def sniff(value: bytes) -> str:
    """`otlp_proto`, `otlp_json` or `plain`, for a value that is not empty.

    Raises DecodeError: `unsupported_encoding` with what was seen, `unknown_encoding`, or what is wrong with the JSON.
    """
    if value[:1] == _PROTO and _JSON_AFTER_LINE.match(value) is None:
        return "otlp_proto"
    text = value.lstrip(_BLANKS)
    match text[:1]:
        case b"{":
            return _object(text)
        case b"[":
            return _array(text)
        case b"":
            return _unknown("nothing but blanks")
        case first:
            return _unknown(f"the first byte is 0x{first.hex()}")


def foreign_proto(value: bytes) -> str | None:
    """What protobuf value it is that is no OTLP: a name for a person, or None when it cannot be told.

    A Jaeger span begins with its own 16-byte trace id, a Zipkin list with a span that does.
    """
    if value[:2] == b"\x0a\x10" and len(value) > 18 and value[18] in b"\x12\x1a":  # noqa: PLR2004 - after the id
        return "a Jaeger protobuf span"
    after_length = next((index for index in range(1, 6) if value[index : index + 1] < b"\x80"), 0) + 1
    if value[:1] == b"\x0a" and value[after_length : after_length + 2] in {b"\x0a\x10", b"\x0a\x08"}:
        return "a Zipkin protobuf list"
    return None


def _object(text: bytes) -> str:
    if _OTLP_JSON.match(text):
        return "otlp_json"
    keys = read_json(_OBJECT, text, Repairer())
    if keys.resource_spans is not UNSET or keys.resource_logs is not UNSET:
        return "otlp_json"
    if keys.trace_id is not UNSET:
        return "plain"
    if keys.otel_id is not UNSET and (keys.operation is not UNSET or keys.references is not UNSET):
        return _unsupported("a Jaeger JSON span")
    return _unknown("a JSON object without the keys resourceSpans, resourceLogs or trace_id")


def _array(text: bytes) -> str:
    elements = read_json(_ARRAY, text, Repairer())
    if any(keys.trace_id is not UNSET for keys in elements):
        return "plain"
    if any(keys.otel_id is not UNSET for keys in elements):
        return _unsupported("a Zipkin JSON list")
    return _unknown("a JSON array of neither spans nor plain records")


def _unsupported(seen: str) -> str:
    kind = "unsupported_encoding"
    raise DecodeError(kind, f"this looks like {seen}; have the Collector write otlp_proto or otlp_json")


def _unknown(seen: str) -> str:
    kind = "unknown_encoding"
    raise DecodeError(kind, seen)
