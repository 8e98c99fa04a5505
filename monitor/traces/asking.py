"""What is asked of a span: the conventions that may have written it, and of their rules those that may find something.

Both follow from the keys of its attributes and the names of its events, which a service writes the same again and
again: they are worked out once for all spans that are alike in them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final

from monitor.traces.reading import FACTS, PASSAGES, TEXTS, Convention, Field, Found, Role, Rule, T
from monitor.wire import Span

Rules = Sequence[tuple[Rule[Any], str]]
"""Rules for one field, best first, each with the name of its convention."""
_MOST_KEPT: Final = 1024
"""Results that are kept of each kind: a hostile span may claim any mixture of conventions and keys."""
_MOST_LARGE: Final = 64
_USUAL, _LARGE = 4000, 50_000
"""Bytes of a span's keys up to which what follows from them is kept, of large ones for fewer spans."""
_KEY: Final = 50
"""Bytes that a key takes beside its characters."""
_NO_EVENTS: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Askable:
    """The rules that may find something in a span, by field, best first."""

    rules: Mapping[Field[Any], Rules]
    fields: frozenset[Field[Any]]


class Writers:
    """The conventions that may have written a span, in their order, with what follows from them whatever it holds."""

    def __init__(self, conventions: tuple[Convention, ...]) -> None:
        self.conventions = conventions
        self.contents = tuple([prefix for one in conventions for prefix in one.contents])
        """Prefixes of the keys that hold contents."""
        rules = [rule for one in conventions for rule in one.all_rules()]
        named = frozenset([key for rule in rules for key in rule.keys]).union(*[one.marks for one in conventions])
        self._starts = tuple([key[:-1] for key in sorted(named) if key.endswith("*")])
        self._keys = named.difference([start + "*" for start in self._starts])
        self._events = frozenset([name for rule in rules for name in rule.events])
        self._rules: dict[Role, Mapping[Field[Any], Rules]] = {}

    def content_keys(self, keys: Iterable[str]) -> Sequence[str]:
        """Those of the keys that hold contents."""
        return tuple([key for key in keys if key.startswith(self.contents)])

    def rules(self, role: Role) -> Mapping[Field[Any], Rules]:
        """All that they read in spans of a role, by field, best first."""
        if role not in self._rules:
            found = {
                field: tuple([(rule, one.name) for one in self.conventions for rule in one.rules(role, field)])
                for field in (*TEXTS, PASSAGES, *FACTS)
            }
            self._rules[role] = {field: rules for field, rules in found.items() if rules}
        return self._rules[role]

    def asked(self, keys: Collection[str], events: Iterable[str]) -> Asked:
        """What of it is asked of spans with these keys and events."""
        known = self._keys.intersection((*keys, *["*." + key.rpartition(".")[2] for key in keys]))
        begun = [key for key in keys if key not in known and key.startswith(self._starts)]
        if begun:
            known = known.union([start + "*" for start in self._starts if any(key.startswith(start) for key in begun)])
        return _asked(self, known, self._events.intersection(events))


class Asked:
    """What is asked of the spans of some writers that have the same of the keys and events which these name."""

    def __init__(self, writers: Writers, keys: frozenset[str], events: frozenset[str]) -> None:
        self.writers, self._keys, self._events = writers, keys, events
        self._askable: dict[Role, Askable] = {}
        self._marked = [one for one in writers.conventions if not one.marks or not keys.isdisjoint(one.marks)]
        self.hiding = tuple([one for one in self._marked if one.may_hide])
        """Those that can tell of such a span that its contents are hidden on purpose."""
        self.showing = tuple([one for one in self._marked if one.may_show])
        """Those that can tell of such a span that its contents are missing."""
        self.beside = tuple([one.runs_beside for one in self._marked if one.runs_beside is not None])
        """What tells whether such a span runs beside the one that it hangs below."""

    def read_role(self, span: Span) -> tuple[Role, str]:
        """The span's role and the name of the convention that gave it; `other` and an empty name when none did."""
        for convention in self._marked:
            role = convention.role(span)
            if role is not None:
                return role, convention.name
        return Role.OTHER, ""

    def askable(self, role: Role) -> Askable:
        """The rules that may find something in such spans of a role: they need not be asked for anything else."""
        if role not in self._askable:
            self._askable[role] = self._askable_of(role)
        return self._askable[role]

    def _askable_of(self, role: Role) -> Askable:
        left = {
            field: tuple([(rule, name) for rule, name in rules if rule.may_find(self._keys, self._events)])
            for field, rules in self.writers.rules(role).items()
        }
        rules = {field: kept for field, kept in left.items() if kept}
        return Askable(rules, frozenset(rules))


