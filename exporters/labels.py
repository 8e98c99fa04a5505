"""Label values: clean text, few of them, and never more series than agreed.

Text in traces is hostile: one lone surrogate in a label makes every later scrape fail, and a new tenant per request
fills the memory of the Prometheus server. Values are admitted first come, first served, and for good: a counter whose
membership in `other` changed would go backwards.
"""

from __future__ import annotations

import unicodedata
from collections import Counter

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


class Vocabulary:
    """The values of each label that were admitted so far; what comes after `limit` values is `other`.

    Memory is bounded by the limit. `overflow` counts the folded values for each label.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._known: dict[tuple[str, str], dict[str | None, str]] = {}
        self.overflow: Counter[str] = Counter()

    def value(self, label: str, raw: str | None, scope: str = "") -> str:
        """The value to show. `scope` separates vocabularies of one label, such as one for each slice dimension."""
        known = self._known.setdefault((label, scope), {})
        shown = known.get(raw)
        if shown is not None:
            return shown
        if len(known) >= self._limit:
            self.overflow[label] += 1
            return OTHER
        known[raw] = clean(raw)
        return known[raw]


class SeriesBudget:
    """Admits rows of series until the budget is spent; an admitted row stays admitted."""

    def __init__(self, series: int) -> None:
        self._left = series
        self._admitted: set[tuple[str, ...]] = set()

    def admit(self, row: tuple[str, ...], cost: int) -> bool:
        """Whether the row, which makes at most `cost` series, may be shown."""
        if row in self._admitted:
            return True
        if cost > self._left:
            return False
        self._left -= cost
        self._admitted.add(row)
        return True
