"""Documents that several spans show: completed from each other, and counted once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from monitor.traces.reading import Document

_MOST_ALIKE = 100
"""Texts under one id that are compared with each other."""


def enriched(documents: Iterable[Document], others: Iterable[Document]) -> tuple[Document, ...]:
    """The documents, with ids, scores and sources that they lack taken from others of the same text."""
    known = {other.text: other for other in reversed(list(others)) if other.text is not None}
    return tuple(
        Document(
            document.text,
            document.id if document.id is not None else twin.id,
            document.score if document.score is not None else twin.score,
            document.source or twin.source,
        )
        if document.text is not None and (twin := known.get(document.text))
        else document
        for document in documents
    )


def with_texts(documents: Iterable[Document], others: Iterable[Document]) -> tuple[Document, ...]:
    """The documents, with texts that they lack taken from others of the same id, where it names one passage only."""
    known: dict[str, str] = {}
    several: set[str] = set()
    for other in others:
        if other.id is not None and other.text is not None:
            first = known.setdefault(other.id, other.text)
            several |= set() if _is_same(other.text, first) else {other.id}
    return tuple(
        replace(document, text=known[document.id])
        if document.text is None and document.id in known and document.id not in several
        else document
        for document in documents
    )


def with_ids(documents: Iterable[Document], others: Iterable[Document]) -> tuple[Document, ...]:
    """The documents, with ids that they lack taken from others of the same text, where those agree on one."""
    known: dict[str, set[str]] = {}
    for other in others:
        if other.text is not None and other.id is not None:
            known.setdefault(other.text, set()).add(other.id)
    return tuple(
        replace(document, id=next(iter(ids)))
        if document.id is None and document.text is not None and len(ids := known.get(document.text, ())) == 1
        else document
        for document in documents
    )


def distinct(documents: Iterable[Document]) -> tuple[Document, ...]:
    """The documents in their order; a later one with a text already seen is left out, or with an id.

    Not so where its text is another one: it is a further passage of the document that the id names.
    """
    by_id: dict[str, list[str | None]] = {}
    texts: set[str] = set()
    kept = []
    for document in documents:
        text, alike = document.text, by_id.setdefault(document.id, []) if document.id is not None else []
        if text in texts or any(_is_same(text, other) for other in alike[:_MOST_ALIKE]):
            continue
        kept.append(document)
        alike.append(text)
        if text is not None:
            texts.add(text)
    return tuple(kept)


def _is_same(text: str | None, other: str | None) -> bool:
    """Whether two texts with one id may be one passage: a text may be missing, or shortened."""
    return text is None or other is None or text in other or other in text
