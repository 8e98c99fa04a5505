from __future__ import annotations

import math
from dataclasses import astuple
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import binom, binomtest, spearmanr

from monitor.quality import stats
from monitor.quality.grid import ONE, STEP
from monitor.quality.histogram import Moments
from monitor.snapshot import Estimate
from tests.monitor.quality.simulation import POPULATIONS, Population
from tests.monitor.quality.verdicts import histogram_of

Floats = NDArray[np.float64]
Cases = list[tuple[float, int]]
GRID = STEP / 2 / ONE + 1e-9
QUANTILES = [Fraction(1, 100), Fraction(5, 100), Fraction(1, 10), Fraction(1, 2)]
TENTH = Fraction(1, 10)
CASES = st.lists(st.tuples(st.floats(0, 1), st.integers(1, 2**56)), min_size=1, max_size=60)
SAMPLES = [
    pytest.param(population, n, weights, id=f"{population.name}-{n}-{'-'.join(map(str, weights))}")
    for population in POPULATIONS
    for n in (1, 2, 30, 500)
    for weights in ((1,), (100,), (100, 10), (1, 7, 1_000_000))
]


def sample(population: Population, n: int, weights: tuple[int, ...]) -> Cases:
    rng = np.random.default_rng(n + len(weights))
    return list(zip(population.draw(rng, n).tolist(), rng.choice(weights, n).tolist(), strict=True))


def arrays(cases: Cases) -> tuple[Floats, Floats]:
    """Scores and weights, worst first."""
    ordered = sorted(cases)
    return np.array([x for x, _ in ordered]), np.array([float(w) for _, w in ordered])


def exact_quantile(cases: Cases, q: Fraction) -> float:
    total, below = sum(w for _, w in cases), 0
    for x, w in sorted(cases):
        below += w
        if below >= q * total:
            return x
    raise AssertionError


def exact_tail_mean(cases: Cases, share: Fraction) -> float:
    left = share * sum(w for _, w in cases)
    total, mass = left, Fraction(0)
    for x, w in sorted(cases):
        part = min(left, Fraction(w))
        mass += part * Fraction(x)
        left -= part
    return float(mass / total)


def exact_effective_n(cases: Cases) -> float:
    x, w = arrays(cases)
    x, w = np.append(x, (0.0, 1.0)), np.append(w, (w.max(), w.max()))
    m = (w * x).sum() / w.sum()
    v = (w**2 * (x - m) ** 2).sum() / w.sum() ** 2
    return float(m * (1 - m) / v)


def exact_bootstrap(cases: Cases, share: float, draws: int) -> tuple[float, float]:
    """The Bayesian bootstrap, case by case, without any grouping."""
    rng = np.random.default_rng(11)
    x, w = arrays(cases)
    masses = np.hstack(
        [
            rng.standard_gamma(0.5, (draws, 1)) * w.max(),
            rng.standard_exponential((draws, len(x))) * w,
            rng.standard_gamma(0.5, (draws, 1)) * w.max(),
        ]
    )
    worst = share * masses.sum(axis=1, keepdims=True)
    used = np.diff(np.minimum(masses.cumsum(axis=1), worst), axis=1, prepend=0.0)
    low, high = np.quantile((used @ np.concatenate(([0.0], x, [1.0]))) / worst[:, 0], (0.025, 0.975))
    return float(low), float(high)


@pytest.mark.parametrize(("population", "n", "weights"), SAMPLES)
def test_estimates_equal_the_exact_ones_of_the_raw_scores(
    population: Population, n: int, weights: tuple[int, ...]
) -> None:
    cases = sample(population, n, weights)
    histogram = histogram_of(cases)
    x, w = arrays(cases)
    mean, below = stats.mean(histogram.moments), stats.share_below(histogram, 0.5)
    shortfall = stats.expected_shortfall(histogram, TENTH)
    assert mean is not None
    assert below is not None
    assert shortfall is not None

    assert mean.value == pytest.approx((w * x).sum() / w.sum(), abs=1e-9)
    assert below.value == pytest.approx(w[x < 0.5].sum() / w.sum(), abs=1e-12)
    assert shortfall.value == pytest.approx(exact_tail_mean(cases, TENTH), abs=GRID)
    assert stats.effective_n(histogram.moments) == pytest.approx(exact_effective_n(cases), rel=1e-6)
    assert stats.kish_n(histogram.moments) == pytest.approx(w.sum() ** 2 / (w**2).sum(), rel=1e-12)
    for q in QUANTILES:
        estimate = stats.Distribution(histogram).quantile(q)
        assert estimate is not None
        assert estimate.value == pytest.approx(exact_quantile(cases, q), abs=GRID)


