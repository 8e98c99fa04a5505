from __future__ import annotations

from monitor.traces.reading import SESSION_ID, USER_ID, Role
from monitor.traces.tree import Forest, Node, above_any, grow, outermost
from monitor.wire import Span
from tests.monitor.traces.spans import chat, retrieval, span


def _retrieves(node: Node) -> bool:
    return node.role is Role.RETRIEVER


def _grow(*spans: Span) -> Forest:
    return grow(spans, lambda node: node.span.name == "foreign")


def _shape(node: Node) -> dict[str, object]:
    return {child.span.span_id: _shape(child) for child in node.children}


def test_a_span_whose_parent_is_not_there_is_a_root() -> None:
    forest = _grow(span("a", "gone", 2), span("b", "a", 3), span("c", at=1))
    assert [root.span.span_id for root in forest.roots] == ["c", "a"]
    assert _shape(forest.roots[1]) == {"b": {}}


def test_a_ring_is_opened_at_its_oldest_span() -> None:
    forest = _grow(span("a", "c", 1), span("b", "a", 2), span("c", "b", 3), span("self", "self", 4))
    assert [root.span.span_id for root in forest.roots] == ["a", "self"]
    assert _shape(forest.roots[0]) == {"b": {"c": {}}}


def test_of_two_spans_with_one_id_the_fuller_one_is_kept() -> None:
    forest = _grow(span("a", attributes={}), span("a", attributes={"x": 1}))
    assert [node.span.attributes for node in forest.nodes] == [{"x": 1}]


def test_foreign_spans_go_with_all_below_them() -> None:
    forest = _grow(span("a"), span("b", "a", name="foreign"), chat("c", "b"), retrieval("d", "a"))
    assert [node.span.span_id for node in forest.nodes] == ["a", "d"]
    assert forest.roots[0].roles == {Role.OTHER, Role.RETRIEVER}


def test_nodes_know_their_depth_and_the_roles_below() -> None:
    forest = _grow(span("a"), span("b", "a"), chat("c", "b"))
    assert [(node.span.span_id, node.depth) for node in forest.nodes] == [("a", 0), ("b", 1), ("c", 2)]
    assert forest.roots[0].relevant
    assert not _grow(span("a")).roots[0].relevant


def test_outermost_nodes_have_no_other_above() -> None:
    (root,) = _grow(span("a"), retrieval("b", "a"), span("c", "b"), retrieval("d", "c"), retrieval("e", "a", 5)).roots
    retrievers = [node for node in root.subtree() if node.role is Role.RETRIEVER]
    assert {node.span.span_id for node in outermost(retrievers)} == {"b", "e"}
    assert {node.span.span_id for node in above_any(retrievers, root.subtree())} == {"a", "b", "c"}
    assert {node.span.span_id for node in above_any(retrievers, root.below())} == {"b", "c"}


def test_the_nearest_wanted_span_is_the_span_itself_or_one_above() -> None:
    (root,) = _grow(span("a"), retrieval("b", "a"), span("c", "b"), retrieval("d", "c"), span("e", "a", 5)).roots
    nodes = {node.span.span_id: node for node in root.subtree()}
    found = {name: node.nearest(_retrieves) for name, node in nodes.items()}
    assert found == {"a": None, "b": nodes["b"], "c": nodes["b"], "d": nodes["d"], "e": None}


def test_facts_come_from_the_nearest_span_that_says_them() -> None:
    (root,) = _grow(
        span("a", attributes={"session.id": "s", "user.id": "u"}),
        span("b", "a", attributes={"user.id": "v"}),
        span("c", "b"),
        span("d", "a"),
    ).roots
    fields = (SESSION_ID, USER_ID)
    found = {node.span.span_id: [node.find_above(field) for field in fields] for node in root.subtree()}
    users = {name: tuple(one.value for one in both if one is not None) for name, both in found.items()}
    assert users == {"a": ("s", "u"), "b": ("s", "v"), "c": ("s", "v"), "d": ("s", "u")}
