"""Trace and span ids: their lengths are checked here, because no parser does it. An id of zeros is no id (W3C)."""

from __future__ import annotations

import re

TRACE_ID_BYTES = 16
SPAN_ID_BYTES = 8

_TRACE_HEX = re.compile(r"(?!0{32})[0-9a-f]{32}")
_SPAN_HEX = re.compile(r"(?!0{16})[0-9a-f]{16}")
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
