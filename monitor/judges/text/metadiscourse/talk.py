"""Talk: what an answer says that claims nothing about its subject, such as "Here is what I found" or 希望对您有帮助.

A clause is talk by its grammar: it begins like an act of speech and goes on in words of conversation. What else it
holds is a claim, so this errs towards claims: one judged too many costs a little, one that slips through is not seen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from monitor.judges.text.metadiscourse import talk_en, talk_zh
from monitor.judges.text.scripts import HAN

_HAN = re.compile(f"[{HAN}]")
_BETWEEN = re.compile(
    rf"[,;:](?=[\s*_]|$)|[，：；。！？]|[—–~～…]+|\s-+\s|(?<![!?])[!?]++(?=[\s*_]|$)|(?<=[{HAN}])[,:;.!?]+"
    # closings behind an answer that has no stop
    r"|\s(?=(?:(?:I h|H)ope (?:this|that|it|these)|(?:Please )?(?:[Ll]et me know|[Ff]eel free|[Dd]on['’]t hesitate)"
    r"|If you (?:have|need) (?:any|more|further|other))\b)"
    r"|(?<=[^，。！？,])(?=希望(?:对您|以上|这些?|能)|如(?:果您?|您)?(?:还?有|需)(?:其他|任何|更多|疑问|问题)"
    r"|(?:欢迎|请)(?:您)?随时)"
)
"""Where clauses may meet."""


_OFFERS = frozenset(("offer", "promise"))


@dataclass(frozen=True, slots=True)
class Talk:
    """A clause that claims nothing; `topic` is how what it names begins, empty when it names nothing."""

    kind: str
    topic: str = ""


def without_talk(text: str) -> str:
    """The part of a sentence that claims something: without clauses of talk at its beginning and end.

    Empty when all of it is talk. A topic that talk names stays with the claim behind it: of "Here is the fee: 40 euros"
    that is "fee: 40 euros". Linear in the length of the text.
    """
    marks = list(_BETWEEN.finditer(text))
    starts, ends = [0, *(mark.end() for mark in marks)], [*(mark.start() for mark in marks), len(text)]
    begin, held, offered = -1, -1, False
    for first, (start, end) in enumerate(zip(starts, ends, strict=True)):
        talk = talk_of(text[start:end], offered=offered)
        if talk is None or (talk.kind == "promise" and held < 0 and not offered):
            begin = held if begin < 0 <= held else begin
            return text[start if begin < 0 else begin : _end(text, starts[first:], ends[first:])].lstrip()
        if talk.topic and begin < 0:
            begin = max(start, text.lower().find(talk.topic, start, end))
        if talk.kind == "condition" and not offered:
            held = start if held < 0 else held
        offered = talk.kind in _OFFERS or (offered and talk.kind in {"", "condition"})
        held = -1 if offered else held
    return "" if held < 0 else text[held:].lstrip()


def _end(text: str, starts: list[int], ends: list[int]) -> int:
    """Where the last clause ends that is no talk, the first being none."""
    kept = len(text)
    for index in range(len(starts) - 1, 0, -1):
        talk = talk_of(text[starts[index] : ends[index]])
        if talk is None or talk.kind == "promise" or (talk.kind == "condition" and kept == len(text)):
            break
        kept = ends[index - 1] if talk.kind or kept < len(text) else kept
    return kept


def talk_of(clause: str, *, offered: bool = False) -> Talk | None:
    """What talk a clause is, None when it may claim something; `offered`: an offer stands before it.

    A clause without letters and digits is talk of no kind.
    """
    if not any(map(str.isalnum, clause)):
        return Talk("")
    of_script = talk_zh if not clause.isascii() and _HAN.search(clause) else talk_en
    found = of_script.kind_of(clause, offered=offered)
    return Talk(*found) if found else None
