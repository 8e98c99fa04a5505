"""Search for long numbers (phones, cards, ids) only where a text has many digits close together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from monitor.privacy.patterns import Span
from monitor.privacy.personal import NUMBERS

_LONG_NUMBER = re.compile(r"[0-9](?:[ ().-]{0,3}[0-9]){6}")
_STRETCH = re.compile(r"[0-9](?:[ ().-]*+[0-9]){6,}+")
"""Every match of every pattern of `NUMBERS` overlaps one: seven digits or more, whatever separates them."""
_LEADS = {pattern.lead for pattern in NUMBERS}
_TAIL = 24
"""More than what any of the patterns looks at after its last long run of digits (an extension, a word)."""


def find_numbers(text: str) -> Iterator[Span]:
    """The hits of all patterns of `NUMBERS`, the same as those of a search through the whole text."""
    stretches = [match.span() for match in _STRETCH.finditer(text)]
    if not any(_LONG_NUMBER.search(text, *stretch) for stretch in stretches):
        return
    places = {lead: _neighbourhoods(stretches, lead) for lead in _LEADS}
    for pattern in NUMBERS:
        for start, end in places[pattern.lead]:
            yield from pattern.find(text, start, end)


def _neighbourhoods(stretches: Iterable[tuple[int, int]], lead: int) -> list[tuple[int, int]]:
    """The stretches with what stands around them, those that meet made one."""
    result: list[tuple[int, int]] = []
    for first, last in stretches:
        start, end = max(0, first - lead), last + _TAIL
        if result and start <= result[-1][1]:
            result[-1] = result[-1][0], end
        else:
            result.append((start, end))
    return result
