"""A bounded memory of what was found about short texts, such as the words that every answer uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

LONGEST = 32
"""Characters; longer texts are looked at anew each time. Few words are longer, and keys and hashes never come back."""
MOST = 1 << 16
"""Texts that are remembered; one more and all are forgotten, which costs time, never a result."""

Found = TypeVar("Found")


class Memo(dict[str, Found]):
    """`memo[text]` is `find(text)`, looked up where it was found before.

    At most `MOST` texts of at most `LONGEST` characters each, so hostile text cannot make it grow. `find` is pure.
    A dictionary rather than `functools.lru_cache`: `map(memo.__getitem__, texts)` takes half the time a text.
    """

    def __init__(self, find: Callable[[str], Found]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, text: str) -> Found:
        found = self._find(text)
        if len(text) <= LONGEST:
            if len(self) >= MOST:
                self.clear()
            self[text] = found
        return found
