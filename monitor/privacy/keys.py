"""Search for keys with known prefixes only in texts whose long tokens have such a prefix."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from monitor.privacy.credentials import KEYS
from monitor.privacy.gates import around_long_tokens
from monitor.privacy.outline import Holds, Outline
from monitor.privacy.patterns import Span

_ANY_PREFIX = Holds(*chain.from_iterable(pattern.needs for pattern in KEYS))


def find_keys(text: str) -> Iterator[Span]:
    """The hits of all patterns of `KEYS`, the same as those of a search without any gate."""
    tokens = around_long_tokens(Outline(text))
    if _ANY_PREFIX.within(tokens):
        for pattern in KEYS:
            if any(prefix in tokens for prefix in pattern.needs):
                yield from pattern.find(text)
