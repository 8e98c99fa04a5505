"""Find every sensitive text in one text: the patterns of `personal.py` and `credentials.py`, together."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator

from monitor.privacy.credentials import BARE_PASSWORD, CALLED_SECRET, HEX_KEY, PREFIXED, PRIVATE_KEY, private_keys
from monitor.privacy.folding import fold
from monitor.privacy.patterns import Span, join, literally
from monitor.privacy.personal import ADDRESSES, EMAIL, NUMBERS

VERSION = 2
"""Raised when the code around the patterns changes what is found."""

_LONG_NUMBER = re.compile(r"[0-9](?:[ ().-]{0,3}[0-9]){6}")
_HEX_RUN = re.compile(r"[0-9a-f]{32}")
_GENERAL = (EMAIL, *ADDRESSES, *PREFIXED, BARE_PASSWORD, CALLED_SECRET)  # of equal hits the first names the kind
_ALL = (*_GENERAL, *NUMBERS, HEX_KEY)
_NORMALISE = {pattern.kind: pattern.normalise for pattern in _ALL}

KINDS = (*dict.fromkeys(pattern.kind for pattern in _ALL), PRIVATE_KEY)
"""Every kind of sensitive text, each once."""


def fingerprint() -> str:
    """12 hex characters over all patterns: it changes when what they find can change."""
    sources = [f"{pattern.kind} {pattern.regex.pattern}" for pattern in _ALL]
    return hashlib.sha256("\n".join(sources).encode()).hexdigest()[:12]


def scan_text(text: str, wanted: Iterable[str]) -> list[Span]:
    """The sensitive texts of the wanted kinds, in order, without overlap, with offsets in `text` and their values.

    Takes time linear in the text, and never raises.
    """
    folded = fold(text)
    kinds = frozenset(wanted)
    found = join(span for span in _candidates(folded.text) if span.kind in kinds)
    return [
        Span(span.kind, *folded.span(span.start, span.end), value_of(span.kind, folded.text[span.start : span.end]))
        for span in found
    ]


def value_of(kind: str, text: str) -> str:
    """The one spelling of a sensitive text: two texts of a kind mean the same thing iff these are equal."""
    return _NORMALISE.get(kind, literally)(fold(text).text)


def _candidates(text: str) -> Iterator[Span]:
    for pattern in _GENERAL:
        yield from pattern.find(text)
    if _LONG_NUMBER.search(text):
        for pattern in NUMBERS:
            yield from pattern.find(text)
    if _HEX_RUN.search(text):
        yield from HEX_KEY.find(text)
    yield from private_keys(text)
