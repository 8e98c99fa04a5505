"""What a convention says about one span: its role, its content, its plain facts. The vocabulary of `conventions/`."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from monitor.wire import Span


class Role(enum.StrEnum):
    """The part that a span plays in a request."""

    CHAIN = "chain"
    """A chain, agent or workflow: what the application calls one request, or a step that wraps others."""
    RETRIEVER = "retriever"
    RERANKER = "reranker"
    MODEL = "model"
    TOOL = "tool"
    STEP = "step"
    """Known, but no part of the evidence: embedding, prompt filling, parsing."""
    GUARDRAIL = "guardrail"
    """A check around a request; model calls below it may be checks, too."""
    EVALUATOR = "evaluator"
    """Somebody judging an answer: dropped with everything below it."""
    OTHER = "other"
    """No convention knows it: HTTP servers, databases, the application's own spans."""


WORK: frozenset[Role] = frozenset({Role.RETRIEVER, Role.RERANKER, Role.MODEL, Role.TOOL})
"""Roles whose spans do something for an answer; chains only wrap them."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as a span shows it. `text` is None where only its id was recorded."""

    text: str | None = None
    id: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message. `role` is `system`, `user`, `assistant` or `tool`, else the sender's own word."""

    role: str
    text: str = ""
    """Its text parts; reasoning, images and tool calls are left out."""
    calls_tool: bool = False
    results: tuple[str, ...] = ()
    """What tools gave back, where the message carries that."""


@dataclass(frozen=True, slots=True)
class Content:
    """The texts of one span. None means that the span does not say; an empty tuple of documents is an empty result."""

    question: str | None = None
    answer: str | None = None
    query: str | None = None
    """What a retriever was asked."""
    documents: tuple[Document, ...] | None = None
    prompt: tuple[Message, ...] | None = None
    output: Message | None = None
    """What a model replied."""
    variables: Mapping[str, str] | None = None
    """Values that were filled into a prompt template, by name."""
    result: str | None = None
    """What a tool gave back, when it is no list of documents."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a span says besides its texts. None means that it does not say."""

    model: str | None = None
    response_model: str | None = None
    response_id: str | None = None
    session_id: str | None = None
    user_id: str | None = None
    tenant: str | None = None
    prompt_version: str | None = None
    knowledge_base: str | None = None
    input_tokens: int | None = field(default=None)
    output_tokens: int | None = field(default=None)


class Convention(Protocol):
    """One way of writing LLM applications into spans. Pure; never raises, whatever a span holds."""

    name: str
    """Bounded word, as it stands in `RagTrace.convention`."""

    def role(self, span: Span) -> Role | None:
        """The role of the span; None when the convention does not know it."""
        ...

    def content(self, span: Span, role: Role) -> Content:
        """What the span says in this convention's keys, `role` being its settled role (maybe by another convention)."""
        ...

    def facts(self, span: Span) -> Facts:
        """The plain facts in this convention's keys."""
        ...


_Record = TypeVar("_Record", Content, Facts)


def first_of(empty: _Record, records: Iterable[_Record]) -> _Record:
    """Field by field, the first value that is not None."""
    merged: dict[str, object] = {}
    for record in records:
        for name in record.__dataclass_fields__:
            value = getattr(record, name)
            if value is not None:
                merged.setdefault(name, value)
    return dataclasses.replace(empty, **merged) if merged else empty  # type: ignore[arg-type]  # same type, same names
