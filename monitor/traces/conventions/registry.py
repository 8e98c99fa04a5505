"""The conventions in use, in order: the first that knows a span gives its role, the first that has a value gives it.

To add one: write its file with a `Convention`, and name it here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from monitor.traces.conventions.generic import GENERIC
from monitor.traces.conventions.openinference import OPENINFERENCE
from monitor.traces.conventions.otel_genai import OTEL_GENAI
from monitor.traces.reading import Convention, Field, Found, Role, Rule, T
from monitor.wire import Span

CONVENTIONS: tuple[Convention, ...] = (OPENINFERENCE, OTEL_GENAI, GENERIC)


def conventions_of(span: Span, known: Sequence[Convention] = CONVENTIONS) -> tuple[Convention, ...]:
    """Those of the conventions that may have written the span, in their order: by the heads of its keys."""
    heads = {key.partition(".")[0] for key in span.attributes}
    heads.update(event.name.partition(".")[0] for event in span.events)
    return tuple(convention for convention in known if not convention.heads or convention.heads & heads)


def read_role(span: Span, conventions: Sequence[Convention]) -> tuple[Role, str]:
    """The role of a span and the name of the convention that gave it; `other` and an empty name when none did."""
    for convention in conventions:
        role = convention.role(span)
        if role is not None:
            return role, convention.name
    return Role.OTHER, ""


def find(span: Span, role: Role, field: Field[T], conventions: Sequence[Convention]) -> Found[T] | None:
    """The first value that a rule of these conventions finds; None when none does."""
    return next(find_all(span, role, field, conventions), None)


def find_all(span: Span, role: Role, field: Field[T], conventions: Sequence[Convention]) -> Iterator[Found[T]]:
    """All values of the field that the span holds, best first: the first one counts, the others are passed over."""
    for convention in conventions:
        for rule in _rules(convention, role, field):
            value = rule.read(span)
            if value is not None:
                yield Found(value, span, rule.where, convention.name)


@cache
def _rules(convention: Convention, role: Role, field: Field[T]) -> tuple[Rule[T], ...]:
    return convention.rules(role, field)
