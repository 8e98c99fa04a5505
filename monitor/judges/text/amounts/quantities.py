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

from monitor.judges.text.amounts.clock import times_in
from monitor.judges.text.amounts.discounts import discounts_in
from monitor.judges.text.amounts.measures import NAMES, NUMBER, Said, in_smallest
from monitor.judges.text.amounts.money import thousands_in
from monitor.judges.text.amounts.quarters import quarters_in
from monitor.judges.text.amounts.roughness import ABOUT, LESS, MORE, NEAR, roughness_of
from monitor.judges.text.amounts.shares import shares_in
from monitor.judges.text.amounts.unit_parts import parts_in
from monitor.judges.text.words import WORDS, is_run

PLAIN, SHARE, CLOCK, SCALED, QUARTER, DISCOUNT = "plain", "share", "clock", "scaled", "quarter", "discount"
"""Kinds beside those of units: numbers whatever they count, hundredths of a whole, minutes of a day, numbers that a
table may give in thousands or more, quarters of a year, and hundredths that a discount takes off."""
_DIGIT = re.compile("[0-9]")
_ALONE = re.compile(rf"(?<![0-9.,])({NUMBER})(?![0-9])")
_AMOUNT = re.compile(
    rf"(?<![0-9.,])(?:({NUMBER})[ ]?(?:-|–|~|to|and|or|至|到)[ ]?)?"
    rf"({NUMBER}|\b(?:an?|one)\b|一)[ -]?({NAMES})(?![a-z])",
    re.IGNORECASE,
)
_TOGETHER = re.compile("[ ]?(?:,[ ]|and[ ]|零)?")
_FALLS = re.compile(
    r"\b(?:fell|fall|declin|decreas|drop|down|loss|lost|lose|deficit|outflow|shr[aiu]nk|reduc|negative|minus|below)"
    r"|[下减]降|减少|亏|流出|下滑|下跌|跌|负|零下|逆差|缩",
    re.IGNORECASE,
)
"""What says that a number is one below zero, `-2.7 %` in a table."""
_SMALL_MONEY = re.compile(rf"({NUMBER})[ ]?(cents?\b|p\b|pence\b|毛|角)", re.IGNORECASE)
_COUNTED = re.compile(rf"[ ]?(?:[%‰]|per[ ]?cent\b|(?:{NAMES})(?![a-z]))", re.IGNORECASE)
"""Behind a number below one that is no part of a whole."""
_YEARS = re.compile(
    r"(?<![0-9])(?P<century>[0-9]{1,2})(?:st|nd|rd|th)?[ -]?(?:century|世纪)(?:(?P<of>[0-9]0)年代)?"
    r"|上个?世纪(?P<last>[0-9]0)年代|(?<![0-9])(?P<decade>[12][0-9]{2}0)(?:'?s\b|[ ]?年代)",
    re.IGNORECASE,
)

_BOUNDS = {ABOUT: (0.9, 1.1), NEAR: (0.85, 1.0), LESS: (0.8, 1.0), MORE: (1.0, 1.3)}
"""What a number stands for with each such word at most, as shares of it."""
_LEAST_SCALED = 1000.0
"""From here on a number may stand in a table in thousands or more."""
_SHORT_OF = 1 - 1e-6
"""Of a step: the next number that is as round would have been said itself."""
_ROUND_SHARE = 10.0
"""Hundredths by which a rough part of a whole is rounded: `about a third`."""
_IN_PERCENT = 0.5, 0.025
"""How far a part of a whole is from the hundredths that it is given in at most, and as a share of it."""
_YEARS_OF_NOW = (1000, 2100)
_NOTHING_COUNTED = re.compile(r"[ ]?(?:$|[.,;:!?)。，；：！？）年]|AD|CE|BC)")
"""Behind a year, where a number that is none counts something."""
_YEAR, _ROUND_YEAR = 0.003, 0.006
"""How far about a year reaches, as a share of it, and how far if it is the first of a century."""


class Amount(NamedTuple):
    """An amount of a claim: the words that a sentence holds which says one from `least` to `most` of the same kind."""

    words: tuple[str, ...]
    kind: str
    least: float
    most: float
    beside: str = ""
    """A number that the sentence has to hold as well, where the amount tells nothing of it."""


def said_in(text: str, written: str = "") -> list[Said]:
    """All that the numbers of a text say; expects what `normalise` gave, and the text as it was `written`.

    Linear in the length of the text.
    """
    shares = list(shares_in(text))
    found = [Said(SHARE, share.hundredths) for share in shares]
    found.extend(Said(SHARE, float(round(share.hundredths))) for share in shares if share.counted)
    amounts = list(_AMOUNT.finditer(text))
    for match in amounts:
        for number in filter(None, match.group(1, 2)):
            found.extend(in_smallest(_count(number), match[3]))
    found.extend(said for *_, said in _in_two_units(amounts))
    for part in parts_in(text):
        found.extend(part.said)
    if _DIGIT.search(text) is not None:
        alone = [(match, float(match[1])) for match in _ALONE.finditer(text)]
        found.extend(Said(PLAIN, value) for _, value in alone)
        parts = [100.0 * value for match, value in alone if _is_part(match, value)]
        found.extend(Said(SHARE, value) for share in parts for value in (share, float(round(share))))
        found.extend(Said(PLAIN, _small_money(match)) for match in _SMALL_MONEY.finditer(text))
    found.extend(Said(CLOCK, minutes) for _, minutes in times_in(text))
    found.extend(Said(QUARTER, quarter) for _, quarter in quarters_in(text))
    found.extend(Said(DISCOUNT, discount.off) for discount in discounts_in(text))
    found.extend(Said(PLAIN, money.value) for money in thousands_in(written) if money.pointed)
    return found


