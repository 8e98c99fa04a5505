"""What judgements cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    """What one judgement cost. `cost` is in the currency of the configured prices.

    `cached_tokens` are those of the input tokens that the server had cached.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    cached_tokens: int = 0
