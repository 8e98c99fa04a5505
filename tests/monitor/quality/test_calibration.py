from __future__ import annotations

import math
from dataclasses import astuple, replace
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from monitor.quality.calibration import Fitted, Missing, Pair, ceiling, fit, flag_rates, kappa, threshold
from monitor.quality.stats import kendall, prevalence, spearman
from monitor.snapshot import Estimate

SCORES = st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 1.0])
GRADES = st.sampled_from([0.0, 0.5, 1.0])
PAIRS = st.lists(st.builds(Pair, GRADES, SCORES, SCORES, st.sampled_from(["en", "zh"])), max_size=40)
MISSING = st.lists(st.builds(Missing, st.booleans(), st.sampled_from(["en", "zh", "de"])), max_size=5)


def cut(deciding: list[float], bad: list[bool]) -> float | None:
    return threshold(np.array(deciding, dtype=np.float64), np.array(bad, dtype=bool))


def separated(n: int) -> list[Pair]:
    """A judge that is right: bad answers at 0.2, good ones at 0.8, with a little spread."""
    return [Pair(float(i % 2), 0.2 + 0.6 * (i % 2) + i / 1000, 0.2 + 0.6 * (i % 2) + i / 1000, "en") for i in range(n)]


def numbers(part: object) -> list[float]:
    if isinstance(part, dict):
        return numbers(list(part.values()))
    if isinstance(part, tuple | list):
        return [number for item in part for number in numbers(item)]
    return [part] if isinstance(part, float) else []


# ------------------------------------------------------------------------------------------------------- the whole


@settings(max_examples=40)
@given(PAIRS, MISSING, st.randoms(use_true_random=False))
def test_the_order_of_the_answers_does_not_matter(pairs: list[Pair], missing: list[Missing], random: Random) -> None:
    shuffled, lost = random.sample(pairs, len(pairs)), random.sample(missing, len(missing))
    assert fit(shuffled, lost) == fit(pairs, missing)


@settings(max_examples=40)
@given(PAIRS, MISSING)
def test_every_number_is_finite_and_every_interval_holds_its_value(pairs: list[Pair], missing: list[Missing]) -> None:
    fitted = fit(pairs, missing)
    assert all(math.isfinite(number) and -1 <= number <= 1 for number in numbers(astuple(fitted)))
    for agreement in (fitted.overall, *fitted.languages.values()):
        held = [agreement.spearman, agreement.kendall]
        for rates in agreement.rates:
            held += [rates.sensitivity, rates.specificity, rates.balanced_accuracy]
            assert rates.bad + rates.good <= agreement.n
        assert all(one.lower <= one.value <= one.upper for one in held if one is not None)


@settings(max_examples=40)
@given(PAIRS, MISSING)
def test_languages_add_up_to_all(pairs: list[Pair], missing: list[Missing]) -> None:
    fitted = fit(pairs, missing)
    parts = fitted.languages.values()
    assert sum(part.n for part in parts) == fitted.overall.n == len(pairs)
    assert sum(part.missing_bad for part in parts) == fitted.overall.missing_bad
    for index, rates in enumerate(fitted.overall.rates):
        counted = [(p.rates[index].bad, p.rates[index].flagged, p.rates[index].passed) for p in parts]
        assert [sum(column) for column in zip(*counted, strict=True)] in ([rates.bad, rates.flagged, rates.passed], [])


def test_a_judge_that_is_right_is_found_to_be() -> None:
    fitted = fit(separated(60))
    rates = fitted.overall.rates_of("threshold")
    assert fitted.threshold is not None
    assert 0.25 < fitted.threshold < 0.8
    assert rates is not None
    assert (rates.bad, rates.flagged, rates.good, rates.passed) == (30, 30, 30, 30)
    assert fitted.overall.kappa == 1.0
    assert fitted.overall.spearman is not None
    assert fitted.overall.spearman.value == pytest.approx(fitted.overall.ceiling, abs=1e-3)


