"""What a low score comes from, as one word: the closed set of causes (`monitor/quality/attribution.py` finds them)."""

from __future__ import annotations

import enum


class Cause(enum.StrEnum):
    """The cause of a low score."""

    RETRIEVAL = "retrieval"
    """No relevant passage was retrieved."""
    RANKING = "ranking"
    """A relevant passage was retrieved, but ranked low."""
    GENERATION = "generation"
    """A relevant passage ranked high, and the answer states what no passage supports."""
    COVERAGE = "coverage"
    """The answer is supported, but does not say enough."""
    UNANSWERABLE = "unanswerable"
    """The question was not answered, or is known to have no answer."""
    UNKNOWN = "unknown"
    """The evaluations that would tell are missing, or find nothing of the above."""
