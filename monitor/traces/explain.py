"""Why a trace gave what it gave: each field with its place and with what was passed over, for `extract --explain`.

It walks the same candidates as the extraction, to their end, and adds what no chooser looks at: rules that found
nothing although their attribute is there. Holds contents of users, but never of a trace whose contents are hidden.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from monitor.records import ContextsSource, RagTrace
from monitor.traces.answers import weigh_calls
from monitor.traces.candidates import Candidate
from monitor.traces.contexts import Documents, Evidence
from monitor.traces.damage import Damage, find_hidden
from monitor.traces.documents import is_repr
from monitor.traces.extract import Reading
from monitor.traces.mappings import is_mapped
from monitor.traces.reading import ANSWER, DOCUMENTS, FACTS, OUTPUT, PROMPT, QUERY, QUESTION, Field, Found, Role, Rule
from monitor.traces.record import RequestReader
from monitor.traces.requests import Request
from monitor.traces.tree import Node
from monitor.traces.values import looks_cut
from monitor.wire import AttributeValue, Span

_LATER = "a better one came first"
HIDDEN = "contents are hidden on purpose"
"""Why nothing can be any text of a request whose producer hides contents."""
_MOST_MUTE = 3
_UNREADABLE = "it stands there, but not in a form that is known"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands. `where` is an attribute key, an event, or `resource KEY`; empty: the span as a whole."""

    span_id: str
    span: str
    """Name of the span."""
    where: str
    convention: str


