"""Words that exclude each other, in English and Chinese (`opposites.txt`)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from monitor.judges.text.memo import Memo
from monitor.judges.text.words import WORDS, is_run

_RELATION = "~"
"""Before a line of the table: what the two sides say of the other party is one fact."""


class Sides(NamedTuple):
    """The words that say roughly the same as one word, itself included, and those that exclude it.

    The two are a `relation` where each is said of one of two parties (`buyer`, `seller`).
    """

    same: frozenset[str]
    rivals: frozenset[str]
    relation: bool = False


@cache
def _table() -> dict[str, Sides]:
    text = files(__package__).joinpath("opposites.txt").read_text(encoding="utf-8")
    table: dict[str, Sides] = {}
    for line in itertools.filterfalse(_is_comment, text.splitlines()):
        sides = [frozenset(map(WORDS.__getitem__, side.split())) for side in line.strip(_RELATION).split("|")]
        for side in sides:
            rivals = frozenset().union(*sides) - side
            for word in side:
                known = table.get(word, Sides(frozenset(), frozenset()))
                same = known.same | side
                relation = known.relation or line.startswith(_RELATION)
                table[word] = Sides(same, (known.rivals | rivals) - same, relation)
    return table


def _is_comment(line: str) -> bool:
    return line.startswith("#")


def _sides_of(word: str) -> Iterator[Sides]:
    """Of a word; of a pair of characters also those of each of the two."""
    if word in (table := _table()):
        yield table[word]
    elif is_run(word) and len(word) > 1:
        for before, character, behind in (("", word[0], word[1]), (word[0], word[1], "")):
            if character in table:
                rivals = frozenset(f"{before}{rival}{behind}" for rival in table[character].rivals)
                yield Sides(frozenset((word,)), rivals)


SIDES = Memo(lambda word: tuple(_sides_of(word)))
"""The sides of a word, none for most."""


def words_of_opposites(words: Iterable[str]) -> Iterator[str]:
    """What passages have to be searched for beside the words of claims."""
    for sides in itertools.chain.from_iterable(map(SIDES.__getitem__, words)):
        yield from sides.same
        yield from sides.rivals
