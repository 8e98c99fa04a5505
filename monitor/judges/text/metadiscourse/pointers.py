"""What points at evidence and states nothing: addresses, files, pages, numbers of passages and titles."""

from __future__ import annotations

import re

from monitor.judges.text.metadiscourse.locators import LOCATOR, locates
from monitor.judges.text.metadiscourse.stating import LIMITS

_ADDRESS = re.compile(
    r"https?://\S+|www\.\S+|[\w./-]{1,100}\.(?:pdf|docx?|md|rst|txt|html?|xlsx?|csv|pptx?|json|ya?ml)", re.IGNORECASE
)
_PAGE = re.compile(r"(?:p{1,2}|pages?|§|第)?\.?[0-9]{0,5}(?:[-–][0-9]{1,5})?页?", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,;，；、]+")
_WRAPPING = "<>()[]*_`.。"
_COUNTED = re.compile(
    r"""\b(?:sources?|docs?|documents?|passages?|refs?|references?|chunks?|contexts?|excerpts?|sections?|chapters?|pages?
        |pp?|articles?|version|vol)\b[ ]?[.\#_-]?[ ]?[0-9]{1,4}(?:[.–-][0-9]{1,4}){0,3}
      | (?:资料|文档|文件|片段|段落|来源|文献|上下文)[ ]?[0-9]{1,3}
      | 第[ ]?[0-9一二三四五六七八九十]{1,4}[ ]?[页章节段条篇]
      | \[\^?[0-9]{1,3}\] | (?<![\w.$€£¥])(?:[0-9]{1,3}|(?:19|20)[0-9]{2})(?![\w%°]|\.\w)
      | \[[^\[\]\n0-9]{0,100}\]\([^()\s]{1,400}\)
      | """
    + LOCATOR,
    re.VERBOSE | re.IGNORECASE,
)
"""Passages, sections and pages with their numbers, figures, years, and links."""
_YEAR = "(?:19|20)[0-9]{2}"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATED = re.compile(
    r"(?:\b(?:(?:last[ ])?(?:updated|revised|modified|accessed|retrieved|published|dated)(?:[ ]on)?|as[ ]of)[ :]{1,2})?"
    rf"\b(?:(?:[0-9]{{1,2}}[ ])?{_MONTH},?[ ](?:[0-9]{{1,2}},[ ])?{_YEAR}|{_YEAR}(?:-[0-9]{{2}}){{1,2}}"
    r"|(?:version|v|rev\.?|edition)[ .]?[0-9]{1,3}(?:\.[0-9]{1,3}){0,3})\b"
    rf"|(?:更新于|发布于|版本[:：]?)?{_YEAR}年(?:[0-9]{{1,2}}月(?:[0-9]{{1,2}}[日号])?)?版?(?:更新|发布|修订)?",
    re.IGNORECASE,
)
"""When a source was written, and which version of it."""
_PARTS = re.compile(r"[,;，；、|/\n]|[ ](?:[–—-]|and|&)[ ]|[和与及]")
_MARKS = " \t<>()（）[]【】*_`.。:：#-"
_QUOTED = re.compile(r"《[^》0-9]{1,40}》|“[^”0-9]{1,80}”|\"[^\"0-9]{1,80}\"")
_STATES_ZH = "不没无是为有可能已应将须会零一二三四五六七八九十百千万亿两0-9"
_DOCUMENT_ZH = re.compile(
    rf"[^{_STATES_ZH}]{{0,16}}(?:手册|指南|文档|文件|报告|说明书?|规定|条例|政策|协议|合同|官网|网站|百科|公告|年报|白皮书|资料"
    r"|论文|文章|新闻|报道|数据库|知识库|常见问题|上下文|简介|概述|制度|章程|目录)"
)
_TITLE_ZH = re.compile(rf"[^{_STATES_ZH}]{{1,6}}")
_DOCUMENTS = frozenset(
    """handbook manual guide guidelines report policy policies document documents documentation context contexts passage
    passages article articles book website site page pages wikipedia faq faqs database base act regulation regulations
    specification specifications brochure leaflet datasheet whitepaper terms agreement contract journal study paper
    news encyclopedia encyclopaedia catalog catalogue notes review results sources text excerpt section
    chapter readme docs file files""".split()  # noqa: SIM905 - a word list reads as text
)
"""Words for what is written."""
_SMALL = frozenset("a an the of for in on to and or by with from at its de la".split())  # noqa: SIM905 - as above
_WORD = re.compile("[a-z]+")
_LONGEST_TITLE = 10
"""Words."""
_LONGEST_MENTION = 4
_LONGEST_NAME = 2
"""Words of a title beside those for what is written."""
_DONE = re.compile(r"[a-z]{2}ed\b", re.IGNORECASE)


def is_pointer(text: str) -> bool:
    """Whether a text holds nothing but web addresses or names of files, with pages."""
    addresses = 0
    for part in filter(None, (part.strip(_WRAPPING) for part in _BETWEEN.split(text))):
        if _ADDRESS.fullmatch(part):
            addresses += 1
        elif not _PAGE.fullmatch(part):
            return False
    return addresses > 0


def names_a_place(text: str) -> bool:
    """Whether a text only says where in which document something stands: `Refund Policy, section 3`."""
    return locates(text) and names_sources(text)


def names_a_document(text: str) -> bool:
    """Whether a text names sources, by so few words besides those for what is written that they state nothing.

    `Refund Policy` does; `Tenant Pays Rent Agreement`, `Free Parking Policy` and `Cancelled Contract` may state it.
    """
    undated = _DATED.sub(" ", text)
    if LIMITS.search(undated) or _DONE.search(undated) or not names_sources(text):
        return False
    named = frozenset(_WORD.findall(undated.lower())) - _DOCUMENTS - _SMALL
    return is_pointer(text) or len(named) <= _LONGEST_NAME


def names_sources(text: str, *, titles: bool = False) -> bool:
    """Whether a text only names sources: files, addresses, numbers of passages, pages, titles of documents.

    A title holds a word for a document ("Employee Handbook", 员工手册) or stands in quotes. With `titles`, where only
    sources can stand, any words in capitals are one.
    """
    if is_pointer(text):
        return True
    parts = (part.strip(_MARKS) for part in _PARTS.split(_COUNTED.sub(" ", _DATED.sub(" ", text))))
    return all(not part or is_pointer(part) or _is_title(part, titles=titles) for part in parts)


def _is_title(part: str, *, titles: bool) -> bool:
    if _QUOTED.fullmatch(part) or _DOCUMENT_ZH.fullmatch(part):
        return True
    if not part.isascii() and not part[0].isupper():
        return titles and _TITLE_ZH.fullmatch(part) is not None
    words = part.split()
    documents = not _DOCUMENTS.isdisjoint(word.lower() for word in words)
    if len(words) <= _LONGEST_MENTION and words[-1].lower() in _DOCUMENTS:
        return True
    capitals = [word for word in words if word.lower() not in _SMALL]
    return len(words) <= _LONGEST_TITLE and (titles or documents) and all(word[0].isupper() for word in capitals)
