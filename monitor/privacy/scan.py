"""Find every sensitive text in one text: the patterns of `personal.py` and `credentials.py`, together."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from monitor.privacy.credentials import (
    BARE_PASSWORD,
    CALLED_SECRET,
    HEX_KEY,
    KEYS,
    PRIVATE_KEY,
    WITH_MARKS,
    private_keys,
)
from monitor.privacy.folding import Folded, fold
from monitor.privacy.gates import seven_digits
from monitor.privacy.keys import find_keys, known_form
from monitor.privacy.numbers import find_numbers
from monitor.privacy.outline import Gate, Holds, Outline
from monitor.privacy.patterns import Pattern, Span, join, literally
from monitor.privacy.personal import ADDRESSES, EMAIL, NUMBERS

VERSION = 2
"""Raised when the code around the patterns changes what is found."""

_SHORTEST = 6
"""Characters of the shortest text that a pattern matches, such as `a@b.cn`."""
_ALL = (EMAIL, *ADDRESSES, *KEYS, *WITH_MARKS, BARE_PASSWORD, CALLED_SECRET, *NUMBERS, HEX_KEY)
_NORMALISE = {pattern.kind: pattern.normalise for pattern in _ALL}


class _Finder(NamedTuple):
    """Finds texts of one or more kinds, in texts for which its gate is open."""

    gate: Gate
    find: Callable[[str], Iterable[Span]]


def _finder(pattern: Pattern) -> _Finder:
    return _Finder(pattern.gate, pattern.find)


_FINDERS = (
    *map(_finder, (EMAIL, *ADDRESSES)),
    _Finder(known_form, find_keys),
    *map(_finder, (*WITH_MARKS, BARE_PASSWORD, CALLED_SECRET)),
    _Finder(seven_digits, find_numbers),
    _finder(HEX_KEY),
    _Finder(Holds("PRIVATE KEY"), private_keys),
)
"""The more particular ones first: of equal hits the first names the kind."""

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
    return scan_texts((text,), wanted)[0]


def scan_texts(texts: Sequence[str], wanted: Iterable[str]) -> list[list[Span]]:
    """What `scan_text` finds in each of the texts; those of one request are best scanned together."""
    if max(map(len, texts), default=0) < _SHORTEST:
        return [[] for _ in texts]
    folded = [fold(text) for text in texts]
    hopeful = _hopeful(_FINDERS, Outline.of_all(one.text for one in folded))
    if not hopeful:
        return [[] for _ in texts]
    kinds = frozenset(wanted)
    return [_scan(one, hopeful, kinds) for one in folded]


def value_of(kind: str, text: str) -> str:
    """The one spelling of a sensitive text: two texts of a kind mean the same thing iff these are equal."""
    return _NORMALISE.get(kind, literally)(fold(text).text)


def _scan(folded: Folded, finders: Sequence[_Finder], kinds: frozenset[str]) -> list[Span]:
    candidates = chain.from_iterable(finder.find(folded.text) for finder in _hopeful(finders, Outline(folded.text)))
    return [
        Span(span.kind, *folded.span(span.start, span.end), value_of(span.kind, folded.text[span.start : span.end]))
        for span in join(span for span in candidates if span.kind in kinds)
    ]


def _hopeful(finders: Iterable[_Finder], outline: Outline) -> list[_Finder]:
    """Those whose gate is open, in their order."""
    return [finder for finder in finders if finder.gate(outline)]
