"""How verdicts on a file ended, and the line that says why many of them have no score."""

from __future__ import annotations

from collections import Counter

from monitor.judges.reasons import Reason
from monitor.records import Outcome

MISSING = (Outcome.JUDGE_ERROR, Outcome.SKIPPED)
"""What the judge owes; what is not scorable has no score by right."""


class Ends:
    """Counts verdicts by outcome and reason, and keeps what the first one of each says of itself."""

    def __init__(self) -> None:
        self._counts = Counter[tuple[str, str]]()
        self._said: dict[tuple[str, str], str] = {}

    def take(self, outcome: str, reason: str, explanation: str) -> None:
        """Count a verdict."""
        self._counts[outcome, reason] += 1
        self._said.setdefault((outcome, reason), explanation)

    @property
    def total(self) -> int:
        """Verdicts that were counted."""
        return self._counts.total()

    @property
    def reasons(self) -> set[str]:
        """Why there is no score."""
        return {reason for _, reason in self._counts}

    @property
    def has_scored(self) -> bool:
        """Whether any has a score."""
        return any(outcome == Outcome.SCORED for outcome, _ in self._counts)

    @property
    def has_missing(self) -> bool:
        """Whether the judge owes any."""
        return any(outcome in MISSING for outcome, _ in self._counts)

    def told(self, what: str) -> str:
        """One line: how many of `what` have no score, by reason, and what the most telling reason means."""
        ends = [(end, count) for end, count in self._counts.most_common() if end[0] != Outcome.SCORED]
        unscored = sum(count for _, count in ends)
        how_many = (
            f"{unscored} of {self.total} {what} have no score" if self.has_scored else f"no {what[:-1]} has a score"
        )
        why = ", ".join(f"{count} {outcome}{{{reason}}}" for (outcome, reason), count in ends)
        causes = sorted(ends, key=lambda one: one[0][1] == Reason.CIRCUIT_OPEN)  # that is what another one led to
        cause = next((self._said[end] for end, _ in causes if end[0] in MISSING and self._said[end]), "")
        return f"{how_many}: {why}{cause and f'; {cause}'}"
