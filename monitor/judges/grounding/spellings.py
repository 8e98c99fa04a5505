"""What the sentences of some passages write for words of a claim, be it in another way: `€` for `EUR`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

import numpy as np

from monitor.judges.text.passages import Found, Passages
from monitor.judges.text.spellings.otherwise import Otherwise


class Spellings:
    """The sentences in which patterns are found, looked for when the first claim asks."""

    def __init__(self, passages: Passages) -> None:
        self._passages = passages
        self._known: dict[str, list[int]] = {}

    @cached_property
    def _sentences(self) -> list[str]:
        return self._passages.texts()

    def hold(self, spelt: Iterable[Otherwise], found: Found) -> None:
        """Let the sentences that write words of a claim in another way hold them."""
        for words, pattern in spelt:
            if pattern not in self._known:
                self._known[pattern] = list(self._writing(re.compile(pattern)))
            rows = [found.words.index(word) for word in words if word in found.words]
            found.held[np.ix_(rows, self._known[pattern])] = True

    def _writing(self, pattern: re.Pattern[str]) -> Iterable[int]:
        if any(map(pattern.search, self._passages.whole_texts)):
            yield from (number for number, text in enumerate(self._sentences) if pattern.search(text))
