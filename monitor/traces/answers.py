"""The model calls of a request: which one gave the answer, what it was asked, what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, takewhile

from monitor.traces.prompts import marked_answer, prompt_question
from monitor.traces.reading import Facts, Message, Role, first_of
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
        return () if self.final is None else self.final.content.prompt or ()

    @property
    def reply(self) -> str | None:
        """The final call's text."""
        output = None if self.final is None else self.final.content.output
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
    spoken = [node for node in candidates if (output := node.content.output) is not None and output.text.strip()]
    guards = {below for guard in request.having(Role.GUARDRAIL) for below in guard.below()}
    last = ([node for node in spoken if node not in guards] or spoken or candidates)[-1:]
    return Calls(inner, last[0] if last else None)


def variables_of(request: Request, calls: Calls) -> Mapping[str, str]:
    """Template variables: the final call's own, else those of the last prompt step."""
    own = calls.final.content.variables if calls.final is not None else None
    steps = [found for node in request.having(Role.STEP) if (found := node.content.variables)]
    return own or (steps[-1] if steps else {})


def find_question(request: Request, calls: Calls, variables: Mapping[str, str], texts: Sequence[str]) -> str | None:
    """The user's words: from the entry, a template variable, the retriever's query, or out of the final prompt.

    Several different queries are rewritings: then the prompt knows better.
    """
    entry = request.entry
    if (asked := entry.content.question) is not None:
        return asked
    own = entry.content.prompt if entry is not calls.final else None
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
    return [found for node in outermost(request.having(*_RETRIEVAL)) if (found := node.content.query) is not None]


def find_answer(request: Request, calls: Calls, *, failed: bool) -> str | None:
    """What the user got: the entry's output, else the final call's reply. A failed request has no reply of a model."""
    answer = request.entry.content.answer
    if answer is None and not failed:
        own = request.entry.content.output  # a model span that wraps the whole request
        reply = own.text if own is not None and own.text.strip() and not own.calls_tool else calls.reply
        answer = marked_answer(reply) if reply is not None else None
    return answer.removesuffix("\n") if answer is not None else None


def find_facts(request: Request, calls: Calls) -> Facts:
    """Facts of the final call and its wrappers, then of the entry, its surroundings, and all other spans."""
    nodes: list[Node] = []
    leading = calls.final or (calls.inner[-1] if calls.inner else None)
    if leading is not None:
        inside = frozenset(request.members)  # above a request stands no model
        wrappers = takewhile(inside.__contains__, leading.ancestors())
        nodes += [leading, *(node for node in wrappers if node.role is Role.MODEL)]
    model = first_of(Facts(), (node.facts for node in nodes))
    others = (node.facts for node in reversed(request.members))
    around = first_of(Facts(), chain((request.entry.facts_from_above,), others))
    return Facts(
        model=model.model if leading is not None else around.model,
        response_model=model.response_model if leading is not None else around.response_model,
        response_id=model.response_id if leading is not None else around.response_id,
        session_id=around.session_id,
        user_id=around.user_id,
        tenant=around.tenant,
        prompt_version=model.prompt_version or around.prompt_version,
        knowledge_base=around.knowledge_base,
        input_tokens=_sum([node.facts.input_tokens for node in calls.inner]),
        output_tokens=_sum([node.facts.output_tokens for node in calls.inner]),
    )


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
