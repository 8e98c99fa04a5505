"""Headings: whether a line above others only names what they tell, or states something itself.

A heading has no verb of statements, no label with a value, no amount, and few words that are not told below it. Words
that stand below are judged there, so a statement cannot hide in a heading by being long.
"""

from __future__ import annotations

import re

from monitor.judges.text.metadiscourse.citations import counts_something
from monitor.judges.text.metadiscourse.stating import ACTS, COMMANDS, LIMITS, STATES
from monitor.judges.text.sentences import LIST_MARK
from monitor.judges.text.tokens import read_words, tokenize
from monitor.judges.text.words import is_function_word, is_run, stem_of

_NAMED_ZH = "(?:情形|情景|场景|例外|事项|项目|内容|部分|部件|情况|问题|信息|服务|费用|条款|说明)"
_ASKS = re.compile(
    r"(?:what|why|how|when|where|which|who|(?:(?:\w+[ ])?things?|everything|facts|points|steps)[ ](?:that[ ])?you)\b"
    r"|(?:does|is|are|can|could|should|will|may)[ ](?:i|you|we|it|there|the)\b|do[ ](?:i|you|we)\b",
    re.IGNORECASE,
)
"""How a heading begins that may have a verb."""
_SORTS = re.compile(
    r"don't[ ]forget$|(?:documents|information|items|materials|tools|equipment|ingredients)[ ](?:required|needed)"
    r"(?:[ ]for(?:[ ][a-z-]+){1,3})?$"
    r"|(?:(?:items|things|everything|services)[ ])?(?:not[ ])?(?:included|excluded|covered)"
    r"(?:[ ](?:in|from|by|under)(?:[ ][a-z]+){1,4})?$"
    rf"|[^，。：；]{{1,14}}的{_NAMED_ZH}$|[^，。：；0-9]{{1,10}}(?:一览表?|汇总|总览|明细|清单|列表)$",
    re.IGNORECASE,
)
"""What a heading is that says of what kind the things below are, and no more."""
_PART = "(?:step|part|option|section|phase|stage|chapter|module|lesson|example|case|method|scenario)"
_NUMBERED = re.compile(
    rf"(?:{LIST_MARK.pattern}|(?:{_PART}|步骤)[ ]?[0-9]{{1,2}}(?:[ ]?[.:：、–—-]|[ ]|$)|{_PART}[ ][a-z][.:]"
    r"|(?:overview|summary|topic|faqs?|bonus)[ ]?[:：]"
    r"|第[一二三四五六七八九十0-9]{1,2}[步章节部](?:分)?(?:[.:：、 –-]|$)|)\s*",
    re.IGNORECASE,
)
"""What numbers a heading."""
_VALUED = re.compile(r"(?<=[^\s:：]{2})[:：][*_]{0,3}[ ]*+[^\s*_]")
"""A label with something behind it."""
_FIGURES = re.compile("[0-9]+(?:[.,][0-9]+)*")
_FIRST_WORD = re.compile(r"^\s*\w+")
_WORD = re.compile(r"[^\W\d_][\w'’]*")
_CURRENCY = frozenset("$€£¥")
_HEADS = frozenset(
    map(
        stem_of,
        """about action additional advantages advice after alternative answer approach aspects asked background basic
        before benefits brief care case category causes caution challenges changes checklist choice choosing common
        comparison component conclusion conditions considerations contact contents cons costs criteria description
        details differences disadvantages drawbacks during effects elements eligibility essential examples exceptions
        explained explanation facts factors faq features final findings first fees frequently functions further general
        getting goals guide guidelines help history important impact information instructions introduction issues key
        kinds know last limitations limits list main measures method more need next notes options other overview
        parts phase planning points policy practical preparation prevention price problems procedure process pros
        purpose questions quick reasons recommendations references requirements resources results risks role rules
        safety scope section similarities solutions sources special specific stage start started steps strengths
        suggestions summary support table takeaways terms things thoughts tips title topic troubleshooting types
        understanding usage use using warning warranty ways weaknesses working""".split(),  # noqa: SIM905 - a word list reads as text
    )
)
"""Words that stand in headings of any text."""
_HEADS_ZH = re.compile(
    "概述|概览|概况|总结|小结|汇总|说明|介绍|简介|要点|重点|注意事项|须知|步骤|流程|办理|方法|方式|方案|条件|要求|材料|清单|情况|状况|问题|解决|建议"
    "|原因|影响|优点|缺点|优势|区别|对比|特点|功能|使用|操作|相关|主要|具体|详细|常见|基本|重要|关键|其他|以及|所需|需要|如何|怎么|什么|部分|背景"
    "|目的|范围|结论|安全|处理|办法|特殊|措施|规定|类型|种类|阶段|准备|维护|保养|政策|时间|设施|服务|费用|价格|收费|标准|信息|地址|权益|福利|保障|配置|安排|通知|调整"
    "|症状|风险|成分|用途|规格|参数|配件|售后|活动|推荐|景点|行程|指南|贴士|详情|联系|项目|事项|规则|制度|一览|资料|应急|期间|日常|[的与及和前后时中]"
)
_ENDS_AS_ONE = re.compile(f"(?:{_HEADS_ZH.pattern})(?<![的与及和前后时中])$")
_JOINED = re.compile("[^和与及、]{2,6}[和与及、][^和与及、]{1,6}")
"""Two short names of something."""
_UNTOLD, _UNTOLD_CHARACTERS = 2, 4
"""Words, and characters in scripts without blanks, of a heading that need not be told below it at most; one more word
where it asks."""
_LONGEST_TITLE, _LONGEST_RUN = 9, 24
"""Words of a title in capitals, and characters of a heading in a script without blanks, at most."""
_COUNT_OR_YEAR = re.compile("1?[0-9]|20|(?:19|20)[0-9]{2}")
"""Numbers of a heading behind a mark: so many points, or a year."""
_YEAR_FIRST = re.compile(r"(?:19|20)[0-9]{2}(?=[ 年])年?[ ]?")
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DONE = re.compile(r"\b[a-z]{2,}ed(?:$|[ ][0-9])", re.IGNORECASE)
"""A participle that ends a line or stands before a number: `Spa demolished`, `Founded 1821`."""
_PARTICIPLE = re.compile(r"\b[a-z]{2,}ed\b", re.IGNORECASE)
_MEASURED = re.compile(
    r"[0-9]-(?:year|month|week|day|hour|minute|mile|night)s?\b"
    r"|[零一二三四五六七八九十百千万两]个?(?:小时|天|日|年|月|周|元|块|分钟|岁|公里|米|公斤|折|倍|人)",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"(?<=[\w ])[(（](?:(?:from|since|as|of|valid|effective|in|starting|for|year|season|q[1-4]"
    rf"|[0-9]{{1,4}}(?:st|nd|rd|th)?|(?:{_MONTHS})[a-z]{{0,6}}\.?|[-–—/,.])[ ]?){{1,8}}[)）]$"
    r"|(?<=[\w ])[(（][自从]?[ ]?(?:[0-9]{1,4}[ ]?[年月日季度.-]{0,2}[ ]?){1,3}"
    r"(?:起|后|以后|之后|生效|开始|版|实施|执行)*[)）]$",
    re.IGNORECASE,
)
"""From when on something holds, or for what year, in brackets at the end of a heading."""
_ENDS = re.compile(r"[.!?。！？\n]")
_BELOW = 1500
"""Characters below a heading that are looked at."""
_UNJUDGED = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t].*|(?:[-*+] |[0-9]{1,2}[.)] )?[*_]{2,3}[^*_\n]+[*_]{2,3}[ \t\r]*)$"
    r"|(?<![^.!?。！？\n])[^.!?。！？\n]*+[?？]",
    re.MULTILINE,
)
"""Headings and questions, which tell nothing."""


