"""Which requests a trace holds: one, several (batch jobs, sessions), or none.

An entry span is the topmost chain, agent or workflow; without one, the lowest span above retriever and model. Spans
above it (an HTTP server, a batch job) carry only user, session and status.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from monitor.traces import semconv
from monitor.traces.lazy import lazy
from monitor.traces.reading import ANSWER, OUTPUT, PROMPT, QUESTION, Field, Message, Role
from monitor.traces.runs import are_runs
from monitor.traces.tree import Node, outermost

_RETRIEVAL = frozenset({Role.RETRIEVER, Role.RERANKER})
_WRAPPERS = frozenset({Role.OTHER, Role.STEP, Role.GUARDRAIL, Role.EVALUATOR})
"""Spans that are looked through for an entry."""


@dataclass(frozen=True)
class Request:
    """The spans of one request: its entry, and all that belong to it (with the entry), oldest first."""

    entry: Node
    members: tuple[Node, ...]
    pieces: tuple[Node, ...] = ()
    """Where it was put together in a trace that has lost spans: the parts, which hang side by side."""

    def having(self, *roles: Role) -> Sequence[Node]:
        """The members of some roles, oldest first."""
        found = self._by_roles.get(roles)
        if found is None:
            found = self._by_roles[roles] = tuple([node for node in self.members if node.role in roles])
        return found

    @lazy
    def searches(self) -> tuple[Node, ...]:
        """The retrievers and rerankers that stand below no other, oldest first."""
        return tuple(outermost(self.having(*_RETRIEVAL)))

    @lazy
    def innermost(self) -> tuple[Node, ...]:
        """The model calls that wrap no other, oldest first."""
        models = self.having(Role.MODEL)
        return tuple([node for node in models if not any(Role.MODEL in child.roles for child in node.children)])

    @lazy
    def sayable(self) -> frozenset[Field[Any]]:
        """The fields that any of its spans may hold."""
        return frozenset().union(*[node.sayable for node in self.members])

    @lazy
    def _by_roles(self) -> dict[tuple[Role, ...], Sequence[Node]]:
        """What `having` found: many ask for the same."""
        return {}


@dataclass(frozen=True, slots=True)
class _Group:
    """Sibling subtrees that are one request or several; `owner` is the span above them, None above the roots."""

    owner: Node | None
    parts: Sequence[Node]
    steps: Sequence[Node] = ()
    """Steps beside them, which hold nothing else."""


def find_requests(roots: Sequence[Node]) -> list[Request]:
    """All requests of a trace, in time order. Chats without retrieval are among them: the caller decides on those."""
    found: list[Request] = []
    waiting = [_Group(None, roots)]
    while waiting:
        group = waiting.pop()
        parts = [part for part in group.parts if part.relevant]
        steps = [part for part in group.parts if part.role is Role.STEP and not part.relevant]
        if len(parts) == 1:
            waiting.extend(_open(parts[0], steps, found))
        elif parts:
            waiting.extend(_divide(_Group(group.owner, parts, steps), found))
    if len(roots) == 1 or not any(map(lost_its_parent, roots)):
        found = [replace(request, pieces=()) if request.pieces else request for request in found]
    return sorted(found, key=lambda request: request.entry.order)


def lost_its_parent(node: Node) -> bool:
    """Of a root: whether a span above it did not arrive, unless that is known to be in another process."""
    return bool(node.span.parent_id) and not node.span.flags & semconv.PARENT_REMOTE


def _open(part: Node, steps: Sequence[Node], found: list[Request]) -> list[_Group]:
    """The only part of a group: a wrapper to look into, several requests under one chain, or a request.

    The steps beside it belong to that: Azure's agents are asked in a call of its own.
    """
    if part.role in _WRAPPERS:
        return [_Group(part, part.children)]
    if part.role is Role.CHAIN and (inner := _batch_below(part)):
        return inner
    found.append(_request(part, [part], steps))
    return []


def _batch_below(chain: Node) -> list[_Group]:
    """The requests under a chain that only runs a batch: several complete ones, no question and answer of its own.

    Agents that only use tools may be sub-agents: no chain above them may have either.
    """
    above, parts = [], [chain]
    while len(parts) == 1 and parts[0].role in _WRAPPERS | {Role.CHAIN}:
        above.append(parts[0])
        parts = [part for part in parts[0].children if part.relevant]
    if sum(map(_is_complete, parts)) > 1:
        is_batch = chain.find(QUESTION) is None or chain.find(ANSWER) is None
    else:
        is_batch = not any(node.find(QUESTION) or node.find(ANSWER) for node in above) and bool(_runs(parts))
    return [_Group(None, parts)] if is_batch else []


def _divide(group: _Group, found: list[Request]) -> list[_Group]:
    """Several parts side by side: requests of their own, or the steps of one request."""
    complete = [part for part in group.parts if _is_complete(part)]
    if complete:
        others = [part for part in group.parts if not _is_complete(part)]
        alone = [part for part in others if _stands_alone(part)]
        feeders = [part for part in others if _is_retrieval_only(part) and not _stands_alone(part)]
        if len(complete) == 1 and feeders and (entry := _entry_of(complete[0])) is not None:
            found.append(_request(entry, [*feeders, complete[0]]))
            complete = []
        return [_Group(None, [part]) for part in (*complete, *alone)]
    if not any(part.roles & (_RETRIEVAL | {Role.TOOL}) for part in group.parts) or _is_batch(group.parts):
        return _calls_beside(group, found)
    if runs := _runs(group.parts):
        found += [_request(agent, [part]) for agent, part in zip(runs, group.parts, strict=True)]
        return []
    found.append(_request(_common_entry(group), group.parts, group.steps))
    return []


def _calls_beside(group: _Group, found: list[Request]) -> list[_Group]:
    """Model calls beside each other: each for itself, but for those that are attempts at one reply."""
    attempts = _attempts(group.parts)
    for parts in attempts:
        if len(parts) > 1:
            entry = _common_entry(group) if len(attempts) == 1 else parts[-1]
            found.append(_request(entry, parts))
    return [_Group(None, parts) for parts in attempts if len(parts) == 1]


def _attempts(parts: Sequence[Node]) -> list[list[Node]]:
    """Model calls, those without a reply together with the next one of the same prompt.

    That is a retry, or the span of a streamed reply, which Logfire writes when the stream has ended.
    """
    attempts: list[list[Node]] = []
    silent: dict[Sequence[Message], list[Node]] = {}
    for part in sorted(parts, key=lambda part: part.order):
        prompt = part.get(PROMPT) if part.role is Role.MODEL else None
        earlier = silent.pop(prompt, None) if prompt else None
        if earlier is None:
            attempts.append(earlier := [])
        earlier.append(part)
        if prompt and part.get(OUTPUT) is None:
            silent[prompt] = earlier
    return attempts


def _is_complete(part: Node) -> bool:
    """Whether it retrieves and answers; models inside a retriever only make up queries."""
    return part.role not in _RETRIEVAL and Role.MODEL in part.roles and bool(part.roles & _RETRIEVAL)


def _is_batch(parts: Sequence[Node]) -> bool:
    """Whether several chains that retrieve say their own question and answer: their model calls have no spans."""
    if any(Role.MODEL in part.roles for part in parts):
        return False
    chains = [part for part in parts if part.role is Role.CHAIN and _is_retrieval_only(part)]
    asked = [chain.get(QUESTION) for chain in chains if chain.find(ANSWER) is not None]
    return len(asked) > 1 and None not in asked and len(set(asked)) == len(asked)


def _runs(parts: Sequence[Node]) -> Sequence[Node]:
    """The agents of which each part holds one, where these are requests of their own; else none.

    What stood above them and was lost may have been the request that they are parts of.
    """
    if any(part.parent is None and lost_its_parent(part) for part in parts):
        return ()
    agents = [agent for part in parts if (agent := _entry_of(part)) is not None]
    return agents if len(agents) == len(parts) and are_runs(agents) else ()


def _is_retrieval_only(part: Node) -> bool:
    return (Role.MODEL not in part.roles or part.role in _RETRIEVAL) and bool(part.roles & _RETRIEVAL)


def _stands_alone(part: Node) -> bool:
    """Whether an incomplete part beside complete ones is a request: a chain whose retrieval failed, or a chat."""
    if Role.CHAIN not in part.roles:
        return False
    return not _is_retrieval_only(part) or any(node.failed for node in part.subtree())


def _entry_of(part: Node) -> Node | None:
    """The topmost span of an LLM application in a part that has only one; None when several stand beside each other."""
    while part.role in _WRAPPERS:
        inner = [child for child in part.children if child.relevant]
        if len(inner) != 1:
            return None
        part = inner[0]
    return part


def _common_entry(group: _Group) -> Node:
    """Of parts that are steps of one request: its only chain with a model, else the span above, else the last step."""
    chains = [entry for part in group.parts if (entry := _entry_of(part)) is not None and entry.role is Role.CHAIN]
    answering = [chain for chain in chains if Role.MODEL in chain.roles]
    if len(answering) == 1:
        return answering[0]
    if group.owner is not None:
        return group.owner
    models = [node for part in group.parts for node in part.subtree() if node.role is Role.MODEL]
    candidates = answering or models or list(group.parts)
    return max(candidates, key=lambda node: node.order)


def _request(entry: Node, parts: Sequence[Node], steps: Sequence[Node] = ()) -> Request:
    members = {entry, *[node for part in (*parts, *steps) for node in part.subtree()]}
    pieces = tuple(parts) if len(parts) > 1 else ()
    return Request(entry, tuple(sorted(members, key=attrgetter("order"))), pieces)