_asked = lru_cache(maxsize=_MOST_KEPT)(Asked)


@dataclass(frozen=True, slots=True)
class _Listed:
    """The conventions for spans of some heads; `choosy`: those of them that are for some of these spans only."""

    conventions: Sequence[Convention]
    choosy: Sequence[tuple[Convention, Callable[[Span], bool]]]
    """Each with what tells whether a span is meant."""


class Outline:
    """What the keys of a span and the names of its events tell, whatever their values."""

    def __init__(self, known: Known, keys: tuple[str, ...], events: frozenset[str]) -> None:
        self._known, self._keys, self._events = known, keys, events
        self._listed = known.listed(known.heads.intersection([name.partition(".")[0] for name in (*keys, *events)]))
        self._asked: dict[tuple[bool, ...], Asked] = {}
        self._told: dict[object, Any] = {}

    def asked(self, span: Span) -> Asked:
        """What is asked of the span, which has these keys and events."""
        meant = tuple([is_meant(span) for _, is_meant in self._listed.choosy])
        found = self._asked.get(meant)
        if found is None:
            foreign = [one for (one, _), is_meant in zip(self._listed.choosy, meant, strict=True) if not is_meant]
            writers = self._known.writers(tuple([one for one in self._listed.conventions if one not in foreign]))
            found = self._asked[meant] = writers.asked(self._keys, self._events)
        return found

    def told(self, read: Callable[[Collection[str]], T]) -> T:
        """What a function tells by the keys: it is called once for all spans that have them."""
        if read not in self._told:
            self._told[read] = read(self._keys)
        told: T = self._told[read]
        return told


class Known:
    """Conventions in use; the first that knows a span gives its role."""

    def __init__(self, conventions: Sequence[Convention]) -> None:
        self.conventions = tuple(conventions)
        self.heads: frozenset[str] = frozenset().union(*[one.heads | one.rivals for one in conventions])
        """First parts of keys that tell anything: a span may hold any others."""
        self.writers = lru_cache(maxsize=_MOST_KEPT)(Writers)
        self.listed = lru_cache(maxsize=_MOST_KEPT)(self._listed_for)
        self._usual = lru_cache(maxsize=_MOST_KEPT)(partial(Outline, self))
        self._large = lru_cache(maxsize=_MOST_LARGE)(partial(Outline, self))

    def outline(self, span: Span) -> Outline:
        """What is known of spans that look like this one."""
        keys = tuple(span.attributes)
        events = frozenset([event.name for event in span.events]) if span.events else _NO_EVENTS
        size = len("".join((*keys, *events))) + _KEY * len(keys)
        if size <= _USUAL:
            return self._usual(keys, events)
        return self._large(keys, events) if size <= _LARGE else Outline(self, keys, events)

    def _listed_for(self, heads: frozenset[str]) -> _Listed:
        listed = [one for one in self.conventions if not one.heads or not one.heads.isdisjoint(heads)]
        return _Listed(listed, [(one, told) for one in listed for told in _tellers(one, heads)])


def _tellers(one: Convention, heads: frozenset[str]) -> Iterator[Callable[[Span], bool]]:
    """What tells of spans with these heads whether the convention is meant; nothing where the heads tell."""
    yield from (told for told in (one.matches, one.owns) if told is not None)
    if not one.rivals.isdisjoint(heads):
        yield lambda span: not one.disowns(span)


def look(span: Span, field: Field[T], rules: Rules) -> Found[T] | None:
    """The first value of a field that one of its rules finds."""
    for rule, convention in rules:
        value = rule.read(span)
        if value is not None:
            return Found(value, span, rule.place(span), convention, field)
    return None