def test_held_out_figures_of_scores_that_know_nothing_are_those_of_a_coin() -> None:
    """The threshold that looks best on such answers is above 0.5 by luck; held out it is not."""
    rng = np.random.default_rng(5)
    held_out, apparent = [], []
    for _ in range(60):
        scores, bad = rng.random(40), rng.random(40) < 0.5
        pairs = [Pair(float(not b), s, s, "en") for s, b in zip(scores.tolist(), bad.tolist(), strict=True)]
        fitted = fit(pairs)
        rates = fitted.overall.rates_of("threshold")
        assert rates is not None
        assert rates.balanced_accuracy is not None
        assert fitted.threshold is not None
        held_out.append(rates.balanced_accuracy.value)
        seen = flag_rates("", [(pair.bad, pair.deciding < fitted.threshold) for pair in pairs]).balanced_accuracy
        assert seen is not None
        apparent.append(seen.value)
    assert np.mean(apparent) > 0.58
    assert abs(np.mean(held_out) - 0.5) < 0.03


@pytest.mark.parametrize(
    "pairs",
    [
        [],
        [Pair(1.0, 0.9, 0.9, "en")],
        [Pair(1.0, 0.9, 0.9, "en")] * 9,
        [Pair(1.0, 0.9, 0.9, "en"), Pair(0.0, 0.9, 0.9, "en")] * 5,
    ],
    ids=["none", "one", "all the same", "scores that are all the same"],
)
def test_where_nothing_varies_there_is_no_threshold_and_no_correlation(pairs: list[Pair]) -> None:
    fitted = fit(pairs)
    assert (fitted.threshold, fitted.overall.spearman, fitted.overall.kendall) == (None, None, None)


def test_with_one_bad_answer_there_is_a_threshold_but_nothing_to_hold_out() -> None:
    fitted = fit([Pair(0.0, 0.1, 0.1, "en"), *[Pair(1.0, 0.8, 0.8, "en"), Pair(1.0, 0.9, 0.9, "en")] * 5])
    rates = fitted.overall.rates_of("threshold")
    assert fitted.threshold == pytest.approx(0.45)
    assert rates is not None
    assert (rates.bad, rates.good, rates.sensitivity, rates.balanced_accuracy) == (0, 0, None, None)


def test_missing_verdicts_are_counted_by_label_and_change_nothing_else() -> None:
    plain, gaps = fit(separated(20)), fit(separated(20), [Missing(bad=True, language="en")] * 3)
    assert (gaps.overall.missing_bad, gaps.overall.missing_good) == (3, 0)
    assert without_gaps(gaps) == without_gaps(plain)


def without_gaps(fitted: Fitted) -> list[float]:
    return numbers(astuple(fitted))


# ------------------------------------------------------------------------------------------------------- threshold


def test_the_threshold_lies_between_the_values_that_it_parts() -> None:
    assert cut([0.2, 0.4, 0.6, 0.8], [True, True, False, False]) == pytest.approx(0.5)


def test_both_kinds_of_answers_weigh_the_same_however_many_there_are() -> None:
    """By accuracy alone one bad answer among a hundred would never be worth a false alarm."""
    assert cut([0.3, *[0.2] * 10, *[0.9] * 90], [True, *[False] * 100]) == pytest.approx(0.6)


@given(st.lists(st.tuples(SCORES, st.booleans()), min_size=1, max_size=30))
def test_no_other_cut_is_better(cases: list[tuple[float, bool]]) -> None:
    found = cut([score for score, _ in cases], [bad for _, bad in cases])
    values = sorted({score for score, _ in cases})
    bad, good = sum(b for _, b in cases), sum(not b for _, b in cases)

    def accuracy(at: float) -> float:
        return sum(b for s, b in cases if s < at) / bad + sum(not b for s, b in cases if s >= at) / good

    if found is None:
        assert not bad or not good or len(values) == 1
    else:
        others = [(low + high) / 2 for low, high in pairwise(values)]
        assert accuracy(found) == pytest.approx(max(map(accuracy, others)))


# --------------------------------------------------------------------------------------------------------- figures


