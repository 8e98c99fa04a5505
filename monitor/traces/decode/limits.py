"""Bounds on one record, so that a bomb costs one record and not the process."""

from __future__ import annotations

from monitor.errors import DecodeError

MAX_BYTES = 64 << 20
"""Largest value that is decoded; the Collector's own limit is 1 MB before compression."""
MAX_DEPTH = 64
"""Nesting of one attribute value at most."""


def check_size(value: bytes) -> None:
    """Refuse a value that is too large to decode. Raises DecodeError."""
    if len(value) > MAX_BYTES:
        kind = "too_large"
        raise DecodeError(kind, f"{len(value)} bytes; at most {MAX_BYTES} are decoded")
