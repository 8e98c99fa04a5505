"""The model calls of a request: which one gave the answer, what it was asked, what it replied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from monitor.traces.afterwards import MOST_BESIDE, Afterwards
from monitor.traces.candidates import Candidate, first, said
from monitor.traces.lazy import lazy
from monitor.traces.mappings import is_mapped
from monitor.traces.prompts import holds_any, is_filled, marked_answer, named_question, prompt_question
from monitor.traces.reading import (
    ANSWER,
    OUTPUT,
    PROMPT,
    QUERY,
    QUESTION,
    STATED_ANSWER,
    STATED_QUESTION,
    VARIABLES,
    Field,
    Found,
    Message,
    Role,
)
from monitor.traces.requests import Request
from monitor.traces.tree import Node, above_any, outermost

_WRAPPERS = frozenset({Role.MODEL, Role.CHAIN})
_SENTENCE = 20
"""Characters from which on a document is more than a word that a question may hold."""


@dataclass(frozen=True)
class Calls:
    """The model calls of one request. `final` is the one that answered, None when no call can have."""

    inner: tuple[Node, ...]
    """The innermost model spans, oldest first: wrappers of the same call are left out."""
    final: Node | None

    @property
    def prompt(self) -> Sequence[Message]:
        """What the final call was given; empty when it is not on the wire."""
        return () if self.asked is None else self.asked.value

    @lazy
    def asked(self) -> Found[tuple[Message, ...]] | None:
        """The final call's prompt as its span shows it, else the nearest one of those that wrap the call."""
        return next((found for node in self.around if (found := node.find(PROMPT)) is not None), None)

    @property
    def around(self) -> Iterator[Node]:
        """The final call and those that wrap it, the nearest first; the last may be an agent.

        That shows what it had said when its call failed.
        """
        node = self.final
        while node is not None and node.role in _WRAPPERS:
            yield node
            node = None if node.role is Role.CHAIN else node.parent


def find_calls(request: Request) -> Calls:
    """The model calls, and the one of them that answered: see `weigh_calls`.

    An agent whose calls have no spans speaks for them, as one that another service runs.
    """
    inner = request.innermost
    return Calls(inner, first(weigh_calls(request)) if inner else request.entry)


def weigh_calls(request: Request) -> Iterator[Candidate[Node]]:
    """The calls that may have answered: the last innermost one after the retrieval began whose reply is text.

    A call before it rewrites the question, a call inside a retriever makes up queries: neither is the answer. A call
    below a guardrail answers only when there is no other: it may be the check. Without any text the last call is taken.
    """
    retrievers = request.searches
    began = min((node.span.start_ns for node in retrievers), default=0)
    above = above_any(retrievers, request.members)
    inside = {node for retriever in retrievers for node in retriever.below()}
    guards = {below for guard in request.having(Role.GUARDRAIL) for below in guard.below()}
    afterwards = Afterwards(request)
    checks, silent = [], []
    for node in dict.fromkeys(map(_speaking, reversed(request.innermost))):
        output = node.find(OUTPUT)
        found = () if output is None else (output,)
        if node in inside:
            yield Candidate(node, found, "inside a retriever: it makes up search queries")
        elif node.span.start_ns < began and node not in above:
            yield Candidate(node, found, "before the retrieval began: it prepares the question")
        elif output is None or not output.value.text.strip():
            silent.append(node)
            yield Candidate(node, found, "its reply holds no text")
        elif node in guards:
            checks.append(node)
            yield Candidate(node, found, "below a guardrail: it may be the check")
        elif len(checks) < MOST_BESIDE and (aside := afterwards.does(node)):
            checks.append(node)
            yield Candidate(node, found, aside)
        else:
            yield Candidate(node, found)
    around = (node.nearest(_replies_in_text) for node in silent)
    wrappers = [] if checks else [node for node in around if node is not None]
    yield from (Candidate(node) for node in (checks or wrappers or silent)[:1])  # for want of a better one


