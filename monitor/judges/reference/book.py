"""The golden questions of one file, and which of them a live question is."""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import astuple

from monitor.judges.reference.golden import Entry
from monitor.judges.reference.references import Absence, Reference
from monitor.judges.reference.wording import Gist, alikeness, gist_of, key_of
from monitor.records import RagTrace

LONGEST = 2000
"""Characters of a live question; a longer one is no golden question."""
_SHARED = 0.5
"""Share of the words of the shorter gist that both must hold to be looked at: up to half may be slips."""


class GoldenBook:
    """`References` of a golden file.

    A question is looked for in its very words, then by its gist, then among gists that are at least `similarity` alike
    (`wording.alikeness`). What is found first counts; where the entries found there say different things, it is
    ambiguous which one is meant.
    """

    def __init__(self, entries: Sequence[Entry], similarity: float) -> None:
        self.digest = hashlib.blake2b(
            repr([astuple(entry) for entry in entries]).encode("utf-8", "replace")
        ).hexdigest()
        self._similarity = similarity
        self._by_key: dict[str, list[Entry]] = defaultdict(list)
        self._gists: list[tuple[Gist, Entry]] = []
        self._with_word: dict[str, list[int]] = defaultdict(list)
        for entry in entries:
            for wording in entry.wordings:
                self._by_key[key_of(wording)].append(entry)
                self._index(gist_of(wording), entry)

    def of(self, trace: RagTrace) -> Reference | Absence:
        """The reference of the golden question that the request's question is, or why there is none."""
        question = trace.question or ""
        if not question.strip() or len(question) > LONGEST:
            return Absence.NONE
        same = self._by_key.get(key_of(question), ())
        found = _of_language(same, trace.language) or _of_language(self._alike(gist_of(question)), trace.language)
        return _agreed(found)

    def _index(self, gist: Gist, entry: Entry) -> None:
        for word in set(gist.words):
            self._with_word[word].append(len(self._gists))
        self._gists.append((gist, entry))

    def _alike(self, live: Gist) -> list[Entry]:
        """The entries whose gist is the live one; else all those that are alike enough."""
        alike = {number: alikeness(live, self._gists[number][0], self._with_word) for number in self._candidates(live)}
        least = 1.0 if 1.0 in alike.values() else self._similarity
        return [self._gists[number][1] for number, share in alike.items() if share >= least]

    def _candidates(self, live: Gist) -> list[int]:
        """The gists that share enough words: every one of them holds one of the rarest words of the live question."""
        words = sorted(set(live.words), key=lambda word: len(self._with_word.get(word, ())))
        needed = max(1, math.ceil(_SHARED * len(words)))
        rarest = words[: len(words) - needed + 1]
        shared = Counter(number for word in rarest for number in self._with_word.get(word, ()))
        return sorted(shared)


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
    return frozenset(map(key_of, reference.answers or reference.sources or reference.passages))
