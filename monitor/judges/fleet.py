"""What is spent elsewhere counts, too: limits hold for all replicas together, and across restarts.

Each verdict in the log says what it cost. Every replica reads the whole log, so it knows what the others spent, and
from its history what was spent before it started; its own verdicts come back as well, and were charged at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from monitor.judges.panel import PanelMember, Spender
from monitor.protocols import Clock
from monitor.records import Usage, Verdict

_AWAITED = 100_000
"""Verdicts of our own that are waited for at most; an older one that comes back after all is charged twice."""
_NS = 1_000_000_000


class Fleet:
    """Tells the judges of this process what verdicts in the log cost that are not theirs."""

    def __init__(self, members: Iterable[PanelMember], clock: Clock) -> None:
        self._spenders: dict[str, Spender] = {
            member.judge.name: member.spender for member in members if member.spender is not None
        }
        self._clock = clock
        self._own: dict[str, None] = {}
        """Ids of verdicts that are written here, in their order, until they come back."""

    def writes(self, verdicts: Iterable[Verdict]) -> None:
        """These are about to be written, perhaps once more: what they cost is known here."""
        for verdict in verdicts:
            if self._is_counted(verdict):
                self._own[verdict.verdict_id] = None
                if len(self._own) > _AWAITED:
                    del self._own[next(iter(self._own))]

    def hear(self, verdict: Verdict) -> None:
        """This one stands in the log."""
        if not self._is_counted(verdict):
            return
        if verdict.verdict_id in self._own:
            del self._own[verdict.verdict_id]
            return
        usage = Usage(verdict.calls, verdict.input_tokens, verdict.output_tokens, verdict.cost)
        age_s = (self._clock.now_ns() - verdict.judged_ns) / _NS
        self._spenders[verdict.judge].heard(usage, age_s)

    def _is_counted(self, verdict: Verdict) -> bool:
        """Whether it cost something that is limited. What makes no sense does not: anyone may write to a topic."""
        spent = (verdict.input_tokens, verdict.output_tokens, verdict.cost)
        return verdict.calls > 0 and verdict.judge in self._spenders and all(0 <= amount < math.inf for amount in spent)
