"""Rows of the grounding benchmark, and how well scores agree with their labels."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata, spearmanr

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
BINS = 10


@dataclass(frozen=True)
class Row:
    """One labelled answer: `wrong` are the offsets of its unsupported stretches."""

    source: str
    language: str
    group: str
    question: str
    contexts: list[str]
    answer: str
    hallucinated: bool
    wrong: list[tuple[int, int]]


def arguments(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The command line; ends the process with a message when the data is not there."""
    parser.add_argument("--data", type=Path, default=os.environ.get("RAGMON_BENCH_DATA"), help="folder with the rows")
    given = parser.parse_args()
    if given.data is None or not Path(given.data).is_dir():
        print("skipped: the benchmark rows are not here (--data FOLDER or RAGMON_BENCH_DATA)")
        sys.exit(0)
    return given


def read_rows(folder: Path, name: str) -> list[Row]:
    """All rows of one split."""
    with gzip.open(Path(folder) / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [_row(json.loads(line)) for line in lines]


def _row(raw: dict[str, object]) -> Row:
    wrong = [(span["start"], span["end"]) for span in raw["spans"]]  # type: ignore[attr-defined]
    return Row(
        source=str(raw["source"]),
        language=str(raw["lang"]),
        group=str(raw["group"]),
        question=str(raw["question"] or ""),
        contexts=[str(context) for context in raw["contexts"]],  # type: ignore[attr-defined]
        answer=str(raw["answer"]),
        hallucinated=bool(raw["hallucinated"]),
        wrong=wrong,
    )


def wrong_share(row: Row, start: int, end: int) -> float:
    """Share of the characters from `start` to `end` that are marked wrong, 0 to 1."""
    covered = sum(max(0, min(end, stop) - max(start, begin)) for begin, stop in row.wrong)
    return min(1.0, covered / max(1, end - start))


def auroc(score: Floats, wrong: Flags) -> float:
    """Probability that a faithful answer scores above a hallucinated one, ties counting half; nan without both."""
    good, bad = int((~wrong).sum()), int(wrong.sum())
    if not good or not bad:
        return float("nan")
    return float((rankdata(score)[~wrong].sum() - good * (good + 1) / 2) / (good * bad))


def balanced_accuracy(flagged: Flags, wrong: Flags) -> float:
    """Mean of the share of wrong answers that are flagged and of right ones that are not."""
    return float((flagged[wrong].mean() + (~flagged[~wrong]).mean()) / 2)


def best_threshold(score: Floats, wrong: Flags) -> float:
    """The score below which to flag for the best balanced accuracy on these rows, half way between two scores."""
    values = np.unique(score)
    cuts = np.r_[-np.inf, (values[:-1] + values[1:]) / 2, np.inf]
    return float(max(cuts, key=lambda cut: balanced_accuracy(score < cut, wrong)))


def spearman(score: Floats, share: Floats) -> float:
    """Rank correlation of the risk (a low score) with the wrong share; nan for scores that are all the same."""
    return float(spearmanr(-score, share).statistic) if np.ptp(score) and np.ptp(share) else float("nan")


def calibration_error(score: Floats, wrong: Flags) -> float:
    """Expected calibration error of 1 - score as the probability of being wrong, in ten bins of equal width.

    Mean over the rows of how far the mean of their bin is from the share that is wrong there (Guo et al. 2017). nan
    for scores that are no probabilities.
    """
    if score.min() < 0.0 or score.max() > 1.0:
        return float("nan")
    risk = 1.0 - score
    bins = np.minimum((risk * BINS).astype(int), BINS - 1)
    gaps = [abs(float((risk[bins == one] - wrong[bins == one]).sum())) for one in range(BINS)]
    return sum(gaps) / len(score)
