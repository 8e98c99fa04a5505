"""How rare a word is in general: a table of common stems and Chinese characters, counted over the training passages.

A sentence that lacks a rare word says something else; one that lacks a common word may only say it in other words. As
the table is fixed, another passage cannot change what a word weighs.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import cache
from importlib.resources import files

from monitor.judges.text.memo import Memo
from monitor.judges.text.words import is_function_word, is_number, is_run

LEVELS = 10
"""Levels of rarity in the table: 0 for what nearly every text holds."""
_CHARACTER = "\u3400"
"""First Chinese character; kana and other scripts before it are not in the table and count as common."""
_LAST_CHARACTER = "\u9fff"


@cache
def _table(kind: str) -> dict[str, float]:
    levels = json.loads(files(__package__).joinpath("common.json").read_bytes())[kind]
    return {word: level / LEVELS for level, words in enumerate(levels) for word in words.split()}


def common_words() -> Collection[str]:
    """The stems of the table."""
    return _table("words").keys()


def rarity_of_character(character: str) -> float:
    """0 (in every text) to 1 (not in the table); 0 for what is no Chinese character."""
    if not _CHARACTER <= character <= _LAST_CHARACTER:
        return 0.0
    return _table("characters").get(character, 1.0)


def rarity_of(word: str) -> float:
    """0 (in every text) to 1 (not in the table); numbers are rare, a pair of characters is as rare as their mean."""
    if is_number(word):
        return 1.0
    if is_run(word):
        return sum(map(rarity_of_character, word)) / len(word)
    return _table("words").get(word, 1.0)


LEAST_WEIGHT = 0.05
"""Weight of a word that is in every text, against 1.05 for one that is in none."""
WEIGHTS = Memo(lambda word: 0.0 if is_function_word(word) else LEAST_WEIGHT + rarity_of(word))
"""How much a word counts; one that carries grammar only counts nothing."""
