from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from exporters.growing import GrowingRows

STEPS = st.lists(st.dictionaries(st.sampled_from("abcd"), st.integers(0, 9)), min_size=1, max_size=12)
"""For each page, the parts that are there and how much each grew. One that comes again begins at zero."""


def test_what_never_falls_is_shown_as_it_is() -> None:
    rows = GrowingRows()
    for value in (0.1, 0.1 + 0.2, 7.7):
        assert rows.grown("row", (value, 1)) == (value, 1)
        rows.end_page()


def test_a_row_that_missed_a_page_begins_anew() -> None:
    rows = GrowingRows()
    shown = []
    for value in (5, None, 3):
        shown += [] if value is None else [rows.grown("row", (value,))]
        rows.end_page()
    assert shown == [(5,), (3,)]


@given(STEPS)
def test_a_sum_whose_parts_come_and_go_grows_by_no_more_than_they_did(steps: list[dict[str, int]]) -> None:
    rows, parts = GrowingRows(), dict[str, int]()
    shown: list[float] = []
    for step in steps:
        parts = {name: parts.get(name, 0) + more for name, more in step.items()}
        shown += rows.grown("other", (sum(parts.values()),))
        rows.end_page()
    grown = [after - before for before, after in itertools.pairwise(shown)]
    assert all(0 <= seen <= sum(step.values()) for seen, step in zip(grown, steps[1:], strict=True))
