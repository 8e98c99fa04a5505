"""How the answer writes what was compared: its own words in place of stems and canonical numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import filterfalse

from monitor.judges.text.numbers.dates import MONTH
from monitor.judges.text.scripts import SPACED, UNSPACED
from monitor.judges.text.tokens import tokenize
from monitor.judges.text.words import is_run

_MOST_STRETCHES = 4
"""Stretches between blanks that one number takes at most: `half past 3.5 million`."""
_LONGEST = 24
"""Characters; a longer stretch says more than the one thing."""
_EDGES = " \t\r\n.,;:!?\"'()[]{}*_`，。；：！？（）「」《》“”‘’"
_NUMERALS = "0-9零〇一二两兩三四五六七八九十百千万萬亿億壹贰貳叁肆伍陆柒捌玖拾佰仟"
_RUN = re.compile(f"[{UNSPACED}]")
_PIECE = re.compile(
    rf"(?:上午|中午|下午|晚上|凌晨|早上)?(?:[0-9]|[{_NUMERALS}](?=[{_NUMERALS}]))[{_NUMERALS}]*(?:[.,:][{_NUMERALS}]+)*(?:[点點月](?:半|[{_NUMERALS}]+分)?)?"
    rf"|(?:周|星期|礼拜)[一二三四五六日天]|[美港欧日][元币金]|英镑|人民币|[{_NUMERALS}][{UNSPACED}]|[{SPACED}][{SPACED}'’-]*"
)


def as_written(words: Iterable[str], text: str) -> dict[str, str]:
    """Words of a sentence as they are compared, each with the shortest stretch of the sentence that gives it.

    Runs of scripts without blanks are left out, and what no stretch gives.
    """
    found: dict[str, str] = {}
    left = set(filterfalse(is_run, words))
    for stretch in _stretches(text) if left else ():
        for word in left.intersection(tokenize(stretch).words):
            found[word] = _month_of(stretch) if word.startswith(MONTH) else stretch
        left -= found.keys()
        if not left:
            break
    return found


def _stretches(text: str) -> Iterator[str]:
    """Pieces within the stretches between blanks, then these, then several of them together."""
    yield from _PIECE.findall(text)
    parts = text.split()
    for count in range(1, _MOST_STRETCHES + 1):
        together = (" ".join(parts[start : start + count]).strip(_EDGES) for start in range(len(parts) - count + 1))
        yield from (stretch for stretch in together if len(stretch) <= _LONGEST and not _RUN.search(stretch))


def _month_of(stretch: str) -> str:
    """The name of the month out of `May 2031`; a date in digits as a whole."""
    named = (
        piece for piece in _PIECE.findall(stretch) if any(w.startswith(MONTH) for w in tokenize(f"{piece} 1").words)
    )
    return next(named, stretch)
