"""The spans of one trace as a tree that is safe to walk, however broken their parent ids are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from monitor.traces import semconv
from monitor.traces.asking import Known, look
from monitor.traces.conventions.keys import text_of
from monitor.traces.conventions.registry import KNOWN
from monitor.traces.reading import FAILURE, WORK, Field, Found, Role, T
from monitor.wire import Span, SpanStatus

_CLOSED = "GeneratorExit"
_ALONE = {role: frozenset({role}) for role in Role}


class Node:
    """A span in its place. Each field is read once, and only when somebody asks."""

    def __init__(self, span: Span, known: Known = KNOWN) -> None:
        self.span = span
        self.outline = known.outline(span)
        self.asked = self.outline.asked(span)
        self.conventions = self.asked.writers.conventions
        self.role, self.convention = self.asked.read_role(span)
        self.parent: Node | None = None
        self.children: list[Node] = []
        self.depth = 0
        self.order = (span.start_ns, span.end_ns, span.span_id)
        """Place in time; the span id breaks ties, so the order never depends on arrival."""
        self.roles: frozenset[Role] = _ALONE[self.role]
        """The roles in the subtree."""
        self.known_nearest: dict[object, Node | None] = {}
        """What `nearest` found before; the tree must not change any more."""
        self._askable = self.asked.askable(self.role)
        self.sayable = self._askable.fields
        """The fields that the span may hold."""
        self.sayable_above = self.sayable
        """The fields that it or a span above it may hold."""
        self._read: dict[Field[Any], Found[Any] | None] = {}

    def find(self, field: Field[T]) -> Found[T] | None:
        """What the span itself says, and where; None when it does not."""
        rules = self._askable.rules.get(field)
        if rules is None:
            return None  # the usual case: most fields are asked of every span
        if field not in self._read:
            self._read[field] = look(self.span, field, rules)
        return self._read[field]

    def get(self, field: Field[T]) -> T | None:
        """What the span itself says; None when it does not."""
        found = self.find(field)
        return None if found is None else found.value

    def find_above(self, field: Field[T]) -> Found[T] | None:
        """What the span says, else the nearest one above it that says it."""
        if field not in self.sayable_above:
            return None
        node = self.nearest(lambda above: above.find(field) is not None, field)
        return None if node is None else node.find(field)

    @property
    def is_mapped(self) -> bool:
        """Whether a mapping of the user is meant for the span: such stand in front of the conventions."""
        return bool(self.conventions) and self.conventions[0].matches is not None

    @property
    def may_run_beside(self) -> bool:
        """Whether any of its conventions has spans that hang below one that they ran beside."""
        return bool(self.asked.beside)

    def runs_beside(self, parent: Node) -> bool:
        """Whether it hangs below this span though both ran side by side, by its convention."""
        return any(told(self.span, parent.span) for told in self.asked.beside)

    @property
    def failed(self) -> bool:
        """Whether the span failed, by its status or in its convention's own words.

        A stream that its reader closed is none, though Python closes a generator by an exception.
        """
        marked = self.span.status is SpanStatus.ERROR or self.find(FAILURE) is not None
        return marked and not _was_closed(self.span)

    @property
    def relevant(self) -> bool:
        """Whether the subtree holds a span of an LLM application."""
        return Role.CHAIN in self.roles or bool(self.roles & WORK)

    def ancestors(self) -> Iterator[Node]:
        """The spans above, nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def nearest(self, wanted: Callable[[Node], bool], name: object = None) -> Node | None:
        """The span itself or the nearest one above it that is wanted; None without one.

        Every span is asked once by each predicate (or each `name`, for predicates made anew): many requests below one
        deep chain take linear time together.
        """
        key = wanted if name is None else name
        path: list[Node] = []
        node: Node | None = self
        while node is not None and key not in node.known_nearest:
            path.append(node)
            node = node.parent
        found = None if node is None else node.known_nearest[key]
        for below in reversed(path):
            found = below.known_nearest[key] = below if wanted(below) else found
        return found

    def subtree(self) -> Iterator[Node]:
        """The span and all below it, parents before children."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            if node.children:
                waiting += node.children

    def below(self) -> Iterator[Node]:
        """All spans below it."""
        return (node for node in self.subtree() if node is not self)


@dataclass(frozen=True, slots=True)
class Forest:
    """The spans of a trace: the roots that are left, what was cut out of them, and all that are left; oldest first."""

    roots: tuple[Node, ...]
    cut: tuple[Node, ...]
    nodes: tuple[Node, ...]


def grow(spans: Iterable[Span], is_foreign: Callable[[Node], bool], known: Known = KNOWN) -> Forest:
    """The tree of a trace, without foreign spans and all below them.

    A span whose parent is not there is a root; a ring of parents is opened at its oldest span. Of two spans with one id
    the fuller one is kept.
    """
    nodes: dict[str, Node] = {}
    for span in spans:
        node = Node(span, known)
        twin = nodes.setdefault(span.span_id, node)
        if twin is not node and _fuller(node) < _fuller(twin):
            nodes[span.span_id] = node
    ordered = sorted(nodes.values(), key=_order)
    parents: dict[str, Node | None] = {}
    for node in ordered:
        parent = _parent_of(node, nodes, parents) if node.may_run_beside else nodes.get(node.span.parent_id)
        if parent is not None and parent is not node:
            node.parent = parent
            parent.children.append(node)
    roots = _open_rings(ordered)
    below = [node for root in roots for node in root.subtree()]
    _sum_up(below)
    cut = {node: None for node in below if is_foreign(node)}
    if not cut:  # the usual case
        return Forest(tuple(sorted(roots, key=_order)), (), tuple(ordered))
    for parent in {node.parent: None for node in cut}:
        if parent is not None:
            parent.children = [child for child in parent.children if child not in cut]
    left = tuple(sorted((root for root in roots if root not in cut), key=_order))
    kept = [node for root in left for node in root.subtree()]
    _sum_up(kept)
    return Forest(left, tuple(cut), tuple(sorted(kept, key=_order)))


def _fuller(node: Node) -> tuple[int, tuple[int, int, str]]:
    """Of two spans with one id the fuller one comes first, then the earlier one."""
    return (-len(node.span.attributes), node.order)


def _parent_of(node: Node, nodes: Mapping[str, Node], known: dict[str, Node | None]) -> Node | None:
    """The span above, past those that the span runs beside by its convention. Linear in all: `known` has the rest."""
    path = []
    at = node
    while at.span.span_id not in known:
        parent = known[at.span.span_id] = nodes.get(at.span.parent_id)
        if parent is None or not at.runs_beside(parent):
            break
        path.append(at)
        at = parent
    for below in path:
        known[below.span.span_id] = known[at.span.span_id]
    return known[node.span.span_id]


def outermost(nodes: Iterable[Node]) -> list[Node]:
    """The nodes that have none of the others above them. Linear in the size of the tree."""
    chosen = dict.fromkeys(nodes)
    top = min((node.depth for node in chosen), default=0)  # higher up there is none of them
    covered: dict[Node | None, bool] = dict.fromkeys(chosen, True)
    found = []
    for node in chosen:
        path, above = [], node.parent
        while above is not None and above not in covered and above.depth >= top:
            path.append(above)
            above = above.parent
        is_covered = covered.get(above, False)
        covered |= dict.fromkeys(path, is_covered)
        if not is_covered:
            found.append(node)
    return found


def above_any(nodes: Iterable[Node], within: Iterable[Node]) -> set[Node]:
    """All nodes of a request that stand above one of these. Linear in the size of the request."""
    inside = frozenset(within)
    found: set[Node] = set()
    for node in nodes:
        for above in node.ancestors():
            if above in found or above not in inside:
                break
            found.add(above)
    return found


def _was_closed(span: Span) -> bool:
    """Whether a generator was closed and nothing else went wrong; LangSmith packs the exception into another's text."""
    thrown = [event.attributes for event in span.events if event.name == semconv.EXCEPTION_EVENT]
    if not thrown:
        return text_of(span.attributes, semconv.ERROR_TYPE) == _CLOSED
    return all(
        text_of(held, semconv.EXCEPTION_TYPE) == _CLOSED
        or (text_of(held, semconv.EXCEPTION_MESSAGE) or "").startswith(f"{_CLOSED}()")
        for held in thrown
    )


def _order(node: Node) -> tuple[int, int, str]:
    return node.order


def _open_rings(ordered: Sequence[Node]) -> list[Node]:
    roots = [node for node in ordered if node.parent is None]
    if all(node.parent is None or node.parent.order < node.order for node in ordered):
        return roots  # the usual case: in a ring somebody began before the one above
    reached = {id(node) for root in roots for node in root.subtree()}
    if len(reached) == len(ordered):
        return roots  # the usual case
    for node in ordered:
        if id(node) not in reached and node.parent is not None:  # no root leads here
            node.parent.children.remove(node)
            node.parent = None
            roots.append(node)
            reached.update(id(below) for below in node.subtree())
    return roots


def _sum_up(nodes: Sequence[Node]) -> None:
    """Fill in depth and roles of whole subtrees, whose nodes stand in the order of `Node.subtree`."""
    for node in nodes:
        if node.parent is not None:
            node.depth = node.parent.depth + 1
            above = node.parent.sayable_above
            node.sayable_above = above if node.sayable <= above else above | node.sayable
        node.roles = _ALONE[node.role]
    for node in reversed(nodes):
        if node.parent is not None and not node.roles <= node.parent.roles:
            node.parent.roles |= node.roles
