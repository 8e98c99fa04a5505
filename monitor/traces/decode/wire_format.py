"""The tolerant protobuf parse: a message with invalid UTF-8 text is mended on the wire, then parsed as usual.

A parser refuses a whole message for one bad byte in one attribute, and some SDKs send such text. The walk follows the
message's own descriptor, replaces bad text by U+FFFD, and copies everything else as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeVar, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import DecodeError as ProtobufError
from google.protobuf.message import Message

from monitor.traces.decode.limits import MAX_UNUSABLE, refuse_unusable
from monitor.traces.text import Repairer

MAX_NESTING = 100
"""Messages within messages, as in protobuf's own parser."""

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_MAX_VARINT_BYTES = 10
_LEAST_BYTES = 16
"""Of a part of a trace that is of any use: an id alone has as many."""

M = TypeVar("M", bound=Message)


class WireError(ValueError):
    """The bytes are no message of that type, even with its texts mended."""


class _Field(NamedTuple):
    number: int
    wire_type: int
    start: int
    body: int
    end: int


def parse(cls: type[M], data: bytes, repairer: Repairer) -> M:
    """The message in `data`; texts that are no UTF-8 are repaired and counted. Raises WireError."""
    try:
        return cls.FromString(data)
    except ProtobufError:
        mended = mend(data, cast("Descriptor", cls.DESCRIPTOR), repairer)
    try:
        return cls.FromString(mended)
    except ProtobufError as error:
        raise WireError(str(error)) from None


def contents(message: bytes, number: int) -> Iterator[bytes]:
    """What each length-delimited field with this number holds. Raises WireError, DecodeError for far too many small."""
    small = 0
    for field in _walk(message):
        if field.number == number and field.wire_type == _BYTES:
            small += field.end - field.body < _LEAST_BYTES
            if small > MAX_UNUSABLE:
                refuse_unusable()
            yield message[field.body : field.end]


def mend(data: bytes, message: Descriptor, repairer: Repairer, depth: int = 0) -> bytes:
    """A copy of the message whose texts are all fit. Raises WireError when the bytes cannot be walked."""
    if depth > MAX_NESTING:
        msg = "nested too deep"
        raise WireError(msg)
    out = bytearray()
    for field in _walk(data):
        declared = message.fields_by_number.get(field.number) if field.wire_type == _BYTES else None
        if declared is None or declared.type not in (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_MESSAGE):
            out += data[field.start : field.end]
            continue
        body = data[field.body : field.end]
        if declared.type == FieldDescriptor.TYPE_STRING:
            body = repairer.utf8(body).encode()
        elif declared.message_type is not None:
            body = mend(body, declared.message_type, repairer, depth + 1)
        out += _varint(field.number << 3 | _BYTES)
        out += _varint(len(body))
        out += body
    return bytes(out)


def _walk(data: bytes) -> Iterator[_Field]:
    """The top-level fields of a message, in their order. Raises WireError."""
    at = 0
    while at < len(data):
        start = at
        tag, at = _read_varint(data, at)
        number, wire_type = tag >> 3, tag & 7
        body, end = at, at
        if wire_type == _VARINT:
            _, end = _read_varint(data, at)
        elif wire_type == _FIXED64:
            end = at + 8
        elif wire_type == _FIXED32:
            end = at + 4
        elif wire_type == _BYTES:
            length, body = _read_varint(data, at)
            end = body + length
        else:  # groups are not used by OTLP
            msg = f"wire type {wire_type}"
            raise WireError(msg)
        if number == 0 or end > len(data):
            msg = "field without number" if number == 0 else "field ends after the message"
            raise WireError(msg)
        yield _Field(number, wire_type, start, body, end)
        at = end


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for index in range(_MAX_VARINT_BYTES):
        if at + index >= len(data):
            break
        byte = data[at + index]
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:  # noqa: PLR2004 - the continuation bit
            return value, at + index + 1
    msg = "number without end"
    raise WireError(msg)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:  # noqa: PLR2004 - seven bits a byte
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
