"""Which spans a mapping means, and in words why it means none of those that came."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from monitor.config.mapping import TracerMapping, When
from monitor.traces import semconv
from monitor.traces.values import as_text
from monitor.wire import AttributeValue, Span

_MOST_VALUES = 5


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing that is asked of a span."""

    name: str
    """As in the configuration: `service`, `name`, `scope`, or the key of an attribute."""
    pattern: str
    value: Callable[[Span], AttributeValue]
    """What is compared; None when the span has none."""
    fits: Callable[[Span], bool]


def conditions(when: When) -> list[Condition]:
    """All that is asked of a span."""
    asked = [
        _condition("service", when.service, lambda span: span.resource.get(semconv.SERVICE_NAME)),
        _condition("name", when.name, lambda span: span.name),
        _condition("scope", when.scope, lambda span: span.scope),
        *(_condition(key, as_text(value) or "", _attribute(key)) for key, value in when.attributes.items()),
    ]
    return [condition for condition in asked if condition is not None]


def matcher(when: When) -> Callable[[Span], bool]:
    """Whether a span fulfils all that is asked of it."""
    tests = [condition.fits for condition in conditions(when)]
    return lambda span: all(test(span) for test in tests)


def unmatched(mappings: Sequence[TracerMapping], spans: Sequence[Span]) -> Iterator[str]:
    """A sentence for each kind of spans of a mapping that is none of these spans; none when there are no spans."""
    for mapping in mappings if spans else ():
        for number, kind in enumerate(mapping.spans):
            asked = conditions(kind.when)
            if not any(all(condition.fits(span) for condition in asked) for span in spans):
                yield f"mapping {mapping.name}: spans[{number}] matches no span: {_why(asked, spans)}"


def _why(asked: Sequence[Condition], spans: Sequence[Span]) -> str:
    never = [condition for condition in asked if not any(condition.fits(span) for span in spans)]
    if not never:
        return "each of its conditions holds for some span, all of them for none"
    return "; ".join(_never(condition, spans) for condition in never)


def _never(condition: Condition, spans: Sequence[Span]) -> str:
    values = list(dict.fromkeys(text for span in spans if (text := as_text(condition.value(span))) is not None))
    if not values:
        return f"no span has {condition.name}"
    more = f" and {len(values) - _MOST_VALUES} more" if len(values) > _MOST_VALUES else ""
    there = ", ".join(value[:40] for value in values[:_MOST_VALUES])
    return f"{condition.name} is never {condition.pattern!r}; there are: {there}{more}"


def _condition(name: str, pattern: str | None, value: Callable[[Span], AttributeValue]) -> Condition | None:
    if pattern is None:
        return None
    compiled = re.compile(fnmatch.translate(pattern.replace("[", "[[]")))

    def fits(span: Span) -> bool:
        text = as_text(value(span))
        return text is not None and compiled.match(text) is not None

    return Condition(name, pattern, value, fits)


def _attribute(key: str) -> Callable[[Span], AttributeValue]:
    return lambda span: span.attributes.get(key)
