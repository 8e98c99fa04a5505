"""Scales that a table names once for all its cells: `Revenue (EUR million)`, `单位：亿元`, "in thousands of euros"."""

from __future__ import annotations

import re

_SIZES = {
    "thousand": 1e3,
    "million": 1e6,
    "mn": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "千": 1e3,
    "万": 1e4,
    "百万": 1e6,
    "千万": 1e7,
    "亿": 1e8,
    "十亿": 1e9,
}
_SIGNS = ("thousand", "million", "mn", "billion", "bn", "千", "万", "亿")
_SIZE, _SIZE_ZH = "(thousand|million|mn|billion|bn)", "(百万|千万|十亿|千|万|亿)"
_MONEY = r"(?:[$€£¥]|us\$|[a-z]{3}|dollars|euros|pounds|yuan|yen)"
_COUNTED_ZH = "(?:人民币|[美欧港日]元|元|吨|人次|人|户|件|台|辆|套|股|平方米|千瓦时|度)"
_NAMED = re.compile(
    rf"[(\[（](?:in[ ])?(?:{_MONEY}[ ]?)?{_SIZE}s?(?:[ ](?:of[ ])?(?:{_MONEY}|units|tonnes|tons))?[)\]）]"
    rf"|\bin[ ]{_SIZE}s(?:[ ]of[ ](?:{_MONEY}|units|tonnes|tons))?(?=[ ]*(?:$|[|｜\t)]))"
    rf"|[(\[（](?:单位[:：][ ]?)?{_COUNTED_ZH}?{_SIZE_ZH}{_COUNTED_ZH}?[)\]）]"
    rf"|单位[:：][ ]?{_COUNTED_ZH}?{_SIZE_ZH}{_COUNTED_ZH}?(?![\w])",
    re.IGNORECASE | re.MULTILINE,
)
_CELL = re.compile(
    r"(?:^|(?<=[|｜\t ]))([0-9]{1,3}(?:,[0-9]{3})++(?:\.[0-9]{1,4})?|[0-9]{1,9}(?:\.[0-9]{1,4})?)"
    r"[ ]*+(?=$|[|｜\t，；])",
    re.MULTILINE,
)


def scales_in(text: str) -> frozenset[float]:
    """What cells of a text may have to be multiplied by; empty for most texts."""
    lower = text.lower()
    if not any(sign in lower for sign in _SIGNS):
        return frozenset()
    return frozenset(_SIZES[found[found.lastindex or 0].lower()] for found in _NAMED.finditer(text))


def cells_in(text: str) -> list[float]:
    """The numbers that fill the rest of a cell or of a line: nothing behind them says what they count."""
    return [float(number.replace(",", "")) for number in _CELL.findall(text)]