@dataclass(frozen=True, slots=True)
class Considered:
    """A value that a field could have; `why` it was passed over, empty for the one that was taken."""

    value: Any
    places: tuple[Place, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """What became of one field; `taken` is None when nothing on the wire gives it."""

    taken: Considered | None
    passed_over: tuple[Considered, ...]


@dataclass(frozen=True, slots=True)
class Explained:
    """One request with the choice for each of its fields, by the field's name."""

    record: RagTrace
    choices: Mapping[str, Choice]


@dataclass(frozen=True, slots=True)
class _Around:
    """What the requests of a trace have in common."""

    nodes: Mapping[str, Node]
    """All spans, by their ids."""
    hidden: tuple[Place, ...]
    """Where the producer shows that contents are hidden."""


def explain(reading: Reading) -> list[Explained]:
    """Every request of a trace, in the order of `reading.extracted.requests`."""
    nodes = reading.forest.nodes
    around = _Around({node.span.span_id: node for node in nodes}, tuple(map(_sign, find_hidden(nodes))))
    pairs = zip(reading.kept, reading.extracted.requests, strict=True)
    return [Explained(record, _choices(reader, record, around)) for reader, record in pairs]


def _choices(reader: RequestReader, record: RagTrace, around: _Around) -> dict[str, Choice]:
    hidden = Considered(None, around.hidden, HIDDEN)
    choices = dict.fromkeys(("question", "answer", "contexts", "search_query"), Choice(None, (hidden,)))
    choices |= {name: _choice(list(candidates), around.nodes) for name, candidates in reader.explain().items()}
    if not reader.hidden:
        choices["contexts"] = _contexts(reader, choices["contexts"])
        silent = {name for name, choice in choices.items() if choice.taken is None}
        for name, unread in (_unread(reader) | _unmapped(reader.request, silent)).items():
            choices[name] = Choice(choices[name].taken, (*choices[name].passed_over, *unread))
        used = {place for choice in choices.values() if choice.taken is not None for place in choice.taken.places}
        choices = {name: _without_used(choice, used) for name, choice in choices.items()}
        choices["model_call"] = _choice(list(weigh_calls(reader.request)), around.nodes)
    choices["error"] = _error(reader)
    choices["truncated"] = _marked(record.truncated, map(_sign, reader.damages()))
    choices["redacted"] = _marked(record.redacted, around.hidden)
    return choices


def _without_used(choice: Choice, used: Collection[Place]) -> Choice:
    """Without what one reader could not read where another one, perhaps of another convention, did."""
    known = {(place.span_id, place.where) for place in used}

    def is_used(one: Considered) -> bool:
        return one.why == _UNREADABLE and any((place.span_id, place.where) in known for place in one.places)

    return Choice(choice.taken, tuple(one for one in choice.passed_over if not is_used(one)))


def _choice(candidates: Sequence[Candidate[Any]], nodes: Mapping[str, Node]) -> Choice:
    """The first candidate that can be taken, and the others as far as they say something else."""
    at = next((at for at, candidate in enumerate(candidates) if not candidate.passed_over), None)
    if at is None:
        return Choice(None, tuple(_considered(one, one.passed_over) for one in candidates))
    taken = candidates[at]
    others = [
        _considered(one, one.passed_over or _LATER)
        for one in (*candidates[:at], *candidates[at + 1 :])
        if one.passed_over or one.value != taken.value
    ]
    inside = [other for found in taken.found for other in _beside(found, nodes)]
    return Choice(_considered(taken, ""), (*others, *inside))


def _considered(candidate: Candidate[Any], why: str) -> Considered:
    value, places = candidate.value, tuple(map(_place, candidate.found))
    if isinstance(value, Node):
        itself = Place(value.span.span_id, value.span.name, "", value.convention)
        value, places = value.span.name, places or (itself,)
    return Considered(value, places, why)


def _place(found: Found[Any]) -> Place:
    return Place(found.span.span_id, found.span.name, found.where, found.convention)


def _beside(found: Found[Any], nodes: Mapping[str, Node]) -> Iterator[Considered]:
    """What other rules find in the same span for the same field, and what the ones before it could not read."""
    node = nodes.get(found.span.span_id)
    if node is None or found.field is None:
        return
    at = _key_at(found.where, found.span)
    for other, rule in _readings(node, found.field):
        if (other.where, other.convention) == (found.where, found.convention):
            continue
        if rule.lacks is None and at is not None and _key_at(other.where, found.span) == at:
            continue  # the same attribute, read in another way; what a mapping lacks in it is told
        if other.value is not None and other.value != found.value:
            yield Considered(other.value, (_place(other),), "another attribute of the span came first")
        elif other.value is None and (raw := _standing(other.where, found.span)) is not None:
            why = _why_unread(raw, rule, found.span)
            # a rule for a fact may well ask for more than that something stands there
            if found.field not in FACTS or why != _UNREADABLE:
                yield Considered(raw, (_place(other),), why)


def _readings(node: Node, field: Field[Any]) -> Iterator[tuple[Found[Any], Rule[Any]]]:
    """What every rule for the field finds; the value is None where it finds nothing."""
    for rule, convention in node.asked.writers.rules(node.role).get(field, ()):
        yield Found(rule.read(node.span), node.span, rule.place(node.span), convention, field), rule


def _unread(reader: RequestReader) -> dict[str, list[Considered]]:
    """Attributes that should give a text of the request and do not, by the field that lacks it."""
    entry, final = reader.request.entry, reader.calls.final
    searches = reader.request.having(Role.RETRIEVER, Role.RERANKER, Role.TOOL)
    asked: dict[str, list[tuple[Node, Field[Any]]]] = {
        "question": [(entry, QUESTION), *([(final, PROMPT)] if final else [])],
        "answer": [(entry, ANSWER), *([(final, OUTPUT)] if final else [])],
        "contexts": [(node, DOCUMENTS) for node in searches],
        "search_query": [(node, QUERY) for node in searches],
    }
    return {name: [one for node, field in places for one in _mute(node, field)] for name, places in asked.items()}


def _mute(node: Node, field: Field[Any]) -> Iterator[Considered]:
    """The attributes of a span that its rules for a field name, when none of them gives a value.

    Also what a mapping asks for in vain: an attribute, the end of a path, the texts of documents that are there.
    """
    is_said = node.find(field) is not None
    for found, rule in _readings(node, field):
        raw = _standing(found.where, node.span)
        if is_said != (found.value is not None):
            continue
        if is_said:
            why = rule.lacks(node.span) if rule.lacks is not None else None
        else:
            why = None if raw is None and rule.lacks is None else _why_unread(raw, rule, node.span)
        if why is not None:
            yield Considered(raw, (_place(found),), why)


def _unmapped(request: Request, silent: Collection[str]) -> dict[str, list[Considered]]:
    """What mappings ask for in vain, by the fields besides texts that nothing says; of each the first few."""
    said: dict[str, list[Considered]] = {}
    for field in FACTS:
        if field.name in silent:
            mute = (one for node in request.members if node.is_mapped for one in _mute(node, field))
            asked = (one for one in mute if any(is_mapped(place.convention) for place in one.places))
            said[field.name] = list(islice(asked, _MOST_MUTE))
    return said


def _standing(where: str, span: Span) -> AttributeValue:
    """The raw value at the place that a rule names; None when there is none. Of several the first."""
    key = _key_at(where, span)
    return None if key is None else _value_under(key, span)


def _key_at(where: str, span: Span) -> str | None:
    """Of the keys that a rule names, the first one under which something stands."""
    keys = re.split(r",\s*", where.partition(": ")[0])  # behind the colon stand members of one attribute
    return next((key for key in keys if _value_under(key, span) is not None), None)


def _value_under(key: str, span: Span) -> AttributeValue:
    """An attribute, of a list of them the first one, or the attributes of an event."""
    event_name = key.removeprefix("events ").removeprefix("event ")
    if event_name != key:
        return next((dict(event.attributes) for event in span.events if event.name == event_name), None)
    if key.endswith((".N", ".*")):
        return next((value for name, value in span.attributes.items() if name.startswith(key[:-1])), None)
    return span.attributes.get(key)


def _why_unread(raw: object, rule: Rule[Any], span: Span) -> str:
    lack = rule.lacks(span) if rule.lacks is not None else None
    if lack is not None and not (isinstance(raw, str) and looks_cut(raw)):
        return lack
    if not isinstance(raw, str):
        return _UNREADABLE
    if not raw.strip():
        return "blank"
    if is_repr(raw):
        return "a Python object that was printed, not its contents"
    return "JSON that breaks off: it was cut upstream" if looks_cut(raw) else _UNREADABLE


def _contexts(reader: RequestReader, choice: Choice) -> Choice:
    """Passages instead of evidence, and each document that was retrieved and is none of them."""
    listed = reader.documents
    places = tuple(map(_place, listed.found))
    taken = choice.taken
    evidence = taken.value if taken is not None else None
    passages = evidence.passages if isinstance(evidence, Evidence) else ()
    given = {passage.text for passage in passages}
    absent = [
        Considered((document,), places, "its text is not in the prompt of the call that answered")
        for document in listed.value or ()
        if document.text is not None and document.text not in given
    ]
    kept = frozenset(listed.value or ())
    shown = [document for found in listed.found for document in found.value]
    twice = [
        Considered((document,), places, "its id or text stood there before")
        for document in shown
        if document.text is not None and document not in kept
    ]
    # the list itself is told by what was made of it
    others = [_listed(one, listed.value) for one in choice.passed_over if (one.why, one.places) != (_LATER, places)]
    if taken is None:
        return Choice(None, (*others, *twice))
    if not isinstance(evidence, Evidence) or evidence.source is ContextsSource.UNKNOWN:
        # not the same as an empty list
        return Choice(None, (*others, *twice))
    is_from_list = set(places) <= set(taken.places)
    return Choice(Considered(passages, taken.places), (*others, *(absent if is_from_list else ()), *twice))


def _listed(one: Considered, documents: Documents | None) -> Considered:
    """Evidence as its passages; where it has none, as the documents that it was to be made of."""
    if not isinstance(one.value, Evidence):
        return one
    return Considered(one.value.passages or documents, one.places, one.why)


def _error(reader: RequestReader) -> Choice:
    failed = [node for node in reader.request.members if node.failed]
    places = tuple(Place(node.span.span_id, node.span.name, "status", node.convention) for node in failed)
    error = reader.error
    if error is not None:
        return Choice(Considered(f"{error.type} in {error.stage}", places), ())
    why = "not the entry, and a later call of its kind succeeded, or it is none that the answer needs"
    return Choice(None, tuple(Considered("failed", (place,), why) for place in places))


def _marked(value: bool, signs: Iterable[Place]) -> Choice:  # noqa: FBT001 - the mark itself
    return Choice(Considered(value, tuple(signs)), ())


def _sign(damage: Damage) -> Place:
    where = f"{damage.where}: {damage.what}" if damage.where else damage.what
    return Place(damage.node.span.span_id, damage.node.span.name, where, "")
