"""Bounds on one record, so that a bomb costs one record and not the process."""

from __future__ import annotations

from typing import NoReturn

from monitor.errors import DecodeError

MAX_BYTES = 64 << 20
"""Largest value that is decoded; the Collector's own limit is 1 MB before compression."""
MAX_DEPTH = 64
"""Nesting of one attribute value at most."""

MAX_UNUSABLE = 100_000
"""Parts of one record that are no spans: one by one they cost far more time, and memory, than their few bytes."""


def check_size(value: bytes) -> None:
    """Refuse a value that is too large to decode. Raises DecodeError."""
    if len(value) > MAX_BYTES:
        kind = "too_large"
        raise DecodeError(kind, f"{len(value)} bytes; at most {MAX_BYTES} are decoded")


def refuse_unusable() -> NoReturn:
    """Refuse a record with more than MAX_UNUSABLE unusable parts. Raises DecodeError."""
    kind = "too_many_unusable"
    raise DecodeError(kind, f"more than {MAX_UNUSABLE} parts of it are no usable spans")
