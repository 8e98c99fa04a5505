"""The amounts that the sentences of some passages say, whatever their unit or wording."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from monitor.judges.text.amounts.quantities import SCALED, Amount, said_in
from monitor.judges.text.amounts.scales import cells_in, scales_in
from monitor.judges.text.passages import Found, Passages
from monitor.judges.text.tokens import normalise

CLOSE = 1e-9
"""Of an amount: as good as equal."""

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


class SaidAmounts:
    """What the numbers of each sentence say, read when the first claim asks."""

    def __init__(self, passages: Passages) -> None:
        self._passages = passages

    def hold(self, amounts: Iterable[Amount], found: Found) -> None:
        """Let the sentences that say an amount of a claim in another way hold its number and its unit."""
        holding = [(self._rows(amount.words, found), self._saying(amount, found)) for amount in amounts]
        for rows, sentences in holding:
            found.held[np.ix_(rows, sentences)] = True

    @staticmethod
    def _rows(words: Iterable[str], found: Found) -> Indices:
        return np.array([found.words.index(word) for word in words if word in found.words], np.intp)

    def _saying(self, amount: Amount, found: Found) -> Indices:
        """The sentences that say it."""
        _, kind, least, most, beside = amount
        if (kind == SCALED and not any(self._scales)) or kind not in self._said:
            return np.array([], np.intp)
        values, sentences = self._said[kind]
        saying = sentences[(values >= least - CLOSE * least) & (values <= most + CLOSE * most)]
        return saying[found.held[found.words.index(beside)][saying]] if beside else saying

    @cached_property
    def _scales(self) -> list[frozenset[float]]:
        return list(map(scales_in, self._passages.whole_texts))

    @cached_property
    def _said(self) -> dict[str, tuple[Floats, Indices]]:
        """By kind how many of the smallest unit, and in which sentence."""
        found: dict[str, list[tuple[float, int]]] = {}
        for number, text in enumerate(self._passages.texts()):
            scales = self._scales[self._passages.passage_of(number) - 1]
            for said in said_in(normalise(text), text):
                found.setdefault(said.kind, []).append((said.value, number))
            scaled = [scale * cell for scale in scales for cell in cells_in(text)]
            found.setdefault(SCALED, []).extend((value, number) for value in scaled)
        return {
            kind: (np.array([value for value, _ in of_kind]), np.array([number for _, number in of_kind], np.intp))
            for kind, of_kind in found.items()
        }
