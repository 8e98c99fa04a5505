"""OpenInference's documents: flattened under a prefix, and in the output's JSON."""

from __future__ import annotations

from collections.abc import Mapping

from monitor.traces import semconv
from monitor.traces.conventions.keys import numbered, text_of
from monitor.traces.conventions.openinference_values import is_json, output_of, value_of
from monitor.traces.documents import metadata_score, metadata_source, read_documents, read_retrieved
from monitor.traces.reading import Document, Rule
from monitor.traces.twins import enriched
from monitor.traces.values import as_float, as_text
from monitor.wire import AttributeValue, Span


def documents_of(span: Span, prefix: str) -> tuple[Document, ...] | None:
    """Flattened documents, completed from the output's JSON: LangChain has ids only there, and nothing is dropped."""
    output = read_documents(output_of(span)) if is_json(span, semconv.OI_OUTPUT) else None
    flat = flat_documents(span, prefix)
    if flat:
        fuller = {one.text or None for one in flat} - {None} < {one.text or None for one in output or ()} - {None}
        return enriched(output or (), flat) if fuller else enriched(flat, output or ())
    listed = read_documents(span.attributes.get(prefix))
    if listed is None and output is None and not is_json(span, semconv.OI_OUTPUT):
        return _untyped_documents(span)
    return listed if listed is not None else output


def flat_documents(span: Span, prefix: str) -> tuple[Document, ...]:
    """The documents that are flattened under a prefix; empty without any."""
    return tuple(map(_document, numbered(span.attributes, prefix)))


def handed(key: str) -> Rule[tuple[Document, ...]]:
    """Documents in the JSON of what a step is handed (its input) or returns (its output)."""
    return Rule(key, lambda span: read_documents(value_of(span, key)) or None if is_json(span, key) else None)


def _untyped_documents(span: Span) -> tuple[Document, ...] | None:
    """The documents in a retriever's output by hand: a list of them without its type, or one text that holds all.

    Where a model is named it is the answer.
    """
    return None if semconv.OI_MODEL in span.attributes else read_retrieved(span.attributes.get(semconv.OI_OUTPUT))


def _document(item: Mapping[str, AttributeValue]) -> Document:
    score = as_float(item.get("document.score"))
    return Document(
        text=as_text(item.get("document.content")),
        id=text_of(item, "document.id"),
        score=score if score is not None else metadata_score(item.get("document.metadata")),
        source=metadata_source(item.get("document.metadata")),
    )
