"""Parts of a whole in hundredths: `30 %`, 三成, `2 of 4`, `1/10`, `a quarter`, 一半."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from monitor.judges.text.amounts.measures import NUMBER

_EACH = "(?:[ ](?P<{}>every|each))?"
_SHARE = re.compile(
    rf"(?P<percent>{NUMBER})[ ]?(?:%|per[ ]?cent)|百分之(?P<of_hundred>{NUMBER})"
    r"|(?P<tenths>[1-9一二三四五六七八九])成(?:(?P<more>[1-9一二三四五六七八九])|(?P<half>半))?"
    rf"|(?P<part>{NUMBER}|one(?<!\w...)(?=[ ](?:in|out)[ ]))[ ]"
    rf"(?:(?:(?!out\b)[a-z]+[ ])?(?P<out>out[ ])?of(?:[ ]the|{_EACH.format('of_each')})"
    rf"|(?P<in>in){_EACH.format('in_each')})"
    rf"[ ](?P<whole>{NUMBER})"
    r"|half(?<!\w.{4})(?<!first.{5})(?<!second.{5})(?<!other.{5})\b(?!-|[ ]an?\b)|一半|半数"
    r"|(?:a|one)[ ](?P<quarter>quarter)[ ]of[ ](?!an?\b|[0-9])",
    re.IGNORECASE,
)
_NTH = re.compile(r"(?<![0-9/.,-])1/([5-9]|1[0-2]|20|25|50|100)(?![0-9/]|[.,][0-9])")
_HAN_DIGITS = {digit: value for value, digit in enumerate("一二三四五六七八九", 1)}
_HALF, _QUARTER = 50.0, 25.0
_SMALLEST_WHOLES = 10.0
_ROUND_WHOLES = frozenset((10.0, 100.0, 1000.0, 10_000.0, 100_000.0))


class Share(NamedTuple):
    """A part of a whole: its numbers (or its one word) as written, where it stands (half-open), its hundredths.

    `counted` are the numbers of such as `2 of 4`, from which the hundredths are worked out; `beside` is the whole where
    the share tells nothing of it.
    """

    numbers: tuple[str, ...]
    span: tuple[int, int]
    hundredths: float
    counted: bool = False
    beside: str = ""


def shares_in(text: str) -> Iterator[Share]:
    """All parts of a whole that a text names; expects what `normalise` gave. Linear in the length of the text."""
    for match in _SHARE.finditer(text):
        percent, tenths = match["percent"] or match["of_hundred"], match["tenths"]
        if percent:
            yield Share((percent,), match.span(), float(percent))
        elif tenths:
            numbers = tuple(number for number in (tenths, match["more"]) if number and number.isdecimal())
            yield Share(numbers, match.span(), 10.0 * _tenths(tenths) + _rest_of_tenths(match))
        elif match["quarter"]:
            yield Share(("quarter",), match.span(), _QUARTER)
        elif match["whole"]:
            yield from _counted(match)
        else:
            yield Share((), match.span(), _HALF)
    for match in _NTH.finditer(text) if "1/" in text else ():
        yield Share(("1", match[1]), match.span(), 100.0 / int(match[1]), counted=True)


def _counted(match: re.Match[str]) -> Iterator[Share]:
    one, whole = match["part"].isalpha(), float(match["whole"])
    part = 1.0 if one else float(match["part"])
    if not 0.0 < part <= whole:
        return
    numbers = () if one else (match["part"],)
    if _is_rate(match, part, whole):
        yield Share((*numbers, match["whole"]), match.span(), 100.0 * part / whole, counted=True)
    else:
        yield Share(numbers, match.span(), 100.0 * part / whole, counted=True, beside=match["whole"])


def _is_rate(match: re.Match[str], part: float, whole: float) -> bool:
    """Whether counts may only say how large a part is, as `one in five` and `2 out of 3` do.

    `2 of 4 sites` says how many sites there are, and so does `2 out of 4`: who means a part says the least numbers.
    """
    if match["of_each"] or match["in_each"]:
        return True
    least = part == 1.0 or (whole <= _SMALLEST_WHOLES and math.gcd(int(part), int(whole)) == 1)
    return bool(match["in"] or match["out"]) and (least or whole in _ROUND_WHOLES)


def _rest_of_tenths(match: re.Match[str]) -> float:
    return _tenths(match["more"]) if match["more"] else 5.0 if match["half"] else 0.0


def _tenths(digit: str) -> int:
    return _HAN_DIGITS[digit] if digit in _HAN_DIGITS else int(digit)
