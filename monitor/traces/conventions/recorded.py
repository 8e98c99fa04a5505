"""Conventions of SDKs that record what any function was called with and returned, as JSON under one key each."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
    attribute,
    says,
)
from monitor.traces.shapes import answer_in, query_in, question_in
from monitor.traces.values import as_json
from monitor.wire import AttributeValue, Span

_RETRIEVES = re.compile(r"retriev|(?:^|[^a-z])search|rerank", re.IGNORECASE)
"""Names of functions that find documents, as their authors give them."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """Where the two values stand."""

    asked: str
    returned: str

    def role(self, span: Span) -> Role:
        """Of a function that says no more of itself: one that returned documents found them, or chose among some."""
        returned = self._value(span.attributes.get(self.returned))
        named = _RETRIEVES.search(span.name) is not None and isinstance(returned, list)
        if not named and not (isinstance(returned, list) and read_documents(returned)):
            return Role.CHAIN
        return Role.RERANKER if hands_documents(span.attributes.get(self.asked)) else Role.RETRIEVER

    def role_by_type(self, span: Span, known: Role | None) -> Role | None:
        """By the role that a type of the SDK is `known` for; a function without one by what it shows, None for nothing.

        A tool that only hands the final answer over is a step.
        """
        if known is Role.TOOL and gives_answer(span.name):
            return Role.STEP
        if known is None and (self.asked in span.attributes or self.returned in span.attributes):
            return self.role(span)
        return known

    def texts(self) -> dict[Role, Sequence[Entry]]:
        """The table of a convention."""
        asked, returned = self.asked, self.returned
        found = (
            says(QUERY, attribute(asked, lambda value: query_in(self._called(value)))),
            says(DOCUMENTS, Rule(returned, self._found, returned)),
        )
        return {
            Role.CHAIN: (
                says(QUESTION, attribute(asked, lambda value: question_in(self._called(value)))),
                says(ANSWER, attribute(returned, lambda value: answer_in(self._value(value)))),
                says(DOCUMENTS, Rule(asked, self._handed, (asked, returned))),
                says(PASSAGES, attribute(returned, lambda value: read_passages(self._value(value)))),
            ),
            Role.MODEL: (
                says(PROMPT, attribute(asked, lambda value: read_prompt(self._value(value)))),
                says(OUTPUT, attribute(returned, lambda value: read_reply(self._value(value)))),
            ),
            Role.RETRIEVER: found,
            Role.RERANKER: found,
            Role.TOOL: (
                says(DOCUMENTS, attribute(returned, lambda value: read_result(self._value(value))[0])),
                says(RESULT, attribute(returned, lambda value: read_result(self._value(value))[1])),
            ),
        }

    def _value(self, held: AttributeValue) -> AttributeValue:
        """The value, which was encoded once. None when it was cut."""
        read = as_json(held, layers=1)
        return None if isinstance(read, str) and read is held and read[:1] in {"{", "[", '"'} else read

    def _called(self, held: AttributeValue) -> AttributeValue:
        """The arguments: a list of them where they have no names, else by name. Messages are what they are."""
        read = self._value(held)
        if isinstance(read, list):
            return read if question_in(read) is not None else {"args": read}
        return {"args": [], "kwargs": read} if isinstance(read, dict) and question_in(read) is None else read

    def _found(self, span: Span) -> tuple[Document, ...] | None:
        return read_retrieved(self._value(span.attributes.get(self.returned)))

    def _handed(self, span: Span) -> tuple[Document, ...] | None:
        values = (self._value(span.attributes.get(key)) for key in (self.returned, self.asked))
        return next((found for value in values if (found := read_documents(value))), None)
