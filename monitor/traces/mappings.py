"""Mappings of the user, made into conventions: they stand in front of those that ragmon knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from monitor.config.mapping import DocumentPlace, MappedSpans, Place, TracerMapping
from monitor.traces.conventions.keys import count_of, word
from monitor.traces.documents import read_documents
from monitor.traces.mapped_places import below, lack_of, whole_value
from monitor.traces.mapped_spans import matcher
from monitor.traces.messages import flat_text, read_message, read_messages
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    FACTS,
    INPUT_TOKENS,
    OUTPUT,
    OUTPUT_TOKENS,
    PROMPT,
    QUESTION,
    RESULT,
    TEXTS,
    VARIABLES,
    Convention,
    Document,
    Entry,
    Field,
    Message,
    Role,
    Rule,
)
from monitor.traces.shapes import answer_in, question_in
from monitor.traces.values import as_float, as_json, as_text
from monitor.wire import AttributeValue, Span

_VERSION = "@"
_JSON_FIELDS = frozenset({DOCUMENTS, PROMPT, OUTPUT, VARIABLES})


def compile_mappings(mappings: Sequence[TracerMapping]) -> tuple[Convention, ...]:
    """A convention for each kind of spans, in their order: the first that fits a span gives its role."""
    return tuple(
        _convention(f"{one.name}{_VERSION}{one.version}", one.version, spans) for one in mappings for spans in one.spans
    )


def is_mapped(convention: str) -> bool:
    """Whether a convention of this name is a mapping of the user: no other name holds a version."""
    return _VERSION in convention


def _convention(name: str, version: str, spans: MappedSpans) -> Convention:
    role = None if spans.role is None else Role(spans.role)
    entries = {field: tuple(_rules(field, spans)) for field in (*TEXTS, *FACTS)}
    texts = tuple(Entry(field, entries[field]) for field in TEXTS if entries[field])
    contents = [(field, place) for field in TEXTS for place in _places(field, spans)]
    json_keys = frozenset(place.attribute for field, place in contents if place.path or field in _JSON_FIELDS)
    return Convention(
        name=name,
        version=version,
        heads=frozenset(key.partition(".")[0] for key in spans.when.attributes),
        role=lambda _span: role,
        texts={one: texts for one in Role if role in {None, one}},
        facts=tuple(Entry(field, entries[field]) for field in FACTS if entries[field]),
        contents=tuple(place.attribute.removesuffix("*") for _, place in contents),
        is_json=lambda _span, key: key in json_keys,
        matches=matcher(spans.when),
    )


def _places(field: Field[Any], spans: MappedSpans) -> Sequence[Place]:
    return getattr(spans.fields, field.name, None) or ()


def _rules(field: Field[Any], spans: MappedSpans) -> Iterator[Rule[Any]]:
    for place in _places(field, spans):
        yield Rule(_where(place), _reader(field, place), lacks=lack_of(place))


def _where(place: Place) -> str:
    """In the words of the conventions, see `Rule.where`."""
    holder = f"event {place.event}, " if place.event else "resource " if place.resource else ""
    return holder + place.attribute + (f": {'.'.join(place.path)}" if place.path else "")


def _reader(field: Field[Any], place: Place) -> Callable[[Span], Any]:
    if isinstance(place, DocumentPlace):
        return lambda span: _documents(_value(span, place), place)
    read = _READERS.get(field, word)

    def read_it(span: Span) -> object:
        value = _value(span, place)
        return None if value is None else read(value)

    return read_it


def _value(span: Span, place: Place) -> AttributeValue:
    """What stands at the place; None when nothing does."""
    return below(whole_value(span, place), place.path)


def _text(shape: Callable[[AttributeValue], str | None]) -> Callable[[AttributeValue], str | None]:
    """A text as it is; a structure in the shapes that libraries write."""

    def read(value: AttributeValue) -> str | None:
        return shape(value) if isinstance(value, list | dict) else word(value)

    return read


def _prompt(value: AttributeValue) -> tuple[Message, ...] | None:
    messages = read_messages(value)
    text = None if messages is not None else word(value)
    return messages if text is None else (Message("user", text),)


def _output(value: AttributeValue) -> Message | None:
    message = read_message(value) or next(reversed(read_messages(value) or ()), None)
    text = None if message is not None else _text(answer_in)(value)
    return message if text is None else Message("assistant", text)


def _variables(value: AttributeValue) -> Mapping[str, str] | None:
    read = as_json(value)
    if not isinstance(read, dict):
        return None
    return {name: text for name, part in read.items() if (text := word(part)) is not None} or None


def _result(value: AttributeValue) -> str | None:
    return flat_text(value) or None


def _count(value: AttributeValue) -> int | None:
    return count_of({"": value}, "")


_READERS: Mapping[Field[Any], Callable[[AttributeValue], object]] = {
    QUESTION: _text(question_in),
    ANSWER: _text(answer_in),
    PROMPT: _prompt,
    OUTPUT: _output,
    VARIABLES: _variables,
    RESULT: _result,
    INPUT_TOKENS: _count,
    OUTPUT_TOKENS: _count,
}
"""How values of a field are read; of all others as a text or number."""


def _documents(value: AttributeValue, place: DocumentPlace) -> tuple[Document, ...] | None:
    """The documents; None when the value is no list, or when nothing in it stands where the place says."""
    listed = as_json(value)
    if not (place.text or place.id or place.score):
        documents = read_documents(listed)
        if documents is not None or not isinstance(listed, list):
            return documents
    if not isinstance(listed, list):
        return None
    read = tuple(_document(item, place) for item in listed)
    return read if not read or any(one.text is not None or one.id is not None for one in read) else None


def _document(item: AttributeValue, place: DocumentPlace) -> Document:
    if isinstance(item, str) and not isinstance(as_json(item), dict):
        return Document(as_text(item)) if not place.text else Document()
    text = below(item, place.text) if place.text else None
    return Document(
        text=word(text),
        id=word(below(item, place.id)) if place.id else None,
        score=as_float(below(item, place.score)) if place.score else None,
    )
