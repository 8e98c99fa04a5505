"""Objects that a tracer took apart into one attribute for each of their values: `inputs.question`, `outputs.0.text`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from monitor.traces.values import as_json
from monitor.wire import AttributeValue

_MAX_DIGITS = 6
_MAX_PARTS = 12


def gathered(
    attributes: Mapping[str, AttributeValue],
    prefix: str,
    read: Callable[[AttributeValue], AttributeValue] = as_json,
) -> AttributeValue:
    """The object under a prefix, put together again; None when no key begins with it.

    Parts that are all numbers make a list, whatever is missing of it: SDKs drop attributes over their limit. `read`
    decodes a single value. Of a key that is both a value and a prefix the value counts.
    """
    start = prefix + "."
    found: dict[str, AttributeValue] = {}
    for key, value in attributes.items():
        if value is not None and key.startswith(start):
            _put(found, key[len(start) :].split(".", _MAX_PARTS), read(value))
    return _listed(found) if found else None


def _put(root: dict[str, AttributeValue], path: list[str], value: AttributeValue) -> None:
    at = root
    for part in path[:-1]:
        inner = at.setdefault(part, {})
        if not isinstance(inner, dict):
            return
        at = inner
    at[path[-1]] = value


def _listed(value: AttributeValue) -> AttributeValue:
    if not isinstance(value, dict):
        return value
    if value and all(part.isascii() and part.isdigit() and len(part) <= _MAX_DIGITS for part in value):
        return [_listed(value[part]) for part in sorted(value, key=int)]
    return {part: _listed(member) for part, member in value.items()}
