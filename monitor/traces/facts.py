"""What a request says besides its texts: model, versions, session, user, tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, takewhile

from monitor.traces.answers import Calls
from monitor.traces.candidates import Candidate, said
from monitor.traces.conventions.keys import text_of
from monitor.traces.reading import Field, Found, Role, T
from monitor.traces.requests import Request
from monitor.traces.tree import Node


class Facts:
    """Reads facts of one request; of the model, what the final call and its wrappers say."""

    def __init__(self, request: Request, calls: Calls) -> None:
        self._request = request
        self._calls = calls
        # most facts are said by no span: those are not looked for
        self._sayable = request.entry.sayable_above | request.sayable
        leading = calls.final or (calls.inner[-1] if calls.inner else None)
        self._models: tuple[Node, ...] = ()
        if leading is not None:
            inside = frozenset(request.members)  # above a request stands no model
            wrappers = takewhile(inside.__contains__, leading.ancestors())
            silent = [node for node in calls.inner if node is not leading and leading in node.ancestors()]
            self._models = (leading, *(node for node in wrappers if node.role is Role.MODEL), *silent)

    def around(self, field: Field[T]) -> Iterator[Candidate[T]]:
        """What the entry says, its surroundings, or else any span, the last one first."""
        return self._around(field) if field in self._sayable else iter(())

    def _around(self, field: Field[T]) -> Iterator[Candidate[T]]:
        nearest = self._request.entry.find_above(field)
        if nearest is not None:
            yield Candidate(nearest.value, (nearest,))
        for node in reversed(self._request.members):
            found = node.find(field)
            if found is not None and found is not nearest:
                yield Candidate(found.value, (found,))

    def of_model(self, field: Field[T]) -> Iterator[Candidate[T]]:
        """What the final call says; of a request without a model call, what any span says but for steps.

        The model of an embedding is not the one that answered.
        """
        if field not in self._sayable:
            return iter(())
        if not self._models:
            steps = frozenset(node.span.span_id for node in self._request.having(Role.STEP))
            return (one for one in self.around(field) if steps.isdisjoint(found.span.span_id for found in one.found))
        return chain.from_iterable(said(node, field) for node in self._models)

    def total(self, field: Field[int]) -> Iterator[Candidate[int]]:
        """The sum over the innermost model calls, where any of them says it."""
        return self._total(field) if field in self._sayable else iter(())

    def _total(self, field: Field[int]) -> Iterator[Candidate[int]]:
        known = [found for node in self._last_of_loops() if (found := node.find(field)) is not None]
        if not known:
            known = [found for node in self._around_calls(field) if (found := node.find(field)) is not None]
        if known:
            yield Candidate(sum([found.value for found in known]), tuple(known))
        for node in self._request.members:
            found = None if node in self._calls.inner else node.find(field)
            if found is not None and found not in known:
                yield Candidate(found.value, (found,), "no innermost model call: it would count twice")

    def _last_of_loops(self) -> Iterable[Node]:
        """The innermost calls; of those below a span that has them add up the last one only."""
        calls = self._calls.inner
        if len(calls) == 1:
            return calls  # the usual case
        return {_loop_of(node) or node: node for node in calls}.values()

    def _around_calls(self, field: Field[int]) -> Iterable[Node]:
        """The spans around the innermost calls, which may not say it themselves; without a call the entry."""
        if not self._calls.inner:
            return (self._request.entry,)
        nearest = (node.nearest(lambda above: _says(above, field), (field, Role.MODEL)) for node in self._calls.inner)
        return dict.fromkeys(node for node in nearest if node is not None)

    def resource(self, *keys: str) -> Iterator[Candidate[str]]:
        """What the resource of the entry says: the first of the keys that holds a text."""
        span = self._request.entry.span
        for key in keys:
            text = text_of(span.resource, key)
            if text is not None:
                yield Candidate(text, (Found(text, span, f"resource {key}", ""),))


def _loop_of(call: Node) -> Node | None:
    """The span right above a call whose calls add up."""
    parent = call.parent
    adds_up = parent is not None and any(convention.adds_up(parent.span) for convention in parent.conventions)
    return parent if adds_up else None


def _says(node: Node, field: Field[int]) -> bool:
    return node.role is Role.MODEL and node.find(field) is not None
