"""Units beside numbers: signs of money as words, parts of a large unit in the next smaller one, halves and dozens."""

from __future__ import annotations

import re
from decimal import Decimal

CURRENCIES = frozenset(("dollar", "hkdollar", "euro", "pound", "yen"))
UNITS = CURRENCIES | {"kilometr", "mil", "feet", "yard", "acr", "gallon"}
"""Stems of words that are values beside a number: currencies, and units that are seldom left out."""
YUAN = "yuan"
"""No value: what Chinese leaves out is yuan."""

_SIGNS = {"$": "dollar", "€": "euro", "£": "pound", "HK$": "hkdollar"}
_SIGN = re.compile(r"[$€£H](?:(?<![A-Za-z].)(?<=H)K\$|(?<=[$€£]))(?=[ ]?[0-9])(?!(?<=\$)[^$\n\0]{0,40}\$(?![0-9]))")
"""No `$` that another one closes, as around a formula."""
_HAN_MONEY = {"美元": "dollar", "美金": "dollar", "港元": "hkdollar", "港币": "hkdollar", "欧元": "euro"}
_HAN_MONEY |= {"英镑": "pound", "日元": "yen", "人民币": "yuan"}
_HAN_CURRENCY = re.compile("|".join(_HAN_MONEY))
_YUAN = re.compile(r"(?<=[0-9])(?:元|块钱|块(?=[^\w]|$))|¥(?=[ ]?[0-9])(?![^\0]{0,40}[\u3040-\u30ff])")

_PARTS = {"k": (1000, " metres"), "kg": (1000, " grams"), "h": (60, " minutes")}
_PARTS |= {"公里": (1000, "米"), "公斤": (1000, "克"), "小时": (60, "分钟"), "个小时": (60, "分钟")}
_PART = re.compile(
    r"(?<![0-9.,/-])([0-9]{1,3}(?:\.[0-9]{1,3}|,[0-9]{1,2}))"
    r"(?:[ -]?(?:(k)(?:m|ilomet(?:re|er)s?)|(kg|kilograms?)|(h)(?:(?:ou)?rs?))\b|(公里|公斤|个?小时))",
    re.IGNORECASE,
)
_METRES = re.compile(r"(?<=[0-9])[ ]m\b(?![²³^/'’])")
_KILO = re.compile("(?<=[0-9])千(?=[米克])")
_AND_A_HALF = re.compile(r"\b([0-9]{1,3}|one)[ ]and[ ]a[ ]half\b|([0-9]{1,2}|一)个半(?=小时)", re.IGNORECASE | re.ASCII)
_HALF_AN_HOUR = re.compile(r"\bhalf(?:[ ]an|-an)?[ -]hour\b", re.IGNORECASE | re.ASCII)
_HAN_HALF_AN_HOUR = re.compile("(?<![0-9个一])半个?小时")
_DOZEN = re.compile(r"\b(half[ ])?a[ ]dozen\b", re.IGNORECASE | re.ASCII)
_HALF = re.compile(
    r"(?<!first )(?<!second )(?<!other )(?<!latter )(?<!bottom )(?<!top )(?<!better )"
    r"\bhalf[ ](?:of\b|(?=(?:the|their|its|his|her|our|your|all)\b))",
    re.IGNORECASE | re.ASCII,
)
_HAN_HALF = re.compile("(?<![另前后上下])一半|半数")
UNIT_WORDS = frozenset(("half", "dozen", "m"))
"""English words that `fold_parts` may read together with what stands before or behind."""


def fold_parts(text: str) -> str:
    """Numbers of one measure in one form. Expects numbers in plain digits.

    `1.5 km` becomes `1500 metres` and `1.5 hours` `90 minutes`: a part of a large unit is said in the smaller one, and
    whole ones stay. `half of them` becomes `50% them`, `a dozen` `12`, `10千米` `10公里`.
    """
    if "half" in text or "dozen" in text or "Half" in text:
        text = _AND_A_HALF.sub(_and_a_half, text)
        text = _HALF_AN_HOUR.sub("30 minutes", text)
        text = _DOZEN.sub(lambda m: "6" if m[1] else "12", text)
        text = _HALF.sub("50% ", text)
    if "半" in text:
        text = _AND_A_HALF.sub(_and_a_half, text)
        text = _HAN_HALF.sub("50%", _HAN_HALF_AN_HOUR.sub("30分钟", text))
    if "千" in text:
        text = _KILO.sub("公", text).replace("公米", "公里").replace("公克", "公斤")
    if "摄氏" in text:
        text = text.replace("摄氏度", "°C")
    text = _METRES.sub(" metres", text)
    return _PART.sub(_in_smaller_unit, text) if "." in text or "," in text else text


def _and_a_half(match: re.Match[str]) -> str:
    count = match[1] or match[2]
    return f"{count if count.isdecimal() else 1}.5"


def _in_smaller_unit(match: re.Match[str]) -> str:
    unit = next(filter(None, match.groups()[1:])).lower()
    factor, smaller = _PARTS["kg" if unit.startswith("k") and unit != "k" else unit]
    return f"{Decimal(match[1].replace(',', '.')) * factor:f}{smaller}"


def fold_currencies(text: str) -> str:
    """Signs of money and Chinese names of it as words: `$40` becomes `dollar 40`, `40美元` `40 dollar`."""
    text = _SIGN.sub(lambda m: f" {_SIGNS[m[0]]} ", text)
    if text.isascii():
        return text
    text = _HAN_CURRENCY.sub(lambda m: f" {_HAN_MONEY[m[0]]} ", text)
    return _YUAN.sub(" yuan ", text)
