"""Whether a quotation stands in a text, and where: case, accents, blanks and punctuation do not count, digits do.

It has to begin and end where numbers do ("2 years" does not stand in "12 years"), a short one also where words do, and
to say something: a function word stands nearly everywhere, and proves nothing. Tags, entities and the marks of
footnotes are what a page is written with, and models leave them out of what they quote.
"""

from __future__ import annotations

import functools
import html
import itertools
import re
import unicodedata
from collections.abc import Callable

from monitor.judges.text.words import is_function_word

SHORTEST = 2
"""Letters and digits that the words of content of a quotation must have together."""
SHORTEST_WORD = 3
"""The same where they are letters that know capitals only: two of them are an abbreviation at best."""

LONG, VERY_LONG = 12, 40
"""Letters and digits from which on a piece may be cut in the middle of a word, and end in the middle of a number: some
models count characters instead of words."""

_GAP = re.compile(r"\.{3,}|…+")
"""Words that a quotation leaves out; brackets and blanks around it do not count anyway."""
_MARKUP = re.compile(
    r"</?[a-z][^<>]{0,200}>|<!--[^<>]{0,200}-->|\[\^?[0-9]{1,3}\]|&(?:#x?[0-9a-f]{1,6}|[a-z]{2,8}[0-9]{0,2});",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_NUMBER_GOES_ON = re.compile(r"(?<=\d)[.,]?\d|(?<=\d[.,])\d")
_MOST_MARKS = 16
"""Marks beside a quotation that are looked for."""
_MOST_PLACES = 1000
"""Places in the middle of a word or number after which a piece is not looked for any more."""
_MOST_PLACES_IN_ALL = 20_000
"""The same for all the quotations that one text is asked for."""


class Quotable:
    """A text in which quotations are looked for. It is read once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._plain, self._places = _folded(text)
        self._found: dict[str, tuple[int, int] | None] = {}
        self._left = _MOST_PLACES_IN_ALL

    def find(self, quote: str) -> tuple[int, int] | None:
        """Where `quote` stands (half-open offsets), None when it does not.

        The pieces around an ellipsis must follow each other. A text that says nothing may be quoted as a whole. The
        marks around the quotation belong to it as far as they stand there as well. Where it does not stand as the text
        is written, it is looked for in what a page of it shows.
        """
        place = self.find_written(quote)
        if place is None and self._shown is not None:
            place = self._shown.find_written(_without_markup(quote))
        return place

    @functools.cached_property
    def _shown(self) -> Quotable | None:
        """The text without markup, each letter in its place; None for a text that has none."""
        bare = _without_markup(self._text)
        return Quotable(bare) if bare != self._text else None

    def find_written(self, quote: str) -> tuple[int, int] | None:
        """The same in the text as it is written."""
        if quote not in self._found:
            self._found[quote] = self._find_written(quote)
        return self._found[quote]

    def _find_written(self, quote: str) -> tuple[int, int] | None:
        quote = unicodedata.normalize("NFC", quote.strip())
        written = [piece.strip() for piece in _GAP.split(quote) if folded(piece)]
        pieces = [*map(folded, written)]
        if not pieces or not (_says_something(quote) or pieces == [self._plain]):
            return None
        if place := self._word_for_word(quote):
            return place
        first, end = -1, 0
        for piece in pieces:
            start = self._find(piece, end)
            if start < 0:
                return None
            first = start if first < 0 else first
            end = start + len(piece)
        return self._begin(self._places[first], written[0]), self._end(self._places[end - 1] + 1, written[-1])

    def _word_for_word(self, quote: str) -> tuple[int, int] | None:
        """The first place where a quotation stands as it is; None also when that one cuts a word or number."""
        start = self._text.find(quote)
        plain, places = _folded(quote)
        begins_in, ends_in = self._cuts(plain)
        if start < 0 or begins_in(start + places[0]) or ends_in(start + places[-1] + 1):
            return None
        return start, start + len(quote)

    def _begin(self, place: int, piece: str) -> int:
        """Where the marks in front of a piece begin whose first letter stands at a place of the text."""
        return place - _shared(piece[: _folded(piece)[1][0]][::-1], self._text[:place][: -_MOST_MARKS - 1 : -1])

    def _end(self, place: int, piece: str) -> int:
        """Where the marks behind a piece end whose last letter ends at a place of the text."""
        while place < len(self._text) and unicodedata.combining(self._text[place]):
            place += 1
        return place + _shared(piece[_folded(piece)[1][-1] + 1 :], self._text[place : place + _MOST_MARKS])

    def _find(self, piece: str, start: int) -> int:
        """Where a piece stands in the plain text with nothing cut at its ends, -1 when it does not."""
        begins_in, ends_in = self._cuts(piece)
        for _ in range(min(_MOST_PLACES, self._left)):
            start = self._plain.find(piece, start)
            if start < 0:
                break
            first, last = self._places[start], self._places[start + len(piece) - 1]
            if not (begins_in(first) or ends_in(last + 1)):
                return start
            start += 1
            self._left -= 1
        return -1

    def _cuts(self, piece: str) -> tuple[Callable[[int], bool], Callable[[int], bool]]:
        """What a place must not be where a piece of this length begins, and where it ends."""
        begins_in = self._cuts_number if len(piece) >= LONG else self._cuts_word
        return begins_in, begins_in if len(piece) < VERY_LONG else _nowhere

    def _cuts_number(self, place: int) -> bool:
        """Whether a number goes on over a place of the text."""
        return _NUMBER_GOES_ON.match(self._text, place) is not None

    def _cuts_word(self, place: int) -> bool:
        """The same for words, too, in scripts that know capitals: others do not part them by blanks alone."""
        around = self._text[max(0, place - 1) : place + 1]
        return self._cuts_number(place) or (place > 0 and len(around) > 1 and all(map(_is_in_word, around)))


def _without_markup(text: str) -> str:
    """The text with blanks for its markup, and entities as what they stand for; as long as it was."""
    return _MARKUP.sub(lambda found: html.unescape(found[0] if found[0][0] == "&" else "").ljust(len(found[0])), text)


def _shared(marks: str, text: str) -> int:
    """How many of the marks stand at the beginning of the text, full-width ones as half-width ones."""
    pairs = itertools.takewhile(lambda pair: _narrow(pair[0]) == _narrow(pair[1]), zip(marks, text, strict=False))
    return len(list(pairs))


def _narrow(mark: str) -> str:
    return unicodedata.normalize("NFKC", mark)


def _nowhere(_: int) -> bool:
    return False


def _says_something(quote: str) -> bool:
    words = _WORD.findall(unicodedata.normalize("NFKC", quote).casefold())
    content = "".join(word for word in words if not is_function_word(word))
    return len(content) >= (SHORTEST_WORD if all(map(_has_case, content)) else SHORTEST)


def _is_in_word(character: str) -> bool:
    return character.isdecimal() or _has_case(character)


def _has_case(letter: str) -> bool:
    """Whether a letter is of a script with capitals."""
    return letter.lower() != letter.upper()


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
