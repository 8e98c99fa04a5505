r"""Regular expressions for English words of a list, which begin with the class of their first letters.

A search skips whatever is not in such a class many times as fast as it tries branches. What has to stand before is
looked at behind that letter: `(?<!\w.)` for `\b`.
"""

from __future__ import annotations

from collections.abc import Iterable


def start_of(names: Iterable[str]) -> str:
    """A pattern for the first letter of a word that may be one of the names, by its first three letters."""
    first, second, third = (
        "".join(sorted({*place, *"".join(place).upper()})) for place in zip(*(name[:3] for name in names), strict=True)
    )
    return rf"[{first}](?<!\w.)(?=[{second}][{third}])"


def rest_of(names: Iterable[str]) -> str:
    """A pattern for what follows the first letter in one of the names, whatever the case of ASCII letters.

    `sıx` with a dotless i is no `six`.
    """
    tails: dict[str, list[str]] = {}
    for name in names:
        tails.setdefault(name[0], []).append(name[1:])
    return "(?:" + "|".join(f"(?<=[{c}{c.upper()}])(?ai:{'|'.join(rest)})" for c, rest in tails.items()) + ")"
