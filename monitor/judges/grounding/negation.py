"""What the sentences of some passages deny: whether they hold a claim that negates, and which say it is not so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from monitor.judges.grounding.adverbials import MOST_READ, Added, added_to, content_of
from monitor.judges.grounding.contrary import VETOES, says_contrary
from monitor.judges.grounding.harmless import bare
from monitor.judges.text.passages import Found, Passages
from monitor.judges.text.tokens import Tokens
from monitor.judges.text.words import DENYING, LIMITING, NEGATIONS, WORDS, is_run

_DENYING, _LIMITING = (frozenset(map(WORDS.__getitem__, words)) for words in (DENYING, LIMITING))
_CONTRASTING = frozenset(map(WORDS.__getitem__, ("while", "whereas", "but", "although", "though", "unlike")))
"""Words with which a claim may negate one of two things that it says, so that a passage may affirm the other."""
HELD, HELD_APART = 0.99, 0.4
"""Share of a claim, numbers aside, that a sentence holds at least to be looked at whether it says the contrary. The
second one is for scripts without blanks, where a negation comes between two characters."""
MOST_CONTRARY = 16
"""Different sentences that are looked at for one claim whether they say the contrary."""
_LITTLE = 1e-3
"""What a sentence holds at least of a claim, where it negates as the claim does."""
_DIGITS = 6
"""Decimals of a share: what is equal stays equal whatever the order in which it was added up."""

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Denying = Callable[[Tokens, Found], Flags]
"""The sentences that deny what a negated claim denies without a negation: `free` of `no charge`."""


def words_of_negation(claims: Sequence[Tokens]) -> frozenset[str]:
    """What passages have to be searched for beside the words of claims."""
    denying = _DENYING | _LIMITING if any(claim.negated for claim in claims) else frozenset()
    return denying.union(VETOES if any(is_run(word) for claim in claims for word in claim.words) else ())


class Negation:
    """What some passages deny, which were searched for `searched` (`words_of_negation`).

    Asking for one claim takes time linear in the length of the passages.
    """

    def __init__(self, passages: Passages, searched: frozenset[str], others: Sequence[Denying]) -> None:
        self._passages = passages
        self._others = others
        self._vetoes = searched.intersection(VETOES)

    def denied(self, claim: Tokens, found: Found, weights: Floats, words: Floats) -> Floats:
        """How far each window denies a negated claim: 1 where it says the same and nothing in it negates.

        Between, the share by which the sentence that comes closest holds more than one that negates, as a negation of
        something else stands in most windows; times the square of the share of the `words` that the window holds, as
        what is said in other words often negates otherwise. In scripts without blanks any negation counts, as one
        character of many negates, and words count by all passages. `weights` are those of the claim's words.
        """
        if not claim.negated:
            return np.zeros(self._passages.windows)
        if any(map(is_run, claim.words)):
            denying = self._negated | self._otherwise(claim, found)
            return 1.0 - self._passages.most_in_windows(denying.astype(np.float64))
        held: Floats = weights @ found.held[: len(weights)].astype(np.float64)
        denying = self._denying(claim, found, held)
        plain = self._passages.most_in_windows(np.where(denying, 0.0, held))
        negating = self._passages.most_in_windows(np.where(denying, held + _LITTLE, 0.0))
        denied: Floats = np.round(words**2 * (1.0 - np.minimum(1.0, negating / (plain + _LITTLE))), _DIGITS)
        return denied

    def contrary(self, claim: Tokens, found: Found, weights: Floats) -> list[int]:
        """The sentences that say that a claim is not so, which are no evidence for it.

        Of a claim that negates all that it says, those that hold it and deny nothing; in scripts without blanks, and of
        one that denies only what is beyond a bound, none. Of another one none where more than `MOST_CONTRARY` may
        be some, so that texts made for it cost no time.
        """
        spaced = not any(map(is_run, claim.words))
        harmless = frozenset(claim.words).difference(bare(claim.words)) if spaced else frozenset()
        aside = claim.numbers | claim.values | NEGATIONS | harmless
        weights = np.where([word in aside for word in found.words[: len(weights)]], 0.0, weights)
        held = weights @ found.held[: len(weights)] / max(float(weights.sum()), _LITTLE)
        about = held >= (HELD if spaced else HELD_APART)
        if claim.denies_bound or (claim.negated and not _CONTRASTING.isdisjoint(claim.words)):
            return []
        if claim.negated:
            said: list[int] = np.flatnonzero(about & ~self._denying(claim, found, held)).tolist()
            return said if spaced else []
        alike, texts = self._negating
        about &= alike >= 0
        different = np.unique(alike[about])
        if len(different) > MOST_CONTRARY:
            return []
        contrary = [number for number in different.tolist() if says_contrary(texts[number], claim)]
        found_in: list[int] = np.flatnonzero(about & np.isin(alike, contrary)).tolist()
        return found_in or self._contrary_to_core(claim, found)

    def _contrary_to_core(self, claim: Tokens, found: Found) -> list[int]:
        """The sentences that deny what a claim says beside adverbials, if none affirms it at all or with these."""
        added = added_to(claim)
        if added is None:
            return []
        spaced = not any(map(is_run, claim.words))
        alike, texts = self._negating
        about = (_share_of(added.content, found) >= (HELD if spaced else HELD_APART)) & (alike >= 0)
        different = np.unique(alike[about])
        if not 0 < len(different) <= MOST_CONTRARY:
            return []
        denying = [number for number in different.tolist() if added.is_denied_by(texts[number])]
        if not denying or self._affirmed(added, found):
            return []
        denied_in: list[int] = np.flatnonzero(about & np.isin(alike, denying)).tolist()
        return denied_in

    def _affirmed(self, added: Added, found: Found) -> bool:
        """Whether a sentence may affirm a claim that has adverbials, be it only that it holds a number of theirs."""
        numbers = added.adverbial.numbers
        core = _share_of(added.content, found)
        beside = _share_of(content_of(added.adverbial.words), found)
        counted = (_share_of(numbers, found) >= HELD) if numbers else np.zeros(len(core), dtype=bool)
        asked = counted | (core >= HELD_APART) | ((core > 0.0) & (beside >= HELD_APART))
        read = {(self._passages.text_of(at), bool(counted[at])) for at in np.flatnonzero(asked).tolist()}
        return len(read) > MOST_READ or any(added.is_affirmed_by(text, counted=said) for text, said in read)

    @cached_property
    def _negated(self) -> Flags:
        return self._passages.negated()

    @cached_property
    def _negating(self) -> tuple[NDArray[np.intp], Sequence[str]]:
        """For each sentence that negates or forbids something the number of its text, else -1; and these texts."""
        alike = np.full(self._passages.sentences, -1, np.intp)
        numbers: dict[str, int] = {}
        for sentence in np.flatnonzero(self._negated | self._passages.holding(self._vetoes)).tolist():
            alike[sentence] = numbers.setdefault(self._passages.text_of(sentence), len(numbers))
        return alike, list(numbers)

    def _denying(self, claim: Tokens, found: Found, held: Floats) -> Flags:
        """The sentences that may say that what a negated claim says is so, be it in other words than it does.

        A limit says it of what lies beyond (`only members may enter`: of guests), and a word that the claim has as well
        says it of something else, so neither does where the sentence holds all of the claim.
        """
        own = _DENYING.intersection(claim.words)
        beyond = self._passages.holding(_LIMITING | own) & (held < HELD)
        return self._negated | self._passages.holding(_DENYING - own) | beyond | self._otherwise(claim, found)

    def _otherwise(self, claim: Tokens, found: Found) -> Flags:
        denying: Flags = np.logical_or.reduce([saying(claim, found) for saying in self._others])
        return denying


def _share_of(words: frozenset[str], found: Found) -> Floats:
    """The share of some words that each sentence holds, of those that were searched for."""
    rows = [row for row, word in enumerate(found.words) if word in words]
    held: Floats = found.held[rows].mean(axis=0) if rows else np.zeros(found.held.shape[1])
    return held
