"""Building spans and traces in tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypedDict, Unpack

from monitor.config.settings import Assembly
from monitor.records import RagTrace
from monitor.traces.asking import Asked, Known, look
from monitor.traces.damage import find_hidden
from monitor.traces.extract import Extracted, Extractor
from monitor.traces.reading import FACTS, TEXTS, Convention, Role
from monitor.traces.tree import grow
from monitor.wire import Assembled, AttributeValue, CloseReason, Span, SpanEvent, SpanLink, SpanStatus

TRACE = "5b97511f672979e3d2eb1cc0da87c768"
SERVICE: Mapping[str, AttributeValue] = {"service.name": "helpdesk"}
QUESTION = "Who may ride?"
ANSWER = "Anyone aged sixteen or older."
DOCUMENTS = [
    {"id": "d-1", "content": "Riders are sixteen or older.", "score": 0.9},
    {"id": "d-2", "content": "Open daily."},
]
PROMPT = "Context:\nRiders are sixteen or older.\n---\nOpen daily.\n\nQuestion: Who may ride?\nAnswer:"


class Fields(TypedDict, total=False):
    """More fields of a span."""

    name: str
    status: SpanStatus
    status_message: str
    events: tuple[SpanEvent, ...]
    links: tuple[SpanLink, ...]
    resource: Mapping[str, AttributeValue]
    scope: str
    kind: int
    trace_state: str
    dropped_attributes: int


def span(
    span_id: str,
    parent: str = "",
    at: int = 0,
    *,
    attributes: Mapping[str, AttributeValue] | None = None,
    **more: Unpack[Fields],
) -> Span:
    """A span of 10 ns that starts at `at`; `attributes` may hold anything."""
    fields: Fields = {"name": span_id, "resource": SERVICE, **more}
    return Span(TRACE, span_id, parent, start_ns=at, end_ns=at + 10, attributes=attributes or {}, **fields)


def failed(message: str = "") -> Fields:
    """The fields of a failed span."""
    return {"status": SpanStatus.ERROR, "status_message": message}


def messages(role: str, text: str) -> str:
    """A list of one message after the current OTel convention, as JSON text."""
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])


def workflow(span_id: str, parent: str = "", at: int = 0, **more: Unpack[Fields]) -> Span:
    """A workflow with the user's question and the answer."""
    attributes: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "invoke_workflow",
        "gen_ai.input.messages": messages("user", QUESTION),
        "gen_ai.output.messages": messages("assistant", ANSWER),
    }
    return span(span_id, parent, at, attributes=attributes, **more)


def retrieval(
    span_id: str, parent: str = "", at: int = 1, documents: object = DOCUMENTS, **more: Unpack[Fields]
) -> Span:
    """A retrieval with its documents as JSON text."""
    attributes: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.retrieval.query.text": QUESTION,
        "gen_ai.retrieval.documents": json.dumps(documents),
    }
    return span(span_id, parent, at, attributes=attributes, **more)


def chat(
    span_id: str, parent: str = "", at: int = 2, prompt: str = PROMPT, reply: str = ANSWER, **more: Unpack[Fields]
) -> Span:
    """A model call with a filled prompt."""
    attributes: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "chat-1",
        "gen_ai.input.messages": messages("user", prompt),
        "gen_ai.output.messages": messages("assistant", reply),
    }
    return span(span_id, parent, at, attributes=attributes, **more)


def extract(*spans: Span, plain_chat: bool = False, own: tuple[str, ...] = ("ragmon",)) -> Extracted:
    """What the extractor makes of the spans, in the order in which they stand."""
    return Extractor(Assembly(plain_chat=plain_chat), own).extract(Assembled(TRACE, spans, (), CloseReason.QUIET))


def only(extracted: Extracted) -> RagTrace:
    """The one request that there must be."""
    (request,) = extracted.requests
    return request


def is_hidden(*spans: Span) -> bool:
    """Whether the spans show that contents are hidden on purpose."""
    return any(True for _ in find_hidden(grow(spans, lambda _: False).nodes))


def _asked(convention: Convention, read: Span) -> Asked:
    return Known((convention,)).outline(read).asked(read)


def role_by(convention: Convention, read: Span) -> Role | None:
    """The role that one convention gives a span; None when it does not know it, or is not asked about it."""
    asked = _asked(convention, read).writers.conventions
    return asked[0].role(read) if asked else None


def told(convention: Convention, read: Span, role: Role | None = None) -> dict[str, object]:
    """What one convention finds in a span, by field names: its texts as a span of a role, else its facts."""
    rules = _asked(convention, read).askable(role or Role.OTHER).rules
    fields = FACTS if role is None else TEXTS
    found = ((field.name, look(read, field, rules.get(field, ()))) for field in fields)
    return {name: one.value for name, one in found if one is not None}
