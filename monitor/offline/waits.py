"""Says that a command waits for a remote judge, once for each cause."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from monitor.judges.limits.patience import LONGEST_S, Held
from monitor.judges.reasons import Reason
from monitor.offline.unjudged import endpoint_says

_TOLD_FROM_S = 2.0
"""A shorter wait is no news."""


class Waits:
    """Takes note of waits of all judges of a command. `endpoints` are where they are asked, by name."""

    def __init__(self, endpoints: Mapping[str, str]) -> None:
        self._endpoints = endpoints
        self._told: set[tuple[str, Reason, str]] = set()

    def tell(self, judge: str, held: Held) -> None:
        """Say it on standard error, unless it is short or was said."""
        key = (judge, held.reason, held.detail)
        if held.seconds < _TOLD_FROM_S or key in self._told:
            return
        self._told.add(key)
        sys.stderr.write(f"ragmon: {judge} waits, {self._why(judge, held)}\n")

    def _why(self, judge: str, held: Held) -> str:
        if held.reason is not Reason.CIRCUIT_OPEN and held.detail:
            return f"as its `{held.detail}` is reached, and will each time"
        why = endpoint_says(held.detail or held.reason, self._endpoints.get(judge, "its endpoint"))
        return f"at most {LONGEST_S / 60:.0f} minutes without an answer: {why}"
