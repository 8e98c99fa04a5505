"""What a phrase is, and the gates that spare nearly every text a search for it.

A gate names whole words where the pattern has a boundary or a blank on both sides of them, and literals elsewhere.
Patterns are for texts in lower case: that is twice as fast as `re.IGNORECASE`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from monitor.privacy.outline import Gate, Outline


class Words:
    """Open for a text that holds one of some whole words (of ASCII letters and digits, in any case)."""

    def __init__(self, words: str) -> None:
        self._words = frozenset(word.encode("ascii") for word in words.split())

    def __call__(self, outline: Outline) -> bool:
        """Whether one of them occurs."""
        return not self._words.isdisjoint(outline.words)


class Every:
    """Open where all of some gates are; the one that is shut most often stands first."""

    def __init__(self, *gates: Gate) -> None:
        self._gates = gates

    def __call__(self, outline: Outline) -> bool:
        """Whether all are open."""
        for gate in self._gates:  # noqa: SIM110 - `all` takes twice as long, and this runs on every request
            if not gate(outline):
                return False
        return True


class Either:
    """Open where one of some gates is."""

    def __init__(self, *gates: Gate) -> None:
        self._gates = gates

    def __call__(self, outline: Outline) -> bool:
        """Whether one is open."""
        for gate in self._gates:  # noqa: SIM110 - as above
            if gate(outline):
                return True
        return False


@dataclass(frozen=True, slots=True)
class Wording:
    """One pattern of a phrase. Every lower-case text that it matches has its gate open."""

    pattern: re.Pattern[str]
    gate: Gate


@dataclass(frozen=True, slots=True)
class Phrase:
    """A kind of attack, in several wordings."""

    kind: str
    wordings: tuple[Wording, ...]

    def worth(self, outline: Outline) -> Phrase | None:
        """The phrase with the wordings that this text, or a part of it, can hold; None when there are none."""
        wordings = tuple([wording for wording in self.wordings if wording.gate(outline)])
        return replace(self, wordings=wordings) if wordings else None

    def search(self, outline: Outline) -> re.Match[str] | None:
        """The first match, in the text in lower case."""
        found = [wording.pattern.search(outline.lower) for wording in self.wordings if wording.gate(outline)]
        return min(filter(None, found), key=re.Match.start, default=None)
