"""Label values: clean text, few of them, and never more series than agreed.

Text in traces is hostile: one lone surrogate in a label makes every later scrape fail, and a new tenant per request
fills the memory of the Prometheus server. Values and rows are admitted first come, first served, for as long as they
are on every page; what has left a page gives its place back.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass

from monitor.snapshot import OTHER, UNKNOWN

MAX_LENGTH = 100
"""Characters of a label value at most."""

_UNSAFE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode categories without a place in a label: controls, invisible formats, surrogates, unassigned, line breaks."""


def clean(value: str | None) -> str:
    """A label value that any consumer can show: no surrogates, no controls, bounded; `unknown` when nothing is left.

    What cannot be shown becomes U+FFFD, so that a broken value stays visible as broken.
    """
    if not value:
        return UNKNOWN
    text = value[:MAX_LENGTH]
    if not text.isprintable():  # the common case is one call
        text = "".join("\ufffd" if unicodedata.category(char) in _UNSAFE else char for char in text)
    return text.strip() or UNKNOWN


@dataclass(slots=True)
class _Word:
    shown: str
    page: int
    """The number of the page that it was on last."""


class Vocabulary:
    """The values of each label that have a place; what comes after `limit` values is `other`.

    Memory is bounded by the limit. `overflow` counts the folded values for each label.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._known: dict[tuple[str, str], dict[str | None, _Word]] = {}
        self._page = 0
        self.overflow: Counter[str] = Counter()

    def value(self, label: str, raw: str | None, scope: str = "") -> str:
        """The value to show. `scope` separates vocabularies of one label, such as one for each slice dimension."""
        known = self._known.setdefault((label, scope), {})
        word = known.get(raw)
        if word is None:
            if len(known) >= self._limit:
                self.overflow[label] += 1
                return OTHER
            word = known[raw] = _Word(clean(raw), self._page)
        word.page = self._page
        return word.shown

    def end_page(self) -> None:
        """Free the places of values that were not on this page."""
        for place, known in self._known.items():
            self._known[place] = {raw: word for raw, word in known.items() if word.page == self._page}
        self._page += 1


class SeriesBudget:
    """Admits rows of series until the budget is spent; an admitted row stays admitted while it is on every page.

    The exception are rows that yield: they may have to make room for others.
    """

    def __init__(self, series: int) -> None:
        self._left = series
        self._admitted: dict[tuple[str, ...], int] = {}
        self._used: set[tuple[str, ...]] = set()
        self._yielding: dict[tuple[str, ...], None] = {}

    def admit(self, row: tuple[str, ...], cost: int, *, yields: bool = False) -> bool:
        """Whether the row, which makes at most `cost` series, may be shown."""
        if row not in self._admitted:
            if cost > self._left:
                return False
            self._left -= cost
            self._admitted[row] = cost
            if yields:
                self._yielding[row] = None
        self._used.add(row)
        return True

    def make_room(self, cost: int) -> bool:
        """Take rows that yield from the next ones on, the newest first; whether `cost` fits then. Else takes none."""
        waiting = [row for row in reversed(self._yielding) if row not in self._used]
        if self._left + sum(self._admitted[row] for row in waiting) < cost:
            return False
        for row in waiting:
            if self._left >= cost:
                break
            self._free(row)
        return True

    def end_page(self) -> None:
        """Free the places of rows that were not on this page."""
        for row in self._admitted.keys() - self._used:
            self._free(row)
        self._used = set()

    def _free(self, row: tuple[str, ...]) -> None:
        self._left += self._admitted.pop(row)
        self._yielding.pop(row, None)
