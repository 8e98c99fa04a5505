"""What a call cost: tokens from the server's `usage`, money from the configured prices."""

from __future__ import annotations

from dataclasses import dataclass

from monitor.judges.strict_json import Json
from monitor.records import Usage

_MAX_TOKENS = 10_000_000
"""Beyond this a count is nonsense; it would spoil a cost counter for ever."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Money for a million tokens, in any one currency."""

    input: float
    output: float


def usage_of(value: Json, prices: Prices) -> tuple[Usage, bool]:
    """The usage of one call, and whether the server gave it whole. A missing or absurd count is 0 and not known."""
    counts = value if isinstance(value, dict) else {}
    asked, said = _count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens"))
    cost = ((asked or 0) * prices.input + (said or 0) * prices.output) / 1_000_000
    return Usage(1, asked or 0, said or 0, cost), asked is not None and said is not None


def add(first: Usage, second: Usage) -> Usage:
    """Both together."""
    return Usage(
        first.calls + second.calls,
        first.input_tokens + second.input_tokens,
        first.output_tokens + second.output_tokens,
        first.cost + second.cost,
    )


def _count(value: Json) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MAX_TOKENS:
        return None
    return value
