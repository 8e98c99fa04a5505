"""How often the interval of a paired difference holds the true one, and how soon a drift is seen, by simulation.

    python bench/paired.py [--runs 2000] [--seed 5]

Prints for pairs of scores by two judges, or by one judge at two times, the share of runs whose 95 % interval held the
true mean difference, its mean width, and the share of runs in which it left zero. See docs/decisions/0025.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from monitor.quality.comparison import mean_difference

SIZES = (30, 100, 300, 1000)
Draw = Callable[[Generator, int], NDArray[np.float64]]


class Case(NamedTuple):
    """A population of differences, and its mean."""

    name: str
    draw: Draw
    truth: float


def scores(rng: Generator, n: int) -> NDArray[np.float64]:
    """Scores of a good service by a judge of three grades: mean 0.90."""
    return rng.choice([0.0, 0.5, 1.0], n, p=[0.06, 0.08, 0.86])


def redrawn(share: float) -> Draw:
    """The second judge gives a share of the answers a score of its own, of the same population."""

    def draw(rng: Generator, n: int) -> NDArray[np.float64]:
        first = scores(rng, n)
        return np.where(rng.random(n) < share, scores(rng, n), first) - first

    return draw


STEP_SHARE = 0.1


def stricter(rng: Generator, n: int) -> NDArray[np.float64]:
    """The second judge gives a tenth of the answers that are not bad half a point less."""
    return np.where((rng.random(n) < STEP_SHARE) & (scores(rng, n) > 0), -0.5, 0.0)


def noisy(drift: float) -> Draw:
    """One judge again: small noise on each score, and perhaps a drift."""
    return lambda rng, n: np.clip(rng.normal(drift, 0.05, n), -1, 1)


CASES = (
    Case("10 % judged anew at random", redrawn(0.1), 0.0),
    Case("50 % judged anew at random", redrawn(0.5), 0.0),
    Case("a tenth half a point lower", stricter, -0.5 * STEP_SHARE * 0.94),
    Case("noise 0.05", noisy(0.0), 0.0),
    Case("noise 0.05, drift -0.03", noisy(-0.03), -0.03),
)


def row(case: Case, n: int, runs: int, rng: Generator) -> str:
    """A line of the table."""
    held, width, left = 0, 0.0, 0
    for _ in range(runs):
        found = mean_difference((float(change), 1) for change in case.draw(rng, n))
        assert found is not None  # noqa: S101 - there is always a pair
        held += found.lower <= case.truth <= found.upper
        width += found.upper - found.lower
        left += found.lower > 0 or found.upper < 0
    return f"{case.name:28}{n:>6}{held / runs:>10.3f}{width / runs:>8.3f}{left / runs:>12.3f}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Coverage of the interval of a paired difference.")
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(options.seed)
    print(f"{'pairs':28}{'n':>6}{'coverage':>10}{'width':>8}{'leaves zero':>12}")
    for case in CASES:
        for n in SIZES:
            print(row(case, n, options.runs, rng), flush=True)


if __name__ == "__main__":
    main()
