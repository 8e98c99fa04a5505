"""Scales that a table names once for all its numbers: `Revenue (EUR million)`, `单位：亿元`, "in thousands"."""

from __future__ import annotations

import re

_SIZES = {
    "thousand": 1e3,
    "million": 1e6,
    "mn": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "千": 1e3,
    "万": 1e4,
    "百万": 1e6,
    "千万": 1e7,
    "亿": 1e8,
    "十亿": 1e9,
}
_SIZE = "(thousand|million|mn|billion|bn)s?(?![a-z])"
_SIZE_ZH = "(百万|千万|十亿|千|万|亿)(?!一)"
_NAMED = re.compile(
    rf"[(\[（][^()\[\]（）\n]{{0,20}}?{_SIZE}[^()\[\]（）\n0-9]{{0,16}}[)\]）]|\bin[ ]{_SIZE}"
    rf"|[(\[（](?:单位[:：]?)?[^()\[\]（）\n0-9]{{0,6}}?{_SIZE_ZH}[^()\[\]（）\n0-9]{{0,6}}[)\]）]"
    rf"|单位[:：][ ]?[^\s0-9，。]{{0,4}}?{_SIZE_ZH}",
    re.IGNORECASE,
)
_SIGNS = ("thousand", "million", "mn", "billion", "bn", "千", "万", "亿")


def scales_in(text: str) -> frozenset[float]:
    """What numbers of a text may have to be multiplied by; empty for most texts."""
    lower = text.lower()
    if not any(sign in lower for sign in _SIGNS):
        return frozenset()
    return frozenset(_SIZES[found[found.lastindex or 0].lower()] for found in _NAMED.finditer(text))
