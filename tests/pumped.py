"""Texts on which a pattern may take time by the square of their length, made from the parts of the pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from re import _constants as ops  # type: ignore[attr-defined]  # the standard library's own tree of a pattern
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Node = tuple[Any, Any]

_USUAL = (
    " ", "\n", "\t", "\r\n", "\u3000", "a", "A", "é", "中", "1", "a ", "A ", "1 ", "中 ", "a\n", " \n", "1.", "a.",
    "。", '"', "'", "\\", "(", "[", "{", "<", "</", ":", "-", "- ", "*", "_", "#", "|", ".", ",", "!", "`", "[[", "{{",
)  # fmt: skip
_MEMBERS = {
    ops.CATEGORY_DIGIT: "1",
    ops.CATEGORY_NOT_DIGIT: "a",
    ops.CATEGORY_SPACE: " \n",
    ops.CATEGORY_NOT_SPACE: "a",
    ops.CATEGORY_WORD: "aA1中_",
    ops.CATEGORY_NOT_WORD: " .",
}
_ANY = "a1 \n中.A-\"'(:_é。\t"
_REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT)
ENDLESS = 1000
"""Times from which on a repeated part counts as one that is repeated without end."""
_VARIANTS = 3
"""Of the members of a class, and of alternatives, so many are tried."""


def pumps(pattern: re.Pattern[str], often: int = ENDLESS) -> list[str]:
    """What to repeat to make a pattern slow; nothing when none of its parts may be repeated so `often`."""
    tree = list(parser.parse(pattern.pattern, pattern.flags))
    found = {unit: None for turn in range(_VARIANTS) for unit in _repeated(tree, turn, often) if unit}
    return [*dict.fromkeys([*found, *_USUAL])] if found else []


def _repeated(nodes: list[Node], turn: int, often: int, before: str = "") -> Iterator[str]:
    """For each such part: its text, alone and behind the text of what stands before it."""
    last = ""
    for node in nodes:
        text = _text([node], turn)
        if node[0] in _REPEATS and node[1][1] >= often:
            yield from (text or _text(node[1][2], turn), last + text, before + text, before)
        for inner in _parts(node):
            yield from _repeated(inner, turn, often, before)
        before, last = before + text, text


def _parts(node: Node) -> Iterator[list[Node]]:
    kind, held = node
    if kind in _REPEATS:
        yield list(held[2])
    elif kind is ops.SUBPATTERN:
        yield list(held[3])
    elif kind is ops.ATOMIC_GROUP:
        yield list(held)
    elif kind is ops.BRANCH:
        yield from map(list, held[1])
    elif kind in {ops.ASSERT, ops.ASSERT_NOT}:
        yield list(held[1])


def _text(nodes: Iterable[Node], turn: int) -> str:
    """A short text that these parts match, as a rule: looking around is left out."""
    return "".join(_one(kind, held, turn) for kind, held in nodes)


def _one(kind: Any, held: Any, turn: int) -> str:  # noqa: ANN401 - the standard library does not type its tree
    match kind:
        case ops.LITERAL:
            text = chr(held)
        case ops.NOT_LITERAL:
            text = next(one for one in _ANY[turn:] if ord(one) != held)
        case ops.ANY:
            text = _ANY[turn]
        case ops.IN:
            text = _of_class(held, turn)
        case ops.MAX_REPEAT | ops.MIN_REPEAT | ops.POSSESSIVE_REPEAT:
            text = _text(held[2], turn) * max(held[0], 1)
        case ops.BRANCH:
            text = _text(held[1][turn % len(held[1])], turn)
        case ops.SUBPATTERN:
            text = _text(held[3], turn)
        case ops.ATOMIC_GROUP:
            text = _text(held, turn)
        case _:
            text = ""  # what looks around, or asks for a place
    return text


def _of_class(members: list[Node], turn: int) -> str:
    if members[0][0] is ops.NEGATE:
        refused = {one for member in members[1:] for one in _members(member)}
        left = [one for one in _ANY if one not in refused]
        return left[turn % len(left)] if left else "\x01"
    listed = [one for member in members for one in _members(member)]
    return listed[turn % len(listed)]


def _members(member: Node) -> str:
    """Some characters of a member of a class."""
    kind, held = member
    if kind is ops.LITERAL:
        return chr(held)
    if kind is ops.RANGE:
        return chr(held[0]) + "".join(one for one in _ANY if held[0] <= ord(one) <= held[1])
    return str(_MEMBERS[held])
