"""Objects of a reply that stand in the texts that the judge was shown: echoes of judged text, and never a verdict."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from monitor.judges.strict_json import Json

_BLANK = re.compile(r"\s+")
_DECODER = json.JSONDecoder()
_MOST_OBJECTS = 32
"""Places in a text at which an object is looked for."""


class Echoes:
    """What was shown, to be compared with what comes back: as text, and as what it says when it is read as JSON."""

    def __init__(self, shown: Sequence[str]) -> None:
        self._shown = shown

    def hold_text(self, piece: str) -> bool:
        """Whether a text stands in one of them; blanks do not count."""
        squeezed = squeezed_of(piece)
        return any(squeezed in text for text in self._squeezed)

    def hold(self, value: Mapping[str, Json]) -> bool:
        """Whether an object stands in one of them, whatever its escapes and the order of its keys."""
        return value in self._objects

    @cached_property
    def _squeezed(self) -> list[str]:
        return [squeezed_of(text) for text in self._shown]

    @cached_property
    def _objects(self) -> list[object]:
        return [found for text in self._shown for found in _objects_in(text)]


def squeezed_of(text: str) -> str:
    """The text without blanks."""
    return _BLANK.sub("", text)


def _objects_in(text: str) -> Iterator[object]:
    at = text.find("{")
    for _ in range(_MOST_OBJECTS):
        if at < 0:
            return
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield value
        at = text.find("{", end)
