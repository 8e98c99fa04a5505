"""What a folded text is made of: a few passes at memory speed that tell which patterns cannot match in it.

A regular expression takes some microseconds for each kilobyte that it does not match; there are some eighty of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

_DIGIT = bytes(0x64 if byte in b"0123456789" else 0x20 for byte in range(256))
_WORD = bytes(byte if byte in b"abcdefghijklmnopqrstuvwxyz0123456789" else 0x20 for byte in range(256))
_KELVIN = "\u212a"
"""The only character that is none of ASCII and becomes one in lower case."""


class Outline:
    """Views of one folded text, each made once, when it is asked for."""

    def __init__(self, text: str) -> None:
        self.text = text

    @classmethod
    def of_all(cls, texts: Iterable[str]) -> Outline:
        """The outline of several texts together: a gate that is shut for it is shut for each of them."""
        return cls("\n".join(texts))

    @cached_property
    def lower(self) -> str:
        """The text in lower case, with the same offsets."""
        lower = self.text.lower()
        if len(lower) == len(self.text):
            return lower
        return "".join(char if len(char.lower()) > 1 else char.lower() for char in self.text)

    @cached_property
    def octets(self) -> bytes:
        """The text as ASCII, with the same offsets: any other character is `?`."""
        return self.text.encode("ascii", "replace")

    @cached_property
    def lower_octets(self) -> bytes:
        """`octets` in lower case."""
        return self.octets.lower()

    @cached_property
    def latin(self) -> bytes:
        """The ASCII characters alone, in lower case: of a Chinese text only a little, which is searched at once."""
        return self.text.encode("ascii", "ignore").lower()

    @cached_property
    def joined_digits(self) -> bytes:
        """`d` for each digit, a blank for other characters; those that may part the digits of a number are left out."""
        return self.octets.translate(_DIGIT, b" ().-+")

    @cached_property
    def words(self) -> frozenset[bytes]:
        """The runs of ASCII letters and digits in `lower`: a superset of what stands between word boundaries."""
        lower = self.lower.encode("ascii", "replace") if _KELVIN in self.text else self.octets.lower()
        return frozenset(lower.translate(_WORD).split())


_FREQUENT = (
    " ：，重过记者的此有开完发到分出全会为不示据定内政提作结理展员务决设道无打信约制法式手息则查显安没指意消受再视规放"
    "能工要人为守委判限型"
)
"""Those characters of our literals that most Chinese texts of a page hold."""

Gate = Callable[[Outline], bool]
"""Whether a text meets a condition that every match of a pattern needs: where it is shut, nothing can match.

Of a text that is part of another one: shut for the whole means shut for the part.
"""


class Holds:
    """The gate that is open where one of `literals` occurs."""

    def __init__(self, *literals: str) -> None:
        self._searches = tuple((_pivot(literal), literal) for literal in literals)

    def __call__(self, outline: Outline) -> bool:
        """Whether one of them occurs."""
        return self.within(outline.text)

    def within(self, text: str) -> bool:
        """Whether one of them occurs in a text as it is."""
        for pivot, literal in self._searches:  # noqa: SIM110 - `any` takes twice as long, and this runs on every text
            if pivot in text and literal in text:
                return True
        return False


def _pivot(literal: str) -> str:
    """A character that a text without the literal is likely to lack: one is found far sooner than several in a row."""
    rare = (char for char in reversed(literal) if not char.islower() and char not in _FREQUENT)
    return next(rare, literal if literal.isascii() else literal[-1])


class Latin:
    """The gate that is open where one of some ASCII literals in lower case occurs, in any case.

    What other scripts put between its characters does not count, so it is open for some texts without any of them.
    """

    def __init__(self, *literals: str) -> None:
        self._literals = tuple(literal.encode("ascii") for literal in literals)

    def __call__(self, outline: Outline) -> bool:
        """Whether one of them may occur."""
        return any(map(outline.latin.__contains__, self._literals))


odd_case = Holds(*"\u0130\u0131\u017f\u212a")
"""Open where a letter stands that a pattern takes for an ASCII one when it ignores case."""
