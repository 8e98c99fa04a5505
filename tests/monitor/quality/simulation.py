"""Simulated samples with a known truth: how often the published intervals hold it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

from monitor.quality.grid import to_billionths
from monitor.quality.summary import window_stats
from monitor.quality.tally import Ending, Reading, Tally
from monitor.records import Outcome
from monitor.snapshot import Estimate, SliceKey, WindowStats

Floats = NDArray[np.float64]
STATISTICS = ("mean", "below_half", "p01", "p05", "p10", "es10", "bounds")
SIZES = (30, 100, 300, 500)
HALF = 0.5
GRID_ERROR = 0.0025
ON_THE_GRID = ("p01", "p05", "p10", "es10")


@dataclass(frozen=True, slots=True)
class Population:
    """Scores of requests: how to draw `n` of them, and their distribution as (score, probability), worst first."""

    name: str
    draw: Callable[[np.random.Generator, int], Floats]
    points: tuple[tuple[float, float], ...]

    def truth(self) -> dict[str, float]:
        """The true value of every statistic."""
        return {
            "mean": math.fsum(x * p for x, p in self.points),
            "below_half": math.fsum(p for x, p in self.points if x < HALF),
            "p01": self._quantile(0.01),
            "p05": self._quantile(0.05),
            "p10": self._quantile(0.10),
            "es10": self._tail_mean(0.10),
        }

    def _quantile(self, q: float) -> float:
        below = 0.0
        for x, p in self.points:
            below += p
            if below >= q - 1e-12:
                return x
        return 1.0

    def _tail_mean(self, share: float) -> float:
        left, total = share, 0.0
        for x, p in self.points:
            part = min(left, p)
            total += part * x
            left -= part
        return total / share


def _atoms(name: str, *points: tuple[float, float]) -> Population:
    """Few possible scores, such as a rubric of 0, 0.5, 1."""
    scores, shares = zip(*points, strict=True)
    return Population(name, lambda rng, n: rng.choice(scores, size=n, p=shares), points)


def _mixed() -> Population:
    """70 % exactly 1, 5 % exactly 0, the rest Beta(5, 2)."""

    def draw(rng: np.random.Generator, n: int) -> Floats:
        kind = rng.choice(3, size=n, p=(0.05, 0.25, 0.70))
        scores: Floats = np.choose(kind, (np.zeros(n), rng.beta(5, 2, n), np.ones(n)))
        return scores

    steps = 4000
    inner = [
        ((i + 0.5) / steps, 0.25 * float(np.diff(beta.cdf([i / steps, (i + 1) / steps], 5, 2))[0]))
        for i in range(steps)
    ]
    return Population("C", draw, ((0.0, 0.05), *inner, (1.0, 0.70)))


def _claims() -> Population:
    """Shares of supported claims: 1 to 8 claims, each supported with probability 0.937."""
    good, sizes = 0.937, range(1, 9)

    def draw(rng: np.random.Generator, n: int) -> Floats:
        claims = rng.integers(1, 9, n)
        supported: Floats = rng.binomial(claims, good) / claims
        return supported

    points: dict[Fraction, float] = {}
    for size in sizes:
        for k in range(size + 1):
            share = Fraction(k, size)
            chance = math.comb(size, k) * good**k * (1 - good) ** (size - k) / len(sizes)
            points[share] = points.get(share, 0.0) + chance
    return Population("D", draw, tuple((float(x), points[x]) for x in sorted(points)))


POPULATIONS = (
    _atoms("A", (0.0, 0.06), (0.5, 0.08), (1.0, 0.86)),
    _atoms("B", (0.0, 0.01), (0.5, 0.02), (1.0, 0.97)),
    _mixed(),
    _claims(),
)


@dataclass(frozen=True, slots=True)
class Strata:
    """Two strata sampled at 1/`base` and 1/`trigger`; the trigger matches 5 % of the requests."""

    name: str
    rest: Population
    triggered: Population
    base: int
    trigger: int
    requests: int

    share = 0.05

    def population(self) -> Population:
        """Both together."""
        points: dict[float, float] = {}
        for part, weight in ((self.rest, 1 - self.share), (self.triggered, self.share)):
            for x, p in part.points:
                points[x] = points.get(x, 0.0) + weight * p
        return Population(self.name, self.rest.draw, tuple(sorted(points.items())))

    def draw(self, rng: np.random.Generator) -> Iterable[tuple[float, int]]:
        """A sample: score and weight of each judged request (Poisson sampling within each stratum)."""
        for part, share, k in ((self.rest, 1 - self.share, self.base), (self.triggered, self.share, self.trigger)):
            n = rng.binomial(rng.binomial(self.requests, share), 1 / k)
            yield from ((score, k) for score in part.draw(rng, n).tolist())


_GOOD = _atoms("rest", (0.0, 0.05), (0.5, 0.07), (1.0, 0.88))
_BAD = _atoms("triggered", (0.0, 0.30), (0.5, 0.20), (1.0, 0.50))
_VERY_GOOD = _atoms("rest", (0.0, 0.004), (0.5, 0.012), (1.0, 0.984))
_RATES = ((100, 100, 3_000), (100, 10, 3_000), (100, 2, 3_000), (100, 10, 10_000), (100, 10, 50_000))

STRATA = (
    *(Strata(f"bad 1/{t} N={n}", _GOOD, _BAD, b, t, n) for b, t, n in _RATES),
    *(Strata(f"very good 1/{t} N={n}", _VERY_GOOD, _BAD, b, t, n) for b, t, n in _RATES),
    # the trigger matches good answers, so that the tail is made of heavy weights
    *(Strata(f"inverse 1/{t} N={n}", _GOOD, _atoms("x", (0.5, 0.02), (1.0, 0.98)), b, t, n) for b, t, n in _RATES),
)


@dataclass(slots=True)
class Hits:
    """How often one statistic's interval held the truth."""

    runs: int = 0
    held: int = 0
    width: float = 0.0

    def add(self, estimate: Estimate | None, truth: float, slack: float) -> None:
        """Count one run, allowing for `slack` on either side; a statistic below its floor is not counted."""
        if estimate is None:
            return
        self.runs += 1
        self.held += estimate.lower - slack <= truth <= estimate.upper + slack
        self.width += estimate.upper - estimate.lower

    @property
    def coverage(self) -> float:
        """Share of the runs that held the truth."""
        return self.held / self.runs


