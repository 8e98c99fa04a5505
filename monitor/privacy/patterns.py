"""What a pattern is, and how the hits of many patterns in one text become spans that do not overlap.

Rules for every pattern. Explicit ASCII look-arounds, never the word boundary: a CJK letter is a word character to it.
Linear time on any text: repetitions are bounded or possessive, and a match can start only where a word starts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from monitor.privacy.gates import always
from monitor.privacy.outline import Gate


@dataclass(frozen=True, slots=True)
class Span:
    """One sensitive text, with offsets in the text that was searched. `value` is its one spelling, once known."""

    kind: str
    start: int
    end: int
    value: str = ""


def _any_match(_match: re.Match[str]) -> bool:
    return True


def literally(text: str) -> str:
    """The value of a text that has one spelling only."""
    return text


@dataclass(frozen=True, slots=True)
class Pattern:
    """A kind of sensitive text.

    `accept` sees each match and may refuse it. The hit is the group `hit` where the pattern has one, else the whole
    match. `normalise` removes what spellings of the same value differ in. Who searches many texts asks `gate` first: it
    is open for every text with a hit. Every match holds one of `needs`, where there are any, and begins at most `lead`
    characters before its first digit, if it has one.
    """

    kind: str
    regex: re.Pattern[str]
    accept: Callable[[re.Match[str]], bool] = _any_match
    normalise: Callable[[str], str] = literally
    gate: Gate = always
    needs: tuple[str, ...] = ()
    lead: int = 8

    def find(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[Span]:
        """The hits of this pattern in `text`, from left to right; from `start` up to `end` only, where given."""
        group = "hit" if "hit" in self.regex.groupindex else 0
        for match in self.regex.finditer(text, start, end):
            if self.accept(match):
                yield Span(self.kind, *match.span(group))


def before(match: re.Match[str], characters: int) -> str:
    """The text just before a match."""
    return match.string[max(0, match.start() - characters) : match.start()]


def after(match: re.Match[str], characters: int) -> str:
    """The text just after a match."""
    return match.string[match.end() : match.end() + characters]


def digits(text: str) -> str:
    """Only the ASCII digits of a text."""
    return "".join(char for char in text if "0" <= char <= "9")


def join(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, without overlap: those that overlap become one, of the kind that covers most.

    The union is kept, not the best one, or the rest of the other would stay readable.
    """
    result: list[Span] = []
    for span in sorted(spans, key=lambda item: (item.start, item.start - item.end)):
        last = result[-1] if result else None
        if last is None or span.start >= last.end:
            result.append(span)
        elif span.end > last.end:
            larger = span if span.end - span.start > last.end - last.start else last
            result[-1] = Span(larger.kind, last.start, span.end)
    return result