def _speaking(call: Node) -> Node:
    """The call, or the nearest one around it that shows the reply, where it shows neither that nor its prompt."""
    if call.find(OUTPUT) is not None or call.find(PROMPT) is not None:
        return call
    return call.nearest(_replies) or call


def _replies(node: Node) -> bool:
    return node.role is Role.MODEL and node.find(OUTPUT) is not None


def _replies_in_text(node: Node) -> bool:
    output = node.find(OUTPUT) if node.role is Role.MODEL else None
    return output is not None and bool(output.value.text.strip())


def template_variables(request: Request, calls: Calls) -> Iterator[Candidate[Mapping[str, str]]]:
    """What was filled into the prompt: the variables of the final call or around it, else of the last prompt step.

    Of a call that was tried again with another model only the first one may have them.
    """
    for node in calls.around:
        yield from said(node, VARIABLES)
    for node in reversed(calls.inner if calls.prompt else ()):
        if node is not calls.final and node.get(PROMPT) == calls.prompt:
            yield from said(node, VARIABLES)
    for node in reversed(request.having(Role.STEP)):
        yield from said(node, VARIABLES)


def questions(
    request: Request, calls: Calls, variables: Candidate[Mapping[str, str]], texts: Sequence[str]
) -> Iterator[Candidate[str]]:
    """The user's words: as the application states them, from the entry, a variable, the query, or out of the prompt.

    Several different queries are rewritings: then the prompt knows better. One that a model call came before may be
    made up: it is no question at all. `texts` are those of the documents.
    """
    yield from _stated(request, STATED_QUESTION, QUESTION)
    for candidate in said(request.entry, QUESTION):
        holds = holds_any(candidate.value or "", (text for text in texts if len(text) >= _SENTENCE))
        filled = holds or is_filled(candidate.value or "")
        reason = "it holds a document: a prompt that was filled in" if holds else "a prompt that was filled in"
        yield candidate._replace(passed_over=reason if filled else "")
        if filled:
            yield from _cut(candidate.found, (Message("user", candidate.value or ""),), texts)
    if (named := named_question(variables.value or {})) is not None:
        yield Candidate(named, variables.found)
    if request.entry is not calls.final:
        yield from _cut_out(request.entry, texts)
    inside = _below_tools(request)
    queries = [query for query in _queries(request) if query.span.span_id not in inside]
    prepared = "a model call before the search may have made it up" if _is_prepared(request, calls) else ""
    yield from (one._replace(passed_over=one.passed_over or prepared) for one in _agreed(queries))
    if (asked := calls.asked) is not None:
        yield from _cut((asked,), asked.value, texts)
    if queries:
        yield Candidate(queries[0].value, (queries[0],), prepared)


def _is_prepared(request: Request, calls: Calls) -> bool:
    """Whether a model was called before the retrieval began: it rewrites the question, or asks for a search."""
    began = min((node.span.start_ns for node in request.searches), default=0)
    return any(call is not calls.final and call.span.start_ns < began for call in calls.inner)


def _below_tools(request: Request) -> frozenset[str]:
    """The spans inside tools: what a retriever is asked there, a model made up."""
    return frozenset(below.span.span_id for tool in outermost(request.having(Role.TOOL)) for below in tool.below())


def _stated(request: Request, field: Field[str], entrys: Field[str]) -> Iterator[Candidate[str]]:
    """What a span of the request, whichever, says of the whole of it; a mapped field of the entry goes before."""
    mapped = request.entry.find(entrys)
    if mapped is not None and is_mapped(mapped.convention):
        yield Candidate(mapped.value, (mapped,))
    members = request.members if field in request.sayable else ()
    found = [found for node in members if (found := node.find(field)) is not None]
    several = "the spans do not agree on it" if len({one.value for one in found}) > 1 else ""
    yield from (Candidate(one.value, (one,), several) for one in found)


def _cut_out(node: Node, texts: Sequence[str]) -> Iterator[Candidate[str]]:
    """The question out of a span's prompt."""
    found = node.find(PROMPT)
    if found is not None:
        yield from _cut((found,), found.value, texts)