def test_rates_are_wilsons() -> None:
    rates = flag_rates("label", [(True, True)] * 8 + [(True, False)] * 2 + [(False, False)] * 15 + [(False, True)] * 5)
    assert (rates.bad, rates.flagged, rates.good, rates.passed) == (10, 8, 20, 15)
    for share, k, n in ((rates.sensitivity, 8, 10), (rates.specificity, 15, 20)):
        expected = stats.binomtest(k, n).proportion_ci(method="wilson")
        assert share is not None
        assert astuple(share) == pytest.approx((k / n, expected.low, expected.high))
    assert rates.balanced_accuracy is not None
    assert rates.balanced_accuracy.value == pytest.approx(0.775)
    assert 0.58 < rates.balanced_accuracy.lower < 0.59
    assert 0.87 < rates.balanced_accuracy.upper < 0.88


def test_kappa_of_two_grades_is_cohens() -> None:
    """The table 20 5 / 10 15: agreement .70, by chance .50."""
    table = [(0.0, 0.0, 20), (1.0, 0.0, 5), (0.0, 1.0, 10), (1.0, 1.0, 15)]
    scores = [score for score, _, count in table for _ in range(count)]
    labels = [label for _, label, count in table for _ in range(count)]
    assert kappa(scores, labels) == pytest.approx(0.4)


def test_kappa_of_three_grades_weighs_squared_distances() -> None:
    """By hand: neighbours weigh 1/4, the ends 1; seen 11/4 + 1 = 3.75 of 40, by chance 532/40 = 13.3 of 40."""
    counts = [[11, 3, 1], [2, 8, 4], [0, 2, 9]]
    grades = (0.0, 0.5, 1.0)
    cells = [(grades[i], grades[j], counts[i][j]) for i in range(3) for j in range(3)]
    scores = [score for score, _, count in cells for _ in range(count)]
    labels = [label for _, label, count in cells for _ in range(count)]
    assert kappa(scores, labels) == pytest.approx(1 - 3.75 / 13.3)


def test_kappa_takes_a_score_as_the_nearest_grade_of_the_labels() -> None:
    assert kappa([0.1, 0.49, 0.5, 0.9], [0.0, 0.0, 1.0, 1.0]) == 1.0
    assert kappa([0.2, 0.3, 0.74, 0.75], [0.0, 0.5, 0.5, 1.0]) == 1.0


def test_kappa_without_a_second_grade_is_undefined() -> None:
    assert kappa([0.1, 0.9], [1.0, 1.0]) is None
    assert kappa([], []) is None


def test_correlations_are_those_of_the_textbook() -> None:
    """Ten pairs without ties: rho = 1 - 6 * 194 / 990 = -0.1758, tau = -5/45."""
    iq = [106.0, 100.0, 86.0, 101.0, 99.0, 103.0, 97.0, 113.0, 112.0, 110.0]
    hours = [7.0, 27.0, 2.0, 50.0, 28.0, 29.0, 20.0, 12.0, 6.0, 17.0]
    rho, tau = spearman(iq, hours), kendall(iq, hours)
    assert rho is not None
    assert tau is not None
    assert rho.value == pytest.approx(-0.17576, abs=1e-5)
    assert tau.value == pytest.approx(-5 / 45)
    assert rho.lower < -0.7 < 0.5 < rho.upper


def test_tau_b_corrects_for_ties() -> None:
    """By hand: 4 concordant pairs, no discordant one, 2 of 6 tied in the labels: 4 / sqrt(6 * 4)."""
    tau = kendall([0.1, 0.2, 0.3, 0.4], [0.0, 0.0, 1.0, 1.0])
    assert tau is not None
    assert tau.value == pytest.approx(4 / math.sqrt(24))


def test_a_perfect_correlation_of_few_answers_is_not_certain() -> None:
    rho = spearman([0.1, 0.2, 0.3, 0.4, 0.5], [0.0, 0.1, 0.2, 0.3, 0.4])
    assert rho is not None
    assert rho.value == rho.upper == pytest.approx(1.0)
    assert rho.lower < 0.5


@pytest.mark.parametrize(("bad", "good"), [(1, 1), (10, 90), (30, 30), (1, 99)])
def test_scores_without_ties_reach_a_ceiling_that_the_grades_set(bad: int, good: int) -> None:
    """sqrt(1 - sum of (t^3 - t) / (n^3 - n)) over groups of t equal labels."""
    n, tied = bad + good, bad**3 - bad + good**3 - good
    scores = [float(score) for score in range(n)]
    assert ceiling(scores[::-1], [0.0] * bad + [1.0] * good) == pytest.approx(math.sqrt(1 - tied / (n**3 - n)))