def amounts_of(text: str, written: str = "") -> frozenset[Amount]:
    """What the numbers of a claim may be said to be in other ways; expects the same as `said_in`."""
    money = (Amount((one.word,), PLAIN, one.value, one.value) for one in thousands_in(written))
    return frozenset(itertools.chain((amount for amount in _amounts(text) if amount.words), money))


def _amounts(text: str) -> Iterator[Amount]:
    yield from _in_units(text)
    for share in shares_in(text):
        bounds = _bounds_of_share(text, share.span, share.hundredths, worked_out=share.counted)
        yield Amount(share.numbers, SHARE, *bounds, share.beside)
    falls = _FALLS.search(text) is not None
    for match in _ALONE.finditer(text):
        value = float(match[1])
        least, most = _bounds(text, match.span(), match[1], value)
        if least < most or value < 1.0 or falls:
            yield Amount((match[1],), PLAIN, least, most)
        elif value >= _LEAST_SCALED:
            yield Amount((match[1],), SCALED, value, value)
        if _is_part(match, value):
            yield Amount((match[1],), SHARE, *_bounds_of_share(text, match.span(), 100.0 * value, worked_out=True))
    for match in _SMALL_MONEY.finditer(text):
        yield Amount((match[1],), PLAIN, _small_money(match), _small_money(match))
    for words, minutes in times_in(text):
        yield Amount(words, CLOCK, minutes, minutes)
    for words, quarter in quarters_in(text):
        yield Amount(words, QUARTER, quarter, quarter)
    for discount in discounts_in(text):
        yield Amount(discount.words, DISCOUNT, discount.off, discount.off)
    yield from _spans_of_years(text)


def _in_units(text: str) -> Iterator[Amount]:
    found = list(_AMOUNT.finditer(text))
    for match in found:
        for kind, value in in_smallest(match[2], match[3]) if match[2][0].isdigit() else ():
            number = match[2], _unit_word(text, match.span(3))
            yield Amount(number, kind, *_bounds(text, match.span(2), match[2], value))
    for first, second, said in _in_two_units(found):
        both = first[2], _unit_word(text, first.span(3)), second[2], _unit_word(text, second.span(3))
        yield Amount(both, said.kind, said.value, said.value)
    for part in parts_in(text):
        words = *part.words, _unit_word(text, part.unit)
        yield from (Amount(words, kind, value, value) for kind, value in part.said)


def _count(number: str) -> str:
    """So many as `an`, `one` and 一 say, or digits."""
    return number if number[0].isdigit() else "1"


def _unit_word(text: str, span: tuple[int, int]) -> str:
    """The word of a unit that stands there: itself, or the first pair of a run that begins with it."""
    start, end = span
    if not is_run(text[start:end]):
        return WORDS[text[start:end]]
    behind = text[start : start + 2]
    return behind if len(behind) > 1 and is_run(behind[1]) else behind[:1]


def _bounds(text: str, span: tuple[int, int], number: str, value: float) -> tuple[float, float]:
    """From which to which value an amount stands for itself, given its number as written and the words around it.

    A rough number is a rounder one than what it stands for: `over 16` is not 20, nor `about 22`, but `about 20` is 22.
    About a number is nearer to it than to the next one that is as round.
    """
    kind = roughness_of(text, *span)
    if not kind:
        return value, value
    plain = float(number)
    least, most = _BOUNDS[kind]
    if _YEARS_OF_NOW[0] <= plain <= _YEARS_OF_NOW[1] and kind != MORE and _NOTHING_COUNTED.match(text, span[1]):
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
    kind = roughness_of(text, *span)
    if not kind:
        reach = min(_IN_PERCENT[0], _IN_PERCENT[1] * share)
        return share - reach, share + reach
    least, most = _BOUNDS[kind]
    return max(least * share, share - _ROUND_SHARE), min(most * share, share + _ROUND_SHARE)


def _step_of(number: str) -> float:
    """How far the next number is that is as round: 100 of `1800`, 5 of `25`, 0.1 of `4.3`."""
    digits = number.replace(".", "").rstrip("0").lstrip("0")
    zeros = len(number) - len(number.rstrip("0")) if "." not in number else number.index(".") + 1 - len(number)
    place = 10.0**zeros
    return _SHORT_OF * place * (5.0 if digits[1:].endswith("5") and "." not in number else 1.0)


def _in_two_units(amounts: Sequence[re.Match[str]]) -> Iterator[tuple[re.Match[str], re.Match[str], Said]]:
    """Amounts in a unit and a smaller one behind it, such as `1 hour and 50 minutes`, as one."""
    for first, second in itertools.pairwise(amounts):
        if _TOGETHER.fullmatch(first.string, first.end(), second.start()):
            large, little = _count(first[2]), _count(second[2])
            small = dict(in_smallest(little, second[3]))
            for kind, value in in_smallest(large, first[3]):
                if kind in small and small[kind] * float(large) < value * float(little):
                    yield first, second, Said(kind, value + small[kind])


def _is_part(number: re.Match[str], value: float) -> bool:
    """Whether a number stands for a part of a whole, as `two thirds of` does in digits."""
    return 0.0 < value < 1.0 and _COUNTED.match(number.string, number.end()) is None


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
