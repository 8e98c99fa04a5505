"""How well passages support a claim: overlap with the best window of three sentences, and what is missing from it.

Only what is said is measured. The length of the answer, the place of a sentence in it and its likeness to the question
are left out on purpose: they raise figures on benchmarks and fail on other traffic.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from monitor.judges.text.sentences import split_sentences
from monitor.judges.text.tokens import Tokens, Words, is_function_word, read_words

WINDOW = 3
"""Sentences of one passage that are read together."""
SHORTEST = 24
"""Characters; a shorter sentence of a passage is read together with the next one."""
FUNCTION_WEIGHT = 0.1
"""Weight of a function word against a content word of the same rarity."""
MAX_MISSING = 2
"""More missing numbers or names than this weigh no more: one or two decide."""
SMOOTHING = 0.03
"""Keeps the log-odds of a coverage of 0 or 1 finite (about 3.5)."""

FEATURES = (
    "coverage",
    "phrases",
    "window_numbers",
    "numbers",
    "window_names",
    "names",
    "negation",
)
"""Columns of `EvidenceIndex.measure`. The first two can only raise a score, the others only lower it."""

NOTHING_COVERED = math.log(SMOOTHING / (1.0 + SMOOTHING))
"""The first feature when no token is covered."""
HALF_COVERED = 0.0
"""The first feature when half of the weight is covered."""

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive sentences of passage number `passage`, counted from 1."""

    passage: int
    negated: bool


class EvidenceIndex:
    """The passages of one request, read once: which windows hold which token.

    Building it is linear in the length of the passages; `measure` takes time proportional to the windows that share a
    token with the claim. With `claims` only their tokens are looked up, and only they may be measured.
    """

    def __init__(self, passages: Sequence[str], claims: Iterable[Tokens] | None = None) -> None:
        self._wanted = None if claims is None else _keys(claims)
        self.windows: list[Window] = []
        self._places: dict[object, list[int]] = {}
        self._sentences_with: dict[str, int] = {}
        self._arrays: dict[object, Indices] = {}
        self._sentences = 0
        for number, passage in enumerate(passages, 1):
            self._add(number, [read for read in read_words(tuple(_units(passage))) if read.words])
        self._negated = np.array([window.negated for window in self.windows], dtype=bool)

    def _add(self, passage: int, sentences: Sequence[Words]) -> None:
        first = len(self.windows)
        count = min(len(sentences), max(1, len(sentences) - WINDOW + 1))
        for i in range(count):
            negated = any(sentence.negated for sentence in sentences[i : i + WINDOW])
            self.windows.append(Window(passage, negated))
        for i, sentence in enumerate(sentences):
            begin, end = first + max(0, i - WINDOW + 1), first + min(i + 1, count)
            for key in self._looked_up(sentence.words):
                places = self._places.setdefault(key, [])
                places.extend(range(max(begin, places[-1] + 1) if places else begin, end))
        self._sentences += len(sentences)

    def _looked_up(self, words: tuple[str, ...]) -> set[object]:
        """Words and phrases of a sentence, those that are asked for; counts the words."""
        distinct: set[str] = set(words)
        phrases = _phrases(words)
        if self._wanted is not None:
            distinct &= self._wanted
            phrases &= self._wanted
        for word in distinct:
            self._sentences_with[word] = self._sentences_with.get(word, 0) + 1
        return distinct | phrases

    def _found(self, key: object) -> Indices | None:
        """The windows that hold a token or phrase; None when no passage does."""
        array = self._arrays.get(key)
        if array is None:
            places = self._places.get(key)
            if places is None:
                return None
            array = self._arrays[key] = np.array(places, dtype=np.intp)
        return array

    def _weight(self, word: str) -> float:
        """Rare words of the passages and unknown words weigh more; function words little."""
        rarity = 1.0 + math.log((self._sentences + 1) / (self._sentences_with.get(word, 0) + 1))
        return rarity * (FUNCTION_WEIGHT if is_function_word(word) else 1.0)

    def _shares(self, weights: dict[object, float]) -> Floats:
        """For each window, the weighted share of the given tokens or phrases that it holds; 0 without any."""
        share = np.zeros(len(self.windows))
        total = math.fsum(weights.values())
        for key, weight in weights.items():
            places = self._found(key)
            if places is not None:
                share[places] += weight / total
        return share

    def _missing(self, words: frozenset[str]) -> tuple[Floats, float]:
        """How many of `words` are missing from each window, and from all passages, as shares of `MAX_MISSING`."""
        missing = np.full(len(self.windows), float(len(words)))
        nowhere = 0
        for word in words:
            places = self._found(word)
            if places is None:
                nowhere += 1
            else:
                missing[places] -= 1.0
        return np.minimum(missing, MAX_MISSING) / MAX_MISSING, min(nowhere, MAX_MISSING) / MAX_MISSING

    def measure(self, claim: Tokens) -> Floats:
        """The features of `claim` against each window: one row a window, columns as in `FEATURES`.

        The claim has at least one token. Without any passage text there is no row.
        """
        rows = np.empty((len(self.windows), len(FEATURES)))
        coverage = self._shares({word: self._weight(word) for word in claim.words}).clip(0.0, 1.0)
        rows[:, 0] = np.log((coverage + SMOOTHING) / (1.0 + SMOOTHING - coverage))
        rows[:, 1] = self._shares(dict.fromkeys(_phrases(claim.words), 1.0))
        rows[:, 2], rows[:, 3] = self._missing(claim.numbers)
        rows[:, 4], rows[:, 5] = self._missing(claim.names)
        rows[:, 6] = ~self._negated if claim.negated else 0.0
        return rows


def _units(passage: str) -> Iterator[str]:
    """The sentences of a passage, each with the short ones before it, so that windows are few whatever the text."""
    start = 0
    for sentence in split_sentences(passage):
        if sentence.end - start >= SHORTEST:
            yield passage[start : sentence.end]
            start = sentence.end
    if start < len(passage):
        yield passage[start:]


def _keys(claims: Iterable[Tokens]) -> frozenset[object]:
    """Every word and phrase of the claims."""
    return frozenset(key for claim in claims for key in (*claim.words, *_phrases(claim.words)))


def _phrases(words: tuple[str, ...]) -> set[tuple[str, str]]:
    """Neighbouring words."""
    return set(itertools.pairwise(words))
