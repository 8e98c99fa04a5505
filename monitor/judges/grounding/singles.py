"""Evidence that counts more than a claim does: a sentence that says all of it, but `three years` for `one year`."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from monitor.judges.grounding.opposed import Opposite
from monitor.judges.text.amounts.singles import Single
from monitor.judges.text.passages import Found, Passages
from monitor.judges.text.tokens import Tokens
from monitor.judges.text.words import is_run

HELD, HELD_APART = 0.99, 0.8
"""Share of a claim, numbers aside, that a sentence holds at least; the second one for scripts without blanks."""
MOST = 4
"""Counts of one claim that are looked at."""
MOST_ASKED = 24
"""Different counts that the passages of one request are searched for, so that answers made for it cost no time."""


class CountedMore:
    """Which sentences of some passages count more than a claim. It takes time linear in their length."""

    def __init__(self, passages: Passages) -> None:
        self._passages = passages
        self._said: dict[str, bool] = {}

    @cached_property
    def _sentences(self) -> list[str]:
        return self._passages.texts()

    def of(self, claim: Tokens, found: Found, weights: NDArray[np.float64]) -> tuple[list[int], Opposite | None]:
        """The sentences that say another number of what the claim says there is one of, and what the first one says.

        None where any passage says one of it, or says so in another way, and where the claim negates or says nothing
        beside. `weights` are those of the words.
        """
        more: list[int] = []
        opposite: Opposite | None = None
        for single in [] if claim.negated else sorted(claim.singles)[:MOST]:
            if self._is_said(single.one):
                continue
            for sentence in self._about(claim, found, weights, single.words):
                match = re.search(single.many, self._sentences[sentence])
                if match is not None:
                    more.append(sentence)
                    opposite = opposite or Opposite(_shown(single), match["said"].strip())
        return more, opposite

    def _is_said(self, one: str) -> bool:
        if one not in self._said:
            if len(self._said) == MOST_ASKED:
                return True
            self._said[one] = any(re.search(one, text) for text in self._passages.whole_texts)
        return self._said[one]

    def _about(
        self, claim: Tokens, found: Found, weights: NDArray[np.float64], own: Collection[str]
    ) -> NDArray[np.intp]:
        words = found.words[: len(weights)]
        told = np.where([word in own or word in claim.numbers for word in words], 0.0, weights)
        least = HELD_APART if any(map(is_run, claim.words)) else HELD
        if not told.any():
            return np.array([], np.intp)
        return np.flatnonzero(told @ found.held[: len(weights)] >= least * told.sum())


def _shown(single: Single) -> str:
    return next((word for word in single.words if word.isascii()), "一")
