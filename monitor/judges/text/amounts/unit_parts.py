"""Amounts in halves and quarters of a unit: `a quarter of an hour`, `an hour and a half`, `half a decade`, 一年半."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from monitor.judges.text.amounts.measures import NAMES, NUMBER, Said, in_smallest

_COUNT = rf"(?:(?<![0-9.,])(?P<count>{NUMBER})|(?P<one>\ban?|\bone|一))"
_PART = r"(?P<part>half|(?:3[ -])?quarters?|0\.[0-9]{1,4}|半)"
_ENGLISH = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<![0-9.,])\b{_PART}(?:[ ](?:of[ ])?an?[ ]|[ -])(?P<unit>{NAMES})\b",
        rf"{_COUNT}[ ](?P<unit>{NAMES})[ ]and[ ](?:a[ ])?{_PART}\b",
        rf"{_COUNT}[ ]and[ ](?:a[ ])?{_PART}[ ](?P<unit>{NAMES})\b",
    )
]
_CHINESE = [
    re.compile(pattern)
    for pattern in (
        rf"(?<![0-9一个上下前后大]){_PART}(?P<unit>{NAMES})",
        rf"{_COUNT}(?P<unit>{NAMES}){_PART}(?![载夜年天月个])",
        rf"{_COUNT}个{_PART}(?P<unit>月|小时|钟头|星期|礼拜|季度|世纪)",
    )
]
_VALUES = {"half": Decimal("0.5"), "quarter": Decimal("0.25"), "3 quarter": Decimal("0.75"), "半": Decimal("0.5")}
_NUMBERS = re.compile(NUMBER)


class Part(NamedTuple):
    """Such an amount: its numbers as written and `half` or `quarter`, where its unit stands, and what it says."""

    words: tuple[str, ...]
    unit: tuple[int, int]
    said: tuple[Said, ...]


def parts_in(text: str) -> Iterator[Part]:
    """All such amounts of a text; expects what `normalise` gave. Linear in the length of the text."""
    if "half" in text or "quarter" in text or "0." in text or "Half" in text or "Quarter" in text:
        yield from _parts(_ENGLISH, text)
    if "半" in text:
        yield from _parts(_CHINESE, text)


def _parts(patterns: list[re.Pattern[str]], text: str) -> Iterator[Part]:
    for pattern in patterns:
        for match in pattern.finditer(text):
            found = match.groupdict()
            whole = Decimal(found.get("count") or (1 if found.get("one") else 0))
            part = match["part"].lower().replace("-", " ").removesuffix("s")
            size = whole + (_VALUES[part] if part in _VALUES else Decimal(part))
            unit = f"个{match['unit']}" if "个半" in match[0] else match["unit"]
            words = *_NUMBERS.findall(match[0]), *({part.split()[-1]} & {"half", "quarter"})
            yield Part(words, match.span("unit"), tuple(in_smallest(size, unit)))
