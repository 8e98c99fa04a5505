"""Conventions of SDKs that record what any function was called with and returned, most as JSON under one key each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from monitor.traces.conventions.keys import gives_answer
from monitor.traces.documents import hands_documents, read_documents, read_passages, read_result, read_retrieved
from monitor.traces.exchange import read_prompt, read_reply
from monitor.traces.reading import (
    ANSWER,
    DOCUMENTS,
    OUTPUT,
    PASSAGES,
    PROMPT,
    QUERY,
    QUESTION,
    RESULT,
    Document,
    Entry,
    Role,
    Rule,
    T,
    says,
)
from monitor.traces.shapes import answer_in, query_in, question_in
from monitor.traces.values import as_json
from monitor.wire import AttributeValue, Span

_RETRIEVES = re.compile(r"retriev|(?:^|[^a-z])search|rerank", re.IGNORECASE)
"""Names of functions that find documents, as their authors give them."""


def decoded(span: Span, key: str) -> AttributeValue:
    """The value under a key, which was encoded once. None when it was cut, or is not there."""
    held = span.attributes.get(key)
    read = as_json(held, layers=1)
    return None if isinstance(read, str) and read is held and read[:1] in {"{", "[", '"'} else read


@dataclass(frozen=True, slots=True)
class Recorded:
    """Where the two values stand."""

    asked: str
    """A key, or what `value` looks for in other places."""
    returned: str
    value: Callable[[Span, str], AttributeValue] = decoded
    """Reads one of the two."""
    is_keyed: bool = True
    """Whether they stand under exactly these keys."""

    def role(self, span: Span) -> Role:
        """Of a function that says no more of itself: one that returned documents found them, or chose among some."""
        returned = self.value(span, self.returned)
        named = _RETRIEVES.search(span.name) is not None and isinstance(returned, list)
        if not named and not (isinstance(returned, list) and read_documents(returned)):
            return Role.CHAIN
        return Role.RERANKER if hands_documents(self.value(span, self.asked)) else Role.RETRIEVER

    def role_by_type(self, span: Span, known: Role | None) -> Role | None:
        """By the role that a type of the SDK is `known` for; a function without one by what it shows, None for nothing.

        A tool that only hands the final answer over is a step.
        """
        if known is Role.TOOL and gives_answer(span.name):
            return Role.STEP
        return self.role(span) if known is None and self._shows(span) else known

    def _shows(self, span: Span) -> bool:
        if self.is_keyed:
            return self.asked in span.attributes or self.returned in span.attributes
        return self.value(span, self.asked) is not None or self.value(span, self.returned) is not None

    def texts(self) -> dict[Role, Sequence[Entry]]:
        """The table of a convention."""
        returned = self.on_returned
        found = (says(QUERY, self.on_asked(query_in)), says(DOCUMENTS, returned(read_retrieved)))
        return {
            Role.CHAIN: (
                says(QUESTION, self.on_asked(question_in)),
                says(ANSWER, returned(answer_in)),
                says(DOCUMENTS, returned(_some), self._rule(self.asked, _some)),
                says(PASSAGES, returned(read_passages)),
            ),
            Role.MODEL: (
                says(PROMPT, self._rule(self.asked, read_prompt)),
                says(OUTPUT, returned(read_reply)),
            ),
            Role.RETRIEVER: found,
            Role.RERANKER: found,
            Role.TOOL: (
                says(DOCUMENTS, returned(lambda value: read_result(value)[0])),
                says(RESULT, returned(lambda value: read_result(value)[1])),
            ),
        }

    def on_asked(self, read: Callable[[AttributeValue], T | None]) -> Rule[T]:
        """The rule for what the arguments say."""
        return self._rule(self.asked, lambda value: read(_called(value)))

    def on_returned(self, read: Callable[[AttributeValue], T | None]) -> Rule[T]:
        """The rule for what the result says."""
        return self._rule(self.returned, read)

    def _rule(self, where: str, read: Callable[[AttributeValue], T | None]) -> Rule[T]:
        def read_it(span: Span) -> T | None:
            value = self.value(span, where)
            return None if value is None else read(value)

        return Rule(where, read_it, where if self.is_keyed else ())


def _called(read: AttributeValue) -> AttributeValue:
    """The arguments: a list of them where they have no names, else by name. Messages are what they are."""
    if isinstance(read, list):
        return read if question_in(read) is not None else {"args": read}
    return {"args": [], "kwargs": read} if isinstance(read, dict) and question_in(read) is None else read


def _some(value: AttributeValue) -> tuple[Document, ...] | None:
    return read_documents(value) or None
