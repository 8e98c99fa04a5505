"""Texts of strangers, made fit for a terminal: one line, bounded, nothing in it that a terminal obeys or hides."""

from __future__ import annotations

import re
import unicodedata

from exporters.messages import to_json

_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories that are spelled out: controls, invisible and direction marks, unassigned, line breaks."""
_JOINERS = "\u200c\u200d"
"""Words and emoji of several scripts are written with them."""
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

_HIDDEN = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
"""What may stand in JSON as it is, but that a terminal obeys or does not show."""


def json_line(row: object) -> str:
    """A row as a line of JSON; what a terminal would obey or hide is escaped, which loses nothing."""
    return _HIDDEN.sub(_escaped, to_json(row).decode()) + "\n"


def _escaped(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def shown(text: str, limit: int) -> str:
    """The text in one line of about `limit` characters; a longer one ends with the number of those left out."""
    head = "".join(_safe(char) for char in text[:limit])
    return head if len(text) <= limit else f"{head}... ({len(text) - limit} more)"


def _safe(char: str) -> str:
    if char.isprintable() or char in _JOINERS or unicodedata.category(char) not in _UNSAFE:
        return char
    code = ord(char)
    return _SHORT.get(char) or (f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}")  # noqa: PLR2004 - one byte
