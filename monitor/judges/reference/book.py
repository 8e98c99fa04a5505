"""The golden questions of one file, and which of them a live question is."""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from monitor.judges.reference.golden import Entry
from monitor.judges.reference.references import Absence, Reference
from monitor.judges.reference.wording import Gist, alikeness, gist_of, key_and_gist, key_of, key_of_answer
from monitor.records import RagTrace

AROUND = 200
"""Characters that may stand around a golden question; a live one with more, and twice its length, is another."""


MATCHING = 3
"""Changes with which question is a golden one: it is part of the digest."""
MAX_CANDIDATES = 5000
"""Golden wordings that a live question is compared with. Where more share its rarest words, these words do not tell
them apart, and to look at each of 100,000 would hold up all else."""


class GoldenBook:
    """`References` of a golden file.

    A question is looked for in its very words, then by its gist, then among gists that are at least `similarity` alike
    (`wording.alikeness`). What is found first counts; where the entries found there say different things, it is
    ambiguous which one is meant.
    """

    def __init__(self, entries: Sequence[Entry], similarity: float) -> None:
        self.digest = hashlib.blake2b(repr([MATCHING, *map(_plain, entries)]).encode("utf-8", "replace")).hexdigest()
        self._similarity = similarity
        self._longest = AROUND + 2 * max((len(text) for entry in entries for text in entry.wordings), default=0)
        self._by_key: dict[str, list[Entry]] = defaultdict(list)
        self._gists: list[tuple[Gist, Entry]] = []
        self._with_word: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        """The numbers of the gists that hold a word, by their length."""
        for entry in entries:
            for wording in entry.wordings:
                key, gist = key_and_gist(wording)
                self._by_key[key].append(entry)
                self._index(gist, entry)

    def of(self, trace: RagTrace) -> Reference | Absence:
        """The reference of the golden question that the request's question is, or why there is none."""
        question = trace.question or ""
        if not question.strip() or len(question) > self._longest:
            return Absence.NONE
        key = key_of(question)
        if not any(map(str.isalnum, key)):
            return Absence.NONE  # signs alone: all such questions have the same key
        same = self._by_key.get(key, ())
        found = _of_language(same, trace.language) or _of_language(self._alike(gist_of(question)), trace.language)
        return _agreed(found)

    def contradictions(self) -> list[tuple[Entry, Entry]]:
        """Entries with the same question, as it is looked for, and different answers: neither is ever used.

        Each stands beside an earlier one of the same language or of any.
        """
        found: dict[tuple[int, int], tuple[Entry, Entry]] = {}
        for key, entries in self._by_key.items():
            if len(entries) == 1 or not any(map(str.isalnum, key)):
                continue
            first: dict[str, Entry] = {}
            for entry in entries:
                spoken = entry.language.replace("und", "")
                rivals = [first.get(spoken), first.get("")] if spoken else first.values()
                for rival in rivals:
                    if rival is not None and _said(rival.reference) != _said(entry.reference):
                        found.setdefault((id(rival), id(entry)), (rival, entry))
                        break
                first.setdefault(spoken, entry)
        return list(found.values())

    def _index(self, gist: Gist, entry: Entry) -> None:
        for word in set(gist.words):
            self._with_word[word][len(gist.words)].append(len(self._gists))
        self._gists.append((gist, entry))

    def _alike(self, live: Gist) -> list[Entry]:
        """The entries whose gist is the live one; else all those that are alike enough."""
        return self._at_least(1.0, live) or self._at_least(self._similarity, live)

    def _at_least(self, similarity: float, live: Gist) -> list[Entry]:
        candidates = (self._gists[number] for number in self._candidates(live, similarity))
        return [entry for gist, entry in candidates if alikeness(live, gist, self._with_word) >= similarity]

    def _candidates(self, live: Gist, similarity: float) -> list[int]:
        """The gists of about the length of the live one that hold one of its rarest words.

        That many of its words may be missing from a golden gist: those that are one too many, and those that nobody
        knows, which may be slips. So a gist without the next rarest as well is not alike enough.
        """
        least = len(live.words) * similarity
        most = len(live.words) / similarity
        lengths = range(math.ceil(least - _ROUNDING), math.floor(most + _ROUNDING) + 1)
        held = {word: self._held(word, lengths) for word in set(live.words)}
        unknown = sum(word not in self._with_word for word in held)
        spare = int(len(live.words) - least + _ROUNDING) + unknown
        rarest = sorted(held.values(), key=lambda lists: sum(map(len, lists)))[: spare + 1]
        if sum(len(numbers) for lists in rarest for numbers in lists) > MAX_CANDIDATES:
            return []
        return sorted({number for lists in rarest for numbers in lists for number in numbers})

    def _held(self, word: str, lengths: range) -> list[list[int]]:
        """The gists of these lengths that hold the word."""
        by_length = self._with_word.get(word, {})
        return [by_length[length] for length in lengths if length in by_length]


_ROUNDING = 1e-9


def _plain(entry: Entry) -> tuple[object, ...]:
    """The entry as tuples; `dataclasses.astuple` takes five times as long."""
    reference = entry.reference
    return entry.wordings, (reference.answers, reference.sources, reference.passages), entry.language


def _of_language(entries: Iterable[Entry], language: str) -> list[Entry]:
    """The entries that may be in the language of the request."""
    spoken = language.partition("-")[0]
    return [entry for entry in entries if spoken == "und" or entry.language in {"", "und", spoken}]


def _agreed(entries: Sequence[Entry]) -> Reference | Absence:
    """What the entries say together; two that give different answers, or sources where there are none, disagree."""
    if not entries:
        return Absence.NONE
    first, *others = (entry.reference for entry in entries)
    for other in others:
        if _said(other) != _said(first):
            return Absence.AMBIGUOUS
    everything = [first, *others]
    return Reference(
        first.answers,
        tuple(dict.fromkeys(source for one in everything for source in one.sources)),
        tuple(dict.fromkeys(passage for one in everything for passage in one.passages)),
    )


def _said(reference: Reference) -> frozenset[str]:
    return frozenset(map(key_of_answer, reference.answers or reference.sources or reference.passages))
