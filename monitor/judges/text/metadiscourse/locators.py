"""What says where in a document something stands: sections, tables, appendices, their numbers, authors with a year."""

from __future__ import annotations

import re

from monitor.judges.text.names.nations import COUNTRIES
from monitor.judges.text.numbers.dates import MONTH_WORDS, WEEKDAYS

_NUMBER = r"[0-9]{1,4}[a-z]?(?:[.–-][0-9]{1,4}){0,4}"
_NUMBER_ZH = "[ ]?[0-9一二三四五六七八九十百]{1,4}(?:[.–-][0-9]{1,3}){0,3}[ ]?"
_MORE = rf"(?:[ ]?(?:[,–-]|,?[ ]?(?:and|&))[ ]?{_NUMBER}){{0,5}}"
LOCATOR = (
    r"(?:(?:\b(?:sections?|sect?s?\.|chapters?|(?-i:[Cc]h(?:ap)?s?|[Tt]abs?|Apps?)\.|tables?|figures?|figs?\."
    r"|append(?:ix|ices)|annex(?:es)?|clauses?|cls?\.|equations?|eqs?\.|paragraphs?|paras?\.|pages?|pp?\.)"
    rf"|§{{1,2}})[ ]?(?:{_NUMBER}{_MORE}|(?-i:[A-Z])\b)"
    rf"|第{_NUMBER_ZH}[页章节条款段篇项](?:第?{_NUMBER_ZH}[款项条])?|(?:[表图]|附[录件表图]){_NUMBER_ZH}|附[录件]"
    ")"
)
"""A part of a document with its number. Articles and regulations are none in English: rules are spoken of by theirs."""
ARTICLES = rf"(?:articles?|arts?\.|regulations?|regs?\.)[ ]{_NUMBER}{_MORE}"
_LOCATOR = re.compile(LOCATOR, re.IGNORECASE)
_OTHER_NUMBER = re.compile(r"(?<!\d)(?!(?:19|20)\d\d(?!\d))\d")
"""Any but a year."""

_NAME = r"(?-i:[A-Z])[a-zà-ÿ'’-]{1,30}"
_NAMES = rf"{_NAME}(?:(?:,|,?[ ](?:and|&))[ ]{_NAME}){{0,4}}"
_YEAR = "(?:19|20)[0-9]{2}[a-z]?"
_PAGE = r"[ ]?(?:,[ ]pp?\.|:)[ ]?[0-9]{1,4}(?:[–-][0-9]{1,4})?"
_ET_AL = r"[ ]et[ ]al\.?"
_MORE_AUTHORS = rf"(?:{_PAGE})?(?:;[ ]{_NAMES}(?:{_ET_AL})?,?[ ]{_YEAR}(?:{_PAGE})?){{0,5}}"
AUTHORS = (
    rf"(?:(?:(?:see|cf\.?|e\.g\.,?)[ ]{_NAMES}(?:{_ET_AL})?|{_NAMES}{_ET_AL}|{_NAME}[ ]&[ ]{_NAME}),?[ ]{_YEAR}"
    rf"{_MORE_AUTHORS}"
    rf"|{_NAMES},?[ ]{_YEAR}{_PAGE}{_MORE_AUTHORS})"
)
"""Authors and the year of what they wrote: `Smith et al. 2021`, `Smith & Jones, 2021`, `see Smith, 2021`, `Smith, 2021,
p. 4`. A name alone with a year may be where, when or what something was: `(Berlin, 2021)`, `(Cancelled, 2021)`."""
_SEASONS = frozenset(("spring", "summer", "autumn", "winter", "fall", "easter", "christmas"))
_WORD = re.compile("[a-zà-ÿ]+", re.IGNORECASE)


def locates(text: str) -> bool:
    """Whether a text names a part of a document by its number."""
    return _LOCATOR.search(text) is not None


def without_locators(text: str) -> str | None:
    """What stands beside sections and tables; None where another number than a year does."""
    rest = _LOCATOR.sub(" ", text)
    return None if _OTHER_NUMBER.search(rest) else rest


def may_be_authors(text: str) -> bool:
    """Whether none of the names is one of months, weekdays, seasons or countries: `(May, 2021)` is a date."""
    words = frozenset(map(str.lower, _WORD.findall(text)))
    return words.isdisjoint(MONTH_WORDS | WEEKDAYS | _SEASONS | COUNTRIES.keys() | frozenset(COUNTRIES.values()))
