"""What the sentences of some passages write for words of a claim, be it in another way: `€` for `EUR`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

import numpy as np

from monitor.judges.text.passages import Found, Passages
from monitor.judges.text.spellings.initials import Initials
from monitor.judges.text.spellings.otherwise import Otherwise

MOST_PATTERNS = 64
"""Different patterns that the passages of one request are searched for, so that answers made for it cost no time."""


class Spellings:
    """The sentences in which patterns and initials are found, looked for when the first claim asks."""

    def __init__(self, passages: Passages, asked: Iterable[Otherwise]) -> None:
        """`asked` is all that claims may ask."""
        self._passages = passages
        self._asked = [one.initials for one in asked if one.initials]
        self._known: dict[str, list[int]] = {}

    @cached_property
    def _sentences(self) -> list[str]:
        return self._passages.texts()

    @cached_property
    def _spelling_out(self) -> dict[str, list[int]]:
        """The sentences with words that have the initials that are asked for."""
        spelling: dict[str, list[int]] = {initials: [] for initials in self._asked}
        asked = Initials(spelling)
        for number, text in enumerate(self._sentences):
            for initials in asked.found_in(text):
                spelling[initials].append(number)
        return spelling

    def hold(self, spelt: Iterable[Otherwise], found: Found) -> None:
        """Let the sentences that write words of a claim in another way hold them."""
        for one in spelt:
            rows = [found.words.index(word) for word in one.words if word in found.words]
            found.held[np.ix_(rows, self._writing(one))] = True

    def _writing(self, spelt: Otherwise) -> list[int]:
        if spelt.initials:
            return self._spelling_out[spelt.initials]
        if spelt.pattern not in self._known:
            few = len(self._known) < MOST_PATTERNS
            self._known[spelt.pattern] = list(self._matching(re.compile(spelt.pattern))) if few else []
        return self._known[spelt.pattern]

    def _matching(self, pattern: re.Pattern[str]) -> Iterator[int]:
        if any(map(pattern.search, self._passages.whole_texts)):
            yield from (number for number, text in enumerate(self._sentences) if pattern.search(text))
