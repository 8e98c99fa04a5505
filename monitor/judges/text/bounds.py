"""Bounds that a text sets: at most or at least so much, be it by denying that it is more (`no more than`, 不超过).

Such a denial negates nothing else: what is no more than 20 is 20 or less, and so is what is 20.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from typing import NamedTuple

from monitor.judges.text.scripts import HAN, has_han
from monitor.judges.text.words import NUMBERS, WORDS, is_function_word

_MORE = "more|later|longer|higher|greater|larger|bigger|older|heavier|taller|wider|further|farther"
_LESS = "less|fewer|earlier|shorter|lower|smaller|younger|sooner|lighter"
_BEYOND, _BELOW = "above|over|beyond|after|past", "below|under|before"
_NOT = r"(?:\b(?:no|not|never|cannot|without)|\b[a-z]{2,6}n['’]t)"
_DIGITS = r"(?<![0-9.,:])[0-9]++(?:[.,:][0-9]++)*+"
_TO_NUMBER = rf"(?=[\s$€£¥]{{1,3}}(?:(?:the|an?|age|of|about|eur|usd|gbp|rmb)\s){{0,3}}[$€£¥]?{_DIGITS})"
_SO_MUCH = rf"(?:{_TO_NUMBER}|(?=\s(?:an?|one|half|once|twice|necessary|needed)\b))"
_AS_A_RULE = r"(?<!does\snot\sexceed)(?<!did\snot\sexceed)(?<!n['’]t\sexceed)(?!\s(?:that|those)\b)"
"""What does not exceed that of another thing is compared with it, and bound by nothing."""
_DENIED = re.compile(
    rf"""{_NOT}\s(?:(?:to|be|to\sbe|any|much|weigh|cost|last|take|have)\s)?
    (?:(?:(?P<more>later|(?:more|longer)(?=\sthan{_SO_MUCH})|(?:{_MORE})(?=\sthan{_TO_NUMBER}))
         |(?P<less>earlier|sooner|(?:less|fewer)(?=\sthan{_SO_MUCH})|(?:{_LESS})(?=\sthan{_TO_NUMBER})))\sthan\b
      |(?P<over>(?:exceed|surpass)(?:ed|ing)?\b(?:{_TO_NUMBER}|{_AS_A_RULE})|(?:go\s)?(?:{_BEYOND})\b{_TO_NUMBER})
      |(?P<under>(?:(?:fall|drop|go)\s)?(?:{_BELOW})\b{_TO_NUMBER}))""",
    re.VERBOSE | re.IGNORECASE,
)
"""What is denied is the bound itself. `Not greater than that of another one` is a denial."""
_MORE_ZH, _LESS_ZH = "超过|超出|高于|多于|大于|晚于|迟于|长于|重于", "低于|少于|小于|早于|短于|轻于"
MODAL_ZH = "(?:得|能|可以?|应当?|宜|准|许|会|要|允许|建议)?"
_BOUND_ZH = "(?=[^，。；,;0-9]{0,6}[0-9零一二两三四五六七八九十百千万半])"
NO_NEGATION_ZH = f"{MODAL_ZH}(?:[晚迟早]于|(?:{_MORE_ZH}|{_LESS_ZH}){_BOUND_ZH})"
"""What makes a bound of a negation in front of it."""
DENIED_ZH = re.compile(
    f"(?:不|未|没有?|切?勿)(?={NO_NEGATION_ZH}){MODAL_ZH}(?:(?P<over>{_MORE_ZH})|(?P<under>{_LESS_ZH}))"
)
_FORBIDDEN = re.compile(
    rf"""{_NOT}(?:\s[^\s,;:.!?()|]{{1,30}}){{1,6}}?\s(?:(?P<over>(?:{_MORE})\sthan\b|(?:{_BEYOND})\b)
    |(?P<under>(?:{_LESS})\sthan\b|(?:{_BELOW})\b)){_TO_NUMBER}""",
    re.VERBOSE | re.IGNORECASE,
)
"""What is denied is what lies beyond a bound: `Do not store above 25 °C`, `no refunds after 14 days`."""
_UNIT_ZH = rf"(?P<of>{_DIGITS})[^，。；,;0-9]{{0,4}}?"
_BEHIND_ZH = "(?P<over>以上|以后|之后|后|起)", "(?P<under>以下|以前|之前|前)"
_FORBIDDEN_ZH = re.compile(
    rf"(?:{_UNIT_ZH}(?:{_BEHIND_ZH[0]}|{_BEHIND_ZH[1]})|(?:(?P<more>{_MORE_ZH})|(?P<less>{_LESS_ZH})){_DIGITS})"
    "[^，。；,;0-9]{0,8}?(?:不|勿|禁止|无法)"
)
_AT_MOST = r"at\s(?:the\s)?most|up\sto|max(?:imum)?\b\.?(?:\sof)?|within|until|till|by|limit(?:ed)?\s(?:of|to)"
_AT_LEAST = r"at\s(?:the\s)?least|min(?:imum)?\b\.?(?:\sof)?|from|since|exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?"
_PLAIN = re.compile(
    rf"""\b(?:(?P<under>{_AT_MOST}|(?:{_LESS})\sthan|{_BELOW})|(?P<over>{_AT_LEAST}|(?:{_MORE})\sthan|{_BEYOND}))\b
    |(?P<under_zh>最[多高大晚迟长]|至多|上限为?|不足|[不未]满|未达|{_LESS_ZH})|(?P<over_zh>最[少低小早短]|至少|起码|下限为?|{_MORE_ZH})""",
    re.VERBOSE | re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"""(?P<of>{_DIGITS})(?:\s?[^\s,;.0-9|]{{1,12}}){{0,2}}?\s?
    (?:(?P<under>(?:or|and)\s(?:less|fewer|lower|below|under|earlier|younger)\b|max(?:imum)?\b|at\s(?:the\s)?(?:most|latest)\b
        |以内|之内|内|以下|以前|之前|前|封顶)
      |(?P<over>(?:or|and)\s(?:more|over|above|older|later|up)\b|minimum\b|at\s(?:the\s)?(?:least|earliest)\b|[及]?以上|起|以后|之后|后))""",
    re.VERBOSE | re.IGNORECASE,
)
_MAY_DENY = re.compile(rf"\b(?:than|{_BEYOND}|{_BELOW})\b|\b(?:exceed|surpass)", re.IGNORECASE)
_TAIL = 40
"""Characters in which what bounds has to stand."""
_PIECE = re.compile(rf"[^\W_0-9{HAN}]+|[^\W_{HAN}]*[0-9]+(?:[.,:][0-9]+)*|[{HAN}]{{1,2}}")
_FIRST = 4
"""Words behind a bound, the first number among which is what bounds; else it is the first word with content."""


class Said(NamedTuple):
    """A bound as a text says it, from `start` to `end`: what is said goes up to `of` (`upper`), or begins there."""

    of: str
    upper: bool
    denied: bool
    start: int
    end: int


def may_deny_bound(text: str) -> bool:
    """Whether it is worth while to look for bounds that an English text with a negation denies."""
    return _MAY_DENY.search(text) is not None


def without_denied_bounds(text: str) -> str:
    """`text`, with its numbers folded, without the bounds that are said by denying that something is beyond them."""
    for said in reversed(denied_in(text)):
        text = without(text, said)
    return text


def denied_in(text: str) -> list[Said]:
    """The bounds that are said by denying that something is beyond them; `text` has its numbers folded."""
    patterns = (_DENIED,) * may_deny_bound(text) + (DENIED_ZH,) * has_han(text)
    found = (said for pattern in patterns for said in pattern.finditer(text))
    return sorted(_read(text, found, denied=True), key=operator.attrgetter("start"))


def forbidden_in(text: str) -> list[Said]:
    """The bounds beyond which something else is denied. `end` is behind the whole."""
    found = (said for pattern in (_FORBIDDEN, _FORBIDDEN_ZH) for said in pattern.finditer(text))
    return list(_read(text, found, denied=True))


def plain_in(text: str) -> list[Said]:
    """The bounds that are said without denying anything."""
    denied = denied_in(text)
    found = (said for pattern in (_PLAIN, _BEHIND) for said in pattern.finditer(text))
    return [
        plain
        for plain in _read(text, found, denied=False)
        if not any(said.start < plain.end and plain.start < said.end for said in denied)
    ]


def without(text: str, said: Said) -> str:
    """`text` without the words of a bound."""
    return text[: said.start] + " " * text[said.start].isascii() + text[said.end :]


def _read(text: str, found: Iterator[re.Match[str]], *, denied: bool) -> Iterator[Said]:
    for said in found:
        groups = said.groupdict()
        beyond = any(groups.get(name) for name in ("more", "over", "over_zh"))
        if of := WORDS[groups["of"]] if groups.get("of") else _bound_by(text, said):
            yield Said(of, beyond is denied, denied, *said.span())


def _bound_by(text: str, said: re.Match[str]) -> str:
    """The word that a bound stands before, or ""."""
    inside = re.search(rf"{_DIGITS}(?=\D*$)", said[0])
    if inside:
        return WORDS[inside[0]]
    pieces = list(map(WORDS.__getitem__, _PIECE.findall(text, said.end(), said.end() + _TAIL)))[:_FIRST]
    content = (word for word in pieces if not is_function_word(word))
    return next((word for word in pieces if NUMBERS[word]), next(content, ""))
