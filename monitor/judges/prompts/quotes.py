"""Whether a quotation stands in a text, and where: case, accents, blanks and punctuation do not count, digits do."""

from __future__ import annotations

import re
import unicodedata

SHORTEST = 2
"""Letters and digits that a quotation must have: one alone stands nearly everywhere."""

_GAP = re.compile(r"\s*[\[(（]?(?:\.{3,}|…+)[\])）]?\s*")
"""Words that a quotation leaves out."""
_KEPT_IN_NUMBERS = frozenset(".,")


def find_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Where `quote` stands in `text` (half-open offsets), None when it does not.

    The pieces around an ellipsis must follow each other. Takes time linear in the length of the text for each piece.
    """
    pieces = [piece for piece, _ in map(_folded, _GAP.split(quote)) if piece]
    if not pieces or sum(map(len, pieces)) < SHORTEST:
        return None
    plain, places = _folded(text)
    first, position = -1, 0
    for piece in pieces:
        start = plain.find(piece, position)
        if start < 0:
            return None
        first = start if first < 0 else first
        position = start + len(piece)
    return places[first], places[position - 1] + 1


def folded(text: str) -> str:
    """The letters and digits of a text, in one case and without accents: what two wordings have in common."""
    return _folded(text)[0]


def _folded(text: str) -> tuple[str, list[int]]:
    """What counts of a text, and the offset of each of its characters."""
    kept: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if character.isspace():
            continue
        for plain in character.lower() if character.isascii() else unicodedata.normalize("NFKD", character.casefold()):
            if plain.isalnum() or (plain in _KEPT_IN_NUMBERS and _in_number(text, place)):
                kept.append(plain)
                places.append(place)
    return "".join(kept), places


def _in_number(text: str, place: int) -> bool:
    """Whether the character at `place` stands between two digits: 12.5 is not 125."""
    return text[max(0, place - 1)].isdecimal() and text[place + 1 : place + 2].isdecimal()
