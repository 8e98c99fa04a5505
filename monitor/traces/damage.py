"""What happened to the contents on the way: hidden by the producer on purpose, or cut by a limit."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from monitor.traces import semconv
from monitor.traces.decode.gaps import missing_numbers
from monitor.traces.masks import TEXT_FIELDS, any_masked, may_hold_mark, stands_for
from monitor.traces.reading import WORK, Convention, Role
from monitor.traces.tree import Node
from monitor.traces.values import looks_cut, looks_damaged
from monitor.wire import AttributeValue, Span

_SAME_LENGTH = 3
"""So many different texts of exactly the greatest length are no chance: a limit cut them."""
_SHORTEST_LIMIT = 32
_USUAL_LIMITS = frozenset(
    {50}
    | {2**power for power in range(5, 21)}
    | {2**power - 1 for power in range(8, 17)}
    | {digit * 10**power // 10 for digit in (10, 12, 15, 20, 25, 30, 40, 50, 80) for power in range(2, 7)}
)
"""Lengths that people set a limit to: one text of exactly that many characters is enough, if it breaks off."""
SENTENCE_ENDS = tuple(".!?:;…。！？：；\"'`)]}>»”’」』）】*|-")
"""What a text that is complete ends with, as a rule: of those that end otherwise fewer tell of a limit."""


_SETTINGS = (semconv.OI_PARAMETERS, "llm.headers")
"""Beside contents stand the settings of a call, where a mark may be in place of a secret."""

_NUMBER = re.compile(r"\.\d+(?=\.|$)")
_AT_ONCE = 16
"""Spans that are searched for marks together: more would be copies of large texts."""


class Damage(NamedTuple):
    """A sign of what happened to the contents of a span."""

    node: Node
    where: str
    """The attribute key; empty when the span as a whole is meant."""
    what: str
    """For a person."""


def find_hidden(nodes: Iterable[Node]) -> Iterator[Damage]:
    """Signs that the producer hides contents. One hides the whole trace: what is left was forgotten, not released."""
    everything = tuple(nodes)
    suspected = frozenset(_suspected(everything))
    missed: dict[Convention, Node] = {}
    shown: set[Convention] = set()
    for node in everything:
        if node in suspected:
            yield from _masks(node)
        for convention in node.asked.hiding:
            if convention.hides(node.span):
                yield Damage(node, "", f"contents are hidden on purpose ({convention.name})")
        for convention in node.asked.showing:
            shows = convention.shows(node.span)
            if shows is False:
                missed.setdefault(convention, node)
            elif shows:
                shown.add(convention)
    for convention, node in missed.items():
        if convention not in shown:
            yield Damage(node, "", f"no contents, which {convention.name} writes unless they are turned off")


def _suspected(nodes: Sequence[Node]) -> Iterator[Node]:
    """The spans that hold the words of a mark somewhere; several are searched at once, as few traces hold any."""
    for at in range(0, len(nodes), _AT_ONCE):
        some = nodes[at : at + _AT_ONCE]
        if may_hold_mark(_values(some)):
            yield from (node for node in some if may_hold_mark(_values((node,))))


def _values(nodes: Iterable[Node]) -> list[AttributeValue]:
    """What stands in the attributes of these spans and of their events."""
    return [value for node in nodes if node.conventions for place in _places(node.span) for value in place.values()]


def _places(span: Span) -> Sequence[Mapping[str, AttributeValue]]:
    """The attributes of a span, and those of each of its events."""
    return (span.attributes, *[event.attributes for event in span.events]) if span.events else (span.attributes,)


def _masks(node: Node) -> Iterator[Damage]:
    """Marks in place of contents, whoever wrote the span: in an attribute that holds some, or in what was read from it.

    Only of spans that hold the words of a mark somewhere: reading all fields of all spans takes long.
    """
    prefixes = node.asked.writers.contents
    alike: dict[str, dict[str, list[AttributeValue]]] = {}  # the members of a list have keys of their own
    for place in _places(node.span):
        for key, value in place.items():
            if key.startswith(prefixes) and not key.startswith(_SETTINGS):
                alike.setdefault(_NUMBER.sub(".N", key), {}).setdefault(key, []).append(value)
    where = None
    for shape, held in alike.items():
        if any_masked(shape, [value for values in held.values() for value in values]):
            where = next(key for key, values in held.items() if may_hold_mark(values))
            break
    if where is None:
        read = (found for field in TEXT_FIELDS if (found := node.find(field)) is not None)
        where = next((found.where for found in read if stands_for(found.value)), None)
    if where is not None:
        yield Damage(node, where, "a mark stands in place of contents: they are hidden on purpose")


def find_cuts(nodes: Iterable[Node]) -> Iterator[Damage]:
    """Signs that content attributes of these spans were cut or dropped upstream, the cheapest to see first."""
    everything = tuple(nodes)
    chosen = [node for node in everything if node.role in WORK or node.role is Role.CHAIN]
    lost = [node for node in everything if node.role is Role.OTHER]  # what it was may be among what it lost
    for node in (*chosen, *lost):
        if node.span.dropped_attributes > 0:
            yield Damage(node, "", f"{node.span.dropped_attributes} attributes were dropped by the SDK")
        elif missing := node.outline.told(missing_numbers):
            yield Damage(node, "", f"{missing} numbers are missing in its lists: attributes were dropped")
    read = [(node, key, text) for node in chosen for key, text in _contents(node)]
    longest = max([len(text) for _, _, text in read], default=0)
    if longest >= _SHORTEST_LIMIT:
        alike = {text: (node, key) for node, key, text in read if len(text) == longest}
        if _are_cut(alike, longest):
            what = f"one of {len(alike)} texts of exactly {longest} characters: a length limit cut them"
            yield from (Damage(node, key, what) for node, key in alike.values())
    for node, key, text in read:
        if looks_damaged(text) and _is_json(node, key):
            yield Damage(node, key, "JSON that breaks off" if looks_cut(text) else "JSON that does not parse")


def _are_cut(alike: Collection[str], length: int) -> bool:
    """Whether a limit of this length cut all these different texts."""
    if len(alike) >= _SAME_LENGTH:
        return True
    enough = 1 if length in _USUAL_LIMITS else _SAME_LENGTH - 1
    return sum(not text.rstrip().endswith(SENTENCE_ENDS) for text in alike) >= enough


def _contents(node: Node) -> Iterator[tuple[str, str]]:
    """The content attributes that are text, of the span and its events."""
    writers, attributes = node.asked.writers, node.span.attributes
    held = [(key, attributes[key]) for key in node.outline.told(writers.content_keys)]
    for event in node.span.events:
        held += [(key, event.attributes[key]) for key in writers.content_keys(event.attributes)]
    return ((key, value) for key, value in held if isinstance(value, str))


def _is_json(node: Node, key: str) -> bool:
    """Whether the text is JSON by convention: a user's own text that breaks off like JSON is not cut."""
    return any(convention.is_json(node.span, key) for convention in node.conventions)
