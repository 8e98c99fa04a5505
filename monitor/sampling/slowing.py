"""How much a sampling rate falls when more is used than a budget allows: by doubling, so that it never cuts off."""

from __future__ import annotations

import math

MAX_DOUBLINGS = 30.0
"""1/1e9 is the lowest rate there is."""


def slowdown(level: float, allowance: float) -> float:
    """What a leaky bucket that stands at `level` divides the rate by; 1 up to its `allowance` (above 0).

    Above, it doubles with each allowance more. So the level settles where the demand D is met by what leaks: at
    allowance x (1 + log2(D / leak)).
    """
    excess = max(0.0, level - allowance)
    return math.exp2(min(excess / allowance, MAX_DOUBLINGS))
