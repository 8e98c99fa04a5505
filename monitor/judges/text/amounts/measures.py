"""Units of measure by kind, and how much an amount is in the smallest unit of its kind."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

_OF_KIND = {
    "mass": "mg=milligram=毫克:1 g=gram=克:1000 kg=kilogram=公斤=千克:1000000 t=tonne=吨:1000000000 斤:500000",
    "length": (
        "mm=millimetre=millimeter=毫米:1 cm=centimetre=centimeter=厘米:10 m=metre=meter=米:1000"
        " km=kilometre=kilometer=公里=千米:1000000"
    ),
    "foot": "inch=inche:1 foot=feet=ft:12 yard:36 mile:63360",
    "volume": "ml=millilitre=milliliter=毫升:1 l=litre=liter=升:1000",
    "time": (
        "second=sec=秒:1 minute=min=分钟:60 刻钟:900 hour=hr=h=小时=个小时=钟头=个钟头:3600 day=天:86400"
        " week=周=星期=个星期=礼拜=个礼拜:604800 fortnight:1209600"
    ),
    "calendar": "month=个月:1 quarter=季度=个季度:3 year=年:12 decade:120 century=centurie=个世纪:1200",
    "bytes": "kb:1 mb:1000 gb:1000000 tb:1000000000",
    "binary": "kb:1 mb:1024 gb:1048576 tb:1073741824",
}
"""A month is no number of days: who means thirty says so."""
_UNITS: dict[str, list[tuple[str, int]]] = {}
"""Each name of a unit with its kinds and how many of the smallest it is."""
for _kind, _line in _OF_KIND.items():
    for _entry in _line.split():
        _names, _, _size = _entry.partition(":")
        for _name in _names.split("="):
            _UNITS.setdefault(_name, []).append((_kind, int(_size)))
NAMES = "|".join(sorted((f"{name}s?" if name.isascii() else name for name in _UNITS), key=len, reverse=True))
"""A pattern for all names of units."""
NUMBER = r"[0-9]{1,12}(?:\.[0-9]{1,6})?"
"""A pattern for a number in plain digits."""


class Said(NamedTuple):
    """An amount as some text says it: its kind, and how many of the smallest unit."""

    kind: str
    value: float


def in_smallest(number: str | Decimal, unit: str) -> Iterator[Said]:
    """So many of a unit, of each kind that its name may be of."""
    name = unit.lower()
    for kind, size in _UNITS.get(name) or _UNITS[name.removesuffix("s")]:
        yield Said(kind, float(Decimal(number) * size))
