"""Ways to write a number that its digits alone would misread: fractions, powers of ten, separators, ordinals."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from fractions import Fraction

from monitor.judges.text.numbers.word_patterns import rest_of, start_of

_DECIMALS = 4
"""Of a fraction: two thirds are 0.6667 however they are written."""
_UP = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_FROM_UP = str.maketrans(_UP, "0123456789")
_VULGAR = re.compile("([0-9]{0,9})([¼½¾⅐-⅞])")
_RAISED = re.compile(f"(?<=[0-9])(?:[{_UP}]{{1,3}}|⁻[{_UP}]{{1,3}})")
_POWER = re.compile(
    r"(?:(?<![0-9.,])([0-9]{1,9}(?:\.[0-9]{1,9})?)[ ]?[x×*·⋅][ ]?|(?<![0-9.,]))10\^(-?[0-9]{1,2})(?![0-9]|[.,][0-9])"
)
_LARGEST_POWER = 18
_COMMON = re.compile(r"(?<![0-9/.,-])(?:([0-9]{1,3})[ ])?(1/2|[12]/3|[13]/4)(?![0-9/]|[.,][0-9])")
"""Other digits around a stroke are dates, scores and dimensions more often than fractions."""

_COUNTS = dict(zip("one two three four five six seven eight nine".split(), range(1, 10), strict=True)) | {"a": 1}  # noqa: SIM905 - a word list reads as text
_PARTS = dict(zip("third fourth fifth sixth seventh eighth ninth tenth".split(), range(3, 11), strict=True))  # noqa: SIM905 - a word list reads as text
_PARTS |= {"eleventh": 11, "twelfth": 12, "twentieth": 20, "hundredth": 100, "quarter": 4}
_PART = "|".join(_PARTS).removesuffix("|quarter")
_MANY = "|".join(list(_COUNTS)[1:9])
_IN_WORDS = re.compile(
    # three quarters may be nine months: as a fraction they have a hyphen or are quarters of something
    rf"\b(?:one[- ](?:{_PART})(?![\w-])|a[ ](?:{_PART})(?=[ ]of\b)"
    rf"|(?:{_MANY})(?:[- ](?:{_PART})s|-quarters|[ ]quarters(?=[ ]of\b))\b)",
    re.IGNORECASE | re.ASCII,
)

_SMALL = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()  # noqa: SIM905 - a word list reads as text
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905 - a word list reads as text
_LARGE = {f"{ten}-{one}": (n + 2) * 10 + m for n, ten in enumerate(_TENS) for m, one in enumerate(_SMALL[:9], 1)}
_TEENS = "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split()  # noqa: SIM905 - a word list reads as text
_ROUND = {f"{ten[:-1]}ieth": (n + 2) * 10 for n, ten in enumerate(_TENS)} | dict(
    zip(_TEENS, range(13, 20), strict=True)
)
_LARGE |= _ROUND
_ORDINAL_WORD = re.compile(
    rf"{start_of(_LARGE)}(?:{rest_of(_TENS)}-(?ai:{'|'.join(_SMALL[:9])})|{rest_of(_ROUND)})\b", re.ASCII
)
READ_WORDS = frozenset(_PARTS) - {"quarter"} | frozenset(_ROUND)
"""English words that `fold_notation` reads, some of them together with what stands before."""
_SEASON = re.compile(r"(?<![0-9.,/-])((?:19|20)[0-9]{2})([-–/])([0-9]{2})(?![0-9]|[.,/-][0-9])")
_ORDINAL = re.compile(r"(?<![0-9.,])([1-9]|1[0-2])(?:st|nd|rd|th)\b", re.IGNORECASE | re.ASCII)

_BLANKS = "\u00a0\u2009\u202f"
_NO_BLANKS = dict.fromkeys(map(ord, _BLANKS))
_PARTED = re.compile(
    rf"(?<![0-9A-Za-z.,])(?<![A-Za-z]-)(?<![0-9][{_BLANKS}])[1-9][0-9]{{0,2}}(?:[{_BLANKS}][0-9]{{3}})+"
    rf"(?![{_BLANKS}]?[0-9])"
)
"""Thousands parted by no-break or thin blanks, as in French and by ISO 80000-1."""
_PARTED_PLAINLY = re.compile(
    r"(?<![0-9A-Za-z.,])(?<![A-Za-z]-)(?<![0-9] )[1-9][0-9]{0,2}(?: [0-9]{3}){0,4} 000(?: [0-9]{3}){0,4}(?! ?[0-9])"
)
"""A group of three zeros is no number of its own, in a row of numbers or before what is counted."""
_PARTED_BY_APOSTROPHES = re.compile("['’](?<=[0-9].)(?=[0-9]{3}(?![0-9]))")
"""As in Switzerland. Feet have no three digits behind theirs, and a year behind one has two."""
_DOTTED = re.compile(r"[1-9][0-9]{0,2}(?:(?:\.[0-9]{3}){2,9}(?:,[0-9]{1,20})?|(?:\.[0-9]{3})+,[0-9]{1,2}|\.[0-9]00)")
"""Thousands parted by dots. A single group counts when it ends in zeros, as few decimals do."""
_COMMA = re.compile(r"[1-9][0-9]{0,8},[0-9]{1,2}|0,[0-9]{1,9}")
"""A decimal comma: thousands have three digits behind theirs."""
_ADDRESS_PARTS, _ADDRESS_PART = 4, 255


def fold_raised(text: str) -> str:
    """`text` without what NFKC would take for digits of the number before: `1½` becomes `1.5`, `10³` `10^3`."""
    text = _VULGAR.sub(lambda m: decimal_of(Fraction(unicodedata.numeric(m[2])).limit_denominator(10), m[1]), text)
    return _RAISED.sub(lambda m: f"^{m[0].replace('⁻', '-').translate(_FROM_UP)}", text)


def fold_thousands(text: str) -> str:
    """`text` without blanks and apostrophes between groups of three digits: `1 000 000` becomes `1000000`.

    Plain blanks where a group is `000`, as else they part numbers as often: `3 100 ml bottles`. To be asked before
    NFKC, which makes all blanks plain.
    """
    if "'" in text or "’" in text:
        text = _PARTED_BY_APOSTROPHES.sub("", text)
    if " 000" in text:
        text = _PARTED_PLAINLY.sub(lambda m: m[0].replace(" ", ""), text)
    if text.isascii() or not any(blank in text for blank in _BLANKS):
        return text
    return _PARTED.sub(lambda m: m[0].translate(_NO_BLANKS), text)


def fold_notation(text: str) -> str:
    """`text` with fractions, powers of ten and the ordinals above a dozen in words as plain numbers.

    `two thirds` and `2/3` become `0.6667`, `1.5×10^3` becomes `1500`, `twenty-first` becomes `21`.
    """
    if "/" in text:
        text = _COMMON.sub(lambda m: decimal_of(Fraction(m[2]), m[1]), text)
    if "^" in text:
        text = _POWER.sub(_power, text)
    text = _IN_WORDS.sub(_fraction_in_words, text)
    return _ORDINAL_WORD.sub(lambda m: str(_LARGE[m[0].lower()]), _SEASON.sub(_season, text))


def fold_ordinals(text: str, month: str) -> str:
    """`1st` to `12th` as words, as most answers count their points in words; `month` marks days, which stay numbers."""
    return _ORDINAL.sub(lambda m: m[0] if _is_day(m, month) else _SMALL[int(m[1]) - 1], text)


def without_separators(digits: str) -> str:
    """`1.234.567,8` as `1234567.8` and `3,5` as `3.5`; what is written in the English way, or no number, unchanged."""
    if _COMMA.fullmatch(digits):
        return digits.replace(",", ".")
    if not _DOTTED.fullmatch(digits) or _is_address(digits):
        return digits
    return digits.replace(".", "").replace(",", ".")


def decimal_of(value: Fraction, whole: str | None = "") -> str:
    """A fraction behind a whole number as a decimal."""
    return f"{float(int(whole or 0) + value):.{_DECIMALS}f}".rstrip("0").rstrip(".")


def _power(match: re.Match[str]) -> str:
    exponent = int(match[2])
    if abs(exponent) > _LARGEST_POWER:
        return match[0]
    value = Decimal(match[1] or 1).scaleb(exponent)
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _fraction_in_words(match: re.Match[str]) -> str:
    count, part = re.split("[- ]", match[0].lower())
    return decimal_of(Fraction(_COUNTS[count], _PARTS[part.removesuffix("s")]))


def _season(match: re.Match[str]) -> str:
    """`2018-19` as `2018-2019`, when the second year is the next one."""
    first, between, last = match.groups()
    following = str(int(first) + 1)
    return f"{first}{between}{following}" if following.endswith(last) else match[0]


def _is_day(match: re.Match[str], month: str) -> bool:
    text, start, end = match.string, match.start(), match.end()
    return month in text[max(0, start - 4) : start] or text[end : end + 5].removeprefix(" of").lstrip()[:1] == month


def _is_address(digits: str) -> bool:
    parts = digits.split(".")
    return (
        len(parts) == _ADDRESS_PARTS
        and digits.isascii()
        and all(part.isdecimal() and int(part) <= _ADDRESS_PART for part in parts)
        and any(map(int, parts[1:]))
    )
