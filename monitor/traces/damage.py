"""What happened to the contents on the way: hidden by the producer on purpose, or cut by a limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from monitor.traces import semconv
from monitor.traces.reading import WORK, Role
from monitor.traces.tree import Node
from monitor.traces.values import looks_cut
from monitor.wire import Span

_SAME_LENGTH = 3
"""So many different texts of exactly the greatest length are no chance: a limit cut them."""
_SHORTEST_LIMIT = 32
_CONTENT_PREFIXES = ("gen_ai.", "llm.", "retrieval.", "reranker.", "rag.", "input.", "output.", "document")
_JSON_KEYS = frozenset(
    {
        semconv.INPUT_MESSAGES,
        semconv.OUTPUT_MESSAGES,
        semconv.SYSTEM_INSTRUCTIONS,
        semconv.RETRIEVAL_DOCUMENTS,
        semconv.OI_TEMPLATE_VARIABLES,
    }
)
_MIME_TYPES = {semconv.OI_INPUT: semconv.OI_INPUT_TYPE, semconv.OI_OUTPUT: semconv.OI_OUTPUT_TYPE}


def is_hidden(spans: Iterable[Span]) -> bool:
    """Whether the producer hides contents. One mark hides the whole trace: what is left was forgotten, not released."""
    return any(value == semconv.OI_REDACTED for span in spans for value in span.attributes.values())


def is_cut(nodes: Iterable[Node]) -> bool:
    """Whether a content attribute of these spans was cut or dropped upstream."""
    chosen = [node.span for node in nodes if node.role in WORK or node.role is Role.CHAIN]
    if any(span.dropped_attributes > 0 for span in chosen):
        return True
    texts = {text for span in chosen for _, text in _texts(span)}
    longest = max(map(len, texts), default=0)
    if longest >= _SHORTEST_LIMIT and sum(len(text) == longest for text in texts) >= _SAME_LENGTH:
        return True
    return any(looks_cut(text) for span in chosen for key, text in _texts(span) if _is_json(span, key))


def _texts(span: Span) -> Iterator[tuple[str, str]]:
    """The content attributes that are text, of the span and its events."""
    for attributes in (span.attributes, *(event.attributes for event in span.events)):
        for key, value in attributes.items():
            if isinstance(value, str) and key.startswith(_CONTENT_PREFIXES):
                yield key, value


def _is_json(span: Span, key: str) -> bool:
    """Whether the convention says that the text is JSON: a user's own text that breaks off like JSON is not cut."""
    if key in _MIME_TYPES:
        return span.attributes.get(_MIME_TYPES[key]) == semconv.OI_JSON
    return key in _JSON_KEYS
