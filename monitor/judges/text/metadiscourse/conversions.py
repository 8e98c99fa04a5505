"""Amounts that an answer converts behind them, `400 °F (about 200 °C)`, `10 miles, or 16 km`: they say nothing new.

Passages give a measure in one system, and answers add the other for their readers. A conversion that is wrong stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from monitor.judges.text.amounts.quantities import PLAIN, Amount
from monitor.judges.text.tokens import tokenize

_FACTORS = {
    "length": {
        "mm": 0.001,
        "cm": 0.01,
        "m": 1.0,
        "km": 1000.0,
        "in": 0.0254,
        "ft": 0.3048,
        "yd": 0.9144,
        "mi": 1609.344,
    },
    "weight": {"g": 0.001, "kg": 1.0, "oz": 0.02835, "lb": 0.45359},
    "volume": {"ml": 0.001, "l": 1.0, "gal": 3.785, "qt": 0.946, "pt": 0.473, "fl oz": 0.02957},
    "speed": {"km/h": 1.0, "mph": 1.609344},
    "area": {"m2": 1.0, "sq ft": 0.092903, "acre": 4046.86, "ha": 10_000.0, "km2": 1e6, "sq mi": 2.59e6},
}
_KINDS = {unit: kind for kind, units in _FACTORS.items() for unit in units}
_UNITS = {
    "f": r"(?:°|º|degrees?[ ])?[ ]?(?:f|fahrenheit)\b|℉|华氏度",
    "c": r"(?:°|º|degrees?[ ])?[ ]?(?:c|celsius|centigrade)\b|℃|摄氏度|摄氏",
    "mm": r"mm\b|millimet(?:er|re)s?\b|毫米",
    "cm": r"cm\b|centimet(?:er|re)s?\b|厘米",
    "km/h": r"km/h\b|kmh\b|kph\b|kilomet(?:er|re)s[ ]per[ ]hour\b|公里/小时",
    "km2": r"km²|sq(?:\.|uare)?[ ]?(?:km|kilomet(?:er|re)s?)\b|平方公里",
    "km": r"km\b|kilomet(?:er|re)s?\b|公里|千米",
    "sq mi": r"sq(?:\.|uare)?[ ]?mi(?:les?)?\b|平方英里",
    "sq ft": r"sq(?:\.|uare)?[ ]?(?:ft\.?|feet|foot)\b|平方英尺",
    "m2": r"m²|sq(?:\.|uare)?[ ]?(?:m|met(?:er|re)s?)\b|平方米",
    "acre": r"acres?\b|英亩",
    "ha": r"ha\b|hectares?\b|公顷",
    "mph": r"mph\b|miles[ ]per[ ]hour\b|英里/小时",
    "mi": r"mi\b|miles?\b|英里",
    "ml": r"ml\b|millilit(?:er|re)s?\b|毫升",
    "m": r"m\b|met(?:er|re)s?\b|米",
    "in": r"in(?:\.|(?=[ ]?[()（）]))|inch(?:es)?\b|[\"″”](?=[ ]?[()（）])|英寸",
    "ft": r"ft\b|feet\b|foot\b|英尺",
    "yd": r"yd\b|yards?\b|码",
    "fl oz": r"(?:u\.?s\.?[ ])?(?:fl\.?|fluid)[ ](?:oz|ounces?)\b",
    "kg": r"kg\b|kilo(?:gram(?:me)?)?s?\b|公斤|千克",
    "g": r"g\b|gram(?:me)?s?\b|克",
    "oz": r"oz\b|ounces?\b|盎司",
    "lb": r"lbs?\b|pounds?\b|磅",
    "gal": r"(?:u\.?s\.?[ ])?gal(?:lons?)?\b|加仑",
    "qt": r"quarts?\b",
    "pt": r"pints?\b",
    "l": r"l\b|lit(?:er|re)s?\b|升",
}
"""The longer ones before those that they begin with."""
_NUMBER = r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7}(?:\.[0-9]{1,3})?"
_UNIT = "|".join(f"(?:{names})" for names in _UNITS.values())
_AMOUNT = rf"(?:{_NUMBER})(?:[ ]?(?:-|–|to|and|至|到)[ ]?(?:{_NUMBER}))?[ -]?(?:{_UNIT})"
_ABOUT = r"(?:(?:about|around|approximately|approx\.?|roughly|or|~|≈|=|约|大约|合|相当于)[ ]?)?"
_CONVERTED = re.compile(
    rf"(?<![0-9.,]){_AMOUNT}(?:[ ](?:long|wide|high|tall|deep|thick|away)(?=,?[ ]or[ ]))?"
    rf"(?P<again>[ ]?[(（]{_ABOUT}{_AMOUNT}[)）]"
    rf"|(?:,?[ ]or[ ]|[,，](?:也就是|即|合|相当于)){_ABOUT}{_AMOUNT}(?=$|[\s.,;。，；]),?)",
    re.VERBOSE | re.IGNORECASE,
)
_NUMBERS, _NAMES = (
    re.compile(_NUMBER),
    {unit: re.compile(names, re.VERBOSE | re.IGNORECASE) for unit, names in _UNITS.items()},
)
_SIGNS = ("(", "（", " or ", "也就是", "即", "合", "相当于")
"""What stands between an amount and its conversion."""
_HALF = 0.5 + 1e-6
"""How far a conversion is off at most, in the place of its last digit."""
_CUT_OFF, _ROUND = 0.01, 0.06
"""The same as shares of it: of one whose last digit may be cut off, and of one that ends in 0 or 5."""
_DEGREES, _DEGREES_OF_OVENS, _OVENS = 1.0, 5.0, 120.0
"""Degrees Celsius that one is off at most, and from where on those of an oven may be."""


class _Amount(NamedTuple):
    written: str
    unit: str

    @property
    def value(self) -> float:
        return float(self.written.replace(",", ""))

    @property
    def precision(self) -> float:
        """How far its value is from what it stands for at most: as it is written, and as a round one."""
        digits, point, decimals = self.written.replace(",", "").partition(".")
        place = 10.0 ** -len(decimals)
        nearest = max(_HALF * place, min(place, _CUT_OFF * self.value))
        if point or digits[-1] not in "05":
            return nearest
        zeros = len(digits) - len(digits.rstrip("0"))
        return max(nearest, min(_HALF * max(10.0**zeros, 5.0), _ROUND * self.value))


def without_conversions(text: str) -> str:
    """`text` without amounts that say the amount in front of them in another unit."""
    if not any(map(text.__contains__, _SIGNS)):
        return text
    return _CONVERTED.sub(lambda found: _without_again(found) if _is_right(found) else found[0], text)


def converted_in(text: str) -> frozenset[Amount]:
    """What else holds each amount that a text converts behind it: a passage may give what they say."""
    if not any(map(text.__contains__, _SIGNS)):
        return frozenset()
    return frozenset(amount for found in _CONVERTED.finditer(text) if _is_right(found) for amount in _held_by(found))


def _held_by(found: re.Match[str]) -> Iterator[Amount]:
    front = tokenize(_without_again(found))
    unit = [word for word in front.words if word not in front.numbers]
    for said, again in zip(_amounts(_without_again(found)), _amounts(found["again"]), strict=True):
        yield Amount((*tokenize(said.written).words, *unit), PLAIN, again.value, again.value)


def _without_again(found: re.Match[str]) -> str:
    return found[0][: -len(found["again"])]


def _is_right(found: re.Match[str]) -> bool:
    said, again = _amounts(_without_again(found)), _amounts(found["again"])
    return len(said) == len(again) > 0 and all(map(_are_same, said, again))


def _amounts(text: str) -> list[_Amount]:
    unit = next(
        (name for name, names in _NAMES.items() if re.search(rf"[0-9 -](?:{names.pattern})", text, names.flags)), ""
    )
    return [_Amount(number, unit) for number in _NUMBERS.findall(text)]


def _are_same(said: _Amount, again: _Amount) -> bool:
    if {said.unit, again.unit} == {"f", "c"}:
        return _are_same_degrees(*sorted((said, again), key=lambda amount: amount.unit))
    kind = _KINDS.get(said.unit)
    if kind is None or said.unit == again.unit or _KINDS.get(again.unit) != kind:
        return False
    said_in_its_unit = said.value * _FACTORS[kind][said.unit] / _FACTORS[kind][again.unit]
    return abs(said_in_its_unit - again.value) <= again.precision


def _are_same_degrees(celsius: _Amount, fahrenheit: _Amount) -> bool:
    exact = (fahrenheit.value - 32.0) / 1.8
    return abs(exact - celsius.value) <= (_DEGREES_OF_OVENS if exact >= _OVENS else _DEGREES)
