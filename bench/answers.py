"""How well the embedded judge tells unsupported sentences and answers in long answers of a model; needs no other data.

    python bench/answers.py

The answers are our own (answers/README.md). `natural`: as a model answers from passages, half of them from passages
that lack a part; text rules and weights were chosen with these in sight. `held_out`: the same on other passages, kept
apart until the judge was first done. `paraphrased` and `paraphrased_held_out`: by another author, in freer words, with
tables, worked examples and closing offers. `reworded`: written to say everything in other words, with subtle errors. By
set and language: AUROC of sentences, supported against unsupported; of both the shares that are called unsupported;
AUROC of answers with an unsupported sentence by the score and by the worst sentence; balanced accuracy of the label,
and the share of right answers that it calls unfaithful.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from ground import Flags, auroc, balanced_accuracy

from monitor.judges.grounding.assessment import Assessment, assess

FOLDER = Path(__file__).parent / "answers"
SETS = ("natural", "held_out", "paraphrased", "paraphrased_held_out", "reworded")
BAD, GOOD = "unsupported", "supported"


@dataclass(frozen=True)
class Answer:
    """One answer, and the label of each of its sentences: start, end (half-open), label."""

    language: str
    contexts: tuple[str, ...]
    text: str
    labels: tuple[tuple[int, int, str], ...]
    question: str = ""

    @property
    def wrong(self) -> bool:
        """Whether the passages do not support one of its sentences."""
        return any(label == BAD for _, _, label in self.labels)

    def label_of(self, start: int, end: int) -> str:
        """The worst label of what stands between two offsets; empty where nothing is claimed."""
        found = {label for begin, stop, label in self.labels if begin < end and start < stop}
        return next((label for label in (BAD, "partial", GOOD) if label in found), "")


@dataclass(frozen=True)
class Figures:
    """What the judge makes of some answers; shares and areas from 0 to 1."""

    answers: int
    sentences: float
    bad_flagged: float
    good_flagged: float
    by_score: float
    by_worst: float
    balanced: float
    right_flagged: float


def read_answers(name: str) -> list[Answer]:
    """The answers of one of `SETS`."""
    with (FOLDER / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [answer for line in lines for answer in _answers(json.loads(line))]


def _answers(group: dict[str, list[list[list[str]]]]) -> Iterator[Answer]:
    for sentences in group["answers"]:
        ends = np.cumsum([len(text) for text, _ in sentences]).tolist()
        labels = ((end - len(text), end, label) for (text, label), end in zip(sentences, ends, strict=True))
        text = "".join(text for text, _ in sentences)
        contexts, asked = tuple(map(str, group["contexts"])), str(group["question"])
        yield Answer(str(group["language"]), contexts, text, tuple(labels), asked)


def figures_of(answers: list[Answer]) -> Figures:
    """The figures of the shipped judge on those of some answers, right and wrong ones, that claim something."""
    every = [(answer, assess(answer.text, answer.contexts, question=answer.question)) for answer in answers]
    scored = [(answer, found) for answer, found in every if found.score is not None]
    judged = [found for _, found in scored]
    wrong = np.array([answer.wrong for answer, _ in scored])
    score, worst = (np.array([_of(found) for found in judged]) for _of in (_score, _worst))
    flagged = np.array([found.label == "unfaithful" for found in judged])
    pieces = [
        (piece.score, piece.label == BAD, answer.label_of(piece.start, piece.end))
        for answer, found in scored
        for piece in found.evidence
    ]
    told = np.array([piece[:2] for piece in pieces if piece[2] in {GOOD, BAD}])
    bad: Flags = np.array([label == BAD for _, _, label in pieces if label in {GOOD, BAD}])
    return Figures(
        len(scored),
        auroc(told[:, 0], bad),
        float(told[bad, 1].mean()),
        float(told[~bad, 1].mean()),
        auroc(score, wrong),
        auroc(worst, wrong),
        balanced_accuracy(flagged, wrong),
        float(flagged[~wrong].mean()),
    )


def line_of(name: str, found: Figures) -> str:
    """One line of a table."""
    shown = vars(found)
    return " ".join([f"{name}  n={shown['answers']:4d} ", *(f"{key} {shown[key]:.3f}" for key in list(shown)[1:])])


def _score(found: Assessment) -> float:
    return 0.5 if found.score is None else found.score


def _worst(found: Assessment) -> float:
    return min((piece.score for piece in found.evidence), default=0.5)


def main() -> int:
    """Print the table."""
    for name in SETS:
        answers = read_answers(name)
        for language in ("en", "zh"):
            found = figures_of([answer for answer in answers if answer.language == language])
            print(line_of(f"{name:20} {language}", found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
