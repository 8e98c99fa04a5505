"""Objects of a reply that stand in the texts that the judge was shown: echoes of judged text, and never a verdict."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from monitor.judges.strict_json import Json, check_depth

_BLANK = re.compile(r"\s+")
_DECODER = json.JSONDecoder()
_SENTENCE = 12
"""Letters and digits of a text that two writers do not hit upon."""
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
        """Whether an object stands in one of them, whatever its escapes, its case and the order of its keys.

        One with the same keys and the same sentences is an echo with other values: a judge has words of its own.
        """
        alike = [shown for shown in self._objects if isinstance(shown, dict) and shown.keys() == value.keys()]
        if not alike:
            return False
        folded, sentences = _folded(value), _sentences(value)
        return any(_folded(shown) == folded or (sentences and _sentences(shown) == sentences) for shown in alike)

    @cached_property
    def _squeezed(self) -> list[str]:
        return [squeezed_of(text) for text in self._shown]

    @cached_property
    def _objects(self) -> list[Json]:
        return [found for text in self._shown for found in _objects_in(text)]


def squeezed_of(text: str) -> str:
    """The text without blanks."""
    return _BLANK.sub("", text)


def _folded(value: object) -> object:
    """The value with the letters and digits of its texts, in one case."""
    match value:
        case str():
            return "".join(filter(str.isalnum, value.casefold()))
        case list():
            return [_folded(item) for item in value]
        case dict():
            return {key: _folded(item) for key, item in value.items()}
        case _:
            return value


def _sentences(value: object) -> set[str]:
    """The texts of a value, however deep, that are more than a word or two."""
    match value:
        case str():
            folded = str(_folded(value))
            is_word = value.isascii() and value.strip().isalnum()
            return {folded} if len(folded) >= _SENTENCE and not is_word else set()
        case list():
            return set().union(*map(_sentences, value))
        case dict():
            return set().union(*map(_sentences, value.values()))
        case _:
            return set()


def _objects_in(text: str) -> Iterator[Json]:
    at = text.find("{")
    for _ in range(_MOST_OBJECTS):
        if at < 0:
            return
        try:
            value, end = _DECODER.raw_decode(text, at)
            check_depth(text[at:end])
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield value
        at = text.find("{", end)
