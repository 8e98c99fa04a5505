from __future__ import annotations

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.quality.grid import ONE
from monitor.quality.histogram import Histogram
from tests.monitor.quality.verdicts import histogram_of

CASES = st.lists(st.tuples(st.floats(0, 1), st.integers(1, 10**9)), max_size=40)


@given(CASES, CASES)
def test_merging_is_counting_everything_in_one_and_leaves_the_argument_unchanged(
    ours: list[tuple[float, int]], theirs: list[tuple[float, int]]
) -> None:
    left, right = histogram_of(ours), histogram_of(theirs)
    before = deepcopy(right)

    left.merge(right)

    assert left == histogram_of(ours + theirs)
    assert right == before
    left.merge(right)  # no cell is shared between the two
    assert right == before


@given(CASES, st.randoms(use_true_random=False))
def test_the_order_of_cases_does_not_matter(cases: list[tuple[float, int]], random: object) -> None:
    shuffled = list(cases)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a Random

    assert histogram_of(shuffled) == histogram_of(cases)


@given(CASES)
def test_cells_and_moments_hold_the_same_weights(cases: list[tuple[float, int]]) -> None:
    histogram = histogram_of(cases)
    cells = histogram.cells.values()

    assert sum(cell.count for cell in cells) == histogram.moments.count == len(cases)
    assert sum(cell.weight for cell in cells) == histogram.moments.weight == sum(w for _, w in cases)
    assert sum(cell.square for cell in cells) == histogram.moments.square == sum(w * w for _, w in cases)


@pytest.mark.parametrize(("x", "weight"), [(-1, 1), (ONE + 1, 1), (0, 0), (0, -3)])
def test_what_cannot_be_counted_is_refused(x: int, weight: int) -> None:
    histogram = Histogram()

    with pytest.raises(ValueError, match="cannot be counted"):
        histogram.add(x, weight)
    assert histogram == Histogram()
