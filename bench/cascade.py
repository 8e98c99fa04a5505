"""What a cascade after the embedded judge brings, and costs: on the grounding benchmark, its labels as the dear judge.

    python bench/cascade.py --data FOLDER        # holds ground-dev.jsonl.gz; FOLDER or RAGMON_BENCH_DATA

Sources count alike. First for each band the share of the right and of the wrong answers in it, and of the embedded
judge's errors (its label against the true one) of either kind: false alarms and misses. Then layouts of the dear judge
over windows of 2,000 sampled requests, 10 % of them wrong (46 to 82 % of the benchmark's are): its calls, the wrong
answers that it sees and those of them that the embedded judge had called faithful, the effective n and the 95 %
interval of its mean (width, coverage, Hajek mean minus truth in standard errors of the simulation), and the standard
error of three estimates of the mean: its own, and the two-phase ones (embedded mean plus weighted mean difference; the
same with the slope that the window's pairs give).
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from ground import Flags, Floats, arguments, read_rows

from monitor.judges.grounding.assessment import assess
from monitor.quality.grid import ONE
from monitor.quality.histogram import Moments
from monitor.quality.stats import effective_n, mean

DEV = "ground-dev"
BANDS = ((0.3, 0.5), (0.3, 0.6), (0.1, 0.5), (0.2, 0.6), (0.3, 0.7), (0.1, 0.6), (0.2, 0.7), (0.2, 0.8))
DEFAULT = (0.2, 0.6)
SAMPLED, RUNS, WRONG = 2000, 2000, 0.1
SHARES = ((1, 100), (1, 20), (1, 10), (2, 10), (1, 4))
"""Shares 1/k of the requests in doubt and of the rest."""


@dataclass(frozen=True)
class Judged:
    """Rows that the embedded judge scored, one entry for each."""

    source: np.ndarray[tuple[int], np.dtype[np.str_]]
    wrong: Flags
    score: Floats
    flagged: Flags

    def weights(self, base_rate: float) -> Floats:
        """Of each row, so that sources count alike and this share of each is wrong; their sum is 1."""
        weights: Floats = np.zeros(len(self.wrong))
        for source in set(self.source):
            for chosen, share in ((self.wrong, base_rate), (~self.wrong, 1 - base_rate)):
                rows = (self.source == source) & chosen
                weights[rows] = share / rows.sum()
        weights /= weights.sum()
        return weights

    def within(self, band: tuple[float, float]) -> Flags:
        """Which rows are in doubt."""
        return (self.score >= band[0]) & (self.score <= band[1])


def judge(folder: Path) -> Judged:
    """What the embedded judge says of the rows that it can score."""
    rows = [(row, assess(row.answer, row.contexts)) for row in read_rows(folder, DEV)]
    scored = [(row, found) for row, found in rows if found.score is not None]
    return Judged(
        np.array([row.source for row, _ in scored]),
        np.array([row.hallucinated for row, _ in scored]),
        np.array([found.score for _, found in scored], dtype=np.float64),
        np.array([found.label == "unfaithful" for _, found in scored]),
    )


def bands(judged: Judged) -> None:
    """One line a band: the shares of answers and errors within."""
    kinds = {
        "right": ~judged.wrong,
        "wrong": judged.wrong,
        "false alarms": ~judged.wrong & judged.flagged,
        "misses": judged.wrong & ~judged.flagged,
    }
    weights = judged.weights(0.5)  # any will do: each kind is of one class
    print("share within    " + "".join(f"{name:>14}" for name in kinds))
    for band in BANDS:
        within = judged.within(band)
        shares = (weights[kind & within].sum() / weights[kind].sum() for kind in kinds.values())
        print(f"{band[0]:.1f} to {band[1]:.1f}      " + "".join(f"{share:14.2f}" for share in shares))


def layouts(judged: Judged) -> None:
    """Two lines for each pair of shares: the cascade, and one share for all with as many calls."""
    weights = judged.weights(WRONG)
    truth, in_doubt = float(weights[~judged.wrong].sum()), judged.within(DEFAULT)
    print(f"\n{WRONG:.0%} wrong, {SAMPLED} sampled requests a window, {RUNS} windows, band {DEFAULT}")
    print(
        f"{'in doubt, rest':>16}{'calls':>7}{'wrong':>7}{'missed':>7}{'n_eff':>7}{'width':>7}{'cover':>7}{'bias':>6}",
        end="",
    )
    print(f"{'se own':>9}{'se diff':>9}{'se slope':>9}")
    share = float(weights[in_doubt].sum())
    for uncertain, rest in SHARES:
        even = 1 / (share / uncertain + (1 - share) / rest)
        for name, ks in ((f"1/{uncertain}, 1/{rest}", (uncertain, rest)), (f"1/{even:.1f}", (even, even))):
            rng = np.random.default_rng(7)
            lines = np.array([_window(judged, weights, in_doubt, ks, truth, rng) for _ in range(RUNS)])
            middle, spread = lines.mean(axis=0), lines.std(axis=0, ddof=1)
            bias = (middle[6] - truth) / (spread[6] / RUNS**0.5)
            print(f"{name:>16}{middle[0]:7.0f}{middle[1]:7.1f}{middle[2]:7.1f}{middle[3]:7.0f}{middle[4]:7.3f}", end="")
            print(f"{middle[5]:7.3f}{bias:6.1f}{spread[6]:9.4f}{spread[7]:9.4f}{spread[8]:9.4f}")


def _window(
    judged: Judged, weights: Floats, in_doubt: Flags, ks: tuple[float, float], truth: float, rng: np.random.Generator
) -> tuple[float, ...]:
    """The figures of one window."""
    rows = rng.choice(len(weights), SAMPLED, p=weights)
    k = np.where(in_doubt[rows], *ks)
    seen = rng.random(SAMPLED) * k < 1
    asked, w = rows[seen], k[seen]
    right, cheap = (~judged.wrong[asked]).astype(float), judged.score[asked]
    moments = Moments()
    for x, weight in zip(right.tolist(), w.tolist(), strict=True):
        moments.add(round(x * ONE), round(weight * 1000))  # whole weights: only their ratios count
    own = mean(moments)
    if own is None:
        raise ValueError("a window without any verdict; make SAMPLED larger")
    all_cheap, slope = judged.score[rows].mean(), _slope(right, cheap, w)
    shift = all_cheap - np.average(cheap, weights=w)
    return (
        len(asked),
        judged.wrong[asked].sum(),
        (judged.wrong & ~judged.flagged)[asked].sum(),
        effective_n(moments),
        own.upper - own.lower,
        own.lower <= truth <= own.upper,
        own.value,
        own.value + shift,
        own.value + slope * shift,
    )


def _slope(right: Floats, cheap: Floats, weights: Floats) -> float:
    """Of the regression of the dear judge's score on the cheap one's."""
    covariance = np.cov(right, cheap, aweights=weights)
    return float(covariance[0, 1] / covariance[1, 1])


def main() -> int:
    """Print both tables."""
    judged = judge(arguments(argparse.ArgumentParser(description=__doc__)).data)
    bands(judged)
    layouts(judged)
    return 0


if __name__ == "__main__":
    sys.exit(main())
