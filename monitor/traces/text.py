"""Text repair at the door: what UTF-8 cannot carry becomes U+FFFD, and every repair is counted.

Three things never get past here: invalid UTF-8 bytes, lone UTF-16 surrogates (half an emoji: JSON can spell them, UTF-8
cannot) and NUL (databases, C libraries and terminals cut text there). Everything else stays as it came: Chinese,
right-to-left text, whole emoji, control characters.
"""

from __future__ import annotations

import re

REPLACEMENT = "\ufffd"

_UNFIT = re.compile("[\x00\ud800-\udfff]")
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"  # a whole pair: kept
    r"|(?P<unfit>u(?:[dD][89a-fA-F][0-9a-fA-F]{2}|0000))"  # half a pair, or NUL
    r"|.)",  # any other escape, taken whole so that the second backslash of `\\u` starts nothing
    re.DOTALL,
)


class Repairer:
    """Repairs the texts of one record. `count` is the number of texts that were changed; it starts at 0."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0

    def text(self, text: str) -> str:
        """The text itself when it is fit, else a repaired copy."""
        if is_fit(text):
            return text
        self.count += 1
        return _UNFIT.sub(REPLACEMENT, text)

    def parsed(self, text: str) -> str:
        """As `text`, for what a parser has checked to be UTF-8: only NUL is left to look for."""
        return self.text(text) if "\x00" in text else text

    def utf8(self, data: bytes) -> str:
        """The text of UTF-8 bytes, one U+FFFD for each invalid sequence."""
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self.count += 1
            return _UNFIT.sub(REPLACEMENT, data.decode(errors="replace"))
        return self.parsed(text)

    def json(self, data: bytes) -> bytes:
        """JSON text with its bytes and escapes repaired: decodes as UTF-8 and holds no lone surrogate and no NUL.

        Counts one for the invalid bytes of the whole text, and one for each escape.
        """
        text = self.utf8(data)
        return _ESCAPE.sub(self._escape, text).encode()

    def _escape(self, match: re.Match[str]) -> str:
        if match["unfit"] is None:
            return match[0]
        self.count += 1
        return "\\ufffd"


def is_fit(text: str) -> bool:
    """Whether the text holds no NUL and no lone surrogate. Cheap: an ASCII text costs one search for NUL."""
    if "\x00" in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()  # several GB/s; a regular expression over a long passage is a hundred times slower
    except UnicodeEncodeError:
        return False
    return True


def repair(text: str) -> str:
    """One text repaired, where nobody counts."""
    return text if is_fit(text) else _UNFIT.sub(REPLACEMENT, text)
