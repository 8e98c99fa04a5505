"""Objects of a reply that stand in the texts that the judge was shown: echoes of judged text, and never a verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from unicodedata import normalize

from monitor.judges.replies.strict_json import Json, keys_in

_BLANK = re.compile(r"\s+")
_SENTENCE = 12
"""Letters and digits of a text that two writers do not hit upon."""
_CODE = re.compile(r"(?<!\\)\\++u([0-9a-fA-F]{4})")
_ESCAPE = re.compile(r"\\+[nrtbf]?")
_ZEROS = re.compile(r"(?<=[0-9])(\.[0-9]{0,18}?)0{1,18}(?![0-9])")
_BRACES = frozenset("{}")
_WORD = re.compile(r"[^\W_]+|[{}]")


class Echoes:
    """What was shown, to be compared with what comes back: as text, and word by word.

    Words are what no way of writing an object changes: quotes, commas, escapes, the order of keys and what stands
    around it; so it takes no JSON to be seen, and one pass.
    """

    def __init__(self, shown: Sequence[str]) -> None:
        self._shown = shown

    def hold_text(self, piece: str) -> bool:
        """Whether a text stands in one of them; blanks do not count."""
        squeezed = squeezed_of(piece)
        return any(squeezed in text for text in self._squeezed)

    def hold(self, value: dict[str, Json]) -> bool:
        """Whether an object stands in one of them, however it is written there.

        One with the same keys and the same sentences is an echo with other values, and one in prose as well: a judge
        has words of its own. Without a sentence it takes all its keys and values, between braces.
        """
        pairs = list(_pairs(value))
        sentences = [words for words, is_sentence in pairs if is_sentence]
        if sentences:
            wanted = {*sentences, *map(_line, keys_in(value))}
            return any(all(words in text for words in wanted) for text in self._lines)
        words = sorted("".join(map(_line, [*keys_in(value), *_leaves(value)])).split())
        return any(
            sorted(inside) == words and all(line in f" {' '.join(inside)} " for line, _ in pairs)
            for text in self._words
            for inside in _in_braces(text, len(words))
        )

    @cached_property
    def _squeezed(self) -> list[str]:
        return [squeezed_of(text) for text in self._shown]

    @cached_property
    def _words(self) -> list[list[str]]:
        return [_WORD.findall(_plain(text)) for text in self._shown]

    @cached_property
    def _lines(self) -> list[str]:
        return [f" {' '.join(word for word in text if word not in _BRACES)} " for text in self._words]


def squeezed_of(text: str) -> str:
    """The text without blanks."""
    return _BLANK.sub("", text)


def _plain(text: str) -> str:
    """In one case and width, with nothing escaped."""
    text = _CODE.sub(lambda code: chr(int(code[1], 16)), text)
    return _ZEROS.sub(r"\1", normalize("NFKC", _ESCAPE.sub(" ", text)).casefold())


def _line(value: str | float | None) -> str:
    """The words of a key or a value, each between blanks."""
    text = "null" if value is None else str(value)
    return "".join(f" {word}" for word in _WORD.findall(_plain(text)) if word not in _BRACES) + " "


def _pairs(value: Json, key: str = "") -> Iterator[tuple[str, bool]]:
    """The words of each value behind those of its key, and whether they are more than a word or two."""
    match value:
        case list():
            for index, item in enumerate(value):
                yield from _pairs(item, "" if index else key)
        case dict():
            for name, item in value.items():
                yield from _pairs(item, name)
        case _:
            words = _line(value)
            is_word = isinstance(value, str) and value.isascii() and value.strip().isalnum()
            is_sentence = isinstance(value, str) and len(words.replace(" ", "")) >= _SENTENCE and not is_word
            yield f"{_line(key).rstrip()}{words}", is_sentence


def _leaves(value: Json) -> Iterator[str | float | None]:
    match value:
        case list() | dict():
            for item in value if isinstance(value, list) else value.values():
                yield from _leaves(item)
        case _:
            yield value


def _in_braces(all_words: Sequence[str], count: int) -> Iterator[list[str]]:
    """The words between two braces that belong together, where they are so many; each word once, so in one pass."""
    opened: list[tuple[int, int]] = []
    seen, last = 0, -1
    for index, word in enumerate(all_words):
        if word == "{":
            opened.append((index, seen))
        elif word != "}":
            seen += 1
        elif opened:
            start, before = opened.pop()
            if seen - before == count and before > last:
                last = before
                yield [inner for inner in all_words[start:index] if inner not in _BRACES]
