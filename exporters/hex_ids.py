"""Ids from hex text to the numbers that the OpenTelemetry API takes."""

from __future__ import annotations

import re


def hex_id(text: str, digits: int) -> int:
    """The number behind an id of exactly so many hex digits; 0, which is no valid id, for any other text."""
    return int(text, 16) if re.fullmatch(rf"[0-9a-fA-F]{{{digits}}}", text) else 0
