"""A cascade: a dear judge gets more of the requests about which a cheap one, asked before, is in doubt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from monitor.records import Judgement, Outcome

UNCERTAIN = "uncertain"
"""Name, among the policies of a verdict, of the share that requests in doubt get."""


@dataclass(frozen=True, slots=True)
class Cascade:
    """Which requests are in doubt, and the k of the judge's share 1/k of them; at most that of the others."""

    after: str
    """Name of the judge that is asked before."""
    evaluations: frozenset[str]
    """What both judge."""
    band: tuple[float, float]
    """Scores in doubt, both ends included."""
    one_in: int

    def is_uncertain(self, judgements: Iterable[Judgement]) -> bool:
        """Whether the judge before is in doubt under any of the evaluations; the others' judgements are not looked at.

        A missing verdict is a doubt. What is not scorable is none: the evaluation does not apply.
        """
        return any(
            self._is_in_doubt(judgement)
            for judgement in judgements
            if judgement.judge.name == self.after and judgement.evaluation in self.evaluations
        )

    def _is_in_doubt(self, judgement: Judgement) -> bool:
        lowest, highest = self.band
        match judgement.outcome:
            case Outcome.SCORED:
                return judgement.score is not None and lowest <= judgement.score <= highest
            case Outcome.JUDGE_ERROR | Outcome.SKIPPED:
                return True
            case Outcome.NOT_SCORABLE:
                return False
