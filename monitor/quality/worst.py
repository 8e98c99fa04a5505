"""The lowest recent scores, to look at: for each family of evaluations, from a bounded stretch of event time."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from heapq import nsmallest
from itertools import chain
from typing import NamedTuple

from monitor.quality.grid import ONE
from monitor.quality.slices import clean_text
from monitor.quality.windows import SECOND_NS
from monitor.records import Verdict
from monitor.snapshot import WorstCase

_LONGEST_S = 86_400.0
_BUCKETS = 24
OF_WORDS = frozenset({"exact_match", "f1", "rouge_l", "bleu"})
"""Evaluations that compare words only: of a right answer in other words they are low, too, so nothing is to look at."""


class Low(NamedTuple):
    """A low verdict; the natural order is worst first, newest first, then by id."""

    score: int
    """In billionths."""
    minus_end_ns: int
    trace_id: str
    request_id: str
    evaluation: str
    app: str

    @property
    def end_ns(self) -> int:
        """Event time."""
        return -self.minus_end_ns

    @property
    def request(self) -> tuple[str, str, str]:
        """Which request under which evaluation: shown once, however many judges judged it."""
        return self.trace_id, self.request_id, self.evaluation


def low_of(verdict: Verdict, score: int) -> Low:
    """What to remember of a scored verdict; texts are cleaned."""
    texts = (verdict.trace_id, verdict.request_id, verdict.evaluation, verdict.app or "")
    return Low(score, -verdict.end_ns, *map(clean_text, texts))


def worst_case(low: Low) -> WorstCase:
    """As the snapshot shows it."""
    return WorstCase(low.trace_id, low.request_id, low.evaluation, low.score / ONE, low.end_ns, low.app or None)


class WorstCases:
    """The `limit` lowest scores of each family, newest first among equals.

    A family is the first word of an evaluation's name (`faithfulness`, `safety`), so that one kind of failure cannot
    hide another. The stretch is the longest window of a day or less (else the shortest window), moving in
    steps of 1/24 of it. Scores of 1, and those of `OF_WORDS`, are nothing to look at.
    """

    def __init__(self, lengths: Sequence[float], limit: int) -> None:
        stretch = max((length for length in lengths if length <= _LONGEST_S), default=min(lengths))
        self._grain_ns = max(1, round(stretch * SECOND_NS) // _BUCKETS)
        self._limit = limit
        self._families: dict[str, dict[int, list[Low]]] = {}

    def add(self, low: Low) -> None:
        """Consider one scored verdict."""
        if low.score == ONE or low.evaluation in OF_WORDS or self._limit == 0:
            return
        family = self._families.setdefault(low.evaluation.partition(".")[0], {})
        bucket = family.setdefault(low.end_ns // self._grain_ns, [])
        if len(bucket) == self._limit and bucket[-1] < low:
            return
        for index, known in enumerate(bucket):
            if known.request == low.request:
                bucket[index] = min(known, low)
                bucket.sort()
                return
        insort(bucket, low)
        del bucket[self._limit :]

    def advance(self, now_ns: int) -> None:
        """Drop what is older than the stretch."""
        oldest = now_ns // self._grain_ns - _BUCKETS
        for name, family in list(self._families.items()):
            for bucket in [bucket for bucket in family if bucket < oldest]:
                del family[bucket]
            if not family:
                del self._families[name]

    def listed(self, now_ns: int) -> tuple[WorstCase, ...]:
        """Family by family, worst first; nothing that lies ahead of `now_ns`."""
        newest = now_ns // self._grain_ns
        return tuple(
            worst_case(low)
            for name in sorted(self._families)
            for low in nsmallest(
                self._limit, chain.from_iterable(b for at, b in self._families[name].items() if at <= newest)
            )
        )
