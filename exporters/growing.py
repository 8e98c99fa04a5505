"""Counters that never go back, whatever they sum.

A row such as `other` sums what has no row of its own. When one of its parts leaves, or gets a row, the sum falls, and
Prometheus takes that for a restart: it would count all that is left as new.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

Numbers = tuple[float, ...]


class _Row(NamedTuple):
    summed: Numbers
    shown: Numbers


class GrowingRows:
    """What is shown of each row: its sum at first, then more by what the sum grew, and never less.

    In a step in which a part leaves, as much is missed of what the others grew. A row that missed a page begins anew.
    """

    def __init__(self) -> None:
        self._rows: dict[Hashable, _Row] = {}
        self._used: dict[Hashable, _Row] = {}

    def grown(self, row: Hashable, summed: Numbers) -> Numbers:
        """What to show of a row with these sums now."""
        before = self._rows.get(row)
        shown = summed  # exactly, as long as it never fell
        if before is not None and (before.shown != before.summed or _falls(before.summed, summed)):
            shown = _more(before, summed)
        self._used[row] = _Row(summed, shown)
        return shown

    def end_page(self) -> None:
        """Forget the rows that were not on this page."""
        self._rows, self._used = self._used, {}


def _falls(before: Numbers, now: Numbers) -> bool:
    return any(new < old for old, new in zip(before, now, strict=True))


def _more(before: _Row, summed: Numbers) -> Numbers:
    steps = zip(before.shown, before.summed, summed, strict=True)
    return tuple(shown + max(0, new - old) for shown, old, new in steps)
