"""Abbreviations of common words with a full stop, and the words that they stand for: `Reg. 22`, `max. 5`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from monitor.judges.text.words import WORDS

_LONG = {
    "reg": ("regulation",),
    "art": ("article",),
    "sec": ("section",),
    "sect": ("section",),
    "ch": ("chapter",),
    "para": ("paragraph",),
    "app": ("appendix",),
    "fig": ("figure",),
    "tab": ("table",),
    "eq": ("equation",),
    "cl": ("clause",),
    "pt": ("part",),
    "vol": ("volume",),
    "ed": ("edition",),
    "doc": ("document",),
    "nr": ("number", r"no(?=\.)"),
    "tel": ("telephone", "phone"),
    "ext": ("extension",),
    "max": ("maximum", "at most", "up to"),
    "min": ("minimum", "at least"),
    "approx": ("approximately", "about", "around", "roughly"),
    "avg": ("average",),
    "incl": ("including", "included", "includes", "inclusive"),
    "excl": ("excluding", "excluded", "excludes", "exclusive"),
    "temp": ("temperature",),
    "esp": ("especially",),
}
_SHORT = {WORDS[short]: short for short in _LONG}
_SPELT = {WORDS[words[0]]: short for short, words in _LONG.items()}
_ALL = _SHORT.keys() | _SPELT.keys()
_CUT_SHORT = {short: re.compile(rf"(?<![\w.])(?<![0-9][ ]){short}s?\.", re.IGNORECASE) for short in _LONG}


def abbreviated(text: str, words: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Words of a claim that are abbreviations, or that have one, each with a pattern of what else says so."""
    for word in _ALL & words:
        if word in _SPELT:
            yield word, rf"(?i:\b{_SPELT[word]}s?\.)"
        elif _CUT_SHORT[_SHORT[word]].search(text):
            yield word, rf"(?i:\b(?:{'|'.join(_LONG[_SHORT[word]])})s?\b)"
