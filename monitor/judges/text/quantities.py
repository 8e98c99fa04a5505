"""What numbers say in more than one way: other units, about so much, parts of a whole, times of day, decades.

A number that the passages hold as it is written needs none of this. What is read here only lets a sentence hold a
number of the claim that it says in another way, so nothing becomes wrong by being read.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from monitor.judges.text.clock import times_in
from monitor.judges.text.words import WORDS, is_run

PLAIN, SHARE, CLOCK = "plain", "share", "clock"
"""Kinds beside those of units: numbers whatever they count, hundredths of a whole, minutes of a day."""
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
_NAMES = "|".join(sorted((f"{name}s?" if name.isascii() else name for name in _UNITS), key=len, reverse=True))
_NUMBER = r"[0-9]{1,12}(?:\.[0-9]{1,6})?"
_DIGIT = re.compile("[0-9]")
_ALONE = re.compile(rf"(?<![0-9.,])({_NUMBER})(?![0-9])")
_AMOUNT = re.compile(
    rf"(?<![0-9.,])(?:({_NUMBER})[ ]?(?:-|–|~|to|and|or|至|到)[ ]?)?"
    rf"({_NUMBER}|\b(?:an?|one)\b|一)[ -]?({_NAMES})(?![a-z])",
    re.IGNORECASE,
)
_TOGETHER = re.compile("[ ]?(?:,[ ]|and[ ]|零)?")
_HALF = re.compile("(?:半个?|half an?[ ])(小时|年|hour|year|day|天)", re.IGNORECASE)
_SHARE = re.compile(
    rf"({_NUMBER})[ ]?(?:%|per[ ]?cent)|百分之({_NUMBER})"
    r"|([1-9一二三四五六七八九])成(?:([1-9一二三四五六七八九])|(半))?"
    rf"|({_NUMBER}|one(?<!\w...)(?=[ ](?:in|out)[ ]))[ ]"
    rf"(?:(?:[a-z]+[ ])?(?:out[ ])?of(?:[ ](?:every|each))?|in(?:[ ](?:every|each))?)[ ]({_NUMBER})"
    r"|(half(?<!\w.{4})(?<!first.{5})(?<!second.{5})(?<!other.{5})\b(?!-|[ ]an?\b)|一半|半数)",
    re.IGNORECASE,
)
_HAN_DIGITS = {digit: value for value, digit in enumerate("一二三四五六七八九", 1)}
_SMALL_MONEY = re.compile(rf"({_NUMBER})[ ]?(cents?\b|p\b|pence\b|毛|角)", re.IGNORECASE)
_COUNTED = re.compile(rf"[ ]?(?:[%‰]|per[ ]?cent\b|(?:{_NAMES})(?![a-z]))", re.IGNORECASE)
"""Behind a number below one that is no part of a whole."""
_YEARS = re.compile(
    r"(?<![0-9])(?P<century>[0-9]{1,2})(?:st|nd|rd|th)?[ -]?(?:century|世纪)(?:(?P<of>[0-9]0)年代)?"
    r"|上个?世纪(?P<last>[0-9]0)年代|(?<![0-9])(?P<decade>[12][0-9]{2}0)(?:'?s\b|[ ]?年代)",
    re.IGNORECASE,
)

_ABOUT = "about|around|roughly|approximately|approx\\.?|some|close[ ]to|circa|ca?\\."
_NEAR = "nearly|almost|just[ ]under"
_LESS = "(?:less|fewer)[ ]than|under|below"
_MORE = "(?:more|greater)[ ]than|over|above|exceed(?:s|ed|ing)?|in[ ]excess[ ]of|upwards[ ]of"
_BEFORE = re.compile(
    rf"(?:(?<![a-z])(?:(?P<about>{_ABOUT})|(?P<near>{_NEAR})|(?P<less>{_LESS})|(?P<more>{_MORE}))"
    "|(?P<so>[~≈约]|大概)|(?P<nigh>将近|接近|几乎|近)|(?P<fewer>不到|不足|低于|少于)|(?P<beyond>超过?|逾|多于|高于|大于))"
    r"[ ]?(?:an?[ ]|the[ ]|(?<=[约概])[\u4e00-\u9fff]{1,5})?[$€£¥]?[ ]?$",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"[ ]?(?:[a-z]+[ ](?P<about>or[ ]so)\b"
    r"|[\u4e00-\u9fff]{0,2}?(?P<more>[多余](?!数))"
    r"|[%\u4e00-\u9fff]{0,4}?(?:(?P<so>左右|上下)|(?P<beyond>以上)|(?P<fewer>以下)))"
)
_FAR = 16
"""Characters before a number in which a word such as `about` is looked for."""
_BOUNDS = {"about": (0.9, 1.1), "near": (0.85, 1.0), "less": (0.8, 1.0), "more": (1.0, 1.3)}
_BOUNDS |= {"so": _BOUNDS["about"], "nigh": _BOUNDS["near"], "fewer": _BOUNDS["less"], "beyond": _BOUNDS["more"]}
"""What a number stands for with each such word at most, as shares of it."""
_SHORT_OF = 1 - 1e-6
"""Of a step: the next number that is as round would have been said itself."""
_ROUND_SHARE = 10.0
"""Hundredths by which a rough part of a whole is rounded: `about a third`."""
_IN_PERCENT = 0.5, 0.025
"""How far a part of a whole is from the hundredths that it is given in at most, and as a share of it."""
_YEARS_OF_NOW = (1000, 2100)
_FURTHER = frozenset(("more", "beyond"))
_NOTHING_COUNTED = re.compile(r"[ ]?(?:$|[.,;:!?)。，；：！？）年]|AD|CE|BC)")
"""Behind a year, where a number that is none counts something."""
_YEAR, _ROUND_YEAR = 0.003, 0.006
"""How far about a year reaches, as a share of it, and how far if it is the first of a century."""


class Said(NamedTuple):
    """An amount as some text says it: its kind, and how many of the smallest unit."""

    kind: str
    value: float


class Amount(NamedTuple):
    """An amount of a claim: the words that a sentence holds which says one from `least` to `most` of the same kind."""

    words: tuple[str, ...]
    kind: str
    least: float
    most: float


def said_in(text: str) -> list[Said]:
    """All that the numbers of a text say; expects what `normalise` gave. Linear in the length of the text."""
    shares = list(_shares(text))
    found = [Said(SHARE, share) for _, share in shares]
    found.extend(Said(SHARE, float(round(share))) for match, share in shares if match[7])
    amounts = list(_AMOUNT.finditer(text))
    for match in amounts:
        for number in filter(None, match.group(1, 2)):
            found.extend(_in_smallest(number if number[0].isdigit() else "1", match[3]))
    found.extend(said for *_, said in _in_two_units(amounts))
    for match in _HALF.finditer(text):
        found.extend(_in_smallest("0.5", match[1]))
    if _DIGIT.search(text) is not None:
        alone = [(match, float(match[1])) for match in _ALONE.finditer(text)]
        found.extend(Said(PLAIN, value) for _, value in alone)
        parts = [100.0 * value for match, value in alone if _is_part(match, value)]
        found.extend(Said(SHARE, value) for share in parts for value in (share, float(round(share))))
        found.extend(Said(PLAIN, _small_money(match)) for match in _SMALL_MONEY.finditer(text))
    found.extend(Said(CLOCK, minutes) for _, minutes in times_in(text))
    return found


def amounts_of(text: str) -> frozenset[Amount]:
    """What the numbers of a claim may be said to be in other ways; expects what `normalise` gave."""
    return frozenset(amount for amount in _amounts(text) if amount.words)


def _amounts(text: str) -> Iterator[Amount]:
    found = list(_AMOUNT.finditer(text))
    for match in found:
        for kind, value in _in_smallest(match[2], match[3]) if match[2][0].isdigit() else ():
            yield Amount((match[2], _unit_word(text, match)), kind, *_bounds(text, match.span(2), match[2], value))
    for first, second, said in _in_two_units(found):
        both = (first[2], _unit_word(text, first), second[2], _unit_word(text, second))
        yield Amount(both, said.kind, said.value, said.value)
    for match, share in _shares(text):
        words = tuple(number for number in match.group(1, 2, 3, 4, 6, 7) if number and number[0].isdecimal())
        yield Amount(words, SHARE, *_bounds_of_share(text, match.span(), share, worked_out=match[7] is not None))
    for match in _ALONE.finditer(text):
        value = float(match[1])
        least, most = _bounds(text, match.span(), match[1], value)
        if least < most or value < 1.0:
            yield Amount((match[1],), PLAIN, least, most)
        if _is_part(match, value):
            yield Amount((match[1],), SHARE, *_bounds_of_share(text, match.span(), 100.0 * value, worked_out=True))
    for match in _SMALL_MONEY.finditer(text):
        yield Amount((match[1],), PLAIN, _small_money(match), _small_money(match))
    for words, minutes in times_in(text):
        yield Amount(words, CLOCK, minutes, minutes)
    yield from _spans_of_years(text)


def _unit_word(text: str, amount: re.Match[str]) -> str:
    """The word that stands behind the number: a unit, or the first pair of a run that begins with one."""
    unit = amount[3]
    if not is_run(unit):
        return WORDS[unit]
    behind = text[amount.start(3) : amount.start(3) + 2]
    return behind if len(behind) > 1 and is_run(behind[1]) else behind[:1]


def _bounds(text: str, span: tuple[int, int], number: str, value: float) -> tuple[float, float]:
    """From which to which value an amount stands for itself, given its number as written and the words around it.

    A rough number is a rounder one than what it stands for: `over 16` is not 20, nor `about 22`, but `about 20` is 22.
    About a number is nearer to it than to the next one that is as round.
    """
    kind = _roughness(text, span)
    if not kind:
        return value, value
    plain = float(number)
    least, most = _BOUNDS[kind]
    if _YEARS_OF_NOW[0] <= plain <= _YEARS_OF_NOW[1] and kind not in _FURTHER and _NOTHING_COUNTED.match(text, span[1]):
        reach = _YEAR if plain % 100 else _ROUND_YEAR
        least, most = max(least, 1.0 - reach), min(most, 1.0 + reach)
    step = _step_of(number) / plain if plain else 0.0
    if least < 1.0 < most:
        step /= 2.0
    return max(least, 1.0 - step) * value, min(most, 1.0 + step) * value


def _bounds_of_share(text: str, span: tuple[int, int], share: float, *, worked_out: bool) -> tuple[float, float]:
    """As `_bounds` of hundredths; those that are worked out from other numbers are rounded to them."""
    if not worked_out:
        return _bounds(text, span, f"{share:.6f}".rstrip("0").rstrip("."), share)
    kind = _roughness(text, span)
    if not kind:
        reach = min(_IN_PERCENT[0], _IN_PERCENT[1] * share)
        return share - reach, share + reach
    least, most = _BOUNDS[kind]
    return max(least * share, share - _ROUND_SHARE), min(most * share, share + _ROUND_SHARE)


def _roughness(text: str, span: tuple[int, int]) -> str:
    """Which of `_BOUNDS` the words around a number name; empty where it stands for itself."""
    start, end = span
    match = _BEFORE.search(text[max(0, start - _FAR) : start]) or _BEHIND.match(text[end : end + _FAR])
    return "" if match is None else str(match.lastgroup)


def _step_of(number: str) -> float:
    """How far the next number is that is as round: 100 of `1800`, 5 of `25`, 0.1 of `4.3`."""
    digits = number.replace(".", "").rstrip("0").lstrip("0")
    zeros = len(number) - len(number.rstrip("0")) if "." not in number else number.index(".") + 1 - len(number)
    place = 10.0**zeros
    return _SHORT_OF * place * (5.0 if digits[1:].endswith("5") and "." not in number else 1.0)


def _in_two_units(amounts: Sequence[re.Match[str]]) -> Iterator[tuple[re.Match[str], re.Match[str], Said]]:
    """Amounts in a unit and a smaller one behind it, such as `1 hour and 50 minutes`, as one."""
    for first, second in itertools.pairwise(amounts):
        if (
            _TOGETHER.fullmatch(first.string, first.end(), second.start())
            and first[2][0].isdigit()
            and second[2][0].isdigit()
        ):
            small = dict(_in_smallest(second[2], second[3]))
            for kind, value in _in_smallest(first[2], first[3]):
                if kind in small and small[kind] * float(first[2]) < value * float(second[2]):
                    yield first, second, Said(kind, value + small[kind])


def _is_part(number: re.Match[str], value: float) -> bool:
    """Whether a number stands for a part of a whole, as `two thirds of` does in digits."""
    return 0.0 < value < 1.0 and _COUNTED.match(number.string, number.end()) is None


def _in_smallest(number: str, unit: str) -> Iterator[Said]:
    name = unit.lower()
    for kind, size in _UNITS.get(name) or _UNITS[name.removesuffix("s")]:
        yield Said(kind, float(Decimal(number) * size))


def _shares(text: str) -> Iterator[tuple[re.Match[str], float]]:
    for match in _SHARE.finditer(text):
        percent, of_hundred, tenths, more, half, part, whole, _ = match.groups()
        if percent or of_hundred:
            yield match, float(percent or of_hundred)
        elif tenths:
            yield match, 10.0 * _tenths(tenths) + (_tenths(more) if more else 5.0 if half else 0.0)
        elif part:
            count = 1.0 if part.isalpha() else float(part)
            if 0.0 < count <= float(whole):
                yield match, 100.0 * count / float(whole)
        else:
            yield match, 50.0


def _tenths(digit: str) -> int:
    return _HAN_DIGITS[digit] if digit in _HAN_DIGITS else int(digit)


def _small_money(match: re.Match[str]) -> float:
    return float(Decimal(match[1]) / (10 if match[2] in "毛角" else 100))


def _spans_of_years(text: str) -> Iterator[Amount]:
    for match in _YEARS.finditer(text):
        if match["decade"]:
            yield Amount((match["decade"],), PLAIN, float(match["decade"]), float(match["decade"]) + 9.0)
        elif match["last"]:
            yield Amount((match["last"],), PLAIN, 1900.0 + int(match["last"]), 1909.0 + int(match["last"]))
        else:
            first = 100.0 * (int(match["century"]) - 1)
            if match["of"]:
                yield Amount(
                    (match["century"], match["of"]), PLAIN, first + int(match["of"]), first + int(match["of"]) + 9.0
                )
            elif first >= _YEARS_OF_NOW[0]:
                yield Amount((match["century"],), PLAIN, first, first + 99.0)
