"""What a claim says there is one of, `one year`, 一年, `once`, and which other counts of it exclude that.

`one` and 一 are no numbers, as most of them count nothing. Only where a passage counts the very same thing and gets
another number, and none says one in any way, is a claimed one wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_NOUN = "[a-z][a-z'’-]{2,24}"
_ONE = re.compile(
    rf"\bone(?<!\b(?:no|or|to)[ ]one)(?<!\b(?:any|the|and)[ ]one)(?<!\bthan[ ]one)(?<!\b(?:each|this|that|most)[ ]one)"
    rf"(?<!\b(?:every|which|least)[ ]one)[ -](?P<noun>{_NOUN})",
    re.IGNORECASE,
)
_NOTHING = frozenset(
    """and another are but can could does for from had has have hundred may might million must not one or other part
    place side should step than that thing thousand time times was way were when which who will with would""".split()  # noqa: SIM905 - a word list reads as text
)
_MANY = "(?:two|three|four|five|six|seven|eight|nine|ten|twelve|[2-9]|[1-9][0-9])"
_LONE = "(?:an?|one|1|single|per|each|every|another)"
_SAME = {
    "year": r"\b(?:12|twelve)[ -]months?\b|\bannual|\byearly",
    "month": r"\b(?:30|31|thirty)[ -]days?\b|\b(?:4|four)[ -]weeks?\b|\bmonthly",
    "week": r"\b(?:7|seven)[ -]days?\b|\bweekly",
    "hour": r"\b(?:60|sixty)[ -]min|\bhourly",
    "minute": r"\b(?:60|sixty)[ -]sec",
}
_ONCE = re.compile(
    r"\bonce(?<!\bat[ ]once)(?<!\bthan[ ]once)(?<!\bleast[ ]once)"
    r"(?=[ ]?(?:[.,;:!?)]|$)|[ ](?:an?|per|each|every|daily|weekly|monthly|yearly|annually)\b)",
    re.IGNORECASE,
)
_SAID_ONCE = r"(?i:\bonce\b|\bone\b|\bsingle\b|\b1[ ]?(?:[x×]|time))"
_SAID_OFTEN = rf"(?i:\b(?P<said>twice|thrice|{_MANY}[ ](?=times\b)|[2-9](?=[x×])))"

_HAN_UNIT = "个(?:工作日|自然日|小时|月|星期|学期|季度)|小时|[年天周次件张份块瓶盒片粒颗斤晚套本台辆间杯]"
_HAN_ONE = re.compile(
    f"(?<![第上下前后这那每任另同统唯专单周万之十百千零〇0-9.少止过到至多或约])(?<!星期)(?<!礼拜)一(?P<unit>{_HAN_UNIT})"
    "(?!性|度|四季|一|[多余几两三半])"
)
_HAN_MANY = "(?P<said>[两二三四五六七八九十]{1,3}|[2-9]|[1-9][0-9]{1,2}|半个?)"
_HAN_SAME = {
    "年": "|(?:十二|12)个?月|周年|年[度内]|365",
    "天": "|24[ ]?小?时|二十四小?时|[每当]日|[一1]日",
    "周": "|[七7][天日]|星期|礼拜",
    "月": "|(?:三十|30)[天日]|[每当满]月|月内",
    "小时": "|(?:六十|60)分",
    "星期": "|[七7][天日]|周|礼拜",
}


class Single(NamedTuple):
    """What a claim says there is one of: the words that say so, and patterns of what else does and what excludes it.

    `many` has a group `said`, the other count.
    """

    words: frozenset[str]
    one: str
    many: str


def singles_in(text: str) -> Iterator[Single]:
    """All of a claim, whose text it is; linear in its length."""
    for match in _ONE.finditer(text) if "one" in text or "One" in text else ():
        noun = match["noun"].lower()
        if noun in _NOTHING:
            continue
        stem = re.escape(noun.removesuffix("s"))
        same = f"|{_SAME[noun]}" if noun in _SAME else ""
        yield Single(
            frozenset(("one",)),
            rf"(?i:\b{_LONE}[ -](?:{_NOUN}[ -])?{stem}|\bone[ ]of\b{same})",
            rf"(?i:(?<![\w.,-])(?P<said>{_MANY})[ -]{stem})",
        )
    if _ONCE.search(text):
        yield Single(frozenset(("once",)), _SAID_ONCE, _SAID_OFTEN)
    for match in _HAN_ONE.finditer(text) if "一" in text else ():
        unit = match["unit"]
        before = text[match.start() - 1 : match.start()]
        plain = unit.removeprefix("个")
        yield Single(
            frozenset((f"{before}一", f"一{unit[0]}", "一")),
            f"[一1每单整全首当][ ]?{unit}{_HAN_SAME.get(plain, '')}",
            f"(?<![第0-9.年月一])(?<![年月]的){_HAN_MANY}[ ]?{unit}",
        )
