"""Texts of strangers, made fit for a terminal: one line, bounded, nothing in it that a terminal obeys or hides."""

from __future__ import annotations

import unicodedata

_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that are spelled out: controls, invisible and direction marks, unassigned, line breaks."""
_JOINERS = "\u200c\u200d"
"""Words and emoji of several scripts are written with them."""
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def shown(text: str, limit: int) -> str:
    """The text in one line of about `limit` characters; a longer one ends with the number of those left out."""
    head = "".join(_safe(char) for char in text[:limit])
    return head if len(text) <= limit else f"{head}... ({len(text) - limit} more)"


def _safe(char: str) -> str:
    if char.isprintable() or char in _JOINERS or unicodedata.category(char) not in _UNSAFE:
        return char
    code = ord(char)
    return _SHORT.get(char) or (f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}")  # noqa: PLR2004 - one byte
