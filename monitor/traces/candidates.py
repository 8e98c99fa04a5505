"""What a field of a request could be taken from: the extraction takes the first that can be, `--explain` shows all.

The choosers of `answers.py`, `contexts.py`, `facts.py` and `record.py` are generators of candidates, best first. Who
wants the value stops at the first that is not passed over, so what stands behind it is never computed; who wants the
explanation goes on. So there is one set of rules for both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Generic, NamedTuple

from monitor.traces.reading import Field, Found, T
from monitor.traces.tree import Node


class Candidate(NamedTuple, Generic[T]):
    """A value that a field could have. A tuple, as thousands are made each second."""

    value: T | None
    """None where something stands in the right place, but not such a value."""
    found: tuple[Found[Any], ...] = ()
    """Where it was taken from: several places when it was put together."""
    passed_over: str = ""
    """Why it cannot be taken, for a person; empty when it can."""


def first(candidates: Iterable[Candidate[T]]) -> T | None:
    """The value of the first candidate that is not passed over; None without one."""
    for value, _, passed_over in candidates:
        if not passed_over:
            return value
    return None


def accepted(candidates: Iterable[Candidate[T]]) -> Candidate[T]:
    """The first candidate that is not passed over; an empty one without one."""
    for candidate in candidates:
        if not candidate.passed_over:
            return candidate
    return Candidate(None)


def said(node: Node, field: Field[T]) -> Iterator[Candidate[T]]:
    """What a span itself says, if it says it."""
    found = node.find(field)
    if found is not None:
        yield Candidate(found.value, (found,))