def names_a_topic(line: str, below: str, *, counts: bool = False) -> bool:
    """Whether a line without marks, above the text `below`, only names what is told there.

    With `counts` it may have numbers that are no amounts, as a heading such as `3 ways to save` has.
    """
    inside = _without_period(_NUMBERED.sub("", line.strip(" *_:："), count=1), below)
    if _SORTS.fullmatch(inside):
        return True
    asks = _ASKS.match(inside) is not None
    tokens = tokenize(inside)
    if _VALUED.search(inside) or (not asks and (tokens.negated or STATES.search(inside))):
        return False
    content = {word for word in tokens.words if not is_function_word(word)} - tokens.numbers
    goes_far = LIMITS.search(inside) and not (asks and len(content) <= _UNTOLD) and not _is_told_at_once(content, below)
    if goes_far or not _only_counts(inside, tokens.numbers, below, marked=counts, asks=asks):
        return False
    if any(map(is_run, tokens.words)):
        return len(line) <= _LONGEST_RUN and (asks or _names_a_topic_in_characters(inside, below))
    untold = content - _HEADS
    if asks:
        return len(content) <= _UNTOLD or _tells_of(untold, below, _UNTOLD + 1)
    return _tells_of(untold, below) or _names_a_topic_in_words(inside, tokens.words, untold, below)


