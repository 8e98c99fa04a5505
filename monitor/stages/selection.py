"""Which judges one request goes to, and with what probability: the dear ones get a sub-sample, by its random number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from monitor.judges.cascade import UNCERTAIN
from monitor.judges.panel import Panel, PanelMember
from monitor.records import Decision, Judgement
from monitor.stages.verdicts import skipped


class Selection:
    """The judges of one request, in two phases where one of them goes by what others said before.

    All shares are settled when it is made. What the first phase says chooses between two of them, so the probability of
    each judge is exact: it is that of requests with the same doubt about them.
    """

    def __init__(self, panel: Panel, nest: Callable[[int], Decision]) -> None:
        """`nest` gives the request's decision in a sub-sample of one in so many."""
        self._panel = panel
        self._certain = {member: nest(member.one_in_now) for member in panel.members}
        self._in_doubt = {
            member: _named(nest(member.uncertain_one_in_now)) for member in panel.second if member.cascade is not None
        }
        self.decisions: dict[str, Decision] = {}
        """Of the judges that were chosen so far, by name."""

    def possible(self) -> tuple[PanelMember, ...]:
        """The judges that it may go to, whatever is said in the first phase."""
        largest = self._certain | self._in_doubt
        return tuple(member for member, decision in largest.items() if decision.sampled)

    def first(self) -> tuple[PanelMember, ...]:
        """Choose those that are asked at once."""
        return self._choose({member: self._certain[member] for member in self._panel.first})

    def second(self, judgements: Sequence[Judgement]) -> tuple[PanelMember, ...]:
        """Choose those that are asked afterwards; `judgements` are those of the first phase."""
        return self._choose({member: self._decision(member, judgements) for member in self._panel.second})

    def skipped(self, reason: str) -> tuple[Judgement, ...]:
        """What is said where nobody is asked; that those of the first phase say nothing is a doubt, too."""
        first = skipped(self.first(), reason)
        return (*first, *skipped(self.second(first), reason))

    def _decision(self, member: PanelMember, judgements: Sequence[Judgement]) -> Decision:
        if member.cascade is not None and member.cascade.is_uncertain(judgements):
            return self._in_doubt[member]
        return self._certain[member]

    def _choose(self, decisions: dict[PanelMember, Decision]) -> tuple[PanelMember, ...]:
        chosen = tuple(member for member, decision in decisions.items() if decision.sampled)
        self.decisions |= {member.judge.name: decisions[member] for member in chosen}
        return chosen


def _named(decision: Decision) -> Decision:
    return replace(decision, policies=(*decision.policies, UNCERTAIN)) if decision.sampled else decision
