"""Discounts, said by what is taken off or by what is left to pay: `30% off`, 七折, 优惠30%, `half price`, 半价."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from monitor.judges.text.amounts.measures import NUMBER
from monitor.judges.text.words import WORDS

_PRICE = (
    r"(?:(?:full|regular|normal|usual|original|standard|listed?|adult|ticket)[ ]){0,2}"
    r"(?:price|fare|fee|rate|tariff)s?\b"
)
_SIGN = r"[ ]?(?:%|per[ ]?cent\b)"


def _percent(name: str) -> str:
    return rf"(?:百分之(?P<{name}_zh>{NUMBER})|(?P<{name}>{NUMBER}){_SIGN})"


_DISCOUNT = re.compile(
    r"(?<![0-9.,])(?P<left>[1-9](?:\.[1-9])?|[1-9][0-9])折(?![扣叠断合磨腾射])"
    rf"|(?<![0-9.,]){_percent('off')}(?:[ ](?:off\b|discount|reduction|rebate|cheaper|less\b)|的?(?:优惠|折扣|减免))"
    rf"|(?:discount|reduction|rebate)s?[ ](?:of|by)[ ]{_percent('off_behind')}"
    rf"|(?:优惠|减免|立减|降价?|便宜)了?{_percent('less')}"
    rf"|(?<![0-9.,])(?P<paid>{NUMBER}){_SIGN}[ ]of[ ](?:the|its|their)[ ]{_PRICE}"
    rf"|(?:原价|全价|票价|票面价|定价|标价|价格)的?{_percent('paid_behind')}"
    r"|(?P<half>\bhalf(?:[ -]price\b|[ ]the[ ]price\b|[ ]off\b)|半价)",
    re.IGNORECASE,
)
_SIGNS = ("折", "%", "cent", "CENT", "Cent", "百分之", "半价", "alf", "ALF")
"""One of them is in whatever says a discount: few texts have any, and looking for them costs next to nothing."""
_WHOLE, _HALF, _ONE_DIGIT = 100.0, 50.0, 10.0
_LETTERS = re.compile("[a-z]+", re.IGNORECASE)


class Discount(NamedTuple):
    """The words that say a discount (a number as written, or `half price`), and the hundredths that it takes off."""

    words: tuple[str, ...]
    off: float


def discounts_in(text: str) -> Iterator[Discount]:
    """All discounts of a text; expects what `normalise` gave. Linear in the length of the text."""
    if not any(map(text.__contains__, _SIGNS)):
        return
    for match in _DISCOUNT.finditer(text):
        name, number = next((name, number) for name, number in match.groupdict().items() if number)
        if name == "half":
            yield Discount(tuple(map(WORDS.__getitem__, _LETTERS.findall(number))) or (number,), _HALF)
        elif name == "left":
            left = float(number)
            yield Discount((number,), _WHOLE - (10.0 * left if left < _ONE_DIGIT else left))
        else:
            yield Discount((number,), _WHOLE - float(number) if name.startswith("paid") else float(number))
