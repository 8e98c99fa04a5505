"""Words of a claim that passages may write otherwise: initials, currencies, counts of one, the calendar, `Reg.`.

Like amounts they only let a sentence hold words of a claim, so nothing becomes wrong by being read.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from monitor.judges.text.memo import Memo
from monitor.judges.text.numbers.dates import MONTH
from monitor.judges.text.spellings.abbreviated import abbreviated
from monitor.judges.text.spellings.currencies import CURRENCIES
from monitor.judges.text.spellings.initials import FIRST_WORDS, initials_of, known_in, long_form
from monitor.judges.text.spellings.ones import counted_in
from monitor.judges.text.words import WORDS

_WEEKDAYS = """monday mon, tuesday tue tues, wednesday wed weds, thursday thu thur thurs, friday fri, saturday sat,
    sunday sun"""
_MONTHS = """january jan, february feb, march mar, april apr, may, june jun, july jul, august aug, september sep sept,
    october oct, november nov, december dec"""
_JOINS = "to|and|or|through|until"


class Otherwise(NamedTuple):
    """Words of a claim, and a pattern for what else holds them in a sentence, or else `initials` of such words."""

    words: tuple[str, ...]
    pattern: str
    initials: str = ""


def _short(names: Iterable[str]) -> str:
    """A pattern for short names beside others or a number; alone `Sat`, `Sun` and `Jan` are other words."""
    return "|".join(_one_short(name.capitalize()) for name in names)


def _one_short(name: str) -> str:
    """Begins with the name, as a search finds letters many times as fast as what stands before them."""
    before = "|".join(rf"(?<=\b{join}\s{name})" for join in _JOINS.split("|"))
    behind = rf"(?=\.?\s*(?:[-–&,:;/)|0-9]|(?:{_JOINS})\b|$))"
    return rf"{name}\b(?<=\b{name})(?:{behind}|(?<=[-–&/|]{name})|(?<=[-–&/|]\s{name})|{before})"


def _of_calendar() -> Iterator[tuple[str, str]]:
    """The words of weekdays and months, long and short, each with what else says so."""
    weekdays, months = ([entry.split() for entry in text.split(",")] for text in (_WEEKDAYS, _MONTHS))
    for (long, *shorts), numeral in zip(weekdays, ("一", "二", "三", "四", "五", "六", "[日天]"), strict=True):
        yield WORDS[long], _short(shorts)
        said = rf"\b{long.capitalize()}s?\b|(?:周|星期|礼拜){numeral}|{_short(shorts)}"
        yield from ((WORDS[short], said) for short in shorts)
    for number, (long, *shorts) in enumerate(months, 1):
        if shorts:
            yield f"{MONTH}{number}", _short(shorts)
            said = rf"\b{long.capitalize()}\b|(?<![0-9]){number}月|{_short(shorts)}"
            yield from ((WORDS[short], said) for short in shorts)


_CODES = {code: f"(?i:{pattern})" for code, pattern in CURRENCIES.items()}
_SECOND_YEAR = "第[二2]年"
_NEXT_YEAR = "[次翌]年"
_NEXT = {"次年": f"{_SECOND_YEAR}|翌年", "翌年": f"{_SECOND_YEAR}|次年"}
_CALENDAR = {word: Otherwise((word,), pattern) for word, pattern in (dict(_of_calendar()) | _NEXT).items()}
_OF_CALENDAR = frozenset(_CALENDAR)


def _of_name(token: str) -> tuple[Otherwise, ...]:
    """What a code of a currency or initials may be said by."""
    word = WORDS[token]
    if word in _CODES:
        return (Otherwise((word,), _CODES[word]),)
    initials = initials_of(token)
    if not initials:
        return ()
    spelt, consecutive = long_form(initials), Otherwise((word,), "", initials)
    return (consecutive, Otherwise((word,), spelt)) if spelt else (consecutive,)


_NAMES = Memo(_of_name)


def written_otherwise(text: str, tokens: Iterable[str], words: frozenset[str]) -> frozenset[Otherwise]:
    """What the words of a claim may be said by, given its text, the tokens that are names in it, and all its words."""
    found = [] if _OF_CALENDAR.isdisjoint(words) else [_CALENDAR[word] for word in _OF_CALENDAR & words]
    if not (text.isupper() and text.isascii()):
        found.extend(itertools.chain.from_iterable(map(_NAMES.__getitem__, tokens)))
    if "2" in words and re.search(_SECOND_YEAR, text):
        found.append(Otherwise(("2",), _NEXT_YEAR))
    found.extend(itertools.starmap(Otherwise, counted_in(text)))
    if not FIRST_WORDS.isdisjoint(words):
        found.extend(Otherwise(spelt, rf"\b{initials}\b") for spelt, initials in known_in(text, FIRST_WORDS & words))
    found.extend(Otherwise((word,), pattern) for word, pattern in abbreviated(text, words))
    return frozenset(found)
