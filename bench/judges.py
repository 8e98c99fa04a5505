"""Quality and speed of a judge on the grounding benchmark, run by `ragmon judge`, beside the trivial judges.

    python bench/judges.py --data FOLDER                       # holds ground-dev.jsonl.gz
    python bench/judges.py --data FOLDER --split ground-test   # with the thresholds that ground-dev gives
    python bench/judges.py --data FOLDER --config ragmon.yaml --judge NAME

For each source and as a plain mean over the English ones (pooled figures mislead, as base rates run from 46 to 82 %):
AUROC; balanced accuracy with the threshold that is best on all rows of ground-dev, and of the judge's own label;
Spearman of the risk with the wrong share of characters; expected calibration error of 1 - score; and rows judged a
second of CPU time by the whole command. A row without a score counts as 0.5, and how many there are is told.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from ground import (
    Flags,
    Floats,
    Row,
    arguments,
    auroc,
    balanced_accuracy,
    best_threshold,
    calibration_error,
    read_rows,
    spearman,
    wrong_share,
)

from monitor.judges.text.passages import WINDOW
from monitor.judges.text.sentences import split_sentences
from monitor.judges.text.tokens import tokenize
from monitor.judges.text.words import is_function_word

DEV = "ground-dev"
UNSCORED = 0.5
GOOD_LABELS = frozenset(("faithful", "supported"))


@dataclass(frozen=True)
class Scores:
    """Higher is better; `flagged` is the judge's own label, where it has one."""

    score: Floats
    flagged: Flags | None = None
    unscored: int = 0
    cpu_s: float = 0.0


def judged(given: argparse.Namespace, rows: Sequence[Row]) -> Scores:
    """What `ragmon judge` says of the rows, and the CPU time that it takes, its start included."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        path.write_text("".join(f"{json.dumps(_asked(number, row))}\n" for number, row in enumerate(rows)), "utf-8")
        command = [sys.executable, "-m", "monitor.cli", "judge", "--evaluation", given.evaluation, str(path)]
        command += ["--config", given.config] if given.config else []
        command += ["--judge", given.judge] if given.judge else []
        before = _children_cpu_s()
        said = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout
        spent = _children_cpu_s() - before
    verdicts = [json.loads(line) for line in said.splitlines()]
    scored = [verdict["score"] is not None for verdict in verdicts]
    return Scores(
        np.array([verdict["score"] if told else UNSCORED for verdict, told in zip(verdicts, scored, strict=True)]),
        np.array([bool(verdict["label"]) and verdict["label"] not in GOOD_LABELS for verdict in verdicts]),
        len(rows) - sum(scored),
        spent,
    )


def _asked(number: int, row: Row) -> dict[str, object]:
    return {"id": number, "question": row.question, "contexts": row.contexts, "answer": row.answer}


def _children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def always(rows: Sequence[Row]) -> Scores:
    """Everything is hallucinated."""
    return Scores(np.zeros(len(rows)), np.ones(len(rows), dtype=bool))


def length(rows: Sequence[Row]) -> Scores:
    """Longer answers are worse."""
    return Scores(np.array([-float(len(row.answer)) for row in rows]))


def coverage(rows: Sequence[Row]) -> Scores:
    """Share of content tokens found in the best window of three sentences, the least over the answer's sentences."""
    return Scores(np.array([min(_coverages(row), default=UNSCORED) for row in rows]))


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


@dataclass(frozen=True)
class Line:
    """The figures of one judge on the rows of one source."""

    auroc: float
    balanced: float
    label: float
    spearman: float
    ece: float


def line_of(rows: Sequence[Row], scores: Scores, threshold: float, chosen: Flags) -> Line:
    """The figures on the chosen rows."""
    wrong = np.array([row.hallucinated for row in rows])[chosen]
    share = np.array([wrong_share(row, 0, len(row.answer)) for row in rows])[chosen]
    score = scores.score[chosen]
    return Line(
        auroc(score, wrong),
        balanced_accuracy(score < threshold, wrong),
        float("nan") if scores.flagged is None else balanced_accuracy(scores.flagged[chosen], wrong),
        spearman(score, share),
        calibration_error(score, wrong),
    )


def report(name: str, rows: Sequence[Row], scores: Scores, threshold: float) -> None:
    """One line a source, then the means over the English ones and what concerns all rows."""
    source = np.array([row.source for row in rows])
    english = []
    for one in sorted(set(source)):
        line = line_of(rows, scores, threshold, source == one)
        _print(name, one, int((source == one).sum()), line)
        if rows[int((source == one).argmax())].language == "en":
            english.append(vars(line))
    means = {field: float(np.mean([line[field] for line in english])) for field in english[0]}
    _print(name, "macro (en)", int(sum(row.language == "en" for row in rows)), Line(**means))
    told = f"; {len(rows) / scores.cpu_s:.0f} rows/s/core; {scores.unscored} without a score" if scores.cpu_s else ""
    print(f"{name}: flagged below {threshold:.3f}{told}")


def _print(name: str, source: str, count: int, line: Line) -> None:
    shown = (f"{field} {'-' if np.isnan(value) else format(value, '.3f'):>5}" for field, value in vars(line).items())
    print(f"{name:14} {source:13} n={count:4d} ", "  ".join(shown))


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", default=DEV, help="file name without .jsonl.gz")
    parser.add_argument("--evaluation", default="faithfulness")
    parser.add_argument("--config", help="configuration file of ragmon; without it the embedded judge judges")
    parser.add_argument("--judge", help="name of the judge, if several can do it")
    given = arguments(parser)
    ragmon = partial(judged, given)
    judges: dict[str, Callable[[Sequence[Row]], Scores]] = {
        "always": always,
        "answer length": length,
        "coverage": coverage,
        given.judge or "ragmon judge": ragmon,
    }
    dev = read_rows(given.data, DEV)
    rows = dev if given.split == DEV else read_rows(given.data, given.split)
    wrong = np.array([row.hallucinated for row in dev])
    for name, judge in judges.items():
        scores = judge(dev)
        threshold = best_threshold(scores.score, wrong)
        report(name, rows, scores if rows is dev else judge(rows), threshold)
    return 0


if __name__ == "__main__":
    sys.exit(main())
