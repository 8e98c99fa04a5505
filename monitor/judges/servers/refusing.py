"""Whether a model refuses in words what it was asked for: a reply without any object, and no slip of its format."""

from __future__ import annotations

import itertools
import re

from monitor.judges.text.declines.declining import refuses
from monitor.judges.text.sentences import iter_sentences

_LONGEST = 2000
"""Characters; a refusal is short."""
_HEAD = 2
"""Sentences in which it must be said."""
_JUDGES_NOT = re.compile(
    r"""\b(?:can(?:no|')t|can\ not|unable\ to|won't|will\ not|must\ not|not\ able\ to)\s
        (?:evaluate|judge|rate|assess|grade|score|review|process|analy[sz]e)\b
    | (?:不能|无法|不便|拒绝|不会)[^。！？，]{0,12}(?:评估|评判|判断|评分|打分|评价|审核|处理|分析)""",
    re.IGNORECASE | re.VERBOSE,
)


def refuses_in_words(text: str) -> bool:
    """Whether a reply says that it gives no verdict. False for one that holds an object, whatever else it says."""
    if len(text) > _LONGEST or "{" in text or "｛" in text:
        return False
    head = [sentence.text.replace("’", "'") for sentence in itertools.islice(iter_sentences(text), _HEAD)]
    return any(refuses(sentence) or _JUDGES_NOT.search(sentence) for sentence in head)
