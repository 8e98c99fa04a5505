"""A word that sums up a list of verdicts, and whether it says what they say together.

"Verdict: No" beside claims of which one is not supported is the same verdict once more; beside claims that are all
supported it is another one. Of passages one relevant one is enough.
"""

from __future__ import annotations

import enum
import functools
import re
from collections.abc import Collection, Iterator


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

_ENGLISH = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMERALS = {word: number for words in (_ENGLISH, "零一二三四五六七八九十") for number, word in enumerate(words)}
_NUMERALS |= {"两": 2, "no": 0, "none": 0}
_COUNT = rf"[0-9]{{1,3}}|{'|'.join(_NUMERALS)}"
_BEGINS = r"(?:\A|(?<![0-9])\.|[。!?}`])\s{0,4}\*{0,2}"
_ENDS = (
    r"(?:\s?\([^()\n]{0,20}\))?(?=[\s*]{0,4}(?:[.。!{\n]|\Z)"
    r"(?!\s{0,4}(?:however|but|except|yet|only|the\s(?:first|second|third|last|other|rest)|但|不过|然而|除|仅|只|第)))"
)
_COUNTED = re.compile(
    rf"""(?:{_BEGINS}(?:(?:so|thus|therefore|hence)\b,?\s)?
        |(?:\A|[.!?}}`\n])[\s*]{{0,4}}
         (?P<whole>overall|altogether|(?:in\s)?(?:summary|total|conclusion))\b[,:]?[\s*]{{1,4}})
      (?P<count>all|both|every|each|{_COUNT})\b
      (?:\s(?:out\s)?of(?:\sthe)?(?:\s(?P<total>{_COUNT}))?)?(?:\sthe)?(?:\s(?:atomic|factual|{_COUNT}))?
      \s(?:claims?|statements?|(?P<passages>passages?|documents?|chunks?)|(?P<questions>(?:sub-?)?questions?|parts))
      \s(?:is|are|was|were|(?:has|have)\sbeen)\s(?:fully\s|directly\s|well\s)?
      (?(passages)relevant|(?(questions)answered|supported))
      (?:\s(?:by|in)(?:\sthe)?(?:\s(?:given|provided|retrieved))?
        \s(?:passages|contexts?|documents|sources|evidence|texts))?{_ENDS}
    | (?:{_BEGINS}(?:回答中?的?)?|(?P<finally>综上|总之)[,:]?|(?:因此|所以|可见),?
        |[,:](?=(?:{_COUNT})[条个](?:论断|陈述|说法)?[中里]))
      (?:(?P<totalled>{_COUNT})[条个](?:论断|陈述|说法)?[中里],?(?:只|仅)?有?)?
      (?P<counted>所有|全部|每一?|{_COUNT})[条个]?(?:的?(?:论断|陈述|说法))?
      (?:均|都|全部?)?(?:得到|获得|有|被)(?:了|段落|资料|文档|的){{0,3}}支持{_ENDS}""",
    re.VERBOSE,
)
"""How many claims are supported, passages relevant or questions answered, in words: a sentence of its own, which may
say that it is about the whole."""
_OF_A_PLACE = re.compile(
    r"\b(?:passage|document|source|context|chunk|text|step|part)s?\W{0,3}[0-9]"
    r"|\b(?:first|second|third|last|next|other|this|that|one)\s(?:passage|document|source|context|chunk|text|step|part)\b"
    r"|(?:段落?|资料|文档|步骤?)\s?[0-9一二三四五六七八九十]|第\s?[0-9一二三四五六七八九十]{1,3}[段步篇]"
)
"""What stands on a line before a count that may be one of a passage or a step."""
_LINE = 200
_FAMILIES = {
    "claims": frozenset({"supported", "contradicted", "not_found"}),
    "passages": frozenset({"relevant", "irrelevant"}),
    "questions": frozenset({"answered", "unanswered"}),
}
_NEAR = 0.15
"""How far a share that a model works out by itself may be off."""


def counts_otherwise(said: str, parts: Collection[str]) -> bool:
    """Whether a text counts the parts that stand as they are not: all of them, none, or some of a number.

    `said` is in lower case. What is said of partial support, or perhaps of one passage, is left alone.
    """
    family = next((name for name, verdicts in _FAMILIES.items() if parts and verdicts.issuperset(parts)), None)
    return any(counted == family and side is not _side_of_all(parts) for counted, side in _counted(said))


def shares_otherwise(score: float, verdicts: Collection[str]) -> bool:
    """Whether a number that is given beside a list of verdicts is another share than theirs.

    Only numbers from 0 to 1 are shares. What is partly so may count in full, not at all, or anything between; and 0 may
    stand for any claim that is not supported.
    """
    sides = [_PARTS.get(verdict) for verdict in verdicts]
    if not 0 <= score <= 1 or not sides or None in sides or not _GRADES.isdisjoint(verdicts):
        return False
    least, most = sides.count(_Side.FOR), sides.count(_Side.FOR) + sides.count(_Side.PARTLY)
    is_near = least / len(sides) - _NEAR <= score <= most / len(sides) + _NEAR
    return not is_near and not (score == 0 and least < len(sides))


def _side_of_all(parts: Collection[str]) -> _Side:
    sides = {_PARTS[part] for part in parts}
    return _Side.PARTLY if len(sides) > 1 else sides.pop()


def _counted(said: str) -> Iterator[tuple[str, _Side]]:
    """What is counted, and which side the count puts them on."""
    for found in _COUNTED.finditer(said):
        if not (found["whole"] or found["finally"]) and _is_of_a_place(said, found.start()):
            continue
        count, total = found["count"] or found["counted"], found["total"] or found["totalled"]
        number = _number(count)
        family = "passages" if found["passages"] else "questions" if found["questions"] else "claims"
        if number is None or (total is not None and number == _number(total)):
            yield family, _Side.FOR
        elif number == 0:
            yield family, _Side.AGAINST
        elif total is not None:
            yield family, _Side.PARTLY


def _is_of_a_place(said: str, start: int) -> bool:
    line = max(0, start - _LINE)
    return _OF_A_PLACE.search(said, max(line, said.rfind("\n", line, start) + 1), start) is not None


def _number(word: str) -> int | None:
    """None for `all` and its like."""
    return int(word) if word.isdecimal() else _NUMERALS.get(word)


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
