"""What models cost: the entries of a price table, and which of them prices a model."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pydantic import Field

from monitor.config.section import Section

MOST = 1e9
"""Of a price: a slip of the keyboard beyond it would make a cost that no number holds."""
_ANY = "*"
_SNAPSHOT = re.compile(r"[-@:._]?(?:[0-9][0-9.-]*|latest)", re.IGNORECASE)
"""What stands behind a model's name in the name of one of its snapshots: `-2026-05-01`, `@20260501`, `-0613`."""


class Price(Section):
    """Money for a million tokens, in any one currency."""

    input: float = Field(ge=0, le=MOST, allow_inf_nan=False, description="Price of a million input tokens.")
    cached_input: float | None = Field(
        None, ge=0, le=MOST, allow_inf_nan=False, description="Of those that the server had cached; none: as `input`."
    )
    cache_write: float | None = Field(
        None, ge=0, le=MOST, allow_inf_nan=False, description="Of those that it put into its cache; none: as `input`."
    )
    output: float = Field(
        ge=0, le=MOST, allow_inf_nan=False, description="Price of a million output tokens, reasoning included."
    )

    def cost(self, fresh: int, cached: int, written: int, output: int) -> float:
        """Money for tokens of the four kinds; they have none in common."""
        cached_input = self.input if self.cached_input is None else self.cached_input
        cache_write = self.input if self.cache_write is None else self.cache_write
        parts = (fresh * self.input, cached * cached_input, written * cache_write, output * self.output)
        return sum(parts) / 1_000_000


def price_of(prices: Mapping[str, Price], model: str) -> Price | None:
    """The price of a model; None when no entry has it.

    An entry prices the model of its name and the dated snapshots of it, `name*` all whose names begin so; of several
    the longest counts. What a gateway puts before the name (`openai/`) may be missing in the table. Other names that
    begin alike are other models (`gpt-x` and `gpt-x-pro`), mostly at another price.
    """
    for name in (model, model.rpartition("/")[2]):
        fitting = [entry for entry in prices if _fits(entry, name)]
        if fitting:
            return prices[max(fitting, key=len)]
    return None


def dearest(prices: Mapping[str, Price]) -> Price:
    """A price that is below none of them; 0 without any."""
    known = prices.values()
    return Price(
        input=max((price.input for price in known), default=0.0),
        cached_input=max((price.cost(0, 1_000_000, 0, 0) for price in known), default=0.0),
        cache_write=max((price.cost(0, 0, 1_000_000, 0) for price in known), default=0.0),
        output=max((price.output for price in known), default=0.0),
    )


def _fits(entry: str, name: str) -> bool:
    if entry.endswith(_ANY):
        return name.startswith(entry.removesuffix(_ANY))
    return name == entry or (name.startswith(entry) and _SNAPSHOT.fullmatch(name, len(entry)) is not None)
