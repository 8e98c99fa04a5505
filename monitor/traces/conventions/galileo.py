"""Galileo's spans on OpenTelemetry: messages of `gen_ai.*`, also for a retriever, whose reply holds its documents."""

from __future__ import annotations

from typing import Final

from monitor.traces import semconv
from monitor.traces.documents import read_documents
from monitor.traces.messages import last_text, read_messages
from monitor.traces.reading import DOCUMENTS, QUERY, Convention, Document, Role, attribute, says
from monitor.traces.values import as_list, as_mapping
from monitor.wire import AttributeValue, Span

_SYSTEM: Final = "galileo-otel"


def _owns(span: Span) -> bool:
    return span.attributes.get(semconv.SYSTEM) == _SYSTEM


def _role(span: Span) -> Role | None:
    """A retriever searches, and that is all that tells it from an agent."""
    return Role.RETRIEVER if span.attributes.get(semconv.DB_OPERATION_OLD) == "search" else None


def _found(value: AttributeValue) -> tuple[Document, ...] | None:
    contents = (as_mapping(item).get("content") for item in as_list(value))
    return next((found for one in contents if (found := read_documents(one)) is not None), None)


GALILEO = Convention(
    name="galileo",
    version="3",
    heads=frozenset({"db"}),
    role=_role,
    owns=_owns,
    texts={
        Role.RETRIEVER: (
            says(QUERY, attribute(semconv.INPUT_MESSAGES, lambda value: last_text(read_messages(value) or (), "user"))),
            says(DOCUMENTS, attribute(semconv.OUTPUT_MESSAGES, _found)),
        )
    },
)
"""Spans of its logger with `db.operation`; its other spans follow OpenTelemetry."""