def _without_period(inside: str, below: str) -> str:
    """A heading without a period in brackets that one sentence below it tells: "Costs (from April 2025)"."""
    period = _PERIOD.search(inside)
    numbers = tokenize(period[0]).numbers if period else frozenset()
    return inside[: period.start()].rstrip() if period and numbers and _is_told_at_once(set(numbers), below) else inside


def _names_a_topic_in_words(inside: str, words: tuple[str, ...], untold: set[str], below: str) -> bool:
    """Whether it has no verb that is not told below, and has few words that are not or is a title in capitals."""
    verbs = ACTS.intersection(words[1:]) | COMMANDS.intersection(words[:1])
    if _DONE.search(inside) or not _tells_of(verbs, below):
        return False
    if _tells_of(untold, below, _UNTOLD):
        return True
    return len(words) <= _LONGEST_TITLE and _PARTICIPLE.search(inside) is None and _is_in_capitals(inside)


def _only_counts(inside: str, numbers: frozenset[str], below: str, *, marked: bool, asks: bool) -> bool:
    """Whether the numbers of a heading are no amounts: told below, of a year in front, or of so many points."""
    rest = _YEAR_FIRST.sub("", inside, count=1)
    if numbers and _says_an_amount(rest):
        return False
    others = tokenize(rest).numbers
    if not others or (asks and _tells_of(numbers, below)):
        return True
    return marked and (_tells_of(others, below) or all(map(_COUNT_OR_YEAR.fullmatch, others)))


def _is_in_capitals(text: str) -> bool:
    return all(word[0].isupper() for word in _WORD.findall(text) if not is_function_word(word.lower()))


def _tells_of(words: frozenset[str] | set[str], below: str, untold: int = 0) -> bool:
    """Whether all of the words but a few stand below."""
    return len(words.difference(read_words([_told(below)]))) <= untold


def _names_a_topic_in_characters(inside: str, below: str) -> bool:
    """Whether it ends in a word of headings, or has few characters that are neither of one nor told."""
    if _ENDS_AS_ONE.search(inside) or _JOINED.fullmatch(inside):
        return True
    characters = {character for character in _HEADS_ZH.sub("", inside) if is_run(character)}
    return len(characters.difference(_told(below))) <= _UNTOLD_CHARACTERS


def _says_an_amount(text: str) -> bool:
    """Whether a number counts or measures something, or is a word but the first."""
    if _MEASURED.search(text) or tokenize(_FIRST_WORD.sub("", _FIGURES.sub("", text), count=1)).numbers:
        return True
    return any(
        counts_something(text[figures.end() :]) or text[: figures.start()].rstrip()[-1:] in _CURRENCY
        for figures in _FIGURES.finditer(text)
    )


def _is_told_at_once(words: set[str], below: str) -> bool:
    """Whether one sentence holds all of them."""
    return any(words.issubset(read_words([sentence])) for sentence in _ENDS.split(_told(below)))


def _told(below: str) -> str:
    return _UNJUDGED.sub(" ", below[:_BELOW])
