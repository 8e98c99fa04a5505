"""What a decline brings in: numbers, and names it puts forward, that nobody asked for and no passage holds.

"I don't know whether it is 500 or 600" claims nothing where the question is which of the two it is, or where a passage
holds both. Where neither does, the answer made them up. Not counted are numbers of passages, of telephones and of the
day up to which a model knows something.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from monitor.judges.text.declines.known import Words
from monitor.judges.text.metadiscourse.citations import NUMBERS
from monitor.judges.text.tokens import tokenize
from monitor.judges.text.words import stem_of

_COUNTS = "(?:[0-9]{1,3}|two|three|four|five|six|seven|eight|nine|ten)"
_EVIDENCE = "(?:passages?|documents?|sources?|chunks?|texts?|excerpts?|pages?|sections?|articles?|results?)"
_OF_EVIDENCE = re.compile(
    rf"""\b{_EVIDENCE}[ ](?:\#|no\.?[ ]?)?{NUMBERS}\b | \b{_COUNTS}[ ](?:[a-z]+[ ]){{0,2}}{_EVIDENCE}\b
      | (?:资料|文档|文件|片段|段落|来源)[ ]?{NUMBERS} | 第[ ]?[0-9一二三四五六七八九十]{{1,4}}[ ]?[段页篇章节条份]
      | [0-9两二三四五六七八九十]{{1,3}}[份篇个条段](?:参考)?(?:资料|文档|文件|材料|文章|片段)""",
    re.VERBOSE | re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"https?://\S+|www\.\S+|(?<!\S)\S{1,64}@\S+|24/7|\+?[0-9(][0-9() -]{5,24}[0-9]"
    r"|(?:\b(?:call|dial|text)|拨打|致电|热线)[ :：]{0,2}[0-9+(][0-9() -]{2,24}",
    re.IGNORECASE,
)
"""Addresses and telephones, where an answer refers to somebody else."""
_UP_TO_A_DAY = re.compile(
    r"\b(?:knowledge|train(?:ed|ing)|cut-?off|last[ ]updated?|as of)\b|截至|截止|训练|更新", re.IGNORECASE
)
_DAY = re.compile(
    r"(?:\b(?:[0-9]{1,2}[ ])?(?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december)[ ])?"
    r"(?:19|20)[0-9]{2}(?:年(?:[0-9]{1,2}月)?(?:[0-9]{1,2}日)?)?",
    re.IGNORECASE,
)
_WEEKDAYS = frozenset(map(stem_of, "monday tuesday wednesday thursday friday saturday sunday".split()))  # noqa: SIM905 - a word list reads as text
_PUT_FORWARD = re.compile(r"\b(?:whether|if|that|or|either)\b(.*)", re.IGNORECASE | re.DOTALL)

_DENIED = re.compile(
    r"""\b(?:mention|say|state|specify|indicate|confirm)[ ](?:that[ ]
        | (?:the|an?|its?|they|there|this)[ ](?:(?!\b(?:who|which|that|what|where|when|how|whether)\b)[^.]){0,60}
          \b(?:is|are|was|were|has|costs?|lasts?)\b)
      | (?:提及|提到|说明|写明|显示|表明|指出)[^，。是否何多哪]{1,16}[为是有](?![^，。]{0,6}[什多哪何谁几])""",
    re.VERBOSE | re.IGNORECASE,
)


def denies_a_value(sentence: str) -> bool:
    """Whether what is denied is a statement with a number in it: `does not say that the fee is 40 euros`."""
    return _DENIED.search(sentence) is not None and bool(numbers_of(sentence, refers=False))


def numbers_of(text: str, *, refers: bool) -> frozenset[str]:
    """The numbers of a sentence that declines, or that `refers` elsewhere, as words of its subject."""
    text = _OF_EVIDENCE.sub(" ", text)
    if refers:
        text = _ELSEWHERE.sub(" ", text)
    return tokenize(_DAY.sub(" ", text) if _UP_TO_A_DAY.search(text) else text).numbers


def names_put_forward(clauses: Iterable[str]) -> frozenset[str]:
    """Names behind `whether`, `that` and `or`: what a thing may be, where the name of a topic claims nothing.

    Weekdays are none: who is asked of a weekend may say "Saturday".
    """
    tails = (put[1] for clause in clauses if (put := _PUT_FORWARD.search(clause)))
    return frozenset().union(*(tokenize(f"is {tail}").names for tail in tails)) - _WEEKDAYS


def is_brought_in(numbers: Collection[str], names: frozenset[str], known: Words) -> bool:
    """Whether a number is in none of the texts `known`, or none of the names is; a topic may be named more fully."""
    if not numbers and not names:
        return False
    return not known.all.issuperset(numbers) or (bool(names) and known.all.isdisjoint(names))
