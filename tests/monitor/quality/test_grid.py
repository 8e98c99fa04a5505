from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.quality.grid import ONE, STEP, bin_of, to_billionths

SCORES = st.floats(0, 1)


@pytest.mark.parametrize("score", [0.0, 1.0, 0.5, 0.005, 0.995, *(k / d for d in range(1, 17) for k in range(d + 1))])
def test_shares_of_up_to_sixteen_claims_are_exact(score: float) -> None:
    billionths = to_billionths(score)

    assert bin_of(billionths) == billionths
    assert billionths / ONE == pytest.approx(score, abs=5e-10)


def test_a_share_computed_another_way_is_the_same_atom() -> None:
    assert to_billionths(1 - 2 / 3) == to_billionths(1 / 3)


def test_a_rounded_third_goes_to_the_middle_of_its_step() -> None:
    assert bin_of(to_billionths(0.333)) == 332_500_000


@given(SCORES)
def test_a_score_moves_by_no_more_than_half_a_step(score: float) -> None:
    assert abs(bin_of(to_billionths(score)) - to_billionths(score)) <= STEP // 2


@given(SCORES, st.integers(0, 200))
def test_no_score_crosses_a_multiple_of_the_step(score: float, line: int) -> None:
    x, edge = to_billionths(score), line * STEP

    assert (bin_of(x) < edge, bin_of(x) > edge) == (x < edge, x > edge)


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, -1e-9, 1.0000001])
def test_what_is_no_score_is_refused(score: float) -> None:
    with pytest.raises(ValueError, match="outside 0 to 1"):
        to_billionths(score)


def test_there_are_at_most_457_bins() -> None:
    assert (
        len({bin_of(x) for x in range(0, ONE + 1, 100_000)} | {bin_of(to_billionths(k / 16)) for k in range(17)}) < 457
    )
