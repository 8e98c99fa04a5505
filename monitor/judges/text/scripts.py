"""Character classes of writing systems, for use inside regular expressions."""

from __future__ import annotations

import re

HAN = "\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
UNSPACED = HAN + "\u3040-\u30ff\u31f0-\u31ff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Scripts read by characters: Han, kana, Hangul, Thai, Lao, Burmese, Khmer."""
SPACED = "a-zA-Z\u00aa\u00b5\u00ba\u00c0-\u065f\u066e-\u06ef\u06fa-\u0dff\u10a0-\u10ff\u1200-\u137f\u1e00-\u1fff"
"""Scripts that part words by blanks: Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari and their neighbours."""

_HAN = re.compile(f"[{HAN}]")
_UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
_SPACED_WORD = re.compile(f"[{SPACED}]+")


def is_unspaced(text: str) -> bool:
    """Whether most of the text is in a script without blanks: a character there weighs as much as half a word."""
    if text.isascii():
        return False
    characters = sum(map(len, _UNSPACED_RUN.findall(text)))
    return characters > 0 and characters >= 2 * len(_SPACED_WORD.findall(text))


def has_han(text: str) -> bool:
    """Whether there is any Chinese character."""
    return not text.isascii() and _HAN.search(text) is not None


_SHARE = 3
"""A script that a third of the words are in is one of the text's scripts."""
_OTHER_SPACED = {
    "greek": re.compile("[\u0370-\u03ff\u1f00-\u1fff]+"),
    "cyrillic": re.compile("[\u0400-\u052f\u1c80-\u1c8f]+"),
    "hebrew": re.compile("[\u0590-\u05ff]+"),
    "arabic": re.compile("[\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff]+"),
    "indic": re.compile("[\u0900-\u0dff]+"),
    "caucasian": re.compile("[\u0530-\u058f\u10a0-\u10ff]+"),
    "ethiopic": re.compile("[\u1200-\u137f]+"),
}
_ANY_OTHER_SPACED = re.compile("[\u0370-\u0dff\u10a0-\u10ff\u1200-\u137f\u1c80-\u1c8f\u1f00-\u1fff]")
LATIN, CHARACTERS = "latin", "characters"


def scripts_of(text: str) -> frozenset[str]:
    """The scripts that most of a text is in: `latin`, `cyrillic` and others; those without blanks are `characters`.

    A text of digits and signs only is in none.
    """
    if text.isascii():
        return frozenset((LATIN,)) if _SPACED_WORD.search(text) else frozenset()
    words = (
        {name: len(pattern.findall(text)) for name, pattern in _OTHER_SPACED.items()}
        if _ANY_OTHER_SPACED.search(text)
        else {}
    )
    words[LATIN] = max(0, len(_SPACED_WORD.findall(text)) - sum(words.values()))
    words[CHARACTERS] = (sum(map(len, _UNSPACED_RUN.findall(text))) + 1) // 2
    least = sum(words.values()) / _SHARE
    return frozenset(name for name, count in words.items() if count >= max(1.0, least))
