"""What a Kafka source counts and tells of itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

Count = Callable[[str, int], None]
"""Counts events: a name of `EVENTS` and how many."""

EVENTS: Final = (
    "rebalance",
    "rebuild",
    "commit_failed",
    "commit_timeout",
    "revoke_timeout",
    "unreadable",
    "out_of_range",
    "made_anew",
)
"""`unreadable` and `out_of_range` count offsets, the others occasions."""


def no_count(_event: str, _number: int) -> None:
    """For callers that count nothing."""


@dataclass(frozen=True, slots=True)
class SourceVitals:
    """How a Kafka source is doing: partitions it reads, seconds since a broker answered, and since the last commit."""

    assigned: int = 0
    round_trip_age_s: float | None = None
    commit_age_s: float | None = None