@pytest.mark.parametrize("population", POPULATIONS, ids=lambda p: p.name)
@pytest.mark.parametrize(("n", "weights"), [(30, (1,)), (300, (1,)), (150, (100, 10)), (300, (1, 1, 1, 20))])
def test_the_shortfall_interval_is_that_of_the_bayesian_bootstrap(
    population: Population, n: int, weights: tuple[int, ...]
) -> None:
    cases = sample(population, n, weights)

    histogram = histogram_of(cases)
    estimates = [stats.expected_shortfall(histogram, TENTH, seed) for seed in range(10)]  # evens the 500 draws out

    low = np.mean([estimate.lower for estimate in estimates if estimate])
    high = np.mean([estimate.upper for estimate in estimates if estimate])
    assert (low, high) == pytest.approx(exact_bootstrap(cases, 0.1, 4000), abs=0.025)


@pytest.mark.parametrize(("hits", "n"), [(0, 30), (1, 30), (15, 30), (299, 300), (300, 300)])
def test_wilson_is_scipys(hits: int, n: int) -> None:
    expected = binomtest(hits, n).proportion_ci(method="wilson")

    estimate = stats.wilson(hits / n, n)

    assert (estimate.lower, estimate.upper) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize("q", QUANTILES)
@pytest.mark.parametrize("n", [1, 2, 29, 30, 299, 300, 2999])
def test_binomial_ranks_are_scipys(n: int, q: Fraction) -> None:
    p = float(q)
    if n * p < stats.EXACT_BELOW:
        assert stats._binomial_ranks(n, p) == (int(binom.ppf(0.025, n, p)), int(binom.ppf(0.975, n, p)) + 1)


def test_a_share_of_coin_flips_is_worth_two_more_than_their_number() -> None:
    """With 0/1 scores the added cases make n_eff n + 2; anything in between varies less and is worth more."""
    coins = histogram_of([(0.0, 3)] * 10 + [(1.0, 3)] * 20)
    halves = histogram_of([(0.5, 1)] * 30)

    assert stats.effective_n(coins.moments) == pytest.approx(32)
    assert stats.effective_n(halves.moments) == pytest.approx(512)


def test_a_window_without_a_bad_case_is_not_certain() -> None:
    perfect = histogram_of([(1.0, 1)] * 30)

    mean, shortfall = stats.mean(perfect.moments), stats.expected_shortfall(perfect, TENTH)

    assert mean is not None
    assert shortfall is not None
    assert (mean.value, mean.upper) == (1.0, 1.0)
    assert mean.lower == pytest.approx(0.893, abs=0.001)
    assert (shortfall.value, shortfall.upper) == (1.0, 1.0)
    assert shortfall.lower < 0.8


def test_the_worst_tenth_splits_its_last_case() -> None:
    estimate = stats.expected_shortfall(histogram_of([(0.0, 1), (0.5, 1), *[(1.0, 1)] * 13]), TENTH)

    assert estimate is not None
    assert estimate.value == pytest.approx(0.5 * 0.5 / 1.5)


def test_quantiles_are_scores_that_were_given() -> None:
    distribution = stats.Distribution(histogram_of([(0.0, 1), *[(1.0, 1)] * 9]))

    assert distribution.quantile(TENTH) == Estimate(0.0, 0.0, 1.0)
    assert distribution.quantile(Fraction(11, 100)) == Estimate(1.0, 0.0, 1.0)


def test_the_shortfall_interval_is_a_function_of_histogram_and_seed() -> None:
    cases = sample(POPULATIONS[2], 200, (1,))

    first = stats.expected_shortfall(histogram_of(cases), TENTH)
    again = stats.expected_shortfall(histogram_of(reversed(cases)), TENTH)
    other = stats.expected_shortfall(histogram_of(cases), TENTH, seed=1)

    assert first == again
    assert first != other


