"""Numbers, percentages and dates as English and Chinese write them, rewritten in one canonical form."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

MONTH = "\ue000"
"""Stands before the number of a month: `January`, `1月` and the `01` of `1967-01-15` all become `MONTH + "1"`."""
MAX_DIGITS = 30
"""Longer digit runs (keys, serial numbers) are compared as text."""

_SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "bn": 10**9, "trillion": 10**12}
_SCALES |= {"百": 100, "千": 1000, "万": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8, "万亿": 10**12}
_SCALE = "|".join(sorted(_SCALES, key=len, reverse=True))

_UNIT_NAMES = "one two three four five six seven eight nine".split()  # noqa: SIM905 - a word list reads as text
_UNITS = dict(zip(_UNIT_NAMES, range(1, 10), strict=True))
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()  # noqa: SIM905 - a word list reads as text
_TEN_NAMES = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905 - a word list reads as text
_TENS = dict(zip(_TEN_NAMES, range(20, 100, 10), strict=True))
_WORDS = _UNITS | dict(zip(_TEENS, range(10, 20), strict=True)) | _TENS
_ALONE = "|".join(word for word in _WORDS if word != "one")  # a lone `one` is a pronoun more often than a number

_MONTHS = "january february march april may june july august september october november december".split()  # noqa: SIM905 - a word list reads as text
_MONTH_NUMBER = {name[:3]: number for number, name in enumerate(_MONTHS, 1)}
_CLEAR_MONTHS = "|".join(name for name in _MONTHS if name not in {"may", "march"})
_SHORT_MONTHS = "may|march|sept|" + "|".join(name[:3] for name in _MONTHS if name != "may")

_HAN_DIGITS = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}
_HAN = "零〇一二两三四五六七八九十百千万亿"
_MEASURES = "个只名人位天年月日岁次元块米吨台家项条件种层级号倍时届款辆周期"

_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3}){1,9}(?:\.[0-9]{1,20})?")
_ISO_DATE = re.compile(r"(?<![0-9/-])([12][0-9]{3})[-/](0?[1-9]|1[0-2])[-/](0?[1-9]|[12][0-9]|3[01])(?![0-9/-])")
_ENGLISH_WORDS = re.compile(
    # the class first: it throws out most words at once, where an alternation that ignores case tries every branch
    rf"\b(?=[efnost])(?:({'|'.join(_TENS)})[- ]({'|'.join(_UNITS)})|({_ALONE})|(one)(?=[ ](?:{_SCALE})\b))\b",
    re.IGNORECASE,
)
_ENGLISH_MONTHS = re.compile(
    rf"\b(?=[adfjmnos])({_CLEAR_MONTHS})\b|\b(?=[adfjmnos])({_SHORT_MONTHS})\b\.?(?=[ ][0-9])"
    rf"|(?<=[0-9][ ])({_SHORT_MONTHS})\b|(?<=[0-9](?:st|nd|rd|th)[ ])({_SHORT_MONTHS})\b",
    re.IGNORECASE,
)
_CHINESE_MONTH = re.compile(r"(?<![0-9.])(1[0-2]|0?[1-9])月")
_CHINESE_WORDS = re.compile(
    rf"(?<![{_HAN}])[零〇一二两三四五六七八九十][{_HAN}]{{1,15}}(?:点[{_HAN}]{{1,8}})?"
    rf"|[一二三四五六七八九]点[{_HAN}]{{1,8}}|(?<=百分之)[{_HAN}]|[二两三四五六七八九十](?=[{_MEASURES}])"
)
_DIGITS = re.compile(rf"[0-9]+(?:[.,][0-9]+)*(?:[ ]?({_SCALE})(?![a-z分]))?", re.IGNORECASE)
_HAN_CHARACTER = re.compile(f"[{_HAN}]|月")
_LETTERS = re.compile(r"[a-z]+")
_NUMBER_NAMES = frozenset(_WORDS)
_MONTH_NAMES = frozenset((*_MONTHS, *_SHORT_MONTHS.split("|")))


def fold_numbers(text: str) -> str:
    """`text` with every number in plain digits and every month as `MONTH` and its number.

    Expects NFKC text. `1,234.50` becomes `1234.5`; `3.5 million` and `350万` become `3500000`; `twenty-five` and
    `二十五` become `25`; `百分之十` becomes `百分之10`. What is no single number (`10.0.0.1`) stays as it is.
    """
    # most texts name no number and no month: a look at their words costs a fraction of the patterns
    words = set(_LETTERS.findall(text.lower())) if text.isascii() else None
    if "-" in text or "/" in text:
        text = _ISO_DATE.sub(lambda m: f"{m[1]} {MONTH}{int(m[2])} {int(m[3])}", text)
    if words is None or not words.isdisjoint(_NUMBER_NAMES):
        text = _ENGLISH_WORDS.sub(_english_number, text)
    if words is None or not words.isdisjoint(_MONTH_NAMES):
        text = _ENGLISH_MONTHS.sub(lambda m: f"{MONTH}{_MONTH_NUMBER[m[0][:3].lower()]}", text)
    if _HAN_CHARACTER.search(text):
        text = _CHINESE_WORDS.sub(lambda m: han_number(m[0]), text)
        text = _CHINESE_MONTH.sub(lambda m: f"{MONTH}{int(m[1])} ", text)
    return _DIGITS.sub(_digits, text)


def _english_number(match: re.Match[str]) -> str:
    tens, unit, alone, one = match.groups()
    if tens:
        return str(_TENS[tens.lower()] + _UNITS[unit.lower()])
    return str(_WORDS[(alone or one).lower()])


def _digits(match: re.Match[str]) -> str:
    scale = match[1] or ""
    return plain_number(match[0].removesuffix(scale).rstrip(), scale.lower())


def plain_number(digits: str, scale: str = "") -> str:
    """Canonical text of a number in digits, times a scale word; what is no number is given back."""
    if not scale and digits.isdecimal() and len(digits) <= MAX_DIGITS:
        return digits.lstrip("0") or "0"
    text = digits.replace(",", "") if _GROUPED.fullmatch(digits) else digits
    if len(text) > MAX_DIGITS:
        return text
    try:
        return _canonical(Decimal(text) * _SCALES.get(scale, 1))
    except InvalidOperation:
        return text


def han_number(text: str) -> str:
    """Canonical text of a number in Chinese characters: `二十五` gives `25`, `三点五` `3.5`, `二〇二四` `2024`."""
    whole, _, part = text.partition("点")
    digits = "".join(str(_HAN_DIGITS[character]) for character in part if character in _HAN_DIGITS)
    return _canonical(Decimal(f"{_han_integer(whole)}.{digits or 0}"))


def _han_integer(text: str) -> int:
    """Value of a whole number; a run of digits without units is read digit by digit."""
    if all(character in _HAN_DIGITS for character in text):
        return int("".join(str(_HAN_DIGITS[character]) for character in text))
    total = section = digit = 0
    for character in text:
        if character in _HAN_DIGITS:
            digit = _HAN_DIGITS[character]
        elif character in _HAN_UNITS:
            section, digit = section + (digit or 1) * _HAN_UNITS[character], 0
        elif character == "万":
            total, section, digit = total + (section + digit) * 10**4, 0, 0
        else:  # 亿 multiplies also what stands before a 万: 一万亿
            total, section, digit = (total + section + digit) * 10**8, 0, 0
    return total + section + digit


def _canonical(value: Decimal) -> str:
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
