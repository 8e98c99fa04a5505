"""Evidence that excludes a claim: a sentence of the passages that says all of it, but closed where it says open."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from monitor.judges.grounding.contrary import clauses_in
from monitor.judges.grounding.harmless import bare, bare_text
from monitor.judges.grounding.opposites import SIDES, Sides, words_of_opposites
from monitor.judges.grounding.rarity import WEIGHTS
from monitor.judges.grounding.shown import as_written
from monitor.judges.text.passages import Found, Passages
from monitor.judges.text.tokens import Tokens, tokenize
from monitor.judges.text.traditional import simplified
from monitor.judges.text.words import DENYING, LIMITING, NUMBERS, WORDS, is_run

_TURNING = frozenset(
    map(WORDS.__getitem__, (*DENYING, *LIMITING, "just", "merely", "than", "if", "whether", "but", "besides", "till"))
)
"""Words that turn what they stand beside: a claim that has one and a sentence that has not may say the same."""
_PLACING = frozenset(("to", "from", "by", "of", "for"))
"""Words that tell who does what to whom. `Sold to Ann by Bob` is `bought by Ann from Bob`."""
_BOUNDING = frozenset(
    """about above after around at before below between by from in of on over since through till to under
    until""".split()  # noqa: SIM905 - a word list reads as text
)
"""Words before a number that have to be the same: what closes at six is open to six."""
_TURNING_MARKS = "除只仅但若如反"
_QUESTION = re.compile(r"[?？吗呢]")
MOST_OPPOSED = 16
"""Different sentences that are read for one word of a claim."""
MOST_ASKED = 32
"""Words of one claim for which passages are searched."""
_OWN = 3
"""Words that stand for one of a claim, at most: the pairs around two characters."""


class Opposite(NamedTuple):
    """A word of a claim as it is compared, and the one in its place as a passage writes it."""

    claimed: str
    said: str


class Asked(NamedTuple):
    """One word of a claim that has opposites, and the words of the claim that a sentence has to hold beside it."""

    word: str
    sides: Sides
    others: frozenset[str]


def words_of_opposition(claims: Iterable[Tokens]) -> Iterator[str]:
    """What passages have to be searched for beside the words of claims."""
    words = itertools.chain.from_iterable((*claim.words, *bare(claim.words)) for claim in claims)
    return words_of_opposites(dict.fromkeys(words))


class Opposed:
    """Which sentences of some passages exclude a claim. It takes time linear in their length."""

    def __init__(self, passages: Passages) -> None:
        self._passages = passages

    @cached_property
    def _alike(self) -> tuple[NDArray[np.intp], list[str]]:
        """For each sentence the number of its text; and the texts."""
        numbers: dict[str, int] = {}
        alike = [numbers.setdefault(text, len(numbers)) for text in self._passages.texts()]
        return np.array(alike, np.intp), list(numbers)

    def of(self, claim: Tokens, found: Found) -> tuple[list[int], Opposite | None]:
        """The sentences that say all of a claim but one word, and in its place a word that excludes it; and the words.

        The words are of the first sentence. Harmless words of the claim need not be said. None where the sentence has
        the claim's word or a like one as well, or one that is read together with it has; where one of the two negates
        or turns what it says; where the claim says nothing beside the word.
        """
        excluding, opposite = self._of(claim, found)
        if (words := bare(claim.words)) != claim.words:
            more, another = self._of(replace(claim, words=words), found)
            excluding, opposite = excluding + more, opposite or another
        return excluding, opposite

    def _of(self, claim: Tokens, found: Found) -> tuple[list[int], Opposite | None]:
        excluding: list[int] = []
        opposite: Opposite | None = None
        places = [place for place, sides in enumerate(map(SIDES.__getitem__, claim.words)) if sides]
        if claim.negated or claim.denies_bound or not places:
            return excluding, opposite
        told = frozenset(word for word in claim.words if SIDES[word] or WEIGHTS[word] > 0.0)
        rows = {word: row for row, word in enumerate(found.words) if word in told}
        near = np.flatnonzero(found.held[[*rows.values()]].sum(axis=0) >= len(rows) - _OWN)
        for asked in _asked_of(claim.words, places[:MOST_ASKED], told) if len(near) else ():
            held = found.held[
                np.ix_(np.array([rows[word] for word in asked.others if word in rows], np.intp), near)
            ].all(axis=0)
            said = self._said_instead(claim, asked, near[held]) if held.any() else {}
            for sentences, word in said.items():
                excluding += sentences
                opposite = opposite or Opposite(asked.word, word)
        return excluding, opposite

    def _said_instead(self, claim: Tokens, asked: Asked, sentences: NDArray[np.intp]) -> dict[tuple[int, ...], str]:
        """What is said in place of a word, by the sentences of one text that say it."""
        like = self._passages.holding(asked.sides.same)
        beside = self._passages.beside(like) if WEIGHTS[asked.word] > 0.0 else like
        left = sentences[(self._passages.holding(asked.sides.rivals) & ~beside)[sentences]]
        if not len(left):
            return {}
        alike, texts = self._alike
        different = np.unique(alike[left]).tolist()
        if len(different) > MOST_OPPOSED:
            return {}
        said = {number: said_instead(texts[number], claim, asked) for number in different}
        return {
            tuple(left[alike[left] == number].tolist()): as_written((word,), texts[number]).get(word, word)
            for number, word in said.items()
            if word
        }


def _asked_of(words: Sequence[str], places: Iterable[int], told: frozenset[str]) -> Iterator[Asked]:
    """The words at some places of a claim that tells `told`, if it tells something beside."""
    for place in places:
        own = words[max(0, place - 1) : place + 2] if is_run(words[place]) else words[place : place + 1]
        if others := told.difference(own):
            yield from (Asked(words[place], sides, others) for sides in SIDES[words[place]])


def said_instead(sentence: str, claim: Tokens, asked: Asked) -> str:
    """The word in place of the claim's with which `sentence`, or a clause of it, says all of the claim, or ""."""
    if _QUESTION.search(sentence):
        return ""
    instead = _exchanged if is_run(asked.word) else _in_place
    return next(filter(None, (instead(clause, claim, asked) for clause in clauses_in(sentence))), "")


