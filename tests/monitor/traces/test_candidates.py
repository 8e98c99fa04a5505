"""The first candidate that is not passed over counts, and nothing behind it is computed."""

from __future__ import annotations

from collections.abc import Iterator

from monitor.traces.candidates import Candidate, accepted, first, said
from monitor.traces.reading import QUERY, QUESTION
from monitor.traces.tree import Node
from tests.monitor.traces.spans import retrieval


def test_nothing_behind_the_first_that_can_be_taken_is_computed() -> None:
    def candidates() -> Iterator[Candidate[str]]:
        yield Candidate("rewritten", (), "not the user's words")
        yield Candidate("Who may ride?")
        raise AssertionError

    assert first(candidates()) == "Who may ride?"
    assert accepted(candidates()) == Candidate("Who may ride?")


def test_without_a_candidate_that_can_be_taken_there_is_no_value() -> None:
    refused = [Candidate("rewritten", (), "not the user's words")]
    assert (first(refused), accepted(refused)) == (None, Candidate(None))


def test_a_span_gives_a_candidate_only_for_what_it_says() -> None:
    node = Node(retrieval("a"))
    assert [(one.value, one.found[0].where) for one in said(node, QUERY)] == [
        ("Who may ride?", "gen_ai.retrieval.query.text")
    ]
    assert list(said(node, QUESTION)) == []
