"""What one bucket of time holds of one series: mergeable counts, nothing per verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Self

from monitor.quality.histogram import Histogram, Moments
from monitor.records import Outcome
from monitor.snapshot import OutcomeCount


class Ending(NamedTuple):
    """How a verdict ended: its outcome and the bounded reason."""

    outcome: Outcome
    reason: str


@dataclass(frozen=True, slots=True)
class Reading:
    """The part of a verdict that is counted. `score` is in billionths, None unless the outcome is `scored`."""

    ending: Ending
    score: int | None
    weight: int
    end_ns: int
    cause: str = ""
    """Of a low score; a word of `Cause` or `other`."""


def is_missing(outcome: Outcome) -> bool:
    """Whether the evaluation applies but there is no verdict: the score could be anything."""
    match outcome:
        case Outcome.JUDGE_ERROR | Outcome.SKIPPED:
            return True
        case Outcome.SCORED | Outcome.NOT_SCORABLE:
            return False


@dataclass(slots=True)
class Outcomes:
    """How many verdicts ended how, and the requests they stand for."""

    counts: dict[Ending, tuple[int, int]] = field(default_factory=dict)

    def add(self, ending: Ending, count: int, weight: int) -> None:
        """Count `count` verdicts that stand for `weight` requests in all."""
        before = self.counts.get(ending, (0, 0))
        self.counts[ending] = (before[0] + count, before[1] + weight)

    @property
    def weight(self) -> int:
        """The requests that all of them stand for."""
        return sum(weight for _, weight in self.counts.values())

    def listed(self) -> tuple[OutcomeCount, ...]:
        """In a fixed order."""
        return tuple(OutcomeCount(*ending, *self.counts[ending]) for ending in sorted(self.counts))


@dataclass(slots=True)
class Tally:
    """Scores, gaps and outcomes. A gap is a missing verdict: only its weight is known."""

    scores: Histogram = field(default_factory=Histogram)
    missing: Moments = field(default_factory=Moments)
    outcomes: Outcomes = field(default_factory=Outcomes)
    last_end_ns: int | None = None
    """Event time of the newest scored verdict."""

    def add(self, reading: Reading) -> None:
        """Count one verdict."""
        self.outcomes.add(reading.ending, 1, reading.weight)
        if reading.score is not None:
            self.scores.add(reading.score, reading.weight)
            self._saw(reading.end_ns)
        elif is_missing(reading.ending.outcome):
            self.missing.add(0, reading.weight)

    def merge(self, other: Tally) -> Self:
        """Add `other` to this one, which is returned; `other` is not changed."""
        self.scores.merge(other.scores)
        self.missing.merge(other.missing)
        for ending, (count, weight) in other.outcomes.counts.items():
            self.outcomes.add(ending, count, weight)
        if other.last_end_ns is not None:
            self._saw(other.last_end_ns)
        return self

    def _saw(self, end_ns: int) -> None:
        self.last_end_ns = end_ns if self.last_end_ns is None else max(self.last_end_ns, end_ns)