def test_a_tenth_of_bad_answers_caps_the_correlation_below_what_calibration_asks_for() -> None:
    found = ceiling([i / 200 for i in range(200)], [0.0] * 20 + [1.0] * 180)
    assert found is not None
    assert 0.51 < found < 0.53


def test_scores_of_two_grades_can_follow_labels_of_two_grades_all_the_way() -> None:
    assert ceiling([1.0, 0.0, 1.0], [0.0, 1.0, 1.0]) == pytest.approx(1.0)
    assert ceiling([0.5, 0.5], [0.0, 1.0]) is None
    assert ceiling([], []) is None


@settings(max_examples=40)
@given(PAIRS)
def test_no_correlation_is_above_the_ceiling(pairs: list[Pair]) -> None:
    overall = fit(pairs).overall
    if overall.spearman is not None and overall.ceiling is not None:
        assert overall.spearman.value <= overall.ceiling + 1e-12


# ------------------------------------------------------------------------------------------------- corrected share

RATES = flag_rates(
    "below_half", [(True, True)] * 90 + [(True, False)] * 10 + [(False, False)] * 80 + [(False, True)] * 20
)


def test_the_corrected_share_is_rogans_and_gladens() -> None:
    """0.9 x + 0.2 (1 - x) = 0.27 for x = 0.1."""
    found = prevalence(0.27, 1000, RATES)
    assert found is not None
    assert found.value == pytest.approx(0.1)
    assert 0 <= found.lower < 0.05
    assert 0.15 < found.upper < 0.25


def test_the_corrected_share_stays_between_nothing_and_all() -> None:
    low, high = prevalence(0.05, 100_000, RATES), prevalence(0.99, 100_000, RATES)
    assert low is not None
    assert high is not None
    assert (low.value, low.lower, high.value, high.upper) == (0.0, 0.0, 1.0, 1.0)


def test_few_labels_widen_the_corrected_share() -> None:
    few = flag_rates(
        "below_half", [(True, True)] * 18 + [(True, False)] * 2 + [(False, False)] * 16 + [(False, True)] * 4
    )
    wide, narrow = prevalence(0.27, 1000, few), prevalence(0.27, 1000, RATES)
    assert wide is not None
    assert narrow is not None
    assert width(wide) > 1.3 * width(narrow)


def width(estimate: Estimate) -> float:
    return estimate.upper - estimate.lower


def test_a_judge_that_may_be_a_coin_corrects_nothing() -> None:
    coin = flag_rates("below_half", [(True, True), (True, False), (False, False), (False, True)] * 10)
    blind = flag_rates("below_half", [(False, False)] * 50)
    assert prevalence(0.3, 1000, coin) is None
    assert prevalence(0.3, 1000, blind) is None
    turned = flag_rates("below_half", [(True, False)] * 90 + [(False, True)] * 90 + [(True, True), (False, False)] * 10)
    assert prevalence(0.3, 1000, turned) is None
    assert prevalence(0.3, 1000, replace(coin, balanced_accuracy=RATES.balanced_accuracy)) is None


@pytest.mark.parametrize("share", [0.03, 0.3])
@pytest.mark.parametrize("labelled", [0.5, None])
def test_the_interval_of_the_corrected_share_holds_the_truth(share: float, labelled: float | None) -> None:
    """Also when bad answers are labelled more often than they come."""
    rng = np.random.default_rng(3)
    held = corrected = 0
    for _ in range(200):
        bad = rng.random(150) < (labelled or share)
        flags = np.where(bad, rng.random(150) < 0.95, rng.random(150) >= 0.8)
        traffic = rng.random(500) < share
        flagged = np.where(traffic, rng.random(500) < 0.95, rng.random(500) >= 0.8).mean()
        found = prevalence(float(flagged), 500, flag_rates("", zip(bad.tolist(), flags.tolist(), strict=True)))
        if found is not None:
            corrected += 1
            held += found.lower <= share <= found.upper
    assert corrected > 160
    assert held / corrected > 0.91
