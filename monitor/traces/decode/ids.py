"""Trace and span ids: their lengths are checked here, because no parser does it. An id of zeros is no id (W3C)."""

from __future__ import annotations

import base64
import binascii
import re

TRACE_ID_BYTES = 16
SPAN_ID_BYTES = 8

_TRACE_HEX = re.compile(r"(?!0{32})[0-9a-f]{32}")
_SPAN_HEX = re.compile(r"(?!0{16})[0-9a-f]{16}")
_HEX = re.compile(r"[0-9A-Fa-f]+")
_TRACE_BASE64 = re.compile(r"([A-Za-z0-9+/_-]{22})(?:==)?")
_SPAN_BASE64 = re.compile(r"([A-Za-z0-9+/_-]{11})=?")
_URL_SAFE = str.maketrans("-_", "+/")
_ZERO_TRACE = bytes(TRACE_ID_BYTES)
_ZERO_SPAN = bytes(SPAN_ID_BYTES)


def trace_hex(raw: bytes) -> str | None:
    """Lower-case hex of 16 bytes that are not all zero, else None."""
    return raw.hex() if len(raw) == TRACE_ID_BYTES and raw != _ZERO_TRACE else None


def span_hex(raw: bytes) -> str | None:
    """Lower-case hex of 8 bytes that are not all zero, else None."""
    return raw.hex() if len(raw) == SPAN_ID_BYTES and raw != _ZERO_SPAN else None


def parent_hex(raw: bytes) -> str | None:
    """As `span_hex`, but nothing and all zeros give the empty text: a root."""
    return "" if not raw or raw == _ZERO_SPAN else span_hex(raw)


def trace_text(text: str) -> str | None:
    """A trace id from hex text in either case, else None."""
    lower = text.lower()
    return lower if _TRACE_HEX.fullmatch(lower) else None


def span_text(text: str) -> str | None:
    """A span id from hex text in either case, else None."""
    lower = text.lower()
    return lower if _SPAN_HEX.fullmatch(lower) else None


def parent_text(text: str) -> str | None:
    """As `span_text`, but the empty text and all zeros give the empty text: a root."""
    return "" if not text or text == _ZERO_SPAN.hex() else span_text(text)


def otlp_trace_text(text: str) -> str | None:
    """As `trace_text`, also from base64, in which protobuf's own JSON mapping writes an id.

    Lengths tell them apart: an id is 32 hex digits, or 22 characters of base64 with or without two of padding.
    """
    return trace_text(text) or trace_hex(_from_base64(_TRACE_BASE64, text))


def otlp_span_text(text: str) -> str | None:
    """As `span_text`, also from base64: 11 characters with or without one of padding, where hex has 16 digits."""
    return span_text(text) or span_hex(_from_base64(_SPAN_BASE64, text))


def otlp_parent_text(text: str) -> str | None:
    """As `parent_text`, also from base64."""
    plain = parent_text(text)
    if plain is not None:
        return plain
    raw = _from_base64(_SPAN_BASE64, text)
    return parent_hex(raw) if raw else None


def wide_trace_hex(raw: bytes) -> str | None:
    """As `trace_hex`, also of 8 bytes: a 64-bit trace id has zeros before it, as every translator writes it."""
    return trace_hex(raw.rjust(TRACE_ID_BYTES, b"\0") if len(raw) == SPAN_ID_BYTES else raw)


def wide_trace_text(text: str) -> str | None:
    """As `trace_text`, also from fewer digits: 64-bit trace ids, and writers that leave leading zeros out."""
    return trace_text(text.rjust(2 * TRACE_ID_BYTES, "0")) if text else None


def wide_span_text(text: str) -> str | None:
    """As `span_text`, also from fewer digits."""
    return span_text(text.rjust(2 * SPAN_ID_BYTES, "0")) if text else None


def hex_of(text: str) -> str:
    """An id as hex text: Jaeger's own JSON has hex, protobuf's JSON form has base64. The empty text for anything else.

    An id that reads as either is hex: base64 of 8 or 16 bytes ends with `=`, unless its writer leaves the padding out.
    """
    if _HEX.fullmatch(text):
        return text
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return ""
    return data.hex() if len(data) in (SPAN_ID_BYTES, TRACE_ID_BYTES) else ""


def _from_base64(shape: re.Pattern[str], text: str) -> bytes:
    """The bytes of an id of this shape, in either alphabet; nothing for any other text."""
    match = shape.fullmatch(text)
    return base64.b64decode(match[1].translate(_URL_SAFE) + "==") if match else b""
