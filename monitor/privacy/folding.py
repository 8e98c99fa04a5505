"""Make one spelling of a text for the patterns, and lead offsets in it back to the text."""

from __future__ import annotations

import re
from dataclasses import dataclass

_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_FULL_WIDTH = {0xFF01 + offset: 0x21 + offset for offset in range(94)}
_SPACES = dict.fromkeys((0x00A0, 0x2002, 0x2003, 0x2007, 0x2009, 0x202F, 0x3000), 0x20)
_DASHES = dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2212), 0x2D)
_TABLE = _FULL_WIDTH | _SPACES | _DASHES
# full-width punctuation stands in nearly every Chinese text; on its own it is left as it is, and patterns know it
_NEEDS_TABLE = re.compile("[\uff10-\uff19\uff20-\uff3a\uff41-\uff5a\u2010-\u2013\u2212\u00a0\u2002-\u2009\u202f]")
_NEEDS_CUT = re.compile(f"[{_INVISIBLE}]")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text for the patterns. `origin` gives the offset of each character in the source; None: the same offset."""

    text: str
    origin: tuple[int, ...] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the source of a non-empty span of the folded text."""
        return (start, end) if self.origin is None else (self.origin[start], self.origin[end - 1] + 1)


def fold(text: str) -> Folded:
    """Full-width letters, digits and signs become ASCII, odd spaces and dashes plain ones; invisible characters go."""
    if _NEEDS_TABLE.search(text):
        text = text.translate(_TABLE)  # one character for one: offsets stay
    if not _NEEDS_CUT.search(text):
        return Folded(text)
    origin = tuple(index for index, char in enumerate(text) if char not in _INVISIBLE)
    return Folded("".join(text[index] for index in origin), origin)
