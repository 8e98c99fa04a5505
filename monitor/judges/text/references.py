"""References of a statement to passages and to steps of the answer's own list: no part of what it states.

"Repeat step 4 (as described in passage 2)." states "Repeat step", so neither number has to stand in a passage, and
"Passage 2 suggests boiling it." states "boiling it".
"""

from __future__ import annotations

import re

from monitor.judges.text.citations import NUMBERS, counts_something, is_followed_by_grammar
from monitor.judges.text.leadins import EVIDENCE, SAYS

_SOURCE = r"(?:passages?|sources?|documents?|docs?|excerpts?|snippets?|chunks?|contexts?|search[ ]results?)"
_SIGNS = ("passage", "source", "doc", "excerpt", "snippet", "chunk", "context", "result")
_NUMBERED = rf"{_SOURCE}[ ]\#?{NUMBERS}(?![\w.,:]?[0-9])"
_IN_BRACKETS = re.compile(
    rf"[ ]?[(（](?:[a-z]+[ ]){{0,3}}(?:in|by|from|per|to|of|see|with)[ ](?:the[ ])?{_NUMBERED}[)）]",
    re.VERBOSE | re.IGNORECASE,
)
_INSIDE = re.compile(
    rf"\b(?:{_NUMBERED}|(?:the[ ])?(?:first|second|third|fourth|fifth|last)[ ]{_SOURCE}\b)",
    re.VERBOSE | re.IGNORECASE,
)
_SAID_BY = re.compile(
    rf"(?:both[ ]|one[ ]of[ ])?{EVIDENCE}[ ](?:(?:also|further|clearly|explicitly|both|all)[ ]){{0,2}}{SAYS}[ ]"
    r"(?!(?:no|not|nothing|neither|none|only)\b)(?=[a-z0-9])",
    re.VERBOSE | re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"[ ](?:suggest|recommend|advise|mention|state|say|note|explain|indicate|describe|discuss|provide|highlight|show"
    r"|report|add|emphasi[sz]e|specif|list|offer|give|cover|contain|include|point|refer|agree|concur|also|both|all|further)\w*",
    re.IGNORECASE,
)
_FIGURE = re.compile("[0-9]{1,3}")
_MOST = 20
"""A greater number is none of a passage."""
_STEP = re.compile(
    rf"(?P<word>\bsteps?[ ]|步骤[ ]?|第[ ]?)(?P<numbers>{NUMBERS})(?=(?P<after>[ ]?步)?)", re.VERBOSE | re.IGNORECASE
)
_LISTED = re.compile(
    r"^[ \t>*_#-]{0,8}(?:step[ ]|步骤[ ]?|第[ ]?)?([0-9]{1,2})(?:[.)、:：]|[ ]?步)", re.MULTILINE | re.IGNORECASE
)


def listed_numbers(answer: str) -> frozenset[int]:
    """The numbers with which lines of the answer begin: of its own steps."""
    return frozenset(map(int, _LISTED.findall(answer)))


def without_references(stated: str, listed: frozenset[int] = frozenset()) -> str:
    """`stated` without who of the passages says it, which of them by number, and the numbers of steps in `listed`."""
    stated = _SAID_BY.sub("", stated, count=1) if _SAID_BY.match(stated) else stated
    lower = stated.lower()
    if any(noun in lower for noun in _SIGNS):
        stated = _INSIDE.sub(_unless_counted, _IN_BRACKETS.sub("", stated))
    return _STEP.sub(lambda step: _unless_foreign(step, listed), stated) if listed else stated


def _unless_counted(reference: re.Match[str]) -> str:
    figures = _FIGURE.findall(reference[0])
    after = reference.string[reference.end() :][:32]
    if any(int(figure) > _MOST for figure in figures) or (figures and counts_something(after)):
        return reference[0]
    ends = not after or not after[0].isspace() or is_followed_by_grammar(after) or _GOES_ON.match(after)
    return "" if ends else reference[0]


def _unless_foreign(step: re.Match[str], listed: frozenset[int]) -> str:
    own = listed.issuperset(map(int, _FIGURE.findall(step["numbers"])))
    is_step = step["word"][0] != "第" or step["after"] is not None
    return step["word"] if own and is_step else step[0]
