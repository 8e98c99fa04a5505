"""The slices a verdict counts in: everything, its app, its language; one dimension at a time, few values each.

A value from the wire never makes a series by itself: it is cleaned, and past the configured number of values it counts
as `other`. Values of the allow-list always have their own slice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from monitor.records import Verdict
from monitor.snapshot import EVERYTHING, OTHER, UNKNOWN, SliceKey

MAX_LENGTH = 64

_LANGUAGE = re.compile(r"[a-z]{2,3}")


def clean_text(text: str) -> str:
    """At most 64 printable characters, blanks cut off the ends.

    Control characters, lone surrogates and invisible format characters become U+FFFD. Empty stays empty.
    """
    text = text[:MAX_LENGTH].strip()
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


class BoundedValues:
    """The first `limit` distinct values, or the allowed ones and no others; the rest is `other`."""

    def __init__(self, limit: int, allowed: Iterable[str] = ()) -> None:
        self._limit = limit
        self._allowed = frozenset(allowed)
        self._known = set(self._allowed)

    def admit(self, value: str) -> str:
        """The value itself when it has, or now takes, a place; else `other`."""
        if value in self._known or value == OTHER:
            return value
        if self._allowed or len(self._known) >= self._limit:
            return OTHER
        self._known.add(value)
        return value

    def retain(self, used: Iterable[str]) -> None:
        """Free the places of all values that are not in `used`; allowed values keep theirs."""
        self._known.intersection_update(self._allowed.union(used))


class Slicer:
    """Which slices a verdict counts in.

    Without an allow-list the `values` places of `app` go to the first that come, so replicas that read the topic in
    another order may differ in which apps they name; the allow-list makes them equal. An app's place is freed when its
    last series has run out of the longest window.
    """

    def __init__(self, apps: Iterable[str], values: int) -> None:
        allowed = [name for name in map(clean_text, apps) if name]
        self._values = {"app": BoundedValues(values, allowed), "language": BoundedValues(values)}

    def slices(self, verdict: Verdict) -> tuple[SliceKey, SliceKey, SliceKey]:
        """Everything, the app, the language. A missing app is `unknown`, a malformed language code is `other`."""
        app = clean_text(verdict.app or "") or UNKNOWN
        language = verdict.language if _LANGUAGE.fullmatch(verdict.language) else OTHER
        return (
            EVERYTHING,
            SliceKey("app", self._values["app"].admit(app)),
            SliceKey("language", self._values["language"].admit(language)),
        )

    def retain(self, used: Iterable[SliceKey]) -> None:
        """Free the places of values that no series uses any more."""
        used = tuple(used)
        for dimension, values in self._values.items():
            values.retain(key.value for key in used if key.dimension == dimension)
