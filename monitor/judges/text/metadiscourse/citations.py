"""Citation marks and links, which point at the evidence and are no part of what a sentence states."""

from __future__ import annotations

import re

from monitor.judges.text.metadiscourse.locators import ARTICLES, AUTHORS, LOCATOR, may_be_authors, without_locators
from monitor.judges.text.metadiscourse.pointers import names_a_document, names_sources
from monitor.judges.text.scripts import HAN
from monitor.judges.text.words import is_function_word

NUMBERS = (
    r"[0-9]{1,3}(?:[ ]?(?:[,;、，–和及-]|and|&)[ ]?(?:[a-z]{3,8}[ ]|资料|文档|文件|片段|段落|来源)?[0-9]{1,3}){0,9}"
)
"""Numbers of passages: `1`, `1, 3`, `2-4`, `1 and passage 3`."""
AS_STATED = (
    r"(?:(?:also|clearly|explicitly)[ ])?(?:stated|mentioned|noted|described|shown|reported|explained"
    r"|indicated|outlined|discussed|seen|found|given|listed|highlighted|specified|detailed|suggested|recommended|referenced"
    r"|advised|provided|instructed)[ ](?:in|by)"
)
_MARKED = (
    r"(?:sources?|citations?|docs?|documents?|passages?|refs?\.?|references?|chunks?|contexts?|snippets?|excerpts?"
    r"|footnotes?|search[ ]results?|资料|文档|文件|片段|段落|来源|参考文献|参考资料|文献|上下文)"
)
_SEE = (
    rf"(?:(?:see(?:[ ]also)?|cf\.?|from|per|according[ ]to|(?:as[ ])?{AS_STATED})[ ](?:the[ ])?"
    "|(?:参见|参考|详见|见|来自|[摘引]自|[依根]据)[ ]?)"
)
_PAGE = rf"(?:[ ]?[,;，、][ ]?(?:(?:pp?\.?|pages?|第)[ ]?[0-9]{{1,4}}(?:[–-][0-9]{{1,4}})?[ ]?页?|{LOCATOR}))"
_RAISED = "¹²³⁰⁴-⁹"
_RAISED_TAG = re.compile(
    r"<sup\b[^<>]{0,200}>(?:<a\b[^<>]{0,200}>)?[ ]?([0-9]{1,3}(?:[ ]?[,;–-][ ]?[0-9]{1,3}){0,5})[ ]?(?:</a>)?</sup>",
    re.IGNORECASE,
)
_TO_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_CITATION = re.compile(
    rf"""[\[(（【<{{]{_SEE}?{_MARKED}[ _#:：.-]{{0,2}}\[?{NUMBERS}\]?{_PAGE}?               # (see source 2, p. 3)
        (?:[:：][ ]?(?P<title>[^\])）】>}}\n]{{1,80}}))?[\])）】>}}]
      | [\[(（](?:pp?\.|pages?|第)[ ]?[0-9]{{1,4}}(?:[–-][0-9]{{1,4}})?[ ]?页?[\])）] | \[S[0-9]{{1,2}}\]
      | [ ]?[—–]{{1,2}}[ ]?{_MARKED}[ ]?{NUMBERS}(?=[.。]?$)                             # — Source 1.
      | (?P<figures>[\[<{{【]{NUMBERS}[\]>}}】]) | [(（](?:see[ ]|参?见)?\[{NUMBERS}\][)）]     # [1, 2]
      | 【[0-9:]{{1,7}}†[^】\n]{{1,40}}】 | 【(?:来源|出处|引用|参考(?:资料|文献))】
      | ^【(?:温馨提示|注意(?:事项)?|提示|说明|背景|[总小]结|概[述要]|简介|[要重]点|答案
        |[回解]答|结论|步骤\d?|备注|摘要)】
      | \[\^[\w-]{{1,16}}\] | \[citation[ ]needed\]
      | [（(]?(?:资料|文档|片段)[ ]?[0-9]{{1,3}}[）)] | [(（](?:参?见|参考)?第[ ]?[0-9]{{1,3}}[ ]?[段页篇][)）]
      | [\[(（](?:sources?|references?|来源|出处|参考)[ ]?[:：][ ]?(?P<source>[^\])）\n]{{1,160}})[\])）]
      | [(（]{_SEE}(?:[a-z]+[ ])?{_MARKED}[)）]                                           # (see the document)
      | [\[(（]{_SEE}{ARTICLES}[\])）] | [\[(（](?P<authors>{AUTHORS})[\])）]           # (Smith, 2021)
      | [\[(（【]{_SEE}?(?P<located>(?=[^\[\]()（）【】\n]{{0,60}}?{LOCATOR})          # (handbook, section 4.2)
          [^\[\]()（）【】\n]{{1,90}})[\])）】]
      | (?P<last>[(（][0-9]{{1,2}}(?:[,;、，][ ]?[0-9]{{1,2}}){{0,5}}[)）])(?=[.。!！]?$)
      # raised figures are marks after a stop or a longer word, and exponents after a unit (km²)
      | (?:^|(?:(?<=[a-z]{{3}})|(?<=[.,;!?%€£。，；！？”’\"\u3400-\u9fff]))[ ]?)⁽?[{_RAISED}]{{1,3}}⁾?
        (?:[ ,;–-]{{1,2}}⁽?[{_RAISED}]{{1,3}}⁾?){{0,5}}(?![0-9⁄/])""",
    re.VERBOSE | re.IGNORECASE,
)
_FOR_MORE = "for[ ](?:(?:more|further)[ ])?(?:details|information)"
_SEE_BEHIND = re.compile(
    rf"(?:^(?:please[ ]|{_FOR_MORE},[ ](?:please[ ])?)?|[ ]?[,;，；—–]{{1,2}}[ ]?)"
    r"(?:see(?:[ ]also)?[ ](?:the[ ])?|(?:具体|详情|规定)?请?(?:参见|参考|详见|见)[ ]?)"
    rf"(?:{LOCATOR}|{ARTICLES})(?:[ ]{_FOR_MORE})?(?=[.。]?$)",
    re.IGNORECASE,
)
"""`, see section 4.2` where a sentence ends."""
_ATTRIBUTES = re.compile(
    rf"(?:according[ ]to|based[ ]on|{AS_STATED}|\b(?:see|per|from|cf\.?|as))[ ]$", re.VERBOSE | re.IGNORECASE
)
_WANTS_A_VALUE = re.compile(
    r"""(?:(?<![\w.])(?:is|are|was|were|be|been|being|has|have|had|costs?|lasts?|takes?|holds?|weighs?|reach(?:es|ed)?|offers?
        |offered|includes?|charges?|charged|totals?|equals?|contains?|requires?|gets?|got|pays?
        |paid|sells?|sold|scored?|won|than|up[ ]to|at[ ](?:least|most)|only|just|nearly|almost|exactly|approximately
        |roughly|every|each|an?|the|not|no)[ ]
      | (?<![\w.])(?:is|are|was|were|has|have|had) | [$€£¥≈~<>=] | (?<![.!?。！？])[:：][ ]?
      | [为是达约共仅]|超过|[增降升减涨跌]至|达到|至少|最多|[只共]有|只收)$""",
    re.VERBOSE | re.IGNORECASE,
)
"""Before a value: "costs [50]", 共[5]家."""
_HAS_A_VALUE = re.compile(
    r"(?:[0-9]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b)[\w \u00a0%€$£-]{1,24}"
    r"(?<!\w)(?:only|at[ ](?:least|most))[ ]$",
    re.IGNORECASE,
)
"""Before a mark whose value stands already: "for three days only [5]"."""
_MAY_WANT_A_VALUE = re.compile(
    r"\b(?:of|about|for|to|by|at|with|after|before|within|until|over|under|above|below|around|between|another) $",
    re.IGNORECASE,
)
"""Before a value, or the last word of a sentence."""
_MOST_PASSAGES = 20
"""A greater figure than this is rather a value, where either could stand."""
_COUNTED = re.compile(
    r"[ ]?(?:[%％‰°℃€$£¥]"
    r"|[元块角分年月日天时小周岁个人名位家次颗星级台件间层米公里千克斤吨升度页种条项倍万亿百折美欧英港])"
)
"""What a number counts, behind it."""
_UNITS = (
    r"[ ]?(?:[%％‰°℃€$£¥块]|元(?![旦宵素件首月老])|岁(?![月末])|颗(?!粒)|间(?![接隔或谍])|件(?!件)|个月|小时(?!候)|分钟"
    r"|天(?![天气津空然才生])|[美欧港日万亿]元|英镑|公里|公斤|人民币(?![汇对贬升的])|名(?![字称]))"
    r"|[ ](?:euros?|dollars?|pounds?|cents?|per[ ]?cent|years?|months?|weeks?|days?|hours?|minutes?|seconds?|miles?"
    r"|times|[ck]?m|mm|k?g|(?:kilo|centi|milli)?met(?:er|re)s?|(?:kilo)?grams?|lit(?:er|re)s?|degrees?|people|stars?|points?)\b"
)
"""What a number stands in front of, and seldom anything else."""
_COUNTED_FIRST = re.compile(
    rf"{_UNITS}"
    r"|[ ](?!(?:the|an?|in|on|at|it|this|that|these|for|to|and|but|or|as|by|from|with|of|if|when|while|there)[ ])"
    r"[a-z]{3,}[ ]"
)
"""What a number counts, where a sentence begins with it."""
_UNIT = re.compile(_UNITS)
_ENDS_OR_MEASURED = re.compile(rf"[ ]?[.。!！]?\s*$|{_UNITS}|[ ][a-z]+(?<![iusy])s\b")
"""Behind a number that a verb wants: the end, a unit, things in the plural."""
_TELLS_WHERE = re.compile(
    r"(?:sources?|references?|citations?|evidence|answers?|documents?|passages?|来源|出处|依据|参考|引用|答案|资料|文档)"
    r"[ ]?(?:is|are|was|were|为|是|[:：])?[ ]?$",
    re.IGNORECASE,
)
"""In front of a mark that is all its clause is about."""
_ENDS = re.compile(rf"[ ]?(?:$|[^\w\s]|[{HAN}])|\s*$")
_NAMES_EVIDENCE = re.compile(
    r"(?:\bal\.|\b(?:stud(?:y|ies)|works?|papers?|authors?|reports?|reviews?|passages?|documents?|docs?|sources?|contexts?"
    r"|chunks?|texts?|articles?|references?))[ ]?$",
    re.IGNORECASE,
)
_LETTER = re.compile("[A-Za-z]")
_THOUSANDS = re.compile("[0-9],[0-9]{3}")
_LISTED = re.compile("[,;、，]")
_FIGURE = re.compile("[0-9]{1,4}")
_NEXT_WORD = re.compile(r"[ ]([^\W\d_]{1,24})(?![\w-])")
_OPENED = re.compile(r"[\s*_>\"“‘(-]*$")
_NEAR = 32
"""Characters around a mark that are looked at."""
_EMPHASIS = re.compile(rf"(?<=[{HAN}])【([^【】\n]{{1,24}})】")
"""Brackets around words that an answer stresses."""
_START = re.compile(r"[\[(【（<{—–资文片¹²³⁰⁴-⁹]")
"""First characters of citations: few sentences hold one."""
_LINK = re.compile(r"[(（]?!?\[([^\[\]\n]{0,200})\]\([^()\s]{1,400}\)[)）]?")
"""A link in Markdown; brackets around one hold a mark and no words of the sentence."""
_POINTS = re.compile(
    r"(?:click |see |read |learn |find out )?(?:here|more|link|source|details)"
    r"|(?:了解|查看|阅读)?(?:更多|详情|链接|来源|原文)",
    re.IGNORECASE,
)
"""Words of a link that say nothing of what it points at."""


