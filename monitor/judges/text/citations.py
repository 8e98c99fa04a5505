"""Citation marks and links, which point at the evidence and are no part of what a sentence states."""

from __future__ import annotations

import re

NUMBERS = (
    r"[0-9]{1,3}(?:[ ]?(?:[,;、，–和及-]|and|&)[ ]?(?:[a-z]{3,8}[ ]|资料|文档|文件|片段|段落|来源)?[0-9]{1,3}){0,9}"
)
"""Numbers of passages: `1`, `1, 3`, `2-4`, `1 and passage 3`."""
AS_STATED = (
    r"(?:(?:also|clearly|explicitly)[ ])?(?:stated|mentioned|noted|described|shown|reported|explained"
    r"|indicated|outlined|discussed|seen|found|given|listed|highlighted|specified|detailed)[ ](?:in|by)"
)
_MARKED = (
    r"(?:sources?|citations?|docs?|documents?|passages?|refs?\.?|references?|chunks?|contexts?|snippets?|excerpts?"
    r"|footnotes?|search[ ]results?|资料|文档|文件|片段|段落|来源|参考文献|参考资料|文献|上下文)"
)
_SEE = (
    rf"(?:(?:see(?:[ ]also)?|cf\.?|from|per|according[ ]to|(?:as[ ])?{AS_STATED})[ ](?:the[ ])?"
    "|(?:参见|参考|详见|见|来自|[摘引]自)[ ]?)"
)
_PAGE = r"(?:[ ]?[,;，、][ ]?(?:pp?\.?|pages?|第)[ ]?[0-9]{1,4}(?:[–-][0-9]{1,4})?[ ]?页?)"
_CITATION = re.compile(
    rf"""[\[(（【<{{]{_SEE}?{_MARKED}[ _#:：.-]{{0,2}}\[?{NUMBERS}\]?{_PAGE}?               # (see source 2, p. 3)
        (?:[:：][^\])\n]{{1,80}})?[\])）】>}}]
      | [\[(（](?:pp?\.|pages?|第)[ ]?[0-9]{{1,4}}(?:[–-][0-9]{{1,4}})?[ ]?页?[\])）] | \[S[0-9]{{1,2}}\]
      | [ ]?[—–]{{1,2}}[ ]?{_MARKED}[ ]?{NUMBERS}(?=[.。]?$)                             # — Source 1.
      | [\[<{{]{NUMBERS}[\]>}}] | [(（](?:see[ ]|参?见)?\[{NUMBERS}\][)）]              # [1, 2]
      | 【[^】]{{1,24}}】 | \[\^[\w-]{{1,16}}\] | \[citation[ ]needed\]
      | [（(]?(?:资料|文档|片段)[ ]?[0-9]{{1,3}}[）)] | [(（](?:参?见|参考)?第[ ]?[0-9]{{1,3}}[ ]?[段页篇][)）]
      | [\[(（](?:sources?|references?|来源|出处|参考)[ ]?[:：][^\])）\n]{{1,160}}[\])）]     # [Source: a.pdf, p. 12]
      | [(（]{_SEE}(?:[a-z]+[ ])?{_MARKED}[)）]                                           # (see the document)
      | [(（][0-9]{{1,2}}(?:[,;、，][ ]?[0-9]{{1,2}}){{0,5}}[)）](?=[.。!！]?$)        # small figures at the end
      # raised figures are marks after a stop or a long word, and exponents after a unit (km²)
      | (?:(?<=[a-z]{{4}})|(?<=[.,;!?。，；！？”’\"\u3400-\u9fff]))[¹²³⁰⁴-⁹]{{1,3}}""",
    re.VERBOSE | re.IGNORECASE,
)
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


def without_citations(text: str) -> str:
    """`text` without citation marks, and with the words of links only."""
    if _START.search(text) is None:
        return text
    if "](" in text:
        text = _LINK.sub(lambda link: "" if link[0][0] in "(（" or _POINTS.fullmatch(link[1]) else link[1], text)
    return _CITATION.sub("", text)
