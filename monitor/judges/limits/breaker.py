"""The circuit breaker: stop asking a judge that fails, and find out cheaply when it is back."""

from __future__ import annotations

import random
from dataclasses import dataclass

from monitor.judges.reasons import PERMANENT, Reason
from monitor.operational import BreakerState

IN_A_ROW = 8
"""Failures without a success between them that open the circuit: one flight of parallel calls is enough when all fail,
and when half of them do it happens by chance once in 500 calls."""
FIRST_PAUSE_S = 5.0
LONGEST_PAUSE_S = 30.0
"""A judge that is back is asked again within this time."""
LONGEST_PERMANENT_PAUSE_S = 900.0
"""The same for a judge that a person must mend first (`PERMANENT`): its pauses grow further."""

PROBE_S = 1.0
"""How long to wait for a probe that is under way before looking again."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """Leave to make one call. Results of tickets from before the last change of state are ignored."""

    generation: int
    probe: bool


@dataclass(frozen=True, slots=True)
class Change:
    """The circuit changed: to be logged once. `pause_s` is the time to the next probe, 0 unless open."""

    state: BreakerState
    reason: str
    pause_s: float = 0.0


class Breaker:
    """Closed: all calls pass. Open: none, for a pause. Half open: a single probe decides.

    Opens when 8 results in a row speak against the endpoint, and at once for what a person must mend (`PERMANENT`). The
    pause doubles from 5 s to 30 s, or to 15 min, with each failed probe, is shortened by up to a half at random so that
    replicas do not probe together, and is never shorter than the server's own wish.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._failed_in_a_row = 0
        self._generation = 0
        self._pauses = 0
        self._until = 0.0
        self._probing = False
        self.state = BreakerState.CLOSED
        self.reason = ""
        """Why it is not closed; empty while it is."""

    def admit(self, now: float) -> Ticket | None:
        """Leave to call at `now` (monotonic seconds), or None while the circuit is open."""
        if self.state is BreakerState.CLOSED:
            return Ticket(self._generation, probe=False)
        if self._probing or now < self._until:
            return None
        self.state = BreakerState.HALF_OPEN
        self._probing = True
        return Ticket(self._generation, probe=True)

    def wait_s(self, now: float) -> float:
        """Seconds until it is worth asking for leave again; 0 when there would be leave now."""
        if self.state is BreakerState.CLOSED:
            return 0.0
        return PROBE_S if self._probing else max(0.0, self._until - now)

    def succeeded(self, ticket: Ticket) -> Change | None:
        """The endpoint answered like a judge (even if this one reply was of no use)."""
        if ticket.generation != self._generation:
            return None
        if not ticket.probe:
            self._failed_in_a_row = 0
            return None
        reason, self.reason = self.reason, ""
        self._pauses = 0
        self._turn(BreakerState.CLOSED)
        return Change(BreakerState.CLOSED, reason)

    def failed(self, ticket: Ticket, reason: Reason, wish_s: float, now: float) -> Change | None:
        """The call failed in a way that speaks against the endpoint; `wish_s` is the server's own pause."""
        if ticket.generation != self._generation:
            return None
        self._failed_in_a_row += 1
        if not (ticket.probe or reason in PERMANENT or self._failed_in_a_row >= IN_A_ROW):
            return None
        self.reason = reason
        pause_s = max(self._pause_s(reason), wish_s)
        self._until = now + pause_s
        self._turn(BreakerState.OPEN)
        return Change(BreakerState.OPEN, reason, pause_s)

    def unknown(self, ticket: Ticket) -> None:
        """The call was cut by us (deadline, cancellation): it says nothing; another call may probe."""
        if ticket.probe and ticket.generation == self._generation:
            self._probing = False
            self.state = BreakerState.OPEN

    def _turn(self, state: BreakerState) -> None:
        self.state = state
        self._probing = False
        self._generation += 1
        self._failed_in_a_row = 0

    def _pause_s(self, reason: Reason) -> float:
        longest = LONGEST_PERMANENT_PAUSE_S if reason in PERMANENT else LONGEST_PAUSE_S
        longest = min(longest, FIRST_PAUSE_S * 2.0**self._pauses)
        self._pauses = min(self._pauses + 1, 10)
        return self._rng.uniform(longest / 2, longest)