def raised(text: str) -> str:
    """`text` with raised figures in place of those in tags: `<sup>1</sup>`."""
    return _RAISED_TAG.sub(lambda tag: tag[1].translate(_TO_RAISED), text)


def without_citations(text: str) -> str:
    """`text` without citation marks, and with the words of links only."""
    if "see" in text or "See" in text or "见" in text:
        text = _SEE_BEHIND.sub("", text)
    if _START.search(text) is None:
        return text
    if "](" in text:
        text = _LINK.sub(lambda link: "" if link[0][0] in "(（" or _POINTS.fullmatch(link[1]) else link[1], text)
    text = _CITATION.sub(_stated, text)
    return _EMPHASIS.sub(r"\1", text) if "【" in text else text


def _stated(mark: re.Match[str]) -> str:
    """What something that is written like a citation states: a value, or more than the title of a source."""
    if mark["figures"] or mark["last"]:
        return "" if _points_at_passages(mark) else _unglued(mark, mark[0][1:-1])
    figures = _FIGURE.findall(mark[0])
    if figures and _stands_for_a_value(mark, max(map(int, figures))):
        return _unglued(mark, " ".join(figures))
    if mark["authors"]:
        return "" if may_be_authors(mark["authors"]) else mark[0]
    if mark["located"]:
        beside = without_locators(mark["located"])
        return mark[0] if beside is None or not names_a_document(beside) else ""
    named = mark["title"] or mark["source"]
    return "" if named is None or names_sources(named, titles=True) else mark[0]


