"""How long calls wait for an endpoint that takes none just now, where nobody waits for a single verdict: over files.

In live traffic a request has a deadline, and what it lacks is `skipped`. A command over a file has time: a pause of the
breaker, a 429 and a limit of a minute end, and the rows behind them are worth more than the minute.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from monitor.judges.reasons import PERMANENT, Reason

LONGEST_S = 180.0
"""Of an endpoint that never answers in the meantime; then calls are left out as in live traffic."""
MOST_TRIES = 20
"""Of one call that gets 429 while others get replies: some servers say so of a call that is too large for ever."""


class Held(NamedTuple):
    """A call that waits. `detail` is our own limit that holds it, or why the circuit is open; empty for a wish."""

    seconds: float
    reason: Reason
    detail: str = ""


Tell = Callable[[str, Held], None]
"""Says to a person that calls of the named judge wait; called for each wait."""


class Patience:
    """Of one judge. Times are seconds of one monotonic clock."""

    def __init__(self, judge: str, tell: Tell) -> None:
        self._judge = judge
        self._tell = tell
        self._has_answered = False
        self._failing_since: float | None = None

    def succeeded(self) -> None:
        """The endpoint answered like a judge."""
        self._has_answered = True
        self._failing_since = None

    def failed(self, now: float) -> None:
        """A call failed in a way that speaks against the endpoint."""
        if self._failing_since is None:
            self._failing_since = now

    def waits(self, held: Held, why: Reason, now: float) -> bool:
        """Whether a call waits for the endpoint that failed for this reason; says so if it does.

        Not for what a person must mend, and not for an address at which nothing has answered yet: that may be wrong.
        """
        if why in PERMANENT or not (self._has_answered or why is Reason.RATE_LIMITED):
            return False
        since = now if self._failing_since is None else self._failing_since
        if now + held.seconds > since + LONGEST_S:
            return False
        self.tell(held)
        return True

    def tell(self, held: Held) -> None:
        """Say that a call waits."""
        self._tell(self._judge, held)
