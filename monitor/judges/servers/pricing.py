"""What a call costs: tokens from the server's `usage`, money by the price of the model that answered.

Before a call, and where a server does not say, tokens are estimated from the bytes of the texts: ASCII has about 4
characters a token, other scripts about 3 bytes (Chinese 1 character), so the estimate is on the safe side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from monitor.config import judges as judge_settings
from monitor.config.prices import Price, dearest, price_of
from monitor.judges.replies.strict_json import Json
from monitor.records import Usage

_MAX_TOKENS = 10_000_000
"""Beyond this a count is nonsense whatever was sent; it would spoil a cost counter for ever."""
_INSTRUCTIONS = 32_768
"""Tokens of a prompt that a gateway puts in front of ours, at most."""
_REASONING, _TIMES_THE_LIMIT = 65_536, 8
"""Tokens that a model may take to reason on top of the limit that it was given, and a limit that is no hard one."""
_ASCII_PER_TOKEN = 3.5
_OCTETS_PER_TOKEN = 3.0
_NOT_ASCII = bytes(range(0x80, 0x100))
_CACHED = (("prompt_tokens_details", "cached_tokens"), ("prompt_cache_hit_tokens",), ("cached_tokens",))
_WRITTEN = (("prompt_tokens_details", "cache_write_tokens"), ("cache_creation_input_tokens",))


def tokens_of(text: bytes) -> int:
    """About how many tokens a text of UTF-8 has, rather more than fewer."""
    ascii_only = len(text.translate(None, _NOT_ASCII))
    return math.ceil(ascii_only / _ASCII_PER_TOKEN + (len(text) - ascii_only) / _OCTETS_PER_TOKEN)


class Bounds(NamedTuple):
    """The most tokens that a call can have used. A count beyond is no count: it would use up a limit of money alone."""

    asked: int = _MAX_TOKENS
    said: int = _MAX_TOKENS

    @classmethod
    def of(cls, sent: int, limit: int) -> Bounds:
        """For so many bytes of a prompt, of which a token has one at least, and an output limit of so many tokens."""
        return cls(sent + _INSTRUCTIONS, _TIMES_THE_LIMIT * limit + _REASONING)


_ANYTHING = Bounds()


@dataclass(frozen=True, slots=True)
class Tariff:
    """The prices of one judge. Without any all costs nothing."""

    table: dict[str, Price]
    model: str
    """The model that is asked, and taken to answer where the server names none."""

    @classmethod
    def of(cls, config: judge_settings.LlmJudge) -> Tariff:
        """As configured."""
        return cls(config.price_table, config.model)

    def prices(self, model: str | None) -> bool:
        """Whether it is known what this model costs; True where nothing is priced."""
        return not self.table or price_of(self.table, model or self.model) is not None

    def usage_of(self, value: Json, model: str | None, bounds: Bounds = _ANYTHING) -> tuple[Usage, bool]:
        """The usage of one call, and whether the server gave it whole. A missing or absurd count is 0 and not known.

        `value` has the names of chat completions. No prompt has 0 tokens: servers that do not count say so. A model
        without a price is charged at the dearest one.
        """
        counts = value if isinstance(value, dict) else {}
        asked = _count(counts.get("prompt_tokens"), bounds.asked)
        said = _count(counts.get("completion_tokens"), bounds.said)
        known = bool(asked) and said is not None
        asked, said = asked or 0, said or 0
        cached = min(asked, _part(counts, _CACHED))
        written = min(asked - cached, _part(counts, _WRITTEN))
        cost = self._price(model).cost(asked - cached - written, cached, written, said)
        return Usage(1, asked, said, cost, cached), known

    def estimated(self, asked: int, said: int, model: str | None) -> Usage:
        """The usage of a call of so many tokens that this model would answer, nothing of it read from a cache."""
        price = self._price(model)
        cost = max(price.cost(asked, 0, 0, said), price.cost(0, 0, asked, said))
        return Usage(1, asked, said, cost)

    def _price(self, model: str | None) -> Price:
        return price_of(self.table, model or self.model) or dearest(self.table)


def add(first: Usage, second: Usage) -> Usage:
    """Both together."""
    return Usage(
        first.calls + second.calls,
        first.input_tokens + second.input_tokens,
        first.output_tokens + second.output_tokens,
        first.cost + second.cost,
        first.cached_tokens + second.cached_tokens,
    )


def _part(counts: dict[str, Json], places: tuple[tuple[str, ...], ...]) -> int:
    """A count that servers give in several places; the largest of them, 0 without any."""
    found = 0
    for place in places:
        value: Json = counts
        for key in place:
            value = value.get(key) if isinstance(value, dict) else None
        found = max(found, _count(value) or 0)
    return found


def _count(value: Json, most: int = _MAX_TOKENS) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        return None
    return value
