"""Places of mappings: what stands there, and in words what does not."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from monitor.config.mapping import DocumentPlace, Place
from monitor.traces.conventions.keys import numbered
from monitor.traces.values import as_json
from monitor.wire import AttributeValue, Span

_LISTED = ".*"
_MOST_KEYS = 12


def whole_value(span: Span, place: Place) -> AttributeValue:
    """The value into which the path of a place leads; None when the attribute is not there."""
    attributes: Mapping[str, AttributeValue] = span.resource if place.resource else span.attributes
    if place.event is not None:
        attributes = next((event.attributes for event in reversed(span.events) if event.name == place.event), {})
    if place.attribute.endswith(_LISTED):
        return list(numbered(attributes, place.attribute.removesuffix(_LISTED))) or None
    return attributes.get(place.attribute)


def below(value: AttributeValue, path: Sequence[str]) -> AttributeValue:
    """What stands in a value at the end of a path; names may hold dots, positions count from 0 or from the end."""
    at = 0
    while at < len(path):
        value = as_json(value)
        if isinstance(value, dict):
            ends = (end for end in range(len(path), at, -1) if ".".join(path[at:end]) in value)
            end = next(ends, None)
            if end is None:
                return None
            value, at = value[".".join(path[at:end])], end
        elif isinstance(value, list) and re.fullmatch(r"-?[0-9]{1,6}", path[at], re.ASCII):
            index = int(path[at])
            value, at = value[index] if -len(value) <= index < len(value) else None, at + 1
        else:
            return None
    return value


def lack_of(place: Place) -> Callable[[Span], str | None]:
    """For `Rule.lacks`."""
    return lambda span: _lack(span, place)


def _lack(span: Span, place: Place) -> str | None:
    """What is not where the place says; None when all is there."""
    whole = whole_value(span, place)
    if whole is None:
        holder = f"its event {place.event}" if place.event else "its resource" if place.resource else "the span"
        return f"{holder} has no attribute {place.attribute}"
    value = below(whole, place.path)
    if value is None:
        return _broken_path(whole, place.path)
    return _textless(value, place) if isinstance(place, DocumentPlace) else None


def _broken_path(whole: AttributeValue, path: Sequence[str]) -> str:
    """Where a path ends too early: the longest part of it that leads somewhere, and what is there instead."""
    reached = next(length for length in range(len(path) - 1, -1, -1) if below(whole, path[:length]) is not None)
    inside = f" below {'.'.join(path[:reached])}" if reached else ""
    return f"nothing stands at the path {'.'.join(path)}:{inside} {_content(below(whole, path[:reached]))}"


def _textless(value: AttributeValue, place: DocumentPlace) -> str | None:
    """Whether a list of documents is none, or has the key of the texts in none of its items."""
    items = as_json(value)
    if not isinstance(items, list):
        return f"a list of documents is wanted, and {_content(items)}"
    if not place.text or not items or any(below(item, place.text) is not None for item in items):
        return None
    return f"no item has the text {'.'.join(place.text)}: in the first one {_content(items[0])}"


def _content(value: AttributeValue) -> str:
    """In words, what a value is that a path leads into."""
    value = as_json(value)
    if isinstance(value, dict):
        more = f" and {len(value) - _MOST_KEYS} more" if len(value) > _MOST_KEYS else ""
        return f"there are {', '.join(list(value)[:_MOST_KEYS])}{more}" if value else "there is an empty object"
    return f"there is a list of {len(value)}" if isinstance(value, list) else "there is no JSON"
