"""Names of places in Chinese, which no capital marks: which ones a text puts forward, and whether passages hold them.

They come from a table of provinces, prefectures, countries and larger cities (`places.txt`), and counties by their
ending. What only looks like one across two words (增强大连锁, 宪法国家) is left out, and a passage holds a place by any
of its names, by a short form beside others, a region by one of its towns, and either by a larger one that is spoken of
as a whole (广东省内, 长三角, 欧盟): what is in doubt is no invention.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

_OTHER_WORDS = (
    "(?:东北|西北|东南|西南|南北|东西|中东|北京时间|[中孙]中山|蒙古[族包人]|印度[洋教]|[复混化]合肥|注意大利|莫里斯本|大马[力路])"
    "|[形完变达组构养生建造促落集转分做看当]成(?=都)|[重强巨扩最较很更盛宏广伟庞]大(?=连)|[黄运淮]河(?=[南北])|[太江两]湖(?=[南北])"
    "|[司宪立执合违刑民办方说想看用手做]法(?=国)|[道公品美功]德(?=国)|[精完优赞唯华秀南北拉]美(?=国)|精英(?=国)"
    "|[节生今近当明昨假即往平整每末终工次翌0-9]日(?=本)|[穿超跨翻逾]越(?=南)|[长镇九]江(?=西)|[唐佛泰黄中鞍]山(?=[东西])"
    "|[东南江]海(?=南)|江河|湘[东西][南北]|海上(?=海)|也门(?=[可外前口])"
)
"""What is read first, so that no place is found across its end."""
_WITH_SUFFIX = "(?=[市省州县区]|地区)"
_NO_SIDE = "(?:(?<![东南西北])|(?![边侧岸坡麓端]|部(?![分门队署委])))"
"""Behind a name that ends in a direction: 上海南边 is no 海南."""
_NO_COUNTY = "全各该等区市大小困个级本我强业在是和与及某外此几两"
_COUNTY = f"[\u4e00-\u9fff]{{2}}(?<![{_NO_COUNTY}])县(?![级域城区长委])"
_SHORT = "{0}中 {0}方 {0}军 {0}媒 {0}籍 {0}企 {0}国 {0}元 {0}两国 中{0} 访{0} 赴{0} 对{0} 驻{0} 在{0} 旅{0} 留{0}"
"""A country in one character, with what makes it one."""
_PART = "(?:(?![东西南北中])|(?<![江广山陕河湖海云越济东西台华其集]))(?:{0})(?![部方角侧边风面向坡岸杯])"
"""A part of the country or the world: 湖南省西北部 is no 西北, 湖北美食 and 江西南昌 are neither 北美 nor 西南."""
_ALL_OF = (
    "(?:{0})(?:[省市州]|[维壮回]?[吾族]?尔?自治区)?(?:境?内(?!蒙)|全[省国境市州]|各[地市省州县]|地区|范围|一带|所有)"
    "|(?:{0})[^。！？\n]{{0,30}}(?:全[省国境]|[省境]内)|全(?:{0})"
)
"""What speaks of a region as a whole, so that its towns are meant."""
_AMONG = "(?=[^\u4e00-\u9fff]|[两三四五六七八九各等的和与及省地]|$)"
"""Behind the last of some names in one character: 沪、苏、浙、皖四地."""
_IN_LIST = f"{{0}}(?=、[{{1}}]{_AMONG})|(?<=[{{1}}]、){{0}}{_AMONG}"
_IN_RUN = "(?<=[{1}][{1}]){0}|(?<=[{1}]){0}(?=[{1}])|{0}(?=[{1}][{1}])|(?<=[{2}]){0}|{0}(?=[{2}])"
"""A province in one character (0) in a row of three (1), or beside one that is nothing else (2)."""


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    """Each place of the table, as it is found, with all that says it in a passage."""
    shorts = "".join(_marked("~"))
    forms: dict[str, tuple[str, ...]] = {}
    for names, towns in _regions():
        forms |= {town[0].rstrip("?"): (town[0].rstrip("?"), *town[1:]) for town in towns}
        own = [form for name in names for form in _written(name, shorts)]
        forms[names[0]] = (*own, *(form for town in towns for form in forms[town[0].rstrip("?")]))
    return forms


@cache
def _lines() -> tuple[tuple[tuple[str, ...], ...], ...]:
    """The lines of the table, of entries, of names."""
    lines = files(__package__).joinpath("places.txt").read_text("utf-8").splitlines()
    entries = ([entry.replace("_", " ").split("=") for entry in line.split(" ")] for line in lines if line[:1] != "#")
    return tuple(tuple(map(tuple, line)) for line in entries)


def _regions() -> Iterator[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]]:
    """Names of each region, and those of each of its towns."""
    return ((line[0], line[1:]) for line in _lines() if not line[0][0].startswith("@"))


def _marked(mark: str) -> list[str]:
    """Names in one character that a mark of the table stands before."""
    return [name[1:] for names, _ in _regions() for name in names if name.startswith(mark)]


def _written(name: str, shorts: str) -> Iterator[str]:
    if not name.startswith(("~", "+")):
        yield name
    elif name.startswith("~"):
        short = name[1:]
        yield from _SHORT.format(short).split()
        for other in shorts.replace(short, ""):
            yield from (short + other, other + short)


@cache
def _larger() -> dict[str, tuple[str, ...]]:
    """Patterns of what holds each place of the table though it does not name it."""
    larger: dict[str, list[str]] = {name: [] for name in _forms()}
    towns_of = {names[0]: [town[0].rstrip("?") for town in towns] for names, towns in _regions()}
    for names, _ in _regions():
        whole = _ALL_OF.format("|".join(name for name in names if name == names[0] or len(name) == 1))
        larger[names[0]] += _in_one_character(names)
        for town in towns_of[names[0]]:
            larger[town].append(whole)
    provinces = {names[0] for names, _ in _regions() if any(len(name.lstrip("+")) == 1 for name in names)}
    for (first, *others), *members in (line for line in _lines() if line[0][0].startswith("@")):
        part = _PART.format("|".join((first[1:], *others)))
        for (member,) in members:
            for name in (member, *(towns_of[member] if member in provinces else ())):
                larger[name].append(part)
    return {name: tuple(patterns) for name, patterns in larger.items()}


def _in_one_character(names: tuple[str, ...]) -> Iterator[str]:
    plain = "".join(name for region, _ in _regions() for name in region if len(name) == 1)
    provinces, countries = plain + "".join(_marked("+")), "中" + "".join(_marked("~"))
    for name in names:
        if name.startswith("+"):
            yield _IN_RUN.format(name[1:], provinces, plain.replace("辽", ""))
            yield _IN_LIST.format(name[1:], provinces)
        elif name.startswith("~"):
            yield _IN_LIST.format(name[1:], countries)


@cache
def _pattern_of_larger(place: str) -> re.Pattern[str]:
    return re.compile("|".join(_larger()[place]))


@cache
def _place() -> re.Pattern[str]:
    names = [entry[0] for region, towns in _regions() for entry in (region, *towns)]
    longest_first = sorted((name.replace("?", _WITH_SUFFIX) for name in names), key=len, reverse=True)
    first = "".join(sorted({name[0] for name in names}))
    return re.compile(f"{_OTHER_WORDS}|((?=[{first}])(?:{'|'.join(longest_first)}){_NO_SIDE}|{_COUNTY})")


def places_in(text: str) -> frozenset[str]:
    """The places that a text names. Expects simplified characters."""
    return frozenset(filter(None, _place().findall(text)))


def without_places(text: str) -> str:
    """`text` with a blank in place of each place."""
    return _place().sub(lambda match: " " if match[1] else match[0], text)


def is_place(name: str) -> bool:
    """Whether a name is one of a place."""
    return _place().fullmatch(name) is not None or name in _forms()


def is_held(place: str, texts: str) -> bool:
    """Whether `texts` name a place of `places_in` in any of the ways of the table, a town of it, or all around it."""
    forms = _forms().get(place)
    if forms is None:
        return place[:-1] in texts or place[1:] in texts
    return any(form in texts for form in forms) or bool(_larger()[place] and _pattern_of_larger(place).search(texts))
