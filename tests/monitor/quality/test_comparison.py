from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.quality.comparison import Given, Pair, compare, mean_difference, nominal_kappa
from monitor.records import Outcome
from monitor.snapshot import Estimate


def side(score: float | None, label: str = "", judge: str = "a", fingerprint: str = "f0") -> Given:
    outcome = Outcome.JUDGE_ERROR if score is None else Outcome.SCORED
    return Given(judge, fingerprint, calibrated=False, outcome=outcome, score=score, label=label)


def pair(one: float | None, other: float | None, **more: object) -> Pair:
    return Pair(side(one), side(other, judge="b", fingerprint="f1")._replace(**more))  # type: ignore[arg-type] # real fields


@given(st.lists(st.tuples(st.floats(-1, 1), st.integers(1, 100)), min_size=1, max_size=50))
def test_a_difference_lies_in_its_interval_and_between_the_ends(changes: list[tuple[float, int]]) -> None:
    found = mean_difference(changes)
    assert found is not None
    assert -1 <= found.lower <= found.value <= found.upper <= 1
    weight = sum(weight for _, weight in changes)
    assert math.isclose(found.value, sum(d * w for d, w in changes) / weight, abs_tol=1e-8)


@given(st.lists(st.tuples(st.floats(-1, 1), st.integers(1, 100)), min_size=1, max_size=50))
def test_who_is_called_the_candidate_only_turns_the_sign(changes: list[tuple[float, int]]) -> None:
    one, other = mean_difference(changes), mean_difference([(-change, weight) for change, weight in changes])
    assert one is not None
    assert other is not None
    assert (one.value, one.lower, one.upper) == pytest.approx((-other.value, -other.upper, -other.lower), abs=1e-7)


def test_judges_that_always_agree_differ_by_nothing_but_not_for_certain() -> None:
    found = mean_difference([(0.0, 1)] * 100)
    assert found is not None
    assert found.value == 0
    assert 0.01 < found.upper < 0.05
    assert found.lower == pytest.approx(-found.upper)


def test_no_pairs_no_difference() -> None:
    assert mean_difference([]) is None


@pytest.mark.parametrize("n", [30, 100, 300])
@pytest.mark.parametrize("shift", [0.0, 0.03, 0.2])
def test_the_interval_of_a_difference_holds_the_true_one_in_95_of_100_samples(n: int, shift: float) -> None:
    """Judges of the same answers with scores of 0, 0.5 and 1, of which the second now and then gives a step less."""
    rng = np.random.default_rng(11)
    held = 0
    for _ in range(400):
        drop = rng.random(n) < shift
        noise = rng.choice([-0.5, 0.0, 0.5], n, p=[0.05, 0.9, 0.05])
        found = mean_difference([(float(x), 1) for x in noise - 0.5 * drop * (noise > -0.5)])
        assert found is not None
        held += found.lower <= -0.5 * shift * 0.95 <= found.upper
    assert held / 400 >= 0.93


def test_kappa_is_1_when_always_the_same_and_0_as_by_chance() -> None:
    assert nominal_kappa([("x", "x"), ("y", "y")]) == 1
    assert nominal_kappa([("x", "x"), ("x", "y"), ("y", "x"), ("y", "y")]) == 0
    assert nominal_kappa([("x", "y"), ("y", "x")]) == -1
    assert nominal_kappa([("x", "x")] * 9) is None
    assert nominal_kappa([]) is None


def test_only_requests_that_both_scored_are_pairs_and_what_is_missing_is_told() -> None:
    (found,) = compare("faithfulness", [pair(1.0, 0.5), pair(0.0, None), pair(None, 0.5), pair(0.5, 0.5)])
    assert (found.requests, found.pairs) == (4, 2)
    assert (found.incumbent.scored, found.incumbent.missing, found.incumbent.mean) == (3, 1, 0.75)
    assert (found.candidate.scored, found.candidate.missing, found.candidate.mean) == (3, 1, 0.5)
    assert found.difference is not None
    assert found.difference.value == pytest.approx(-0.25)


def test_a_pair_stands_for_as_many_requests_as_the_rarer_of_both_verdicts() -> None:
    pairs = [pair(1.0, 0.0, weight=10), pair(1.0, 1.0, weight=30)]
    (found,) = compare("faithfulness", pairs)
    assert found.difference is not None
    assert found.difference.value == pytest.approx(-0.25)
    assert (found.incumbent.mean, found.candidate.mean) == (1.0, 0.75)  # or their difference would be another one


def test_labels_are_compared_where_all_have_one_else_the_cut_at_one_half() -> None:
    labelled = [Pair(side(0.9, "faithful"), side(0.9, "unfaithful")), Pair(side(0.2, "unfaithful"), side(0.4, "x"))]
    (by_label,) = compare("faithfulness", labelled)
    (by_half,) = compare("faithfulness", [*labelled, Pair(side(0.9), side(0.8, "faithful"))])
    assert (by_label.words, by_label.agreement and by_label.agreement.value) == ("label", 0.0)
    assert (by_half.words, by_half.agreement and by_half.agreement.value) == ("below_half", 1.0)


def test_two_fingerprints_are_never_mixed_and_the_comparison_that_goes_on_comes_first() -> None:
    first, second = pair(1.0, 0.0), pair(1.0, 1.0)._replace(candidate=side(1.0, judge="b", fingerprint="f2"))
    found = compare("faithfulness", [first, first, second])
    assert [(one.candidate.fingerprint, one.pairs) for one in found] == [("f2", 1), ("f1", 2)]


def test_without_any_pair_the_numbers_about_pairs_are_absent() -> None:
    (found,) = compare("faithfulness", [pair(None, 1.0)])
    assert (found.pairs, found.difference, found.spearman, found.agreement, found.kappa) == (0, None, None, None, None)
    assert compare("faithfulness", []) == ()


def test_cost_and_latency_of_each_judge_are_told() -> None:
    costly = {"cost": 0.25, "calls": 1, "tokens": 700, "latency_s": 2.0}
    (found,) = compare("faithfulness", [pair(1.0, 1.0, **costly), pair(1.0, None, **costly)])
    told = found.candidate
    assert (told.cost, told.calls, told.tokens, told.latency_s) == (0.5, 2, 1400, 2.0)
    assert found.incumbent.cost == 0
    assert isinstance(found.agreement, Estimate)


def test_judges_that_nobody_tells_apart_are_not_compared() -> None:
    assert compare("faithfulness", [pair(0.5, 0.5, fingerprint="00000000abcd")] * 60) == ()
    (made,) = compare("faithfulness", [pair(0.5, 0.5, fingerprint="00000000abcd"), pair(0.5, 0.5)])
    assert made.requests == 1
