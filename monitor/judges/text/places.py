"""Names of places in Chinese, which no capital marks: which ones a text puts forward, and whether passages hold them.

They come from a table of provinces, prefectures, countries and larger cities (`places.txt`), and counties by their
ending. What only looks like one across two words (增强大连锁, 宪法国家) is left out, and a passage holds a place by any
of its names, by a short form beside others, and a region by one of its towns: what is in doubt is no invention.
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
    "|[东南江]海(?=南)|江河|海上(?=海)|也门(?=[可外前口])"
)
"""What is read first, so that no place is found across its end."""
_WITH_SUFFIX = "(?=[市省州县区]|地区)"
_NO_SIDE = "(?:(?<![东南西北])|(?![边侧岸坡麓端]|部(?![分门队署委])))"
"""Behind a name that ends in a direction: 上海南边 is no 海南."""
_NO_COUNTY = "全各该等区市大小困个级本我强业在是和与及某外此几两"
_COUNTY = f"[\u4e00-\u9fff]{{2}}(?<![{_NO_COUNTY}])县(?![级域城区长委])"
_SHORT = "{0}中 {0}方 {0}军 {0}媒 {0}籍 {0}企 {0}国 {0}元 {0}两国 中{0} 访{0} 赴{0} 对{0} 驻{0} 在{0} 旅{0} 留{0}"
"""A country in one character, with what makes it one."""


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    """Each place of the table, as it is found, with all that says it in a passage."""
    regions = [line.split() for line in _lines()]
    shorts = "".join(re.findall("~(.)", " ".join(region[0] for region in regions)))
    forms: dict[str, tuple[str, ...]] = {}
    for region, *towns in regions:
        of_towns = [tuple(town.replace("_", " ").split("=")) for town in towns]
        forms |= {names[0]: (names[0].rstrip("?"), *names[1:]) for names in of_towns}
        names = region.replace("_", " ").split("=")
        own = [form for name in names for form in _written(name, shorts)]
        forms[names[0]] = (*own, *(form for town in of_towns for form in forms[town[0]]))
    return {name.rstrip("?"): said for name, said in forms.items()}


def _lines() -> list[str]:
    lines = files(__package__).joinpath("places.txt").read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def _written(name: str, shorts: str) -> Iterator[str]:
    if not name.startswith("~"):
        yield name
        return
    short = name[1:]
    yield from _SHORT.format(short).split()
    for other in shorts.replace(short, ""):
        yield from (short + other, other + short)


@cache
def _place() -> re.Pattern[str]:
    names = [entry.split("=")[0] for line in _lines() for entry in line.split()]
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
    """Whether `texts` name a place of `places_in` in any of the ways of the table, or a town of it."""
    forms = _forms().get(place, (place[:-1], place[1:]))
    return any(form in texts for form in forms)
