"""Sentences that say that something costs nothing, for claims that say so in other words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from monitor.judges.grounding.contrary import clauses_of
from monitor.judges.grounding.rarity import WEIGHTS
from monitor.judges.text.passages import Found, Passages
from monitor.judges.text.tokens import Tokens, tokenize
from monitor.judges.text.unpaid import AMOUNT, without_unpaid

Flags = NDArray[np.bool_]


class _Saying(NamedTuple):
    """A clause that says so of what its words name, and the sums of money beside; `words` are its sentence's."""

    sentence: int
    words: frozenset[str]
    clause: frozenset[str]
    sums: frozenset[str]


class Unpaid:
    """What some passages say to be free of charge. Asking for one claim takes time linear in their length."""

    def __init__(self, passages: Passages) -> None:
        self._passages = passages

    def hold(self, claim: Tokens, found: Found) -> None:
        """Let the sentences that say of what a claim names that it costs nothing hold the words in which it says so."""
        if not (rest := _rest_of(claim)):
            return
        own = set(claim.words).difference(rest)
        rows = np.array([row for row, word in enumerate(found.words) if word in own], np.intp)
        found.held[np.ix_(rows, np.flatnonzero(self.saying(claim)))] = True

    def saying(self, claim: Tokens) -> Flags:
        """The sentences that say so: one of their clauses has all that they have of the rest of the claim.

        None where the clause says a sum of money that the claim does not: something else may be free beside it.
        """
        saying: Flags = np.zeros(self._passages.sentences, dtype=bool)
        rest = frozenset(word for word in _rest_of(claim) if WEIGHTS[word] > 0.0)
        for said in self._said if rest else ():
            about = rest & said.words
            if about and about <= said.clause and said.sums <= claim.numbers:
                saying[said.sentence] = True
        return saying

    @cached_property
    def _said(self) -> list[_Saying]:
        return [said for number, text in enumerate(self._passages.texts()) for said in _sayings_of(number, text)]


def _sayings_of(sentence: int, text: str) -> Iterator[_Saying]:
    if without_unpaid(text) == text:
        return
    words = frozenset(tokenize(text).words)
    for clause in clauses_of(text):
        rest = without_unpaid(clause)
        if rest != clause and not (said := tokenize(rest)).negated:
            sums = frozenset(number for sum_ in AMOUNT.findall(clause) for number in tokenize(sum_).numbers)
            yield _Saying(sentence, words, frozenset(said.words), sums)


def _rest_of(claim: Tokens) -> tuple[str, ...]:
    """The words of a claim beside those that say that something costs nothing, none where it does not or negates it."""
    rest = without_unpaid(claim.text)
    if rest == claim.text:
        return ()
    tokens = tokenize(rest)
    return () if tokens.negated else tokens.words
