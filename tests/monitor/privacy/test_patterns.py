from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from monitor.privacy.patterns import Pattern, Span, join


def test_a_hit_is_the_group_hit_where_there_is_one() -> None:
    pattern = Pattern("pin", re.compile(r"PIN (?P<hit>[0-9]+)"))
    assert list(pattern.find("the PIN 123")) == [Span("pin", 8, 11)]


def test_a_pattern_looks_within_bounds_and_knows_what_stands_before_them() -> None:
    pattern = Pattern("x", re.compile("(?<!b)a"))
    assert list(pattern.find("abaaaa", 2, 5)) == [Span("x", 3, 4), Span("x", 4, 5)]


def test_a_match_can_be_refused() -> None:
    pattern = Pattern("even", re.compile("[0-9]"), accept=lambda match: int(match[0]) % 2 == 0)
    assert [span.start for span in pattern.find("1234")] == [1, 3]


def test_overlapping_spans_become_one_of_the_kind_that_covers_most() -> None:
    assert join([Span("b", 3, 9), Span("a", 0, 5), Span("c", 9, 10)]) == [Span("b", 0, 9), Span("c", 9, 10)]


spans = st.lists(
    st.builds(
        lambda kind, start, size: Span(kind, start, start + size),
        st.sampled_from("ab"),
        st.integers(0, 40),
        st.integers(1, 9),
    )
)


@given(spans)
def test_joined_spans_cover_the_same_characters_once_and_in_order(found: list[Span]) -> None:
    joined = join(found)
    covered = [place for span in joined for place in range(span.start, span.end)]
    assert covered == sorted({place for span in found for place in range(span.start, span.end)})


@given(spans, st.randoms(use_true_random=False))
def test_the_covered_characters_do_not_depend_on_the_order(found: list[Span], rng: object) -> None:
    shuffled = sorted(found, key=lambda _span: rng.random())  # type: ignore[attr-defined]  # a random.Random
    assert [(s.start, s.end) for s in join(found)] == [(s.start, s.end) for s in join(shuffled)]
