"""The words of texts that a decline may name: of the question, and of the passages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from monitor.judges.text.tokens import read_words


class Words:
    """The words of some texts, read when the first sentence asks and never again; those of `others` are among them."""

    def __init__(self, texts: Sequence[str] = (), others: Words | None = None) -> None:
        self._texts = texts
        self._others = others

    def __bool__(self) -> bool:
        """Whether there is any text."""
        return bool(self._texts or self._others)

    @cached_property
    def all(self) -> frozenset[str]:
        """All of them."""
        own = frozenset(read_words([*self._texts]))
        return own | self._others.all if self._others else own


NOTHING = Words()
