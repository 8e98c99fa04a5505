"""Passages that do not fit into one call, cut into windows that do.

A window holds whole passages as long as they fit. A passage that is longer than a window is cut at ends of sentences,
and two windows of it have some text in common, so that what stands across a cut is seen whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from monitor.judges.prompts.frame import Size, encode_data, size_of
from monitor.judges.prompts.material import Excerpt, Material
from monitor.judges.text.sentences import sentence_ends

OCTETS_PER_TOKEN = 3
"""English has about 4, Chinese about 4 (1.3 characters): the estimate of tokens is on the safe side."""


@dataclass(frozen=True, slots=True)
class Room:
    """How much text a call may hold. `tokens` is None where nobody looks at them."""

    characters: int
    tokens: int | None = None

    def holds(self, size: Size) -> bool:
        """Whether a text of this size fits."""
        return size.characters <= self.characters and (
            self.tokens is None or size.octets <= self.tokens * OCTETS_PER_TOKEN
        )

    def beside(self, size: Size) -> Room:
        """What is left beside a text of this size; may be less than nothing."""
        tokens = None if self.tokens is None else self.tokens - -(-size.octets // OCTETS_PER_TOKEN)
        return Room(self.characters - size.characters, tokens)

    def excess(self, size: Size) -> str:
        """In words, by how much a text of this size is too long."""
        if size.characters > self.characters:
            return f"{size.characters} characters, {self.characters} allowed"
        return f"about {size.octets // OCTETS_PER_TOKEN} tokens, {self.tokens} allowed"


def windows(material: Material, room: Room, overlap: int) -> Iterator[tuple[Excerpt, ...]]:
    """The passages in windows of `room` each; together they show every character. Nothing when there is no room at all.

    `overlap` is in characters; at most half of a window is shown again.
    """
    window: list[Excerpt] = []
    left = room
    for excerpt in material.excerpts:
        start = 0
        while True:
            rest = Excerpt(excerpt.number, excerpt.text[start:], start)
            size = _size(rest, material) if len(rest.text) <= left.characters else None
            if size is not None and left.holds(size):
                window.append(rest)
                left = left.beside(size)
                break
            if window:
                yield tuple(window)
                window, left = [], room
                continue
            piece = _beginning(rest, material, room)
            if not piece.text:
                return
            yield (piece,)
            start += len(piece.text) - min(overlap, len(piece.text) // 2)
    yield tuple(window)


def _beginning(rest: Excerpt, material: Material, room: Room) -> Excerpt:
    """As much of a passage as fits, up to the end of a sentence or a word where one is near."""
    low, high = 0, min(len(rest.text) - 1, room.characters)
    while low < high:
        middle = (low + high + 1) // 2
        if room.holds(_size(Excerpt(rest.number, rest.text[:middle], rest.start), material)):
            low = middle
        else:
            high = middle - 1
    return Excerpt(rest.number, rest.text[: _end(rest.text[:low])], rest.start)


def _end(text: str) -> int:
    """Where to cut: behind the last sentence or blank of the second half, else at the end."""
    half = len(text) // 2
    sentence = max((end for end in sentence_ends(text) if half < end < len(text)), default=0)
    return sentence or text.rfind(" ", half) + 1 or len(text)


def _size(excerpt: Excerpt, material: Material) -> Size:
    """As it stands in the data block, with the comma behind it."""
    return size_of(encode_data(material.shown(excerpt)), ", ")
