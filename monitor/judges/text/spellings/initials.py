"""Initials and what they stand for: `IMF` and "International Monetary Fund", `HR` and "human resources".

Capitals are held by consecutive words of a sentence with these initials. What is spelt out is held by its initials only
where they are in the table, as a wrong name with the same initials stays wrong.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from monitor.judges.text.words import WORDS

_TABLE = """AI artificial intelligence; API application programming interface; ATM automated teller machine;
    CDC centers for disease control; CEO chief executive; CFO chief financial; CIA central intelligence agency;
    COO chief operating; CPI consumer price index; CTO chief technology; DOJ department of justice;
    ECB european central bank; EPA environmental protection agency; FAQ frequently asked questions;
    FBI federal bureau of investigation; FCA financial conduct authority; FDA food and drug administration;
    GDP gross domestic product; GP general practitioner; GPS global positioning system; HR human resources;
    ICU intensive care unit; ID identification; IMF international monetary fund; IPO initial public offering;
    IRS internal revenue service; IT information technology; KPI key performance indicator;
    MFA multi-factor authentication; MRI magnetic resonance imaging; NDA non-disclosure agreement;
    NGO non-governmental organization; NHS national health service; OECD organization for economic co-operation;
    OPEC organization of the petroleum exporting countries; PIN personal identification number; PR public relations;
    PTO paid time off; ROI return on investment; SEC securities and exchange commission; SLA service level agreement;
    SSO single sign-on; TV television; VAT value added tax; VIP very important person; VP vice president;
    VPN virtual private network; VR virtual reality; WHO world health organization; WTO world trade organization"""
_LONG = dict(entry.strip().split(" ", 1) for entry in _TABLE.split(";"))
_SPELT = {
    short: re.sub("[ -]", r"[\\s-]+", long.replace("nization", "ni[sz]ation")) + r"s?\b(?:[ ]officers?\b)?"
    for short, long in _LONG.items()
}
_BEGINNING: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
"""The names of the table with a pattern of each, by the word that it begins with."""
for _short, _long in _LONG.items():
    _pattern = re.compile(rf"\b{_SPELT[_short]}", re.IGNORECASE)
    _BEGINNING.setdefault(WORDS[re.split("[ -]", _long)[0]], []).append((_short, _pattern))
FIRST_WORDS = frozenset(_BEGINNING)
_LONGEST = 5
_INITIALS = re.compile(f"([A-Z]{{2,{_LONGEST}}})(?:['’]?s)?")
_NO_INITIALS = re.compile("[IVX]+|[KMGT]B|[AP]M|US|UK|EU|UN")
"""Roman numerals, units, times of day, and what `names/nations.py` knows."""
_WORD = re.compile("[a-z]+", re.IGNORECASE)
_BETWEEN = frozenset(("of", "and", "the", "for", "in", "on", "to", "de"))
"""Words inside a name that are written small, and may have a letter among the initials."""
_MOST_BETWEEN = 2
"""Small words and marks `&` between two words of a name."""
_FEW = 2
"""Letters of a name of which two words stand together too often: they are capitals, and nothing is between them."""
_SHORTEST = 4
"""Characters of a word of a name that is written small."""
_GRAMMAR = frozenset(
    """about above after also because been before being below between both could does doing down during each from have
    having here into just might more most must only other over same should since some such than that their them then
    there these they this those through under until upon very were what when where which while will with within without
    would your""".split()  # noqa: SIM905 - a word list reads as text
)
"""Words that are in no name that is written small."""
_ENOUGH = max(map(len, _GRAMMAR)) + 1
"""Characters of a word that tell whether it is one of them."""
_RUN = re.compile(r"([\w'’]+)([^\w'’]*)")
_JOINED = re.compile(r"(?:\s+|-)((?:&[ ]?){0,2})")
"""What stands between two words of a name."""
_APOSTROPHE = re.compile("['’](?!['’])")
_LOOKALIKES = str.maketrans("İıſK", "iisk")
"""Letters that are others in small letters."""
_APART = "\n"


def initials_of(token: str) -> str:
    """The letters of initials such as `IMF` and `ATMs`; empty for all other tokens."""
    written = _INITIALS.fullmatch(token)
    return "" if written is None or _NO_INITIALS.fullmatch(written[1]) else written[1]


def long_form(initials: str) -> str:
    """A pattern for what initials of the table stand for; empty for all others."""
    return rf"(?i:\b{_SPELT[initials]})" if initials in _SPELT else ""


class _Word(NamedTuple):
    """A word, and how many marks `&` join it to the next one; -1 where something else parts them."""

    text: str
    ands: int


class Initials:
    """Some initials, looked for in texts as those of consecutive words.

    All of them are looked for at once, so that time grows with the length of a text and not with their number.
    """

    def __init__(self, asked: Iterable[str]) -> None:
        self._asked = frozenset(asked)
        self._begun = frozenset(one[:length] for one in self._asked for length in range(1, len(one)))
        self._small = {one.lower(): one for one in self._asked if len(one) > _FEW}
        self._lengths = sorted(set(map(len, self._small)))

    def found_in(self, text: str) -> set[str]:
        """Those that stand for words of `text`: capitals, or of three letters or more also words written small."""
        words = [_Word(word, 0 if behind == " " else _ands(behind)) for word, behind in _RUN.findall(text)]
        return {*self._of_capitals(words), *self._of_small(words)}

    def _of_capitals(self, words: Sequence[_Word]) -> Iterator[str]:
        for number, (word, _) in enumerate(words):
            for start in _starts(word):
                if word[start] in self._begun and start + 1 < len(word):
                    yield from self._completed(words, number, word[start])

    def _completed(self, words: Sequence[_Word], number: int, begun: str) -> Iterator[str]:
        """Those that words behind one complete, which `begun` ends with."""
        between = words[number].ands
        while 0 <= between <= _MOST_BETWEEN and number + 1 < len(words):
            number += 1
            word, ands = words[number]
            longer = begun + word[0]
            if len(word) > 1:
                if longer in self._asked and (len(longer) > _FEW or not between):
                    yield longer
                if longer in self._begun:
                    yield from self._completed(words, number, longer)
            if word not in _BETWEEN:
                return
            if begun + word[0].upper() in self._begun:
                yield from self._completed(words, number, begun + word[0].upper())
            between = between + 1 + ands if ands >= 0 else -1

    def _of_small(self, words: Sequence[_Word]) -> Iterator[str]:
        if not self._small:
            return
        letters = [_letter(word) + _APART * (ands != 0) for word, ands in words]
        chains = ["".join(letters)]
        for number, (word, ands) in enumerate(words):
            chains += (
                "".join(
                    (
                        _letter(word[start : start + _ENOUGH]) + _APART * (ands != 0),
                        *letters[number + 1 : number + _LONGEST],
                    )
                )
                for start in _starts(word)
                if start
            )
        for chain in chains:
            for length in self._lengths:
                for start in range(len(chain) - length + 1):
                    found = self._small.get(chain[start : start + length])
                    if found is not None:
                        yield found


def _ands(behind: str) -> int:
    joined = _JOINED.fullmatch(behind)
    return -1 if joined is None else joined[1].count("&")


def _starts(word: str) -> Iterator[int]:
    """Where a name may begin in a word: `IMF` also in `l'International`."""
    yield 0
    if "'" in word or "’" in word:
        yield from (mark.end() for mark in _APOSTROPHE.finditer(word) if mark.end() < len(word))


def _letter(word: str) -> str:
    """The initial of a word of a name that is written small; `_APART` of a word that is none."""
    if len(word) < _SHORTEST:
        return _APART
    plain = word[:_ENOUGH].translate(_LOOKALIKES).lower()
    return _APART if re.split("['’]", plain, maxsplit=1)[0] in _GRAMMAR else plain[0]


def known_in(text: str, first_words: Iterable[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The words of each name of the table that `text` spells out, and its initials; it has some of `FIRST_WORDS`."""
    for short, pattern in itertools.chain.from_iterable(map(_BEGINNING.__getitem__, first_words)):
        match = pattern.search(text)
        if match is not None:
            yield tuple(WORDS[word] for word in _WORD.findall(match[0])), short
