"""The model calls of a request: which one gave the answer, what it was asked, what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from monitor.traces.prompts import marked_answer, prompt_question
from monitor.traces.reading import (
    ANSWER,
    OUTPUT,
    PROMPT,
    QUERY,
    QUESTION,
    VARIABLES,
    Field,
    Found,
    Message,
    Role,
    T,
)
from monitor.traces.requests import Request
from monitor.traces.tree import Node, above_any, outermost

_RETRIEVAL = (Role.RETRIEVER, Role.RERANKER)


@dataclass(frozen=True, slots=True)
class Calls:
    """The model calls of one request. `final` is the one that answered, None when no call can have."""

    inner: tuple[Node, ...]
    """The innermost model spans, oldest first: wrappers of the same call are left out."""
    final: Node | None

    @property
    def prompt(self) -> Sequence[Message]:
        """What the final call was given; empty when it is not on the wire."""
        prompt = None if self.final is None else self.final.get(PROMPT)
        return prompt or ()

    @property
    def reply(self) -> str | None:
        """The final call's text."""
        output = None if self.final is None else self.final.get(OUTPUT)
        return output.text if output is not None and output.text else None


def find_calls(request: Request) -> Calls:
    """The final call is the last innermost one after the retrieval began whose reply is text, else the last such call.

    A call before it rewrites the question, a call inside a retriever makes up queries: neither is the answer. A call
    below a guardrail answers only when there is no other: it may be the check.
    """
    models = request.having(Role.MODEL)
    inner = tuple(node for node in models if not any(Role.MODEL in child.roles for child in node.children))
    retrievers = outermost(request.having(*_RETRIEVAL))
    began = min((node.span.start_ns for node in retrievers), default=0)
    above = above_any(retrievers, request.members)
    inside = {node for retriever in retrievers for node in retriever.below()}
    candidates = [node for node in inner if node not in inside and (node.span.start_ns >= began or node in above)]
    spoken = [node for node in candidates if (output := node.get(OUTPUT)) is not None and output.text.strip()]
    guards = {below for guard in request.having(Role.GUARDRAIL) for below in guard.below()}
    last = ([node for node in spoken if node not in guards] or spoken or candidates)[-1:]
    return Calls(inner, last[0] if last else None)


def variables_of(request: Request, calls: Calls) -> Mapping[str, str]:
    """Template variables: the final call's own, else those of the last prompt step."""
    own = calls.final.get(VARIABLES) if calls.final is not None else None
    steps = [found for node in request.having(Role.STEP) if (found := node.get(VARIABLES))]
    return own or (steps[-1] if steps else {})


def find_question(request: Request, calls: Calls, variables: Mapping[str, str], texts: Sequence[str]) -> str | None:
    """The user's words: from the entry, a template variable, the retriever's query, or out of the final prompt.

    Several different queries are rewritings: then the prompt knows better.
    """
    entry = request.entry
    if (asked := entry.get(QUESTION)) is not None:
        return asked
    own = entry.get(PROMPT) if entry is not calls.final else None
    if (named := prompt_question(own or (), variables, texts)) is not None:
        return named
    queries = _queries(request)
    if len(set(queries)) == 1:
        return queries[0]
    return prompt_question(calls.prompt, variables, texts) or next(iter(queries), None)


def find_search_query(request: Request, question: str | None) -> str | None:
    """What the retriever was asked, where that is one text and not the question."""
    queries = set(_queries(request))
    query = queries.pop() if len(queries) == 1 else None
    return query if query is not None and query.strip() != (question or "").strip() else None


def _queries(request: Request) -> list[str]:
    return [found for node in outermost(request.having(*_RETRIEVAL)) if (found := node.get(QUERY)) is not None]


def find_answer(request: Request, calls: Calls, *, failed: bool) -> str | None:
    """What the user got: the entry's output, else the final call's reply. A failed request has no reply of a model."""
    answer = request.entry.get(ANSWER)
    if answer is None and not failed:
        own = request.entry.get(OUTPUT)  # a model span that wraps the whole request
        reply = own.text if own is not None and own.text.strip() and not own.calls_tool else calls.reply
        answer = marked_answer(reply) if reply is not None else None
    return answer.removesuffix("\n") if answer is not None else None


class Facts:
    """What a request says besides its texts; of the model, what the final call and its wrappers say."""

    def __init__(self, request: Request, calls: Calls) -> None:
        self._request = request
        self._calls = calls
        leading = calls.final or (calls.inner[-1] if calls.inner else None)
        self._models: tuple[Node, ...] = ()
        if leading is not None:
            inside = frozenset(request.members)  # above a request stands no model
            wrappers = takewhile(inside.__contains__, leading.ancestors())
            self._models = (leading, *(node for node in wrappers if node.role is Role.MODEL))

    def around(self, field: Field[T]) -> Found[T] | None:
        """What the entry says, its surroundings, or else any span, the last one first."""
        found = self._request.entry.find_above(field)
        return found or next((found for node in reversed(self._request.members) if (found := node.find(field))), None)

    def of_model(self, field: Field[T]) -> Found[T] | None:
        """What the final call says; of a request without a model call, what any span says."""
        if not self._models:
            return self.around(field)
        return next((found for node in self._models if (found := node.find(field))), None)

    def total(self, field: Field[int]) -> int | None:
        """The sum over the innermost model calls; None when none of them says it."""
        known = [count for node in self._calls.inner if (count := node.get(field)) is not None]
        return sum(known) if known else None
