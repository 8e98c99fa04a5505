"""How well passages support a claim: overlap with the best window of three sentences, and what is missing from it.

Only what is said is measured. The length of the answer, the place of a sentence in it and its likeness to the question
are left out on purpose: they raise figures on benchmarks and fail on other traffic.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from monitor.judges.text.passages import Passages
from monitor.judges.text.tokens import Tokens
from monitor.judges.text.words import is_function_word

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
_AT_ONCE = 2048
"""Windows that are measured at once: the longest passages and claims take some 60 MB instead of several times that."""

Floats = NDArray[np.float64]
_add = np.add.reduce


class EvidenceIndex:
    """The passages of one request, against which its `claims` are measured.

    Building it takes time linear in the length of the passages, and so does measuring one claim.
    """

    def __init__(self, passages: Sequence[str], claims: Iterable[Tokens]) -> None:
        self._passages = Passages(passages, itertools.chain.from_iterable(claim.words for claim in claims))

    def passage_of(self, window: int) -> int:
        """The number of the passage that a window is of, from 1."""
        return self._passages.passage_of(window)

    def measure(self, claim: Tokens) -> Floats:
        """The features of one of the claims against each window: one row a window, columns as in `FEATURES`.

        The claim has at least one token. Without any passage text there is no row.
        """
        found = self._passages.find(claim.words)
        count = len(found.words)
        sentences_with = _add(found.held[:count], axis=1).tolist()
        weights = self._weights(found.words, sentences_with)
        sums = _sums(found.phrases)
        asked = [(2, _rows_of(found.words, claim.numbers)), (4, _rows_of(found.words, claim.names))]
        rows = np.zeros((self._passages.windows, len(FEATURES)))
        for start in range(0, len(rows), _AT_ONCE):
            part = slice(start, start + _AT_ONCE)
            seen = self._passages.in_windows(found.held, part)
            covered = np.minimum(_add(seen[:count] * weights, axis=0), 1.0)
            rows[part, 0] = np.log((covered + SMOOTHING) / (1.0 + SMOOTHING - covered))
            rows[part, 1] = sums[_add(seen[count:], axis=0)]
            for column, words in asked:
                if words:
                    missing = len(words) - _add(seen[words], axis=0)
                    rows[part, column] = np.minimum(missing, MAX_MISSING) / MAX_MISSING
        for column, words in asked:
            nowhere = sum(not sentences_with[word] for word in words)
            rows[:, column + 1] = min(nowhere, MAX_MISSING) / MAX_MISSING
        if claim.negated:
            rows[:, 6] = ~self._passages.negated()
        return rows

    def _weights(self, words: Sequence[str], sentences_with: Sequence[int]) -> Floats:
        """Each word's share of the weight, as a column: rare and unknown words weigh more, function words little."""
        sentences = self._passages.sentences + 1
        weights = [
            (1.0 + math.log(sentences / (count + 1))) * (FUNCTION_WEIGHT if is_function_word(word) else 1.0)
            for word, count in zip(words, sentences_with, strict=True)
        ]
        total = math.fsum(weights)
        return np.array([[weight / total] for weight in weights])


def _sums(count: int) -> Floats:
    """The sum of none, one, ... all of `count` equal shares of 1."""
    return np.array([0.0, *itertools.accumulate(itertools.repeat(1.0 / max(1, count), count))])


def _rows_of(words: Sequence[str], asked: Collection[str]) -> list[int]:
    """Where the words that are asked for stand among `words`."""
    return [row for row, word in enumerate(words) if word in asked] if asked else []