def _cut(found: tuple[Found[Any], ...], prompt: Sequence[Message], texts: Sequence[str]) -> Iterator[Candidate[str]]:
    question = prompt_question(prompt, texts)
    unclear = "" if question is not None else "no label in it parts the question from the rest"
    yield Candidate(question, found, unclear)


def search_queries(request: Request, question: str | None) -> Iterator[Candidate[str]]:
    """What the retriever was asked, where that is one text and not the question.

    A step around it may have been asked the question, and have rewritten it.
    """
    outer = _queries(request)
    inner = [node for node in request.having(Role.RETRIEVER) if node not in request.searches]
    within = [found for node in inner if (found := node.find(QUERY)) is not None]
    for candidate in (*_agreed(outer), *_agreed(within)):
        if (candidate.value or "").strip() == (question or "").strip():
            candidate = candidate._replace(passed_over=candidate.passed_over or "the question itself")  # noqa: PLW2901 - the same one, with its reason
        yield candidate


def _agreed(queries: Sequence[Found[str]]) -> Iterator[Candidate[str]]:
    """One query, or several that are the same."""
    several = "one of several different queries: they are rewritings" if len({q.value for q in queries}) > 1 else ""
    return (Candidate(query.value, (query,), several) for query in queries)


def _queries(request: Request) -> list[Found[str]]:
    return [found for node in request.searches if (found := node.find(QUERY)) is not None]


def answers(
    request: Request, calls: Calls, question: str | None, texts: Sequence[str], *, failed: bool
) -> Iterator[Candidate[str]]:
    """What the user got: as stated, the entry's output, what a tool for it was handed, else the final call's reply.

    A model span that wraps the call, as the entry of the request, goes before the call.

    Of a request that `failed` a model's reply is not the answer. `texts` are those of the documents.
    """
    yield from _stated(request, STATED_ANSWER, ANSWER)
    for candidate in said(request.entry, ANSWER):
        answer = _without_line_end(candidate.value)
        yield candidate._replace(value=answer, passed_over=_not_made(answer or "", calls, question, texts))
    for step in reversed(request.having(Role.STEP)):
        yield from said(step, ANSWER)
    for node in dict.fromkeys((request.entry, calls.final)):
        output = None if node is None else node.find(OUTPUT)
        if output is not None:
            yield _reply(output, failed=failed, whole=node is calls.final)


def _not_made(answer: str, calls: Calls, question: str | None, texts: Sequence[str]) -> str:
    """Why an output is only what a step was given, where no model said the same; empty when it is more than that.

    A chain whose other spans are lost leaves the step that hands on the question, or puts the documents together.
    """
    output = None if calls.final is None else calls.final.get(OUTPUT)
    replied = "" if output is None else output.text.strip()
    if not answer.strip() and replied:
        return "empty: a stream that was read later"
    if not answer.strip() or replied == answer.strip():
        return ""
    if answer.strip() == (question or "").strip():
        return "the question itself: a step handed it on"
    rest = answer
    for text in sorted(texts, key=len, reverse=True):
        rest = rest.replace(text, "") if text else rest
    # a single document, or some of several, may well be what an extractive service answers
    whole = len(texts) > 1 and all(text in answer for text in texts)
    put_together = whole and not any(map(str.isalpha, rest))
    return "the documents themselves: a step put them together" if put_together else ""


def _reply(output: Found[Message], *, failed: bool, whole: bool) -> Candidate[str]:
    """A model's reply as the answer. `whole`: from the final call, whose words count beside a tool call, too."""
    message = output.value
    answer = marked_answer(message.text) if message.text else None
    if failed:
        reason = "the request failed: what a model said is not what the user got"
    elif not message.text or (not whole and not message.text.strip()):
        reason = "no text"
    elif message.calls_tool and not whole:
        reason = "it calls a tool"
    else:
        reason = "" if answer is not None else "none of its marked fields is an answer"
    return Candidate(_without_line_end(answer), (output,), reason)


def _without_line_end(text: str | None) -> str | None:
    return None if text is None else text.removesuffix("\n")
