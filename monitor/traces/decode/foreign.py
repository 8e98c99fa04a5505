"""Telling Jaeger and Zipkin protobuf from OTLP: all three begin with field 1, and nothing names the encoding.

A Jaeger span is a message with a 16-byte id in field 1 and an 8-byte id in field 2, where OTLP has no field. A Zipkin
list has field 1 only, as OTLP has; in its first message field 1 is an id of 8 or 16 bytes, and fields 2 and 3 are ids
of 8, where OTLP has a resource, the spans and an address. Field 6 is a number there, and a message in the spans of a
Jaeger batch, which nobody writes to Kafka and is not read.
"""

from __future__ import annotations

from typing import Any

from google.protobuf.message import DecodeError as ProtobufError

from monitor.traces.decode.declare import BYTES, Field, declare
from monitor.traces.decode.ids import SPAN_ID_BYTES, TRACE_ID_BYTES

_ID_MARK = bytes((0x0A, TRACE_ID_BYTES))
"""Field 1, length-delimited, 16 bytes."""
_SPAN_ID_MARK = bytes((0x12, SPAN_ID_BYTES))
_ID_MARKS = (_ID_MARK, bytes((_ID_MARK[0], SPAN_ID_BYTES)))
_AFTER_ID = len(_ID_MARK) + TRACE_ID_BYTES
_MAX_LENGTH_BYTES = 5

_HEADS = declare(
    "ragmon.heads",
    {
        "Jaeger": (Field("trace_id", 1, BYTES), Field("span_id", 2, BYTES)),
        "Zipkin": (
            Field("trace_id", 1, BYTES),
            Field("parent_id", 2, BYTES),
            Field("id", 3, BYTES),
            Field("jaegers_start", 6, BYTES),
        ),
        "List": (Field("spans", 1, BYTES, repeated=True),),
    },
)
_JAEGER, _ZIPKIN, _LIST = _HEADS["Jaeger"], _HEADS["Zipkin"], _HEADS["List"]


def is_jaeger(value: bytes) -> bool:
    """Whether a value that begins with field 1 is a Jaeger span. One comparison for nearly every other value."""
    if value[:2] != _ID_MARK:
        return False
    if value[_AFTER_ID : _AFTER_ID + 2] == _SPAN_ID_MARK:
        return True
    head = _parse(_JAEGER, value)  # its fields may be in another order
    return head is not None and len(head.trace_id) == TRACE_ID_BYTES and len(head.span_id) == SPAN_ID_BYTES


def is_zipkin(value: bytes) -> bool:
    """Whether a value that begins with field 1 is a list of Zipkin spans, judged by how the first span begins."""
    start = _after_length(value)
    return value[start : start + 2] in _ID_MARKS and has_zipkin(value)


def has_zipkin(value: bytes) -> bool:
    """Whether one of the spans of a list is a Zipkin span: the first may be broken."""
    spans = _parse(_LIST, value)
    return spans is not None and any(_is_zipkin_span(_parse(_ZIPKIN, span)) for span in spans.spans)


def _is_zipkin_span(head: Any) -> bool:  # noqa: ANN401 - a class made at run time
    if head is None or len(head.id) != SPAN_ID_BYTES or head.jaegers_start:
        return False
    return len(head.trace_id) in (SPAN_ID_BYTES, TRACE_ID_BYTES) and len(head.parent_id) in (0, SPAN_ID_BYTES)


def _after_length(value: bytes) -> int:
    """Where the content of the first field begins; behind the value when its length does not end."""
    lengths = (index for index in range(1, 1 + _MAX_LENGTH_BYTES) if value[index : index + 1] < b"\x80")
    return next(lengths, len(value)) + 1


def _parse(cls: Any, data: bytes) -> Any:  # noqa: ANN401 - classes made at run time
    """The message; None when the bytes are none."""
    try:
        return cls.FromString(data)
    except ProtobufError:
        return None
