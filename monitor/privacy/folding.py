"""Make one spelling of a text for the patterns, and lead offsets in it back to the text."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

_INVISIBLE = (
    "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef"
)
"""Soft hyphen, joiners, direction marks, invisible operators, variation selectors and tags, as ranges of a pattern."""
_FULL_WIDTH = {0xFF01 + offset: 0x21 + offset for offset in range(94)}
_SPACES = dict.fromkeys((0x00A0, 0x2002, 0x2003, 0x2007, 0x2009, 0x202F, 0x3000), 0x20)
_DASHES = dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2212), 0x2D)
_TABLE = {chr(code): chr(plain) for code, plain in (_FULL_WIDTH | _SPACES | _DASHES).items()}
_IN_TABLE = re.compile(f"[{''.join(_TABLE)}]")
# full-width punctuation stands in nearly every Chinese text; on its own it is left as it is, and patterns know it
_NEEDS_TABLE = re.compile("[\uff10-\uff19\uff20-\uff3a\uff41-\uff5a\u2010-\u2013\u2212\u00a0\u2002-\u2009\u202f]")
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
_NEEDS_CUT = re.compile(f"[{_INVISIBLE}]")
_VISIBLE = re.compile(f"[^{_INVISIBLE}]+")
# letters and signs of most writing (European, Chinese, Japanese, Korean) and emoji, without any that the rules above
# name: one search that finds nothing else takes the place of all of theirs
_UNUSUAL = re.compile(
    "[^\0-\u007f\u00a1-\u00ac\u00ae-\u034e\u0350-\u05ff\u1e00-\u1fff\u2014-\u2029\u2030-\u205f\u2070-\u2211\u2213-\ua4cf"
    "\uac00-\ud7a3\uf900-\ufdff\ufe10-\ufefe\uff01-\uff0f\uff1a-\uff1f\uff3b-\uff40\uff5b-\uffef\U0001f300-\U0001faff]"
)


@dataclass(frozen=True, slots=True)
class Folded:
    """A text for the patterns.

    Where characters were cut out, it is made of pieces: `starts` are the offsets at which they begin here, `origins`
    those in the source. Both are empty where every offset is the same in the source.
    """

    text: str
    starts: tuple[int, ...] = ()
    origins: tuple[int, ...] = ()

    @property
    def is_cut(self) -> bool:
        """Whether invisible characters were cut out."""
        return bool(self.starts)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the source of a non-empty span of the folded text."""
        return (self._origin(start), self._origin(end - 1) + 1) if self.starts else (start, end)

    def _origin(self, place: int) -> int:
        piece = bisect_right(self.starts, place) - 1
        return self.origins[piece] + place - self.starts[piece]


def fold(text: str) -> Folded:
    """Full-width letters and signs and the digits of all scripts become ASCII, odd spaces and dashes plain ones.

    Invisible characters go.
    """
    if text.isascii():
        return Folded(text)
    unusual = "".join(set(_UNUSUAL.findall(text)))
    if not unusual:
        return Folded(text)
    if _NEEDS_TABLE.search(unusual):
        for char in set(_IN_TABLE.findall(text)):  # a few kinds in any real text; `translate` looks each character up
            text = text.replace(char, _TABLE[char])
    if _OTHER_DIGIT.search(unusual):
        text = _OTHER_DIGIT.sub(_ascii_digit, text)  # one character for one, too: offsets stay
    return _cut(text) if _NEEDS_CUT.search(unusual) else Folded(text)


def _ascii_digit(match: re.Match[str]) -> str:
    return str(unicodedata.decimal(match[0]))


def _cut(text: str) -> Folded:
    origins = [piece.start() for piece in _VISIBLE.finditer(text)]
    pieces = _VISIBLE.findall(text)
    starts = accumulate(map(len, pieces[:-1]), initial=0)
    return Folded("".join(pieces), tuple(starts), tuple(origins))
