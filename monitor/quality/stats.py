"""Estimators of weighted scores, each with its two-sided 95 % interval; the only module that imports scipy.

All take whole-number sums (`histogram.py`), so an estimate depends on the multiset of verdicts alone, not on their
order. Every value is finite and lies in 0 to 1; without any score the estimate is None. Floors are the caller's
(`summary.py`). What was measured about the coverage of these intervals: `bench/coverage.py`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray
from scipy import special

from monitor.operational import FlagRates
from monitor.quality.grid import ONE
from monitor.quality.histogram import Histogram, Moments, share_moments
from monitor.snapshot import Estimate

ALPHA = 0.05
Z = float(special.ndtri(1 - ALPHA / 2))
EXACT_BELOW = 30
"""Quantile intervals use exact binomial ranks below this many cases in the tail, Wilson's interval of the share above.

That is 300 cases for p10. With Wilson's share p01 held the truth in 82 to 89 % of samples of 300 to 500."""

_NOTHING_LEFT = 1e-9
_DRAWS = 500
_GROUPS = 16
_FINE_SHARE = Fraction(2, 5)
"""The lowest part of the weight in which the bootstrap tells scores apart; a worst tenth never reaches beyond it."""


def kish_n(moments: Moments) -> float:
    """Kish's effective sample size (Σ w)² / Σ w²: at most the count, equal to it for equal weights; 0 when empty."""
    return moments.weight * moments.weight / moments.square if moments.count else 0.0


def effective_n(moments: Moments) -> float:
    """Effective sample size of the weighted mean m: m'(1 - m') / v', with the linearised variance v' of that mean.

    For m' and v', and only there, two cases with score 0 and 1 and the heaviest weight are added; without them a window
    with no bad case would claim to be certain. It can exceed the count: scores between 0 and 1 vary less than coin
    flips of the same mean. 0 when empty. Korn & Graubard 1998; the two cases as in Agresti & Coull 1998.
    """
    if not moments.count:
        return 0.0
    extra = moments.heaviest
    weight = moments.weight + 2 * extra
    square = moments.square + 2 * extra * extra
    wx = moments.wx + extra * ONE
    w2x = moments.w2x + extra * extra * ONE
    w2x2 = moments.w2x2 + extra * extra * ONE * ONE
    # Σ w²(x - m')² times (Σ w)², in whole numbers: a difference of nearly equal floats would lose all digits
    spread = w2x2 * weight * weight - 2 * wx * w2x * weight + wx * wx * square
    return wx * (weight * ONE - wx) * weight * weight / spread


def wilson(share: float, n: float, z: float = Z) -> Estimate:
    """Wilson's score interval (1927) for a mean of scores in 0 to 1 that is worth `n` > 0 coin flips."""
    z2n = z * z / n
    centre = (share + z2n / 2) / (1 + z2n)
    half = z / (1 + z2n) * np.sqrt(share * (1 - share) / n + z2n / (4 * n)).item()
    return _around(share, centre - half, centre + half)


def mean(moments: Moments, z: float = Z) -> Estimate | None:
    """Hajek's weighted mean Σ wx / Σ w (1971) with Wilson's interval at `effective_n`."""
    if not moments.count:
        return None
    return wilson(moments.wx / (moments.weight * ONE), effective_n(moments), z)


def manski_bounds(scored: Moments, missing: Moments) -> Estimate | None:
    """What the mean could be, had the missing verdicts been given: all 0, or all 1 (Manski 1989).

    `value` is the mean of the scored ones; `lower` is the lower end of the interval of the mean with 0 in every gap,
    `upper` the upper end with 1 in every gap. Of `missing` only the weights are read.
    """
    observed = mean(scored)
    lowest = mean(missing.imputed(0).merge(scored))
    highest = mean(missing.imputed(ONE).merge(scored))
    if observed is None or lowest is None or highest is None:
        return None
    return Estimate(observed.value, lowest.lower, highest.upper)


def share_below(histogram: Histogram, score: float) -> Estimate | None:
    """Weighted share of scores below `score`, exact where that is a multiple of 0.005, with Wilson's interval."""
    low = [cell for key, cell in histogram.cells.items() if key < score * ONE]
    weight, square = sum(cell.weight for cell in low), sum(cell.square for cell in low)
    return mean(share_moments(histogram.moments, weight, square))


