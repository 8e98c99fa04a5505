"""The passages of one request, read once: which of their sentences hold which of the words that are asked for."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from monitor.judges.text.sentences import sentence_ends
from monitor.judges.text.tokens import read_words
from monitor.judges.text.words import BREAK, NEGATION

WINDOW = 3
"""Sentences of one passage that are read together."""
SHORTEST = 24
"""Characters; a shorter sentence of a passage is read together with the next one."""

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Found:
    """Where the words of a claim are: a row for each of the distinct `words`, in their order, then rows for phrases.

    Phrases are neighbouring words, `phrases` the number of distinct ones; one that is repeated has a row that holds it
    and others that are empty. A column is a sentence of the passages.
    """

    words: tuple[str, ...]
    phrases: int
    held: Flags


class Passages:
    """Sentences and windows of some passages, numbered through; only the words `wanted` are looked up.

    A window is `WINDOW` consecutive sentences of one passage, or all of a passage that has fewer. A sentence without a
    word is none. Reading takes time and memory linear in the length of the passages.
    """

    def __init__(self, texts: Sequence[str], wanted: Iterable[str]) -> None:
        self._texts = texts
        ends = [list(_ends_of_pieces(text)) for text in texts]
        places = [*itertools.chain.from_iterable(map(_places, ends))]
        counts = list(map(len, ends))
        from_text = itertools.chain.from_iterable(map(itertools.repeat, texts, counts))
        words = read_words([text[start:end] for text, (start, end) in zip(from_text, places, strict=True)])
        self._code = {word: code for code, word in enumerate(dict.fromkeys((BREAK, NEGATION, *wanted)), 1)}
        asked_for = map(self._code.get, words, itertools.repeat(0))  # 0: nobody asks
        codes = np.fromiter(asked_for, np.intp, len(words))
        behind = np.flatnonzero(codes == self._code[BREAK]) + 1
        lengths = behind.copy()
        lengths[1:] -= behind[:-1]
        has_words = lengths > 1  # more than a break
        sentence = np.repeat(np.cumsum(has_words) - 1, lengths)
        self._passage: Indices = np.repeat(np.arange(1, len(texts) + 1), counts)[has_words]
        self._places = list(itertools.compress(places, has_words))
        self._windows = _windows(self._passage)
        negations = codes == self._code[NEGATION]
        self._negated: Indices = sentence[negations]
        codes, sentence = codes[~negations], sentence[~negations]
        asked = np.flatnonzero(codes > self._code[NEGATION])
        self._asked: Indices = codes[asked]
        self._next: Indices = codes[asked + 1]
        self._sentence: Indices = sentence[asked]

    @property
    def whole_texts(self) -> Sequence[str]:
        """The texts of the passages."""
        return self._texts

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return len(self._passage)

    @property
    def windows(self) -> int:
        """How many windows there are."""
        return len(self._windows[0])

    def texts(self) -> list[str]:
        """The text of each sentence."""
        return [
            self._texts[passage - 1][start:end].strip()
            for passage, (start, end) in zip(self._passage.tolist(), self._places, strict=True)
        ]

    def text_of(self, sentence: int) -> str:
        """The text of one sentence."""
        start, end = self._places[sentence]
        return self._texts[self.passage_of(sentence) - 1][start:end].strip()

    def passage_of(self, sentence: int) -> int:
        """The number of the passage that a sentence is of, from 1."""
        return int(self._passage[sentence])

    def sentences_of(self, window: int) -> tuple[int, int]:
        """The numbers of the first and the last sentence of a window."""
        return int(self._windows[0, window]), int(self._windows[-1, window])

    def place_of(self, first: int, last: int) -> tuple[int, int]:
        """The offsets of some sentences of one passage in that passage (half-open), without blanks around them."""
        start, end = self._places[first][0], self._places[last][1]
        text = self._texts[self.passage_of(first) - 1][start:end]
        return start + len(text) - len(text.lstrip()), start + len(text.rstrip())

    def find(self, words: Sequence[str]) -> Found:
        """Where `words` are, all of them `wanted`, and each two neighbours among them as neighbours in a sentence."""
        row = {word: number for number, word in enumerate(dict.fromkeys(words), 1)}
        row_of_code = np.zeros(len(self._code) + 1, np.intp)
        row_of_code[[self._code[word] for word in row]] = np.arange(1, len(row) + 1)
        place = np.fromiter(map(row.__getitem__, words), np.intp, len(words))
        row_of_pair = np.zeros((len(row) + 1, len(row) + 1), np.intp)
        row_of_pair[place[:-1], place[1:]] = np.arange(len(row) + 1, len(row) + len(words))
        held = np.zeros((len(row) + len(words), self.sentences), dtype=bool)  # the first row is for all else
        rows = row_of_code[self._asked]
        held[rows, self._sentence] = True
        held[row_of_pair[rows, row_of_code[self._next]], self._sentence] = True
        return Found(tuple(row), len(set(itertools.pairwise(words))), held[1:])

    def in_windows(self, held: Flags, part: slice) -> Flags:
        """`held` by windows instead of sentences, for a part of the windows."""
        first, *others = self._windows[:, part]
        found: Flags = held.take(first, axis=1)
        for sentence in others:
            found |= held.take(sentence, axis=1)
        return found

    def most_in_windows(self, values: Floats) -> Floats:
        """The largest of `values`, one for each sentence, in each window."""
        first, *others = self._windows
        most: Floats = values.take(first)
        for sentence in others:
            np.maximum(most, values.take(sentence), out=most)
        return most

    def holding(self, words: Iterable[str]) -> Flags:
        """Whether each sentence holds any of some words, all of them `wanted`."""
        sentences, starts = self._by_code
        holding: Flags = np.zeros(self.sentences, dtype=bool)
        for code in map(self._code.__getitem__, words):
            holding[sentences[starts[code] : starts[code + 1]]] = True
        return holding

    @cached_property
    def _by_code(self) -> tuple[Indices, list[int]]:
        """The sentences of all words in the order of their codes, and where those of each code begin."""
        order = np.argsort(self._asked, kind="stable")
        starts = np.searchsorted(self._asked[order], np.arange(len(self._code) + 2)).tolist()
        return self._sentence[order], starts

    def beside(self, flagged: Flags) -> Flags:
        """Whether each sentence shares a window with one of those that are flagged, as these do themselves."""
        beside: Flags = np.zeros(self.sentences, dtype=bool)
        beside[self._windows[:, flagged[self._windows].any(axis=0)]] = True
        return beside

    def negated(self) -> Flags:
        """Whether each sentence negates something."""
        negated: Flags = np.zeros(self.sentences, dtype=bool)
        negated[self._negated] = True
        return negated


def _ends_of_pieces(passage: str) -> Iterator[int]:
    """Where the sentences of a passage end, each with the short ones before it, so that windows are few."""
    start = 0
    for end in sentence_ends(passage):
        if end - start >= SHORTEST:
            yield end
            start = end
    if start < len(passage):
        yield len(passage)


def _places(ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip((0, *ends), ends, strict=False)


def _windows(passage: Indices) -> Indices:
    """The `WINDOW` sentences of each window, by columns; the last one is repeated where a passage has too few."""
    sentence = np.arange(len(passage))
    first = np.searchsorted(passage, passage, "left")
    last = np.searchsorted(passage, passage, "right") - 1
    begins = (sentence + WINDOW - 1 <= last) | (sentence == first)
    windows: Indices = np.minimum(sentence[begins] + np.arange(WINDOW)[:, None], last[begins])
    return windows
