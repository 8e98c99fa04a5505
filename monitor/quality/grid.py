"""The grid of scores: a score as a whole number of billionths, and the bin that stands for it.

Whole numbers make every sum exact, so that any order of the same verdicts gives the same snapshot on every replica. A
bin is named by the score that stands for it:

- multiples of 0.005 and all fractions with a denominator up to 16 stand for themselves, so 0, 1/3, 0.5, 2/3, 1 and
  every share of up to 16 claims (or of 8 claims judged 0, 0.5, 1) are exact;
- any other score is moved to the middle of its 0.005 step: 0.333 (a rounded third) becomes 0.3325.

A score moves by less than 0.0025, and a quantile or a tail mean by no more than that. No score crosses a multiple of
0.005: what lies below 0.5 stays below it, and 0.9999 is not 1. Means use the unmoved billionths. At most 457 bins.
"""

from __future__ import annotations

ONE = 1_000_000_000
"""A score of 1, in billionths."""

STEP = ONE // 200
_LARGEST_DENOMINATOR = 16
_ATOMS = frozenset(round(ONE * k / d) for d in range(1, _LARGEST_DENOMINATOR + 1) for k in range(d + 1))


def to_billionths(score: float) -> int:
    """The nearest billionth. Raises ValueError for NaN and for anything outside 0 to 1."""
    if not 0.0 <= score <= 1.0:
        msg = f"score {score} is outside 0 to 1"
        raise ValueError(msg)
    return round(score * ONE)


def bin_of(billionths: int) -> int:
    """The score, in billionths, that stands for this one in a histogram."""
    below = billionths % STEP
    if below == 0 or billionths in _ATOMS:
        return billionths
    return billionths - below + STEP // 2
