"""Initials and what they stand for: `IMF` and "International Monetary Fund", `HR` and "human resources".

Capitals are held by consecutive words of a sentence with these initials. What is spelt out is held by its initials only
where they are in the table, as a wrong name with the same initials stays wrong.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator

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
_INITIALS = re.compile("([A-Z]{2,5})(?:['’]?s)?")
_NO_INITIALS = re.compile("[IVX]+|[KMGT]B|[AP]M|US|UK|EU|UN")
"""Roman numerals, units, times of day, and what `names/nations.py` knows."""
_WORD = re.compile("[a-z]+", re.IGNORECASE)
_SMALL = {"A": "and", "D": "de", "F": "for", "I": "in", "O": "of|on", "T": "the|to"}
"""Words inside a name that are written small, and may have a letter among the initials."""
_GAP = r"(?:\s+|-)"
_BETWEEN = rf"(?:(?:of|and|the|for|in|on|to|de){_GAP}|&[ ]?){{0,2}}"
_NO_GRAMMAR = (
    "(?!(?i:about|above|after|also|because|been|before|being|below|between|both|could|does|doing|down|during|each|from"
    "|have|having|here|into|just|might|more|most|must|only|other|over|same|should|since|some|such|than|that|their|them"
    "|then|there|these|they|this|those|through|under|until|upon|very|were|what|when|where|which|while|will|with|within"
    "|without|would|your)\\b)"
)


def spelt_out(token: str) -> str:
    """A pattern for what initials such as `IMF` and `ATMs` stand for; empty for all other tokens.

    Of three letters or more also words written small, as two such words stand together too often.
    """
    written = _INITIALS.fullmatch(token)
    if written is None or _NO_INITIALS.fullmatch(written[1]):
        return ""
    first, *inner, last = list(written[1])
    inside = "".join(rf"{_GAP}{_BETWEEN}{_capital(letter)}" for letter in inner)
    between = _BETWEEN if inner else ""
    found = [rf"\b{first}[\w'’]+{inside}{_GAP}{between}{last}[\w'’]+"]
    if inner:
        found.append(_GAP.join(rf"\b{_NO_GRAMMAR}(?i:{letter})[\w'’]{{3,}}" for letter in written[1]))
    if written[1] in _SPELT:
        found.append(rf"(?i:\b{_SPELT[written[1]]})")
    return "|".join(found)


def _capital(letter: str) -> str:
    small = _SMALL.get(letter)
    return rf"(?:{letter}[\w'’]+|{small})" if small else rf"{letter}[\w'’]+"


def known_in(text: str, first_words: Iterable[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The words of each name of the table that `text` spells out, and its initials; it has some of `FIRST_WORDS`."""
    for short, pattern in itertools.chain.from_iterable(map(_BEGINNING.__getitem__, first_words)):
        match = pattern.search(text)
        if match is not None:
            yield tuple(WORDS[word] for word in _WORD.findall(match[0])), short
