"""Reading attributes by key or by numbered prefix, for every convention."""

from __future__ import annotations

from collections.abc import Mapping

from monitor.traces.reading import Rule
from monitor.traces.values import as_float, as_text
from monitor.wire import AttributeValue

_MAX_DIGITS = 6
_TEXTUAL = (str, bytes, int, float)


def text_of(attributes: Mapping[str, AttributeValue], *keys: str) -> str | None:
    """The first non-blank text under the keys; numbers count as text (ids may be integers), structures do not."""
    for key in keys:
        value = attributes.get(key)
        if value is None:
            continue  # the usual case: this runs for every key of every convention on every span
        if isinstance(value, _TEXTUAL) and (text := as_text(value)) and text.strip():
            return text
    return None


def count_of(attributes: Mapping[str, AttributeValue], *keys: str) -> int | None:
    """The first whole number of 0 or more under the keys."""
    for key in keys:
        if key not in attributes:
            continue
        number = as_float(attributes[key])
        if number is not None and number >= 0 and number.is_integer():
            return int(number)
    return None


def texted(key: str) -> Rule[str]:
    """The rule for a text under a key, see `text_of`."""
    return Rule(key, lambda span: text_of(span.attributes, key))


def counted(key: str) -> Rule[int]:
    """The rule for a count under a key, see `count_of`."""
    return Rule(key, lambda span: count_of(span.attributes, key))


def numbered(attributes: Mapping[str, AttributeValue], prefix: str) -> list[dict[str, AttributeValue]]:
    """Flattened list items `PREFIX.N.rest`, by N, each as a mapping of `rest` to its value.

    Numbers may start anywhere and have gaps: SDKs drop attributes over their limit.
    """
    found: dict[int, dict[str, AttributeValue]] = {}
    start = prefix + "."
    for key, value in attributes.items():
        if value is not None and key.startswith(start):
            index, _, rest = key[len(start) :].partition(".")
            if index.isascii() and index.isdigit() and len(index) <= _MAX_DIGITS and rest:
                found.setdefault(int(index), {})[rest] = value
    return [found[index] for index in sorted(found)]
