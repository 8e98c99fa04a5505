"""Make one spelling of a text for the patterns, and lead offsets in it back to the text."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_INVISIBLE = (
    "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef"
)
"""Soft hyphen, joiners, direction marks, invisible operators, variation selectors and tags, as ranges of a pattern."""
_FULL_WIDTH = {0xFF01 + offset: 0x21 + offset for offset in range(94)}
_SPACES = dict.fromkeys((0x00A0, 0x2002, 0x2003, 0x2007, 0x2009, 0x202F, 0x3000), 0x20)
_DASHES = dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2212), 0x2D)
_TABLE = _FULL_WIDTH | _SPACES | _DASHES
# full-width punctuation stands in nearly every Chinese text; on its own it is left as it is, and patterns know it
_NEEDS_TABLE = re.compile("[\uff10-\uff19\uff20-\uff3a\uff41-\uff5a\u2010-\u2013\u2212\u00a0\u2002-\u2009\u202f]")
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
_NEEDS_CUT = re.compile(f"[{_INVISIBLE}]")
_VISIBLE = re.compile(f"[^{_INVISIBLE}]+")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text for the patterns. `origin` gives the offset of each character in the source; None: the same offset."""

    text: str
    origin: tuple[int, ...] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the source of a non-empty span of the folded text."""
        return (start, end) if self.origin is None else (self.origin[start], self.origin[end - 1] + 1)


def fold(text: str) -> Folded:
    """Full-width letters and signs and the digits of all scripts become ASCII, odd spaces and dashes plain ones.

    Invisible characters go.
    """
    if text.isascii():
        return Folded(text)
    if _NEEDS_TABLE.search(text):
        text = text.translate(_TABLE)  # one character for one: offsets stay
    if _OTHER_DIGIT.search(text):
        text = _OTHER_DIGIT.sub(_ascii_digit, text)  # the same
    if not _NEEDS_CUT.search(text):
        return Folded(text)
    pieces = list(_VISIBLE.finditer(text))
    origin = tuple(index for piece in pieces for index in range(*piece.span()))
    return Folded("".join(piece[0] for piece in pieces), origin)


def _ascii_digit(match: re.Match[str]) -> str:
    return str(unicodedata.decimal(match[0]))
