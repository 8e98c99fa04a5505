"""Character classes of writing systems, for use inside regular expressions."""

from __future__ import annotations

import re

HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
UNSPACED = HAN + "\u3040-\u30ff\u31f0-\u31ff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Scripts read by characters: Han, kana, Hangul, Thai, Lao, Burmese, Khmer."""
SPACED = "a-zA-Z\u00aa\u00b5\u00ba\u00c0-\u065f\u066e-\u06ef\u06fa-\u0dff\u10a0-\u10ff\u1200-\u137f\u1e00-\u1fff"
"""Scripts that part words by blanks: Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari and their neighbours."""

_UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
_SPACED_WORD = re.compile(f"[{SPACED}]+")


def is_unspaced(text: str) -> bool:
    """Whether most of the text is in a script without blanks: a character there weighs as much as half a word."""
    if text.isascii():
        return False
    characters = sum(map(len, _UNSPACED_RUN.findall(text)))
    return characters > 0 and characters >= 2 * len(_SPACED_WORD.findall(text))
