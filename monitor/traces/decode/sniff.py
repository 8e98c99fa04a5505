"""Which encoding a record's value is in, told from its first bytes and, for JSON, from its top-level keys."""

from __future__ import annotations

import re

import msgspec
from msgspec import UNSET, Raw, UnsetType

from monitor.errors import DecodeError
from monitor.traces.decode.foreign import is_jaeger, is_zipkin
from monitor.traces.decode.json_documents import begins_document
from monitor.traces.decode.json_text import as_array, read_json
from monitor.traces.decode.unreadable import told_by_bytes, told_by_keys
from monitor.traces.text import Repairer

_BLANKS = b"\xef\xbb\xbf \t\r\n"
_PROTO = b"\x0a"
"""Field 1, length-delimited: how every protobuf encoding begins. It is a line feed as well."""
_JSON_AFTER_LINE = re.compile(rb'\s+[{\[][\s{]*"[A-Za-z]')
_JAEGER_JSON = re.compile(rb'\{"traceId":"[^"\\]{1,44}","spanId":"[^"\\]{1,44}","operationName":')
"""A Jaeger span as the Collector begins it."""

Mark = Raw | UnsetType


class _Keys(msgspec.Struct):
    """The top-level keys that tell the JSON encodings apart; their values stay unread."""

    resource_spans: Mark = msgspec.field(default=UNSET, name="resourceSpans")
    resource_logs: Mark = msgspec.field(default=UNSET, name="resourceLogs")
    otel_id: Mark = msgspec.field(default=UNSET, name="traceId")
    jaeger_id: Mark = msgspec.field(default=UNSET, name="traceID")
    operation: Mark = msgspec.field(default=UNSET, name="operationName")
    references: Mark = UNSET
    spans: Mark = UNSET
    data: Mark = UNSET
    scope_spans: Mark = msgspec.field(default=UNSET, name="scopeSpans")
    scope_logs: Mark = msgspec.field(default=UNSET, name="scopeLogs")
    batches: Mark = UNSET
    trace: Mark = UNSET
    context: Mark = UNSET
    parent_id: Mark = UNSET
    zipkin_id: Mark = msgspec.field(default=UNSET, name="id")
    trace_id: Mark = UNSET


_OBJECT = msgspec.json.Decoder(_Keys)
_ARRAY = msgspec.json.Decoder(list[Raw])
_ANY_OBJECT = msgspec.json.Decoder(dict[str, Raw])
_OBJECTS = re.compile(rb"\[\s*[{\]]")
_LOOKED_AT = 1000
NO_KNOWN_KEYS = "a JSON object without the keys resourceSpans, resourceLogs"
"""What is said of an object of somebody's own."""


def sniff(value: bytes, plain_key: str = "trace_id") -> str:
    """The name of a value's encoding; the value is not empty. `plain_key` names the trace id of plain records.

    Raises DecodeError: `unknown_encoding` with what was seen, or what is wrong with the JSON.
    """
    if value[:1] == _PROTO and _JSON_AFTER_LINE.match(value) is None:
        return _protobuf(value)
    text = value.lstrip(_BLANKS)
    if begins_document(text):
        return "otlp_json"
    match text[:1]:
        case b"{":
            return _object(text, plain_key)
        case b"[":
            return _array(text, plain_key)
        case b"":
            return _unknown("nothing but blanks")
        case first:
            return _unknown(told_by_bytes(text) or f"the first byte is 0x{first.hex()}")


def _protobuf(value: bytes) -> str:
    if is_jaeger(value):
        return "jaeger_proto"
    return "zipkin_proto" if is_zipkin(value) else "otlp_proto"


def _object(text: bytes, plain_key: str) -> str:
    if _JAEGER_JSON.match(text):
        return "jaeger_json"
    try:
        seen = _told(text, plain_key)
    except DecodeError:
        several = as_array(text)
        if several is None:
            raise
        return _array(several, plain_key)
    return seen or _unknown(told_by_keys(_keys(text)) or f"{NO_KNOWN_KEYS} or {plain_key}")


def _array(text: bytes, plain_key: str) -> str:
    """By the first objects of an array; the first of them that tells speaks for all."""
    if _OBJECTS.match(text) is None:
        kind = "wrong_type"
        raise DecodeError(kind, "a JSON array of other things than objects")
    first = [bytes(item) for item in read_json(_ARRAY, text, Repairer())[:_LOOKED_AT]]
    seen = next(filter(None, (_told(item, plain_key) for item in first)), None)
    told = told_by_keys(_keys(first[0])) if first and seen is None else None
    return seen or _unknown(told or "a JSON array of neither spans nor plain records")


def _told(text: bytes, plain_key: str) -> str | None:
    """The encoding of an object; None when its keys tell of none."""
    keys = read_json(_OBJECT, text, Repairer())
    seen = _seen(keys)
    if seen is None and _holds(_keys(text), plain_key):
        return "plain"
    return seen or _wrapped(keys)


def _keys(text: bytes) -> dict[str, Raw]:
    return read_json(_ANY_OBJECT, text, Repairer())


def _wrapped(keys: _Keys) -> str | None:
    """The encoding of an object of a backend, a log or a home-made exporter; None when it is none."""
    if _is_list(keys.spans) or _is_list(keys.data):
        return "jaeger_json"  # a trace, or what the query service answers
    if isinstance(keys.context, Raw) and bytes(keys.context)[:1] == b"{" and keys.parent_id is not UNSET:
        return "python_json"
    in_otlp = any(map(_is_list, (keys.scope_spans, keys.scope_logs, keys.batches))) or _is_trace(keys.trace)
    return "otlp_json" if in_otlp else None


def _seen(keys: _Keys) -> str | None:
    """The encoding of an object with these keys; None when they tell of none."""
    if keys.resource_spans is not UNSET or keys.resource_logs is not UNSET:
        return "otlp_json"
    if keys.trace_id is not UNSET:
        return "plain"
    if keys.jaeger_id is not UNSET or keys.otel_id is not UNSET:
        if keys.operation is not UNSET or keys.references is not UNSET:
            return "jaeger_json"
        if keys.zipkin_id is not UNSET and keys.otel_id is not UNSET:
            return "zipkin_json"
    return None


def _is_list(mark: Mark) -> bool:
    return isinstance(mark, Raw) and bytes(mark)[:1] == b"["


def _is_trace(mark: Mark) -> bool:
    if not isinstance(mark, Raw) or bytes(mark)[:1] != b"{":
        return False
    keys = read_json(_OBJECT, bytes(mark), Repairer())
    return _is_list(keys.resource_spans) or _is_list(keys.batches)


def _holds(keys: dict[str, Raw], plain_key: str) -> bool:
    """Whether an object may be a plain record whose trace id stands under the configured key or path."""
    return plain_key in keys or plain_key.partition(".")[0] in keys


def _unknown(seen: str) -> str:
    kind = "unknown_encoding"
    raise DecodeError(kind, seen)
