"""References of a statement to passages and to steps of the answer's own list: no part of what it states.

"Repeat step 4 (as described in passage 2)." states "Repeat step", so neither number has to stand in a passage, and
"Passage 2 suggests boiling it." states "boiling it".
"""

from __future__ import annotations

import re

from monitor.judges.text.metadiscourse.citations import AS_STATED, NUMBERS
from monitor.judges.text.metadiscourse.leadins import EVIDENCE, SAYS

_PASSAGE = "(?:passages?|excerpts?|snippets?|chunks?|contexts?|search[ ]results?)"
_SOURCE = rf"(?:{_PASSAGE}|sources?|documents?|docs?)"
"""What else a document may be: "Guests sign document 9."."""
_SIGNS_ZH = ("资料", "文档", "文件", "片段", "段落", "来源")
_SIGNS = ("passage", "source", "doc", "excerpt", "snippet", "chunk", "context", "result", *_SIGNS_ZH)
_NUMBER = rf"\#?{NUMBERS}(?![\w.,:]?[0-9])"
_NAMES = r"(?:(?:as[ ]per|[a-z]+ed[ ]according[ ]to|according[ ]to|[a-z]*based[ ]on)[ ](?:the[ ])?)"
_IN_BRACKETS = re.compile(
    rf"[ ]?[(（](?:{_NAMES}|(?:as[ ])?{AS_STATED}[ ](?:the[ ])?|(?:see|per|from)[ ]){_SOURCE}[ ]{_NUMBER}[)）]",
    re.VERBOSE | re.IGNORECASE,
)
_SAYING = (
    r"(?=[ ](?:(?:also|both|all|further)[ ]){0,2}(?:suggest|recommend|advise|mention|state|say|note|explain|indicate"
    r"|describe|discuss|provide|highlight|show|report|add|emphasi[sz]e|specif|list|offer|give|cover|contain|include"
    r"|point|refer|agree|concur|focus|deal|(?:is|are)[ ]about)\w*\b)"
)
_ENDS = r"(?=[ ]*(?:[.,;:!?)]|$))"
_INSIDE = re.compile(
    rf"\b(?:{_SOURCE}[ ]{_NUMBER}{_SAYING}|(?:the[ ])?(?:first|second|third|fourth|fifth|last)[ ]{_SOURCE}\b{_SAYING}"
    rf"|(?:{_NAMES}|(?:in|from|per|see|using)[ ](?:the[ ])?){_PASSAGE}[ ]{_NUMBER}{_ENDS}"
    rf"|{_NAMES}{_SOURCE}[ ]{_NUMBER}{_ENDS})"
    rf"|(?:{'|'.join(_SIGNS_ZH)})[ ]?[0-9]{{1,2}}"
    r"(?=[也还均都]?(?:给出|提到|提及|指出|显示|说明|介绍|列出|规定|建议|提供|描述|表明|记载))",
    re.VERBOSE | re.IGNORECASE,
)
_SAID_BY = re.compile(
    rf"(?:both[ ]|one[ ]of[ ])?{EVIDENCE}[ ](?:(?:also|further|clearly|explicitly|both|all)[ ]){{0,2}}{SAYS}[ ]"
    r"(?!(?:no|not|nothing|neither|none|only)\b)(?=[a-z0-9])",
    re.VERBOSE | re.IGNORECASE,
)
_FIGURE = re.compile("[0-9]{1,3}")
_COUNTS = "one two three four five six seven eight nine ten".split()  # noqa: SIM905 - a word list reads as text
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()  # noqa: SIM905 - a word list reads as text
_IN_WORDS = {
    word: number for words in (_COUNTS, _ORDINALS, "一二三四五六七八九十") for number, word in enumerate(words, 1)
}
_WORD = f"(?:{'|'.join(_COUNTS)})(?![a-z])|[一二三四五六七八九十](?![一二三四五六七八九十])"
_MOST = 20
"""A greater number is none of a passage."""
_STEP = re.compile(
    rf"""(?P<word>\b(?:repeat(?:ing)?|see|return[ ]to|go(?:[ ]back)?[ ]to|back[ ]to|as[ ]in|in|from|after|before|until
      |with|follow(?:ing)?|skip(?:ping)?|complet(?:e|ed|ing))[ ](?:the[ ])?steps?[ ])(?P<numbers>{NUMBERS}|{_WORD})
    | (?P<word_zh>(?:重复|回到|返回|参[照见考]|按照?|完成|执行|同|见)
      (?:步骤[ ]?|第[ ]?(?=(?:[0-9]{{1,2}}|[一二三四五六七八九十])[ ]?步)))
      (?P<numbers_zh>{NUMBERS}|{_WORD})
    | \b(?P<ordinal>{"|".join(_ORDINALS)})(?=[ ]step\b)""",
    re.VERBOSE | re.IGNORECASE,
)
_LISTED = re.compile(
    rf"^[ \t>*_#-]{{0,8}}(?:(?:step[ ]|步骤[ ]?|第[ ]?)?([0-9]{{1,2}})(?:[.)、:：]|[ ]?步|\ufe0f?\u20e3"
    rf"|[*_]{{1,3}}[ ]?[:：–—-]|[ ][–—-][ ]|(?<=p[ ].)[*_]{{2,3}}[ ])"
    rf"|(?:step[ ]|步骤[ ]?|第(?=.步))({_WORD}))",
    re.MULTILINE | re.IGNORECASE,
)


def listed_numbers(answer: str) -> frozenset[int]:
    """The numbers with which lines of the answer begin: of its own steps."""
    return frozenset(int(figures) if figures else _IN_WORDS[word.lower()] for figures, word in _LISTED.findall(answer))


def without_references(stated: str, listed: frozenset[int] = frozenset()) -> str:
    """`stated` without who of the passages says it, which of them by number, and the numbers of steps in `listed`."""
    said_by = _SAID_BY.match(stated)
    stated = stated[said_by.end() :] if said_by else stated
    lower = stated.lower()
    if any(noun in lower for noun in _SIGNS):
        stated = _INSIDE.sub(_unless_large, _IN_BRACKETS.sub("", stated))
    return _STEP.sub(lambda step: _unless_foreign(step, listed), stated) if listed else stated


def _unless_large(reference: re.Match[str]) -> str:
    return reference[0] if any(int(figure) > _MOST for figure in _FIGURE.findall(reference[0])) else ""


def _unless_foreign(step: re.Match[str], listed: frozenset[int]) -> str:
    numbers = step["numbers"] or step["numbers_zh"] or step["ordinal"]
    in_words = _IN_WORDS.get(numbers.lower())
    own = listed.issuperset((in_words,) if in_words else map(int, _FIGURE.findall(numbers)))
    return step[0].removesuffix(numbers) if own else step[0]
