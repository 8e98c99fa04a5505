"""How long to wait before the next attempt to reach a broker."""

from __future__ import annotations

import random

_FIRST_S = 0.5
_LONGEST_S = 10.0


def backoff(attempt: int, rng: random.Random) -> float:
    """Seconds before attempt number `attempt` + 1 (from 1): doubled from half a second to ten, then cut by jitter.

    Jitter takes up to half of it away, so that many replicas do not come back at the same moment.
    """
    longest: float = min(_LONGEST_S, _FIRST_S * 2 ** min(attempt - 1, 10))
    return longest * rng.uniform(0.5, 1.0)
