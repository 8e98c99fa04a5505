"""What happened to the contents on the way: hidden by the producer on purpose, or cut by a limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from monitor.traces.reading import WORK, Role
from monitor.traces.tree import Node
from monitor.traces.values import looks_cut

_SAME_LENGTH = 3
"""So many different texts of exactly the greatest length are no chance: a limit cut them."""
_SHORTEST_LIMIT = 32


def is_hidden(nodes: Iterable[Node]) -> bool:
    """Whether the producer hides contents. One mark hides the whole trace: what is left was forgotten, not released."""
    return any(convention.hides(node.span) for node in nodes for convention in node.conventions)


def is_cut(nodes: Iterable[Node]) -> bool:
    """Whether a content attribute of these spans was cut or dropped upstream."""
    chosen = [node for node in nodes if node.role in WORK or node.role is Role.CHAIN]
    if any(node.span.dropped_attributes > 0 for node in chosen):
        return True
    read = [(node, key, text) for node in chosen for key, text in _contents(node)]
    texts = {text for _, _, text in read}
    longest = max(map(len, texts), default=0)
    if longest >= _SHORTEST_LIMIT and sum(len(text) == longest for text in texts) >= _SAME_LENGTH:
        return True
    return any(looks_cut(text) for node, key, text in read if _is_json(node, key))


def _contents(node: Node) -> Iterator[tuple[str, str]]:
    """The content attributes that are text, of the span and its events."""
    prefixes = tuple(prefix for convention in node.conventions for prefix in convention.contents)
    for attributes in (node.span.attributes, *(event.attributes for event in node.span.events)):
        for key, value in attributes.items():
            if isinstance(value, str) and key.startswith(prefixes):
                yield key, value


def _is_json(node: Node, key: str) -> bool:
    """Whether the text is JSON by convention: a user's own text that breaks off like JSON is not cut."""
    return any(convention.is_json(node.span, key) for convention in node.conventions)
