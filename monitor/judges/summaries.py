"""A word that sums up a list of verdicts, and whether it says what they say together.

"Verdict: No" beside claims of which one is not supported is the same verdict once more; beside claims that are all
supported it is another one. Of passages one relevant one is enough.
"""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Collection


class _Side(enum.Enum):
    FOR = enum.auto()
    PARTLY = enum.auto()
    NOT_ALL = enum.auto()
    AGAINST = enum.auto()


_PARTS = {
    "supported": _Side.FOR,
    "partial": _Side.PARTLY,
    "contradicted": _Side.AGAINST,
    "not_found": _Side.AGAINST,
    "answered": _Side.FOR,
    "unanswered": _Side.AGAINST,
    "given": _Side.FOR,
    "missing": _Side.AGAINST,
    "relevant": _Side.FOR,
    "partly": _Side.PARTLY,
    "irrelevant": _Side.AGAINST,
}
"""The verdicts of claims, parts and passages, which say how each of them is."""
_GRADES = frozenset({"relevant", "partly", "irrelevant"})
_WORD = re.compile(
    r"""(?P<yes>yes|true|ok(?:ay)?|no_(?:hallucinations?|issues|errors)|是|对|无幻觉|没有幻觉)
      | (?P<no>no|false|hallucinat(?:ed|ions?)|contradicted|not_found|否|错误?|有幻觉|存在幻觉)
      | (?P<mixed>mixed|partial|partly|partially)
      | (?:(?P<not>not|不|未|没有?)_?)?(?:(?P<some>partially|partly|mostly|largely|部分|大部分|基本)_?)?
        (?:(?P<all>fully|completely|entirely|all|well|完全|全部)_?)?(?:(?:得到|被)_?)?
        (?P<un>un(?=supp|faith|grou|answ)|in(?=corr|accu|cons|comp)|ir(?=rel))?
        (?:supported|faithful|grounded|answered|correct|accurate|consistent|complete|relevant|pass(?:ed|es)?|(?P<fail>fail(?:ed|s)?)
          |given|(?P<missing>missing)|支持|忠实|正确|准确|成立|通过|相关|完整)
        (?:_(?:by|in|to|with|from|of|the|all|given|provided|retrieved|contexts?|evidence|sources?|documents?|passages?
          |claims?|facts?|statements?|texts?|references?|questions?|quer(?:y|ies)|answers?|responses?|information)){0,6}的?""",
    re.VERBOSE,
)


def agrees(word: str, parts: Collection[str]) -> bool | None:
    """Whether `word` says of all `parts` together what they say one by one; None where that cannot be told."""
    word = re.sub("[ _-]+", "_", word.strip())
    side, sides = _side_of(word), {_PARTS.get(part) for part in parts}
    if side is None or None in sides or not sides:
        return None
    if side is _Side.AGAINST and word in _PARTS and word not in parts:
        return False  # which way a claim fails is told apart
    graded = not _GRADES.isdisjoint(parts)
    match side:
        case _Side.FOR:
            return _Side.FOR in sides if graded else sides == {_Side.FOR}
        case _Side.PARTLY:
            return sides not in ({_Side.FOR}, {_Side.AGAINST})
        case _Side.NOT_ALL:
            return sides != {_Side.FOR}
        case _Side.AGAINST:
            return _Side.FOR not in sides if graded else _Side.AGAINST in sides


@functools.lru_cache(maxsize=256)
def _side_of(word: str) -> _Side | None:
    found = _WORD.fullmatch(word)
    if found is None:
        return None
    if found["some"] or found["mixed"]:
        return _Side.AGAINST if found["not"] else _Side.PARTLY
    if found["not"] and found["all"]:
        return None if found["un"] or found["fail"] or found["missing"] else _Side.NOT_ALL
    is_against = sum(bool(found[name]) for name in ("no", "not", "un", "fail", "missing"))
    return _Side.AGAINST if is_against % 2 else _Side.FOR