def _unglued(mark: re.Match[str], value: str) -> str:
    glued = _LETTER.match(mark.string, max(0, mark.start() - 1))
    return f" {value}" if glued else value


def _stands_for_a_value(mark: re.Match[str], figure: int) -> bool:
    """Whether a mark that names a source stands where only a number can: `costs [source 50] euros`."""
    before, after = _around(mark)
    if _TELLS_WHERE.search(before) or _ATTRIBUTES.search(before):
        return False
    if _WANTS_A_VALUE.search(before):
        return figure > _MOST_PASSAGES or _ENDS_OR_MEASURED.match(after) is not None
    return _UNIT.match(after) is not None


def _around(mark: re.Match[str]) -> tuple[str, str]:
    start, end = mark.span()
    return mark.string[max(0, start - _NEAR) : start], mark.string[end : end + _NEAR]


def _points_at_passages(mark: re.Match[str]) -> bool:
    """Whether figures in brackets stand where a citation may: behind what is stated, not in the place of a value."""
    before, after = _around(mark)
    if mark.start() <= _NEAR and _OPENED.match(before):
        return not (_COUNTED_FIRST.match(after) or _THOUSANDS.search(mark[0]))
    if _COUNTED.match(after) or _THOUSANDS.search(mark[0]):
        return False
    if _ATTRIBUTES.search(before) or _NAMES_EVIDENCE.search(before):
        return True
    return _is_behind_a_statement(mark[0], before, after)


def _is_behind_a_statement(figures: str, before: str, after: str) -> bool:
    ends = _ENDS.match(after) is not None
    if _WANTS_A_VALUE.search(before):
        return ends and (_LISTED.search(figures) is not None or _HAS_A_VALUE.search(before) is not None)
    if _MAY_WANT_A_VALUE.search(before):
        return ends and all(int(figure) <= _MOST_PASSAGES for figure in _FIGURE.findall(figures))
    word = _NEXT_WORD.match(after)
    return ends or not before[-1].isspace() or (word is not None and is_function_word(word[1].lower()))


def counts_something(after: str) -> bool:
    """Whether a number in front of this text counts or measures what the text names: `3 times`, `20 of them`."""
    return _UNIT.match(after) is not None or _COUNTED.match(after) is not None or after.startswith(" of ")
