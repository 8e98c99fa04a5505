"""Amounts that say the same in another unit of one system: 90 minutes and 1.5 hours, 2 tonnes and 2,000 kg.

Only an amount that the passages do not hold as it is written is looked for in other units, so that nothing becomes
wrong by being converted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from monitor.judges.text.tokens import normalise
from monitor.judges.text.words import NUMBERS, WORDS, is_run

Quantity = tuple[str, Decimal]
"""A kind of unit, and how many of the smallest one."""
_OF_KIND = {
    "mass": "mg=milligram=毫克:1 g=gram=克:1000 kg=kilogram=公斤=千克:1000000 t=tonne=吨:1000000000 斤:500000",
    "length": (
        "mm=millimetre=millimeter=毫米:1 cm=centimetre=centimeter=厘米:10 m=metre=meter=米:1000"
        " km=kilometre=kilometer=公里=千米:1000000"
    ),
    "foot": "inch=inche:1 foot=feet=ft:12 yard:36",
    "volume": "ml=millilitre=milliliter=毫升:1 l=litre=liter=升:1000",
    "time": (
        "second=sec=秒:1 minute=min=分钟:60 hour=hr=h=小时=个小时=钟头:3600 day=天:86400"
        " week=周=星期=个星期=礼拜:604800"
    ),
    "calendar": "month=个月:1 quarter=季度=个季度:3 year=年:12",
    "bytes": "kb:1 mb:1000 gb:1000000 tb:1000000000",
    "binary": "kb:1 mb:1024 gb:1048576 tb:1073741824",
}
_UNITS: dict[str, list[tuple[str, int]]] = {}
"""Each name of a unit with its kinds and how many of the smallest it is."""
for _kind, _line in _OF_KIND.items():
    for _entry in _line.split():
        _names, _, _size = _entry.partition(":")
        for _name in _names.split("="):
            _UNITS.setdefault(_name, []).append((_kind, int(_size)))
_OF_WORD = {WORDS[name]: sizes for name, sizes in _UNITS.items()}
_LONGEST = max(len(name) for name in _UNITS if is_run(name))
_NAMES = "|".join(sorted((f"{name}s?" if name.isascii() else name for name in _UNITS), key=len, reverse=True))
_NUMBER = r"[0-9]{1,12}(?:\.[0-9]{1,6})?"
_AMOUNT = re.compile(
    rf"(?<![0-9.,])(?:({_NUMBER})[ ]?(?:-|–|~|to|and|or|至|到)[ ]?)?"
    rf"({_NUMBER}|\b(?:an?|one)\b|一)[ -]?({_NAMES})(?![a-z])",
    re.IGNORECASE,
)
_HALF = re.compile("(?:半个?|half an?[ ])(小时|年|hour|year|day|天)", re.IGNORECASE)


def quantities_in(text: str) -> frozenset[Quantity]:
    """The amounts that a text holds, also both ends of a range, and halves of an hour, a day or a year."""
    found: set[Quantity] = set()
    for first, last, unit in _AMOUNT.findall(normalise(text)):
        for number in filter(None, (first, last)):
            found.update(_in_smallest(number if number[0].isdigit() else "1", _sizes(unit.lower())))
    for unit in _HALF.findall(text):
        found.update(_in_smallest("0.5", _sizes(unit.lower())))
    return frozenset(found)


def amounts_of(words: Sequence[str]) -> Iterator[tuple[str, str, frozenset[Quantity]]]:
    """Numbers among the words of a claim with the unit behind each, and the amount that both are."""
    for number, unit in pairwise(words):
        if NUMBERS[number] and number[0].isdigit() and number.replace(".", "", 1).isdecimal():
            sizes = _sizes_of_run(unit) if is_run(unit) else _OF_WORD.get(unit, [])
            if sizes:
                yield number, unit, frozenset(_in_smallest(number, sizes))


def _sizes(unit: str) -> list[tuple[str, int]]:
    return _UNITS.get(unit) or _UNITS[unit.removesuffix("s")]


def _sizes_of_run(run: str) -> list[tuple[str, int]]:
    names = (run[:length] for length in range(min(_LONGEST, len(run)), 0, -1))
    return next((_UNITS[name] for name in names if name in _UNITS), [])


def _in_smallest(number: str, sizes: Sequence[tuple[str, int]]) -> Iterator[Quantity]:
    return ((kind, Decimal(number) * size) for kind, size in sizes)
