"""Quality and speed of the embedded judge on the grounding benchmark, beside the trivial judges.

    python bench/judge_quality.py --data FOLDER    # holds ground-dev.jsonl.gz (or --split ground-train)

Prints for each source AUROC, balanced accuracy of the label, Spearman of the score with the wrong share of characters,
and answers judged a second on one core. `macro` is the plain mean over the English sources: pooled figures mislead, as
base rates run from 46 to 82 %.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata, spearmanr

from monitor.judges.embedded import assess
from monitor.judges.text.passages import WINDOW
from monitor.judges.text.sentences import split_sentences
from monitor.judges.text.tokens import tokenize
from monitor.judges.text.words import is_function_word

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Row:
    """One labelled answer: `wrong` are the offsets of its unsupported stretches."""

    source: str
    language: str
    group: str
    contexts: list[str]
    answer: str
    hallucinated: bool
    wrong: list[tuple[int, int]]


def arguments(description: str | None, *, leave_out: bool = False) -> argparse.Namespace:
    """The command line; ends the process with a message when the data is not there."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("RAGMON_BENCH_DATA"), help="folder with the rows")
    parser.add_argument("--split", default="ground-dev", help="file name without .jsonl.gz")
    if leave_out:
        parser.add_argument("--leave-out", action="store_true", help="print what transfers instead of writing files")
    given = parser.parse_args()
    if given.data is None or not given.data.is_dir():
        print("skipped: the benchmark rows are not here (--data FOLDER or RAGMON_BENCH_DATA)")
        sys.exit(0)
    return given


def read_rows(folder: Path, name: str) -> list[Row]:
    """All rows of one split."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [_row(json.loads(line)) for line in lines]


def _row(raw: dict[str, object]) -> Row:
    wrong = [(span["start"], span["end"]) for span in raw["spans"]]  # type: ignore[attr-defined]
    return Row(
        source=str(raw["source"]),
        language=str(raw["lang"]),
        group=str(raw["group"]),
        contexts=[str(context) for context in raw["contexts"]],  # type: ignore[attr-defined]
        answer=str(raw["answer"]),
        hallucinated=bool(raw["hallucinated"]),
        wrong=wrong,
    )


def wrong_share(row: Row, start: int, end: int) -> float:
    """Share of the characters from `start` to `end` that are marked wrong, 0 to 1."""
    covered = sum(max(0, min(end, stop) - max(start, begin)) for begin, stop in row.wrong)
    return min(1.0, covered / max(1, end - start))


@dataclass(frozen=True)
class Scores:
    """Higher is better; `flagged` is the judge's own label, where it has one."""

    score: Floats
    flagged: Flags | None = None


def embedded(rows: Sequence[Row]) -> Scores:
    """The judge under test; an answer without claims scores 0.5."""
    results = [assess(row.answer, row.contexts) for row in rows]
    score = np.array([0.5 if result.score is None else result.score for result in results])
    return Scores(score, np.array([bool(result.unsupported) for result in results]))


def always(rows: Sequence[Row]) -> Scores:
    """Everything is hallucinated."""
    return Scores(np.zeros(len(rows)), np.ones(len(rows), dtype=bool))


def length(rows: Sequence[Row]) -> Scores:
    """Longer answers are worse."""
    return Scores(np.array([-float(len(row.answer)) for row in rows]))


def coverage(rows: Sequence[Row]) -> Scores:
    """Share of content tokens found in the best window of three sentences, the least over the answer's sentences."""
    return Scores(np.array([min(_coverages(row), default=0.5) for row in rows]))


def _coverages(row: Row) -> list[float]:
    windows: list[set[str]] = []
    for context in row.contexts:
        parts = [set(tokenize(sentence.text).words) for sentence in split_sentences(context)]
        windows += [set().union(*parts[i : i + WINDOW]) for i in range(max(1, len(parts) - WINDOW + 1))]
    found = []
    for sentence in split_sentences(row.answer):
        words = {word for word in tokenize(sentence.text).words if not is_function_word(word)}
        if words:
            found.append(max(len(words & window) / len(words) for window in windows))
    return found


JUDGES: dict[str, Callable[[Sequence[Row]], Scores]] = {
    "always": always,
    "answer length": length,
    "content-word coverage": coverage,
    "embedded": embedded,
}


def auroc(score: Floats, wrong: Flags) -> float:
    """Probability that a faithful answer scores above a hallucinated one, ties counting half."""
    good, bad = int((~wrong).sum()), int(wrong.sum())
    if not good or not bad:
        return float("nan")
    return float((rankdata(score)[~wrong].sum() - good * (good + 1) / 2) / (good * bad))


def balanced_accuracy(flagged: Flags, wrong: Flags) -> float:
    """Mean of the share of wrong answers that are flagged and of right ones that are not."""
    return float((flagged[wrong].mean() + (~flagged[~wrong]).mean()) / 2)


def best_flags(score: Floats, wrong: Flags) -> Flags:
    """Flags at the threshold with the best balanced accuracy on these very rows: what a trivial judge gets at best."""
    return max(
        (score < cut for cut in np.quantile(score, np.linspace(0.02, 0.98, 97))),
        key=lambda f: balanced_accuracy(f, wrong),
    )


def report(name: str, rows: Sequence[Row], scores: Scores) -> None:
    """One line a source, then the macro line over the English ones."""
    source = np.array([row.source for row in rows])
    wrong = np.array([row.hallucinated for row in rows])
    share = np.array([wrong_share(row, 0, len(row.answer)) for row in rows])
    flagged = best_flags(scores.score, wrong) if scores.flagged is None else scores.flagged
    english = np.array([row.language == "en" for row in rows])
    table = []
    for one in sorted(set(source)):
        mask = source == one
        line = (auroc(scores.score[mask], wrong[mask]), balanced_accuracy(flagged[mask], wrong[mask]))
        print(f"{name:22} {one:15} n={mask.sum():4d} AUROC {line[0]:.3f} BA {line[1]:.3f}")
        if english[mask].all():
            table.append(line)
    macro = np.mean(table, axis=0)
    rank = spearmanr(-scores.score[english], share[english]).statistic if np.ptp(scores.score) else float("nan")
    print(f"{name:22} {'macro (en)':15} AUROC {macro[0]:.3f} BA {macro[1]:.3f} Spearman {rank:.3f}")


def speed(rows: Sequence[Row]) -> tuple[float, float]:
    """Answers a second of CPU time over rows with 1,000 to 3,000 characters of context, and their mean length."""
    chosen = [row for row in rows if 1000 <= sum(map(len, row.contexts)) <= 3000]  # noqa: PLR2004 - around the target
    started = time.process_time()
    embedded(chosen)
    spent = time.process_time() - started
    return len(chosen) / spent, float(np.mean([sum(map(len, row.contexts)) for row in chosen]))


def main() -> int:
    """Print the table."""
    given = arguments(__doc__)
    rows = read_rows(given.data, given.split)
    for name, judge in JUDGES.items():
        report(name, rows, judge(rows))
    rate, size = speed(rows)
    print(f"embedded: {rate:.0f} answers/s/core at {size:.0f} characters of context")
    return 0


if __name__ == "__main__":
    sys.exit(main())
