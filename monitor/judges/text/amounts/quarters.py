"""Quarters of a year by their number: `Q1`, `the first quarter`, 第一季度."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ORDINALS = {name: number for number, name in enumerate(("first", "second", "third", "fourth"), 1)}
_QUARTER = re.compile(
    r"(?<![a-z0-9])(?P<short>q[1-4])(?![a-z0-9])"
    r"|\b(?P<ordinal>first|second|third|fourth)[ -]quarter\b(?![ -](?:of[ ]an?\b|mile|hour|finals?))"
    r"|(?<![0-9])(?P<han>[1-4])季度?",
    re.IGNORECASE,
)


def quarters_in(text: str) -> Iterator[tuple[tuple[str, ...], float]]:
    """Each quarter with its words in lower case; expects what `normalise` gave. Linear in the length of the text."""
    for match in _QUARTER.finditer(text):
        if match["short"]:
            yield (match["short"].lower(),), float(match["short"][1])
        elif match["han"]:
            yield (match["han"], "季度"), float(match["han"])
        else:
            ordinal = match["ordinal"].lower()
            yield (ordinal, "quarter"), float(_ORDINALS[ordinal])