def _in_place(clause: str, claim: Tokens, asked: Asked) -> str:
    """In scripts with blanks: a rival stands beside a neighbour of the claim's word, behind all that stands before it.

    The next word with content behind a word of grammar has to be the same, and so has what bounds a number.
    """
    tokens = tokenize(clause)
    words = bare(tokens.words)
    if (
        tokens.negated
        or tokens.denies_bound
        or not (asked.others - claim.numbers).issubset(words)
        or _turns(words, asked) != _turns(claim.words, asked)
        or (asked.sides.relation and _PLACING.intersection(words) != _PLACING.intersection(claim.words))
    ):
        return ""
    bounds = _bounds(words)
    if any(bounds.get(number, bound) != bound for number, bound in _bounds(claim.words).items() if bound != asked.word):
        return ""
    place = claim.words.index(asked.word)
    before = asked.others.intersection(claim.words[:place]) - claim.numbers
    rivals = (at for at, word in enumerate(words) if word in asked.sides.rivals and before.issubset(words[:at]))
    return next((words[at] for at in rivals if _are_alike(_around(words, at), _around(claim.words, place), asked)), "")


def _turns(words: Sequence[str], asked: Asked) -> frozenset[str]:
    return _TURNING.intersection(words) - asked.sides.same - asked.sides.rivals


def _bounds(words: Sequence[str]) -> dict[str, str]:
    """The word before each number that bounds it, or ""."""
    return {word: before if before in _BOUNDING else "" for before, word in itertools.pairwise(words) if NUMBERS[word]}


class _Around(NamedTuple):
    """The next words with content on both sides of a word, or ""."""

    before: str
    behind: str


def _around(words: Sequence[str], place: int) -> _Around:
    def first_of(words: Iterable[str]) -> str:
        return next((word for word in words if WEIGHTS[word] > 0.0), "")

    return _Around(first_of(reversed(words[:place])), first_of(words[place + 1 :]))


def _are_alike(said: _Around, claimed: _Around, asked: Asked) -> bool:
    if WEIGHTS[asked.word] == 0.0:
        return said.behind == claimed.behind
    return (claimed.before == said.before != "") or (claimed.behind == said.behind != "")


def _exchanged(clause: str, claim: Tokens, asked: Asked) -> str:
    """In scripts without blanks: with the word of the claim in its place the clause holds all pairs of the claim."""
    clause = simplified(clause)
    if claim.words == bare(claim.words):
        clause = bare_text(clause)
    tokens = tokenize(clause)
    turns = any(mark in clause and mark not in "".join(claim.words) for mark in _TURNING_MARKS)
    if tokens.negated or tokens.denies_bound or turns:
        return ""
    content = frozenset(word for word in claim.words if WEIGHTS[word] > 0.0) - claim.numbers
    for rival in asked.sides.rivals:
        if rival in clause and content.issubset(tokenize(clause.replace(rival, asked.word)).words):
            return rival
    return ""
