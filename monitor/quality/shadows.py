"""Verdicts of judges that run beside others, matched with those of the others: the newest requests of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from monitor.comparisons import Comparison
from monitor.quality.comparison import Given, Pair, compare, given_of
from monitor.records import Verdict

MAX_PAIRS = 2000
"""Requests of one comparison: the newest. The interval of a mean difference is then within 0.02."""
MAX_COMPARISONS = 16
"""Further candidates are not compared."""
_SPARE = 500
_WAITING = 1000


class _Who(NamedTuple):
    evaluation: str
    incumbent: str
    candidate: str


class _Request(NamedTuple):
    trace_id: str
    request_id: str


class _Matching:
    """One candidate beside one incumbent."""

    def __init__(self) -> None:
        self.changed = True
        self.compared: tuple[Comparison, ...] = ()
        self._waiting: dict[_Request, tuple[bool, Given]] = {}
        """The first of two verdicts on a request, and whether it is the candidate's."""
        self._pairs: dict[_Request, tuple[int, Pair]] = {}

    def add(self, verdict: Verdict, *, is_candidate: bool) -> None:
        request, given = _Request(verdict.trace_id, verdict.request_id), given_of(verdict)
        there = self._waiting.pop(request, None)
        if there is None or there[0] == is_candidate:
            self._waiting[request] = (is_candidate, given)
            if len(self._waiting) > _WAITING:
                del self._waiting[next(iter(self._waiting))]
            return
        pair = Pair(there[1], given) if is_candidate else Pair(given, there[1])
        self._pairs[request] = (verdict.end_ns, pair)
        self.changed = True
        if len(self._pairs) >= MAX_PAIRS + _SPARE:
            self._pairs = dict(self._newest())

    def forget(self, before_ns: int) -> bool:
        """Drop what ended before; False when nothing of the candidate is left."""
        old = [request for request, (end_ns, _) in self._pairs.items() if end_ns <= before_ns]
        for request in old:
            del self._pairs[request]
        self.changed = self.changed or bool(old)
        return bool(self._pairs) or any(is_candidate for is_candidate, _ in self._waiting.values())

    def pairs(self) -> Iterator[Pair]:
        """Oldest first, whatever the order they came in."""
        return (pair for _, (_, pair) in self._newest())

    def _newest(self) -> list[tuple[_Request, tuple[int, Pair]]]:
        return sorted(self._pairs.items(), key=lambda item: (item[1][0], item[0]))[-MAX_PAIRS:]


class Shadows:
    """All candidates. A candidate's verdict on a request comes before its incumbent's, or the first pairs are lost."""

    def __init__(self) -> None:
        self._matchings: dict[_Who, _Matching] = {}
        self._beside: dict[tuple[str, str], list[_Matching]] = {}
        """By evaluation and incumbent."""

    def add(self, verdict: Verdict) -> None:
        """Take in a verdict, of a candidate or of any other judge."""
        if not verdict.shadow_of:
            for matching in self._beside.get((verdict.evaluation, verdict.judge), ()):
                matching.add(verdict, is_candidate=False)
            return
        who = _Who(verdict.evaluation, verdict.shadow_of, verdict.judge)
        if who not in self._matchings:
            if len(self._matchings) >= MAX_COMPARISONS:
                return
            self._matchings[who] = _Matching()
            self._beside.setdefault((who.evaluation, who.incumbent), []).append(self._matchings[who])
        self._matchings[who].add(verdict, is_candidate=True)

    def forget(self, before_ns: int) -> None:
        """Drop the requests that ended before, and the candidates of which nothing is left."""
        for who, matching in list(self._matchings.items()):
            if not matching.forget(before_ns):
                del self._matchings[who]
                self._beside[who.evaluation, who.incumbent].remove(matching)

    def comparisons(self) -> tuple[Comparison, ...]:
        """By evaluation, incumbent and candidate; computed again only where something changed."""
        made: list[Comparison] = []
        for who, matching in sorted(self._matchings.items()):
            if matching.changed:
                matching.compared = compare(who.evaluation, matching.pairs())
                matching.changed = False
            made += matching.compared
        return tuple(made)
