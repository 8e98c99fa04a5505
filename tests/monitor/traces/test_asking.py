"""Which conventions and rules are asked of a span: those that may have something to say, and no others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from monitor.traces.asking import Known
from monitor.traces.conventions.registry import CONVENTIONS
from monitor.traces.reading import ANSWER, QUERY, QUESTION, Convention, Role, Rule, says
from monitor.wire import Span, SpanEvent
from tests.monitor.traces.captures import NAMES, load
from tests.monitor.traces.spans import span


def _says_so(_span: Span) -> str:
    return "said"


MADE_UP = Convention(
    name="made_up",
    version="1",
    heads=frozenset({"made"}),
    role=lambda _span: Role.CHAIN,
    texts={
        Role.CHAIN: (
            says(QUESTION, Rule("asked", _says_so, ("made.question", "made.list.*", "*.asked"))),
            says(ANSWER, Rule("event reply", _says_so, events=("reply",))),
            says(QUERY, Rule("anything", _says_so)),
        )
    },
    marks=("made.kind",),
)


def _asked(read: Span) -> set[str]:
    """The names of the fields that the span is asked for as a chain."""
    return {field.name for field in Known((MADE_UP,)).outline(read).asked(read).askable(Role.CHAIN).fields}


def test_a_rule_is_asked_of_spans_that_have_what_it_needs() -> None:
    assert _asked(span("a", attributes={"made.up": 1})) == {"query"}
    assert _asked(span("a", attributes={"made.question": None})) == {"query", "question"}
    assert _asked(span("a", attributes={"made.list.0.text": "x"})) == {"query", "question"}
    assert _asked(span("a", attributes={"made.up.asked": "x"})) == {"query", "question"}
    assert _asked(span("a", attributes={"made.lists": "x", "made.asked.up": "x"})) == {"query"}


def test_an_event_will_do_where_a_rule_names_it() -> None:
    events = (SpanEvent("reply", 1, {}), SpanEvent("other", 2, {}))
    assert _asked(span("a", attributes={"made.up": 1}, events=events)) == {"query", "answer"}


def test_a_convention_tells_the_role_of_spans_with_its_marks_only() -> None:
    known = Known((MADE_UP,))
    for attributes, role in (({"made.kind": "x"}, Role.CHAIN), ({"made.up": "x"}, Role.OTHER)):
        read = span("a", attributes=attributes)
        assert known.outline(read).asked(read).read_role(read)[0] is role


@pytest.mark.parametrize("one", [one for one in CONVENTIONS if one.marks], ids=lambda one: one.name)
def test_a_convention_has_nothing_to_say_of_a_span_without_its_marks(one: Convention) -> None:
    """Whatever else stands in it: else the marks would hide what it knows."""
    starts = tuple(mark.removesuffix("*") for mark in one.marks)
    for read in (read for name in NAMES for trace in load(name).traces for read in trace.spans):
        kept = {key: value for key, value in read.attributes.items() if not key.startswith(starts)}
        bare = replace(read, attributes=kept)
        assert (one.role(bare), one.hides(bare), one.shows(bare)) == (None, False, None)
        assert one.runs_beside is None or not one.runs_beside(bare, read)


def test_no_rule_finds_anything_in_a_span_without_what_it_needs() -> None:
    """Else it would be found or not by chance: what is asked follows from the needs."""
    empty = span("a", attributes={})
    rules = [rule for one in CONVENTIONS for rule in one.all_rules() if rule.needs or rule.events]
    assert [rule.where for rule in rules if rule.read(empty) is not None] == []
