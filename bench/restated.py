"""Sentences of passages that the rest of the passages says in other words: what opens an article, its body tells.

With one thing made wrong they are to a free summary what an edited copy is to a copied sentence.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from edits import wrong_versions

from monitor.judges.grounding.features import FEATURES, Grounding
from monitor.judges.text.sentences import split_sentences
from monitor.judges.text.tokens import tokenize

FIRST = 3
"""Sentences that are looked at of each request."""
LEAST_SENTENCES = 5
LENGTHS = {"en": (40, 350), "zh": (15, 150)}
"""Fewest and most characters of a sentence by language; others are headings and lists."""
LEAST_WORDS = 6
FOUND = (0.45, 0.97)
"""Share of its words that the rest holds: less says something else, more is a copy."""
MOST_PHRASES = 0.8
_FOUND, _PHRASES, _NUMBERS, _NAMES = map(FEATURES.index, ("found", "phrases", "numbers", "names"))


class Restated(NamedTuple):
    """A sentence, the passages without it, and its wrong versions by kind of edit."""

    text: str
    rest: list[str]
    wrong: dict[str, str]


def restated(contexts: Sequence[str], other: Sequence[str], language: str, rng: random.Random) -> Iterator[Restated]:
    """The restated ones of the first sentences of `contexts`; `other` are sentences of another request."""
    pieces = [(number, piece) for number, text in enumerate(contexts) for piece in split_sentences(text)]
    if len(pieces) < LEAST_SENTENCES:
        return
    for place, (number, piece) in enumerate(pieces[:FIRST]):
        rest = list(contexts)
        rest[number] = f"{rest[number][: piece.start]} {rest[number][piece.end :]}"
        if _is_restated(piece.text, rest, LENGTHS[language]):
            own = [one.text for _, one in (*pieces[:place], *pieces[place + 1 :])]
            yield Restated(piece.text, rest, wrong_versions(piece.text, own, other, rng))


def _is_restated(text: str, rest: Sequence[str], lengths: tuple[int, int]) -> bool:
    """Whether `rest` holds enough of the words of a sentence, and each number and name."""
    tokens = tokenize(text)
    if not lengths[0] <= len(text) <= lengths[1] or len(set(tokens.words)) < LEAST_WORDS:
        return False
    values = Grounding(rest, [tokens]).measure(tokens).values[0]
    told = FOUND[0] <= values[_FOUND] <= FOUND[1] and values[_PHRASES] < MOST_PHRASES
    return bool(told and not values[_NUMBERS] and not values[_NAMES])
