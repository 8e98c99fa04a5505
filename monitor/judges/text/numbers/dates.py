"""Dates as English and Chinese write them: every month becomes a mark and its number."""

from __future__ import annotations

import re

from monitor.judges.text.numbers.word_patterns import rest_of, start_of

MONTH = "\ue000"
"""Stands before the number of a month: `January`, `1月` and the `01` of `1967-01-15` all become `MONTH + "1"`."""

_NAMES = "january february march april may june july august september october november december".split()  # noqa: SIM905 - a word list reads as text
_NUMBER = {name[:3]: number for number, name in enumerate(_NAMES, 1)}
_CLEAR = [name for name in _NAMES if name not in {"may", "march"}]
_SHORT = ["sept", *(short for short in _NUMBER if short != "may")]
MONTH_WORDS = frozenset((*_NAMES, *_SHORT))

_MOST_MONTHS = 12
_YEAR_FIRST = re.compile(
    r"([12](?<![0-9./-].)[0-9]{3})([-/.])(0?[1-9]|1[0-2])\2(0?[1-9]|[12][0-9]|3[01])(?![0-9/-]|\.[0-9])"
)
_YEAR_LAST = re.compile(
    r"([0-9](?<![0-9./-].)[0-9]?)([./])(0?[1-9]|[12][0-9]|3[01])\2((?:19|20)[0-9]{2})(?![0-9/-]|\.[0-9])"
)
_BEHIND_A_DAY = r"(?:(?<=[0-9][ ].)|(?<=[0-9](?ai:st|nd|rd|th)[ ].)|(?<=[0-9](?ai:st|nd|rd|th)[ ]of[ ].))"
_ENGLISH = re.compile(
    rf"{start_of(_NAMES)}(?:{rest_of(_CLEAR)}\b|{rest_of(_SHORT)}\b\.?(?=[ ][0-9])|{_BEHIND_A_DAY}{rest_of(_SHORT)}\b"
    # verbs too: months by their capital and a number beside them, or else before a year
    rf"|(?<=M)(?:ay|arch)\b(?=[ ][0-9])|(?<=M){_BEHIND_A_DAY}(?:ay|arch)\b"
    rf"|{rest_of(['may', 'march'])}\b(?=,?[ ][12][0-9]{{3}}\b))"
)
_WEEKDAY_NAMES = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()  # noqa: SIM905 - a word list reads as text
WEEKDAYS = frozenset(map(str.lower, _WEEKDAY_NAMES))
"""The words of the weekdays."""
_OF_NUMERAL = dict(zip("一二三四五六日", _WEEKDAY_NAMES, strict=True)) | {"天": "Sunday"}
_WEEKDAY = re.compile(
    "(?<![一二两三四五六七八九十百千0-9])(?:周|星期|礼拜)([一二三四五六日天])(?![次天个年岁期边围日]|[0-9一二三四五六七八九十]{1,2}[次天个])"
)
_CHINESE = re.compile("[0-9](?<![0-9.].)(?:(?<=1)[0-2]|(?<=0)[1-9]|(?<=[1-9]))月")


def fold_dates(text: str) -> str:
    """Dates in digits only as year, month and day, or day, month and year.

    `2024-03-05`, `2024/3/5` and `2024.3.5` begin with the year. Between dots the day stands before the month, as in
    `05.03.2024`. Between strokes the month does (`3/5/2024`), unless it can be none (`25/3/2024`).
    """
    if not ("-" in text or "/" in text or "." in text):
        return text
    text = _YEAR_FIRST.sub(lambda m: f"{m[1]} {MONTH}{int(m[3])} {int(m[4])}", text)
    return _YEAR_LAST.sub(_year_last, text)


def fold_english_months(text: str) -> str:
    """Names of months, also short ones beside a number; `may` and `march` as verbs stay."""
    return _ENGLISH.sub(lambda m: f"{MONTH}{_NUMBER[m[0][:3].lower()]}", text)


def fold_chinese_weekdays(text: str) -> str:
    """`周六`, `星期六` and `礼拜六` as `Saturday`; `每周一次` counts and stays."""
    if "周" in text or "期" in text or "礼" in text:
        return _WEEKDAY.sub(lambda m: f" {_OF_NUMERAL[m[1]]} ", text)
    return text


def fold_chinese_months(text: str) -> str:
    """`3月`, once numerals are digits."""
    return _CHINESE.sub(lambda m: f"{MONTH}{int(m[0][:-1])} ", text)


def _year_last(match: re.Match[str]) -> str:
    first, second = int(match[1]), int(match[3])
    day, month = (first, second) if match[2] == "." or first > _MOST_MONTHS else (second, first)
    if not (1 <= month <= _MOST_MONTHS and 1 <= day <= 31):  # noqa: PLR2004 - days of a month
        return match[0]
    return f"{day} {MONTH}{month} {match[4]}"
