"""Bounds of a claim and of the passages: at most so much is no more than so much, and not more."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from monitor.judges.grounding.contrary import VETO
from monitor.judges.grounding.harmless import bare
from monitor.judges.grounding.rarity import WEIGHTS
from monitor.judges.text.bounds import Said, denied_in, forbidden_in, plain_in, without
from monitor.judges.text.passages import Found, Passages
from monitor.judges.text.tokens import Tokens, normalise, tokenize
from monitor.judges.text.words import DENYING, NEGATIONS, WORDS

_DENYING = frozenset(map(WORDS.__getitem__, DENYING))
Flags = NDArray[np.bool_]


class Bound(NamedTuple):
    """A bound that a text sets: its own words, those beside it without harmless ones, and all that the text has.

    All are those of the text, with and without the bound, with and without harmless words.
    """

    said: Said
    own: frozenset[str]
    beside: frozenset[str]
    words: frozenset[str]

    def excludes(self, other: Bound) -> bool:
        """Whether one of two bounds of the same goes up to it and the other one begins there, one by a denial."""
        denies = self.said.denied or other.said.denied
        return denies and self.said.of == other.said.of and self.said.upper is not other.said.upper


class Bounded:
    """What the sentences of some passages set as bounds. Asking for one claim takes time linear in their length."""

    def __init__(self, passages: Passages) -> None:
        self._passages = passages
        self._read: dict[int, tuple[Bound, ...]] = {}

    def against(self, claim: Tokens, found: Found) -> list[int]:
        """Lets sentences that say the same hold the words of the bounds of a claim; those that bound the other way.

        The number that bounds is the same, one of the two denies what is beyond it, and the sentence has all other
        words of the claim and denies nothing.
        """
        against: list[int] = []
        for bound in _bounds_of(claim.text) if self._sets_any(claim) else ():
            row = {word: number for number, word in enumerate(found.words)}
            if bound.said.of not in row:
                continue
            other = [word for word in bound.beside if WEIGHTS[word] > 0.0 and word not in NEGATIONS | claim.numbers]
            own = [row[word] for word in bound.own.intersection(row) - {bound.said.of}]
            for sentence in np.flatnonzero(found.held[row[bound.said.of]]).tolist():
                bounds = [said for said in self._of(sentence) if said.said.of == bound.said.of]
                same = any(said.said.upper is bound.said.upper for said in bounds)
                if not same and any(map(bound.excludes, bounds)):
                    held = {*itertools.compress(found.words, found.held[:, sentence])}.union(*(s.words for s in bounds))
                    against += [sentence] * held.issuperset(other)
                elif same or bound.said.denied:
                    found.held[own, sentence] = True
        return against

    def saying(self, claim: Tokens, found: Found) -> Flags:
        """The sentences that set a bound beyond which a claim denies something else."""
        saying: Flags = np.zeros(self._passages.sentences, dtype=bool)
        text = normalise(claim.text)
        for bound in forbidden_in(text):
            if bound.of in found.words and not tokenize(without(text, bound)).negated:
                for sentence in np.flatnonzero(found.held[found.words.index(bound.of)]).tolist():
                    ways = {said.upper for said, *_ in self._of(sentence) if said.of == bound.of}
                    saying[sentence] = ways == {bound.upper}
        return saying

    def _sets_any(self, claim: Tokens) -> bool:
        return claim.denies_bound or (not claim.negated and self._any_denied)

    @cached_property
    def _any_denied(self) -> bool:
        """Whether any passage says a bound by denying that something is beyond it."""
        return any(denied_in(text) for text in self._passages.whole_texts)

    def _of(self, sentence: int) -> tuple[Bound, ...]:
        """The bounds of a sentence, none of one that denies anything else."""
        if sentence not in self._read:
            text = self._passages.text_of(sentence)
            tokens = tokenize(text)
            denies = tokens.negated or VETO.search(text) or not _DENYING.isdisjoint(tokens.words)
            self._read[sentence] = () if denies else tuple(_bounds_of(text))
        return self._read[sentence]


def _bounds_of(text: str) -> Iterator[Bound]:
    text = normalise(text)
    words = tokenize(text).words
    for said in (*denied_in(text), *plain_in(text)):
        beside = tokenize(without(text, said)).words
        own = frozenset(words).difference(beside)
        yield Bound(said, own, frozenset(bare(beside)), frozenset((*words, *bare(words), *bare(beside))))
