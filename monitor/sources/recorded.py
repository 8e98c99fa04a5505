"""Recorded Kafka records: one JSON object a line, without loss. `ragmon record` writes it, the replay source reads it.

    {"partition": 0, "offset": 7, "key": "6d68...", "headers": [["name", "text"]], "timestamp": 1795978715944,
     "value": "CusY..."}

`value` is base64, null for a tombstone; `key` is text or null; `timestamp` is in milliseconds since the Unix epoch.
Bytes that are no UTF-8 text are written in base64: `key_base64` in place of `key`, `headers_base64` (all headers of the
record, a null value stays null) in place of `headers`.
"""

from __future__ import annotations

import base64

import msgspec
from msgspec import UNSET, UnsetType

from monitor.wire import RawRecord, Record


class _Line(msgspec.Struct, kw_only=True):
    """A record as it is written; the order is the order of the file."""

    partition: int
    offset: int
    key: str | None = None
    key_base64: str | UnsetType | None = UNSET
    headers: list[tuple[str, str | None]] = []
    headers_base64: list[tuple[str, str | None]] | UnsetType = UNSET
    timestamp: int = 0
    value: str | None


_DECODER = msgspec.json.Decoder(_Line)
_ANY = msgspec.json.Decoder(dict[str, msgspec.Raw])


def encode(record: Record) -> bytes:
    """The line of a record, with the line feed."""
    line = _Line(
        partition=record.partition, offset=record.offset, timestamp=record.timestamp, value=_base64(record.value)
    )
    try:
        line.key = _text(record.key)
    except UnicodeDecodeError:
        line.key_base64 = _base64(record.key)
    try:
        line.headers = [(name, _text(value)) for name, value in record.headers]
    except UnicodeDecodeError:
        line.headers_base64 = [(name, _base64(value)) for name, value in record.headers]
    return msgspec.json.encode(line) + b"\n"


def decode(line: bytes, topic: str) -> RawRecord:
    """The record of a line; a header's null value is read as empty.

    Raises msgspec.DecodeError, ValueError (no base64) or RecursionError.
    """
    entry = _DECODER.decode(line)
    key = _encoded(entry.key) if entry.key_base64 is UNSET else _bytes(entry.key_base64)
    if entry.headers_base64 is UNSET:
        headers = [(name, _encoded(text) or b"") for name, text in entry.headers]
    else:
        headers = [(name, _bytes(text) or b"") for name, text in entry.headers_base64]
    value = _bytes(entry.value)
    return RawRecord(topic, entry.partition, entry.offset, key, value, entry.timestamp, tuple(headers))


def is_recorded(line: bytes) -> bool:
    """Whether a line has this form, by its keys."""
    try:
        keys = _ANY.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return False
    return {"partition", "offset", "value"} <= keys.keys()


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode()


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _base64(value: bytes | None) -> str | None:
    return None if value is None else base64.b64encode(value).decode()


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text, validate=True)
