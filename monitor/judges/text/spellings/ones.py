"""What counts one, or counts in order: `1 exchange` and `one exchange`, 1张 and 一张, `1x` and `once`, `year 1`.

A lone `one` is a pronoun more often and a lone 一 a part of another word, so neither is a number. In front of what a
claim counts they are: `one of the exchanges` and 一些 hold no `1`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from monitor.judges.text.numbers.folding import MEASURES
from monitor.judges.text.words import WORDS

_NOUN = "[a-z][a-z'’-]{2,24}"
_ONE = re.compile(
    rf"(?<![\w.,:/$€£¥-])(?:1|(?P<word>one))[ -](?=(?P<first>{_NOUN})(?:[ -](?P<second>{_NOUN}))?)", re.IGNORECASE
)
_NO_NOUN = frozenset(
    """and another are but can could does each for from had has have his how into its may might must not off one only
    other others our out per shall she should than that the their them then they this was were what when which who will
    with would you your""".split()  # noqa: SIM905 - a word list reads as text
)
"""Behind `one` no noun: `no one has`, `one another`, `one can`."""
_ADJECTIVES = frozenset(
    "additional complete entire extra free full further main more new original second separate single whole".split()  # noqa: SIM905 - a word list reads as text
)
"""What counts too little to be what is counted."""
_ONE_TIME = re.compile(r"(?<![\w.,:/-])(?:1[ ]?[x×](?![\w×])|(?:1|one)[ ](?:single[ ])?time\b(?!-))", re.IGNORECASE)
_ONCE = r"(?i:\bonce\b|\b(?:one|a)[ ](?:single[ ])?time\b|(?<![\w.,:/-])1[ ]?(?:[x×](?![\w×])|times?\b))"
_TWO_TIMES = re.compile(r"(?<![\w.,:/-])(?:2|two)(?:[ ]?[x×]|[ -](?:times|fold))(?!\w)", re.IGNORECASE)
_NO_COUNT = "[第上下前后这那每任另同统唯专单周万之十百千零〇0-9.]"
_HAN_ONE = re.compile(
    rf"(?<!{_NO_COUNT})(?<!星期)(?<!礼拜)(?<![:/,-])(?:1[ ]?|(?P<han>一))(?P<measure>{MEASURES}|[寸只门则笔次])(?!性)"
    r"(?P<behind>[\u4e00-\u9fff]?)"
)
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()  # noqa: SIM905 - a word list reads as text
SPANS = "year|month|week|day|quarter|term|semester|phase|stage|step|round|instal?lment"
_NTH = re.compile(rf"\b(?P<span>{SPANS})s?[ ](?P<number>[1-9]|10)(?![\w%]|[.,:/-][0-9])", re.IGNORECASE)
_HAN_FIRST = re.compile("第(?P<number>1|一)(?P<behind>[\u4e00-\u9fff])")


def counted_in(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Words of a claim that count one or in order, and a pattern for what else says so."""
    if "1" in text or "one" in text or "One" in text:
        for match in _ONE.finditer(text):
            yield from _one(match)
        if _ONE_TIME.search(text):
            yield ("1", "time", "x"), _ONCE
    if _TWO_TIMES.search(text):
        yield ("2", "time"), r"(?i:\btwice\b)"
    if "twice" in text or "Twice" in text:
        yield (WORDS["twice"],), f"(?i:{_TWO_TIMES.pattern})"
    if "1" in text or "一" in text:
        yield from _han_ones(text)
    for match in _NTH.finditer(text):
        yield (match["number"],), ordinal_of(match["number"], match["span"])


def ordinal_of(number: str, span: str) -> str:
    """A pattern for the `first year` and, where a pause follows, the `first` alone; from 1 to 10."""
    return rf"(?i:\b{_ORDINALS[int(number) - 1]}(?:[ ]{span}\b|[ ]?(?=[.,;:)]|$)))"


def _one(match: re.Match[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    nouns = [noun.lower() for noun in match.group("first", "second") if noun]
    if nouns[0] in _NO_NOUN:
        return
    counted = "|".join(re.escape(noun.removesuffix("s")) for noun in nouns if noun not in _NO_NOUN | _ADJECTIVES)
    if not counted:
        return
    says = r"(?<![\w.,:/$€£¥-])1" if match["word"] else r"\b(?<!no[ ])(?:one|a[ ]single)"
    yield ("one" if match["word"] else "1",), rf"(?i:{says}[ -](?:{_NOUN}[ -])?(?:{counted}))"


def _han_ones(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    for match in _HAN_ONE.finditer(text):
        measure, behind = match.group("measure", "behind")
        counted = f"{measure}{behind}" if measure == "个" else measure
        if match["han"]:
            before = text[match.start() - 1 : match.start()] if match.start() else ""
            yield (f"{before}一", f"一{measure[0]}"), rf"(?<![0-9.,:/第-])1[ ]?{counted}"
        else:
            yield ("1",), rf"(?<!{_NO_COUNT})(?<!星期)(?<!礼拜)[一壹]{counted}(?!性)"
    for match in _HAN_FIRST.finditer(text):
        said, behind = match.group("number", "behind")
        if said == "1":
            yield ("1",), f"第一{behind}|首{behind}"
        else:
            yield ("第一", f"一{behind}"), f"第[ ]?1[ ]?{behind}"
