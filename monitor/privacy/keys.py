"""Search for keys with known prefixes only in texts whose long tokens have such a prefix."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from monitor.privacy.credentials import KEYS
from monitor.privacy.gates import around_long_tokens, hex_run
from monitor.privacy.outline import Holds, Outline
from monitor.privacy.patterns import Span

_ANY_PREFIX = Holds(*chain.from_iterable(pattern.needs for pattern in KEYS))


def known_form(outline: Outline) -> bool:
    """The gate of `find_keys`: a known prefix in or just before a long token, or the one form without any prefix."""
    tokens = around_long_tokens(outline)
    return bool(tokens) and (_ANY_PREFIX.within(tokens) or hex_run(outline))


def find_keys(text: str) -> Iterator[Span]:
    """The hits of all patterns of `KEYS`, the same as those of a search without any gate."""
    outline = Outline(text)
    tokens = around_long_tokens(outline)
    for pattern in KEYS:
        known = any(prefix in tokens for prefix in pattern.needs) if pattern.needs else pattern.gate(outline)
        if known:
            yield from pattern.find(text)
