"""Money whose thousands are parted by a point: `€1.250` and `1.250 €`, which may have decimals as well."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_NUMBER = re.compile(r"[1-9](?<![0-9.,].)[0-9]{0,2}[.,]?[0-9]{3}(?![0-9]|[.,][0-9])")
_NAME = "(?:eur|usd|chf|gbp|dkk|nok|sek|pln|try|brl|euros?|francs?|dollars?|pesos|reais|liras?|kr)"
_BEFORE = re.compile(rf"(?:[€$£¥₺]|\b{_NAME})[ ]?$", re.IGNORECASE)
_BEHIND = re.compile(rf"[ ]?(?:[€$£¥₺]|{_NAME}\b)", re.IGNORECASE)
_WITH_DECIMAL_POINT = re.compile(r"[$£]|\b(?:usd|gbp|dollars?)\b", re.IGNORECASE)
"""Currencies of those who write a point before decimals only."""
_FOR_ONE = re.compile(
    r"[ ]?(?:[€$£¥₺]|[a-z]{2,7}\b)?[ ]?(?:/|\b(?:per|an?|each|every)[ ]|每)"
    r"(?![ ]?(?:(?:year|month|week|day|night|hour|annum|person|head|guest|child|adult|student|employee|user)s?\b"
    r"|[年月周日天晚人位]))",
    re.IGNORECASE,
)
"""Behind a price of one unit of something sold by weight or volume: prices of fuel have three decimals."""
_OF_MORE = re.compile(r"[ ]?(?:million|billion|trillion|thousand|bn\b|[mk]\b|[万亿])", re.IGNORECASE)
_FAR = 9
"""Characters before a number in which a currency is looked for."""


class Money(NamedTuple):
    """A number from 1,000 to 999,999 beside a currency, and the word that it is if a point in it is one of decimals."""

    value: int
    word: str
    pointed: bool


def thousands_in(text: str) -> Iterator[Money]:
    """Each such number of a text as it is written.

    `€1.459` may have decimals, so nothing is rewritten: both readings are held. Prices of a litre or another unit, and
    dollars and pounds, have them. Linear in the length of the text.
    """
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        number = match[0]
        pointed = "." in number
        beside = _BEFORE.search(text[max(0, start - _FAR) : start]) or _BEHIND.match(text, end)
        if beside is None or (pointed and (_WITH_DECIMAL_POINT.search(beside[0]) or _FOR_ONE.match(text, end))):
            continue
        if _OF_MORE.match(text, end) is None:
            value = int(number.replace(".", "").replace(",", ""))
            yield Money(value, number.rstrip("0") if pointed else str(value), pointed)
