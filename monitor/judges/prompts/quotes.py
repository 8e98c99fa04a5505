"""Whether a quotation stands in a text, and where: case, accents, blanks and punctuation do not count, digits do."""

from __future__ import annotations

import re
import unicodedata

SHORTEST = 2
"""Letters and digits that a quotation must have: one alone stands nearly everywhere."""

_GAP = re.compile(r"\.{3,}|…+")
"""Words that a quotation leaves out; brackets and blanks around it do not count anyway."""


class Quotable:
    """A text in which quotations are looked for. It is read once."""

    def __init__(self, text: str) -> None:
        self._plain, self._places = _folded(text)

    def find(self, quote: str) -> tuple[int, int] | None:
        """Where `quote` stands (half-open offsets), None when it does not.

        The pieces around an ellipsis must follow each other.
        """
        pieces = [piece for piece in map(folded, _GAP.split(quote)) if piece]
        if sum(map(len, pieces)) < SHORTEST:
            return None
        first, end = -1, 0
        for piece in pieces:
            start = self._plain.find(piece, end)
            if start < 0:
                return None
            first = start if first < 0 else first
            end = start + len(piece)
        return self._places[first], self._places[end - 1] + 1


def folded(text: str) -> str:
    """The letters and digits of a text, in one case and without accents: what two wordings have in common."""
    return _folded(text)[0]


def _folded(text: str) -> tuple[str, list[int]]:
    """What counts of a text, and the offset of each of its characters."""
    if text.isascii():
        places = [place for place, character in enumerate(text) if character.isalnum() or _in_number(text, place)]
        return "".join(map(text.lower().__getitem__, places)), places
    kept = [
        (plain, place)
        for place, character in enumerate(text)
        for plain in unicodedata.normalize("NFKD", character.casefold())
        if plain.isalnum() or _in_number(text, place)
    ]
    return "".join(plain for plain, _ in kept), [place for _, place in kept]


def _in_number(text: str, place: int) -> bool:
    """Whether a point or comma stands between two digits: 12.5 is not 125."""
    if text[place] not in ".,":
        return False
    return text[max(0, place - 1)].isdecimal() and text[place + 1 : place + 2].isdecimal()