@dataclass(slots=True)
class Row:
    """One line of the table."""

    name: str
    n: float = 0.0
    hits: dict[str, Hits] = field(default_factory=lambda: {name: Hits() for name in STATISTICS})

    def add(self, stats: WindowStats, truth: Mapping[str, float]) -> None:
        """Count one run of the statistics that `truth` names."""
        for name, value in truth.items():
            self.hits[name].add(getattr(stats, name), value, GRID_ERROR if name in ON_THE_GRID else 1e-9)

    def text(self, runs: int) -> str:
        """Coverage and mean width of each statistic."""
        cells = (
            f"{h.coverage:.3f} ({h.width / h.runs:.3f})" if h.runs > runs // 2 else "-" for h in self.hits.values()
        )
        return f"{self.name:24}{self.n:7.0f}  " + "".join(f"{cell:>16}" for cell in cells)


def stats_of(sample: Iterable[tuple[float, int]], lost: Callable[[float], bool] = lambda _: False) -> WindowStats:
    """What the board would publish for a sample of (score, weight), of which the judge failed on the `lost` scores."""
    tally = Tally()
    for score, weight in sample:
        if lost(score):
            tally.add(Reading(Ending(Outcome.JUDGE_ERROR, "timeout"), None, weight, 0))
        else:
            tally.add(Reading(Ending(Outcome.SCORED, ""), to_billionths(score), weight, 0))
    return window_stats(("faithfulness", "bench", "0"), SliceKey("all", "all"), 3600, tally, calibrated=False)


def simple_row(population: Population, n: int, runs: int, rng: np.random.Generator) -> Row:
    """Equal weights. For the bounds, the judge fails on 30 % of the scores below 1 and on 2 % of the others."""
    row = Row(f"{population.name} n={n}", n)
    truth = population.truth()
    for _ in range(runs):
        sample = [(score, 1) for score in population.draw(rng, n).tolist()]
        row.add(stats_of(sample), truth)
        gaps = stats_of(sample, lambda score: rng.random() < (0.3 if score < 1 else 0.02))
        row.add(gaps, {"bounds": truth["mean"]})
    return row


def strata_row(strata: Strata, runs: int, rng: np.random.Generator) -> Row:
    """Weights 1/p under triggers. Nothing is missing, so the bounds are the mean's interval."""
    row = Row(strata.name)
    truth = strata.population().truth()
    truth["bounds"] = truth["mean"]
    for _ in range(runs):
        stats = stats_of(strata.draw(rng))
        row.n += stats.n / runs
        row.add(stats, truth)
    return row
