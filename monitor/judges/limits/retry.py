"""When to call again: full jitter, a budget of extra calls, and the server's own wish."""

from __future__ import annotations

import random

BASE_S = 0.5
CAP_S = 8.0
ALLOWANCE = 3.0
"""Retries that a judge may make before its calls have earned any, so that the first bad moment is not fatal."""
SAVED_AT_MOST = 10.0
"""Tokens that quiet times can save up: a burst of retries after a good day stays small."""


class RetryBudget:
    """A token bucket: each first call earns `share` of a retry, each retry costs one.

    Over any run of n first calls there are at most `share` * n + `SAVED_AT_MOST` retries; from the start at most
    `share` * n + `ALLOWANCE`. A share of 0 allows none.
    """

    def __init__(self, share: float) -> None:
        self._share = share
        self._tokens = ALLOWANCE if share > 0 else 0.0

    def earn(self) -> None:
        """A first call is made."""
        self._tokens = min(self._tokens + self._share, max(SAVED_AT_MOST, self._share))

    def spend(self) -> bool:
        """Whether a retry is allowed; takes its token."""
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


def delay_s(attempt: int, wish_s: float, rng: random.Random) -> float:
    """Seconds before retry number `attempt` (from 0): full jitter on a capped exponential, never before the wish.

    Source: full jitter as in the AWS Architecture Blog, "Exponential Backoff And Jitter". A wish of the server comes
    first; the jitter on top of it keeps replicas from returning at the same moment.
    """
    return wish_s + rng.uniform(0.0, min(CAP_S, BASE_S * 2.0**attempt))


class Gate:
    """The time before which nobody calls: the latest wish of the server, for all requests of this judge."""

    def __init__(self) -> None:
        self._until = 0.0

    def close_until(self, when: float) -> None:
        """Let no call through before `when` (monotonic seconds); an earlier time changes nothing."""
        self._until = max(self._until, when)

    def wait_s(self, now: float) -> float:
        """Seconds until a call may be made; 0 when it may be made now."""
        return max(0.0, self._until - now)