def test_bounds_are_the_means_when_every_gap_is_0_or_1() -> None:
    scores = histogram_of([(0.0, 10)] * 10 + [(1.0, 10)] * 80)
    gaps = histogram_of([(0.0, 10)] * 10)

    bounds = stats.manski_bounds(scores.moments, gaps.moments)

    worst = stats.mean(histogram_of([(0.0, 10)] * 20 + [(1.0, 10)] * 80).moments)
    best = stats.mean(histogram_of([(0.0, 10)] * 10 + [(1.0, 10)] * 90).moments)
    assert worst is not None
    assert best is not None
    assert bounds == Estimate(80 / 90, worst.lower, best.upper)


def test_bounds_without_gaps_are_the_interval_of_the_mean() -> None:
    scores = histogram_of([(0.0, 10), (0.7, 3), (1.0, 10)])

    assert stats.manski_bounds(scores.moments, Moments()) == stats.mean(scores.moments)


def test_without_scores_there_is_no_estimate() -> None:
    empty = histogram_of([])

    assert stats.mean(empty.moments) is None
    assert stats.share_below(empty, 0.5) is None
    assert stats.expected_shortfall(empty, TENTH) is None
    assert stats.Distribution(empty).quantile(TENTH) is None
    assert stats.manski_bounds(empty.moments, histogram_of([(0.0, 5)]).moments) is None
    assert (stats.kish_n(empty.moments), stats.effective_n(empty.moments)) == (0.0, 0.0)


@given(CASES, CASES)
def test_every_estimate_is_finite_and_inside_its_interval_and_0_to_1(cases: Cases, gaps: Cases) -> None:
    histogram = histogram_of(cases)
    distribution = stats.Distribution(histogram)

    estimates = [
        stats.mean(histogram.moments),
        stats.share_below(histogram, 0.5),
        stats.expected_shortfall(histogram, TENTH),
        stats.manski_bounds(histogram.moments, histogram_of(gaps).moments),
        *(distribution.quantile(q) for q in QUANTILES),
    ]

    for estimate in estimates:
        assert estimate is not None
        assert all(map(math.isfinite, astuple(estimate)))
        assert 0 <= estimate.lower <= estimate.value <= estimate.upper <= 1
    assert 0 < stats.kish_n(histogram.moments) <= len(cases) * (1 + 1e-12)
    assert 0 < stats.effective_n(histogram.moments) < math.inf


@given(CASES, st.integers(2, 1000))
def test_the_unit_of_the_weights_does_not_matter(cases: Cases, factor: int) -> None:
    one = histogram_of(cases)
    scaled = histogram_of([(x, w * factor) for x, w in cases])

    for q in QUANTILES:
        assert stats.Distribution(scaled).quantile(q) == stats.Distribution(one).quantile(q)
    assert stats.mean(scaled.moments) == stats.mean(one.moments)
    assert stats.effective_n(scaled.moments) == stats.effective_n(one.moments)


def test_ranks_put_ties_in_their_middle() -> None:
    assert list(stats.ranks([0.5, 0.0, 0.5, 1.0])) == [2.5, 1.0, 2.5, 4.0]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=4, max_size=60))
def test_spearman_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    one, other = [float(a) for a, _ in pairs], [float(b) for _, b in pairs]
    found = stats.spearman(one, other)
    if found is None:
        assert len(set(one)) == 1 or len(set(other)) == 1
    else:
        assert found.value == pytest.approx(spearmanr(one, other).statistic, abs=1e-9)


def test_partial_correlation_takes_out_what_a_third_explains() -> None:
    rng = np.random.default_rng(3)
    quality = rng.normal(size=2000)
    length, score = (list(quality + rng.normal(size=2000)) for _ in range(2))
    plain, partial = stats.spearman(length, score), stats.partial_spearman(length, score, list(quality))
    assert plain is not None
    assert partial is not None
    assert plain.lower > 0.3
    assert partial.lower < 0 < partial.upper
    biased = stats.partial_spearman(length, [s + 0.3 * x for s, x in zip(score, length, strict=True)], list(quality))
    assert biased is not None
    assert biased.lower > 0.1


def test_partial_correlation_is_undefined_where_nothing_varies_or_nothing_is_left() -> None:
    varied = [0.1, 0.2, 0.3, 0.4]
    assert stats.partial_spearman(varied, [1.0] * 4, varied) is None
    assert stats.partial_spearman(varied, varied, varied) is None