class Distribution:
    """A histogram put in order, to read quantiles off: the weighted inverse distribution function."""

    def __init__(self, histogram: Histogram) -> None:
        self._moments = histogram.moments
        self.values = sorted(histogram.cells)
        cells = [histogram.cells[value] for value in self.values]
        self._weights = list(accumulate(cell.weight for cell in cells))
        self._squares = list(accumulate(cell.square for cell in cells))

    def quantile(self, q: Fraction) -> Estimate | None:
        """The smallest score x with F(x) >= q, for 0 < q < 1. Never interpolated: a judge never gave 0.31.

        Its interval is Woodruff's (1952), two quantiles whose shares bracket q. With fewer than 30 cases below the
        quantile those shares are exact binomial ranks, else Wilson's interval of q. The number of cases is the smallest
        of Kish's n and the effective n of the shares below, and up to, the estimate: heavy weights may lie in the tail.
        """
        if not self.values:
            return None
        place = self._place(q)
        n = self._cases(place)
        if n * q < EXACT_BELOW:
            lower, upper = self._at_ranks(max(1, int(n)), q)
        else:
            shares = wilson(float(q), n)
            lower, upper = self._score(Fraction(shares.lower)), self._score(Fraction(shares.upper))
        return _around(self.values[place] / ONE, lower, upper)

    def _place(self, q: Fraction) -> int:
        total = self._weights[-1]
        return bisect_left(self._weights, -(-q.numerator * total // q.denominator))

    def _score(self, q: Fraction) -> float:
        return self.values[self._place(q)] / ONE

    def _cases(self, place: int) -> float:
        n = min(kish_n(self._moments), self._share_n(place))
        return n if place == 0 else min(n, self._share_n(place - 1))

    def _share_n(self, place: int) -> float:
        return effective_n(share_moments(self._moments, self._weights[place], self._squares[place]))

    def _at_ranks(self, n: int, q: Fraction) -> tuple[float, float]:
        low, high = _binomial_ranks(n, float(q))
        return (
            self._score(Fraction(low, n)) if low > 0 else 0.0,
            self._score(Fraction(high, n)) if high <= n else 1.0,
        )


@lru_cache(maxsize=4096)
def _binomial_ranks(n: int, q: float) -> tuple[int, int]:
    """Ranks among n ordered cases that bracket the q-quantile; 0 and n + 1 mean an open end."""
    enough = min(n, int(4 * EXACT_BELOW + n * q))  # beyond this rank nothing is left to sum
    at_most = special.bdtr(np.arange(enough + 1), n, q)
    low, high = np.searchsorted(at_most, [ALPHA / 2, 1 - ALPHA / 2])
    return int(low), int(high) + 1


def expected_shortfall(histogram: Histogram, share: Fraction, seed: int = 0) -> Estimate | None:
    """Mean of the worst `share` of the weight, splitting the last case; share 1/10 is ES10.

    The estimate is biased upward in small samples (a true 0.20 reads 0.27 at n = 30, 0.21 at 100). The interval is a
    Bayesian bootstrap (Rubin 1981) with half a case of the heaviest weight added at 0 and at 1; it is a function of
    the histogram and `seed`. Its cost is bounded: at most 19 distinct values times 500 draws.
    """
    if not histogram.cells:
        return None
    value = _tail_mean(histogram, share)
    draws = np.sort(_bootstrap(histogram, float(share), seed))
    margin = int(_DRAWS * ALPHA / 2)
    return _around(value, float(draws[margin]), float(draws[-1 - margin]))


def _tail_mean(histogram: Histogram, share: Fraction) -> float:
    left = total = share.numerator * histogram.moments.weight
    used = 0
    for value in sorted(histogram.cells):
        part = min(left, share.denominator * histogram.cells[value].weight)
        used += part * value
        left -= part
        if left == 0:
            break
    return used / (total * ONE)


def _bootstrap(histogram: Histogram, share: float, seed: int) -> NDArray[np.float64]:
    """Draws of the tail mean under random weights of the cases.

    A case of weight w gets w times an exponential number; the sum over a group of cases is close to a gamma number with
    the same mean Σ w and variance Σ w² (exactly one for equal weights), drawn by the cube-root transformation of
    Wilson & Hilferty (1931) from normal numbers that are the same in every call, so intervals do not flicker.
    """
    groups = _groups(histogram)
    weight = np.array([float(moments.weight) for moments in groups])
    square = np.array([float(moments.square) for moments in groups])
    inner = np.array([moments.wx / (moments.weight * ONE) for moments in groups])
    shape = weight * weight / square
    root = np.cbrt(weight)
    normals, halves = _random_numbers(seed)
    masses = np.empty((len(groups) + 2, _DRAWS))
    np.multiply(normals[: len(groups)], (root / (3 * np.sqrt(shape)))[:, None], out=masses[1:-1])
    masses[1:-1] += (root * (1 - 1 / (9 * shape)))[:, None]
    np.maximum(masses[1:-1], 0.0, out=masses[1:-1])
    masses[1:-1] *= masses[1:-1] * masses[1:-1]
    masses[0], masses[-1] = histogram.moments.heaviest * halves
    values = np.concatenate(([0.0], inner, [1.0]))
    below = np.cumsum(masses, axis=0)
    worst = share * below[-1]
    np.minimum(below, worst, out=below)
    draws: NDArray[np.float64] = (values - np.append(values[1:], 0.0)) @ below / worst
    return draws


def _groups(histogram: Histogram) -> Sequence[Moments]:
    """The cases from worst to best in at most 17 groups: 16 steps of score in the lowest 40 % of weight, and the rest.

    The steps divide the range that those scores really have. Steps of weight would put rare zeros into one group with
    better scores, and the interval would be too narrow.
    """
    values = sorted(histogram.cells)
    limit = -(-_FINE_SHARE.numerator * histogram.moments.weight // _FINE_SHARE.denominator)
    fine = below = square = 0
    while fine < len(values) and below < limit:
        cell = histogram.cells[values[fine]]
        fine, below, square = fine + 1, below + cell.weight, square + cell.square
    lowest, span = values[0], values[fine - 1] - values[0] + 1
    groups: dict[int, Moments] = {}
    for value in values[:fine]:
        cell = histogram.cells[value]
        group = groups.setdefault(_GROUPS * (value - lowest) // span, Moments())
        group.weight += cell.weight
        group.square += cell.square
        group.wx += cell.weight * value
    if fine < len(values):
        wx = sum(histogram.cells[value].weight * value for value in values[fine:])
        whole = histogram.moments
        groups[_GROUPS] = Moments(weight=whole.weight - below, square=whole.square - square, wx=wx)
    return list(groups.values())


@lru_cache(maxsize=4)
def _random_numbers(seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Normal numbers for the groups and gamma(1/2) numbers for the two added cases; each row is evenly stratified."""
    rng = np.random.default_rng(seed)
    steps = np.tile((np.arange(_DRAWS) + 0.5) / _DRAWS, (_GROUPS + 3, 1))
    uniform = rng.permuted(steps, axis=1)
    return special.ndtri(uniform[:-2]), np.asarray(special.gammaincinv(0.5, uniform[-2:]), dtype=np.float64)


# ------------------------------------------------------------------------------------------- agreement with labels


def spearman(scores: Sequence[float], labels: Sequence[float]) -> Estimate | None:
    """Spearman's rank correlation, -1 to 1, ties at their middle rank; None when one side is all the same.

    Interval: Fisher's transformation with the variance (1 + r²/2) / (n - 3) (Bonett & Wright 2000).
    """
    if not _varied(scores, labels):
        return None
    found = _correlation(ranks(scores), ranks(labels))
    return _fisher(found, len(scores), (1 + found * found / 2) / max(1, len(scores) - 3))


def partial_spearman(one: Sequence[float], other: Sequence[float], given: Sequence[float]) -> Estimate | None:
    """Spearman's correlation of two, with what both share with a third taken out; None when any is all the same.

    The partial correlation of the ranks (r12 - r13 r23) / sqrt((1 - r13²)(1 - r23²)); interval as of `spearman`, with
    one more degree of freedom gone (Fisher 1924). None also when the third leaves nothing to explain.
    """
    if not _varied(one, other, given):
        return None
    first, second, third = ranks(one), ranks(other), ranks(given)
    with_first, with_second = _correlation(first, third), _correlation(second, third)
    left = (1 - with_first * with_first) * (1 - with_second * with_second)
    if left <= _NOTHING_LEFT:
        return None
    found = (_correlation(first, second) - with_first * with_second) / float(np.sqrt(left))
    return _fisher(found, len(one), (1 + found * found / 2) / max(1, len(one) - 4))


def ranks(values: Sequence[float]) -> NDArray[np.float64]:
    """The rank of each value, from 1; ties at their middle rank."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    middle: NDArray[np.float64] = np.cumsum(counts) - (counts - 1) / 2
    return middle[place]


def _correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    return float(np.corrcoef(one, other)[0, 1])


def kendall(scores: Sequence[float], labels: Sequence[float]) -> Estimate | None:
    """Kendall's tau-b, -1 to 1, which corrects for ties; None when one side is all the same.

    Interval: Fisher's transformation with the variance 0.437 / (n - 4) (Fieller, Hartley & Pearson 1957), which is for
    data without ties. With ties 0.75 stands there: labels of two grades and scores of five need that much.
    """
    if not _varied(scores, labels):
        return None
    from scipy import stats  # noqa: PLC0415 - loads for a second, and only calibration needs it

    n = len(scores)
    tied = min(len(set(scores)), len(set(labels))) < n
    return _fisher(float(stats.kendalltau(scores, labels).statistic), n, (0.75 if tied else 0.437) / max(1, n - 4))


def _varied(*sides: Sequence[float]) -> bool:
    return all(len(set(side)) > 1 for side in sides)


def _fisher(correlation: float, n: int, variance: float) -> Estimate:
    """An interval on the scale of Fisher's z; a correlation of 1 is taken as 1 - 1/n there, as z would be infinite."""
    value = min(1.0, max(-1.0, correlation))
    inside = min(1 - 1 / n, max(1 / n - 1, value))
    centre, half = np.arctanh(inside), Z * np.sqrt(variance)
    return Estimate(value, min(value, float(np.tanh(centre - half))), max(value, float(np.tanh(centre + half))))


def share_of_both(one: Estimate, other: Estimate) -> Estimate:
    """The mean of two independent shares, its interval put together from theirs (Zou & Donner 2008)."""
    value = (one.value + other.value) / 2
    below = float(np.hypot(one.value - one.lower, other.value - other.lower)) / 2
    above = float(np.hypot(one.upper - one.value, other.upper - other.value)) / 2
    return _around(value, value - below, value + above)


def prevalence(share: float, n: float, rates: FlagRates) -> Estimate | None:
    """The share of bad requests, from the share that a judge flags and how often it is wrong (Rogan & Gladen 1978).

    `n` is the number of requests that `share` is worth. The interval carries the uncertainty of both (Lang & Reiczigel
    2014), and leaves 0 to 1 to neither side. None where the rates have no power (`FlagRates.has_power`): without a
    labelled answer of both kinds, or with a balanced accuracy whose interval reaches 0.5.
    """
    if not rates.has_power:
        return None
    z2 = Z * Z
    worth = n + z2
    flagged = (n * share + z2 / 2) / worth
    bad, good = rates.bad + 2, rates.good + 2
    sensitivity, specificity = (rates.flagged + 1) / bad, (rates.passed + 1) / good
    power = sensitivity + specificity - 1
    centre = (flagged + specificity - 1) / power
    of_bad = sensitivity * (1 - sensitivity) / bad
    of_good = specificity * (1 - specificity) / good
    spread = flagged * (1 - flagged) / worth + centre * centre * of_bad + (1 - centre) ** 2 * of_good
    middle = centre + 2 * z2 * (centre * of_bad - (1 - centre) * of_good)
    half = Z * float(np.sqrt(spread)) / power
    point = _plain_prevalence(share, rates)
    return _around(min(1.0, max(0.0, point)), min(1.0, middle - half), max(0.0, middle + half))


def _plain_prevalence(share: float, rates: FlagRates) -> float:
    sensitivity, specificity = rates.flagged / rates.bad, rates.passed / rates.good
    return (share + specificity - 1) / (sensitivity + specificity - 1)


def _around(value: float, lower: float, upper: float) -> Estimate:
    """An estimate whose interval holds its value and stays in 0 to 1, whatever rounding did."""
    return Estimate(value, min(value, max(0.0, lower)), max(value, min(1.0, upper)))
