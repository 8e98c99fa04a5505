"""Fit the constants of the embedded judge on the training rows of the grounding benchmark; print them.

    python bench/judge_fit.py --data FOLDER        # holds ground-train.jsonl.gz

Three kinds of sentence go in: the labelled ones (each source and each class with the same weight; HaluEval left out, as
length alone solves it), anchors (a sentence copied from the passages is supported, one from another request's passages
is not) and anchors with one number changed to one that the passages lack. The sign of every weight is bounded.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from judge_quality import Row, arguments, read_rows, wrong_share
from numpy.typing import NDArray
from scipy.optimize import minimize

from monitor.judges.text.claims import claims_of
from monitor.judges.text.sentences import split_sentences
from monitor.judges.text.support import FEATURES, EvidenceIndex
from monitor.judges.text.tokens import tokenize

Floats = NDArray[np.float64]
LEFT_OUT = {"halueval_qa"}
ANCHORS = 1.0
"""Weight of the anchors against the labelled sentences."""
CHANGED = 0.1
"""Weight of the changed numbers; as much is added to the supported anchors."""
RIDGE = 1e-4
ROUNDS = 4
"""Choosing the best window and fitting alternate."""
LEAST_COVERAGE = 0.6
"""Least weight of the coverage: the Chinese rows are continuations of news and say little about it."""
LEAST_NEGATION = 1.0
"""Least weight of a negation that the window lacks: rare in the rows, but it turns a statement round."""
SIGNS = np.array([1, 1, -1, -1, -1, -1, -1])
_NUMBER = re.compile(r"(?<![0-9.,])[0-9]{1,4}(?![0-9.,])")


@dataclass(frozen=True)
class Example:
    """One sentence: its features against each window, its group for weighting, whether it is supported."""

    features: Floats
    group: str
    supported: bool


def examples(rows: list[Row], rng: random.Random) -> Iterator[Example]:
    """Labelled sentences, anchors and changed anchors of `rows`."""
    for row in rows:
        if row.source not in LEFT_OUT:
            claims = claims_of(row.answer)
            index = EvidenceIndex(row.contexts, [claim.tokens for claim in claims])
            for claim in claims:
                supported = wrong_share(row, claim.sentence.start, claim.sentence.end) == 0
                yield Example(index.measure(claim.tokens), row.source, supported)
        own = [sentence.text for context in row.contexts for sentence in split_sentences(context)]
        other = rng.choice(rows)
        foreign = [sentence.text for context in other.contexts for sentence in split_sentences(context)]
        yield from _anchor(row, rng.choice(own), "anchor", supported=True)
        if other.group != row.group:
            yield from _anchor(row, rng.choice(foreign), "anchor", supported=False)
        rng.shuffle(own)
        changed = next(filter(None, (change_number(text, " ".join(own), rng) for text in own)), "")
        yield from _anchor(row, changed, "changed", supported=False)


def _anchor(row: Row, text: str, group: str, *, supported: bool) -> Iterator[Example]:
    tokens = tokenize(text)
    if tokens.words:
        yield Example(EvidenceIndex(row.contexts, [tokens]).measure(tokens), group, supported)


def change_number(text: str, passages: str, rng: random.Random) -> str:
    """`text` with one number changed to one that `passages` lack; empty when that cannot be done."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return ""
    old = rng.choice(found)
    for step in rng.sample([-9, -7, -5, -3, -2, 2, 3, 5, 7, 9, 10, 20], 12):
        new = str(max(2, int(old[0]) + step))
        if new not in passages:
            return text[: old.start()] + new + text[old.end() :]
    return ""


def weights_of(data: list[Example]) -> Floats:
    """Weight of each example: groups equal, classes equal within a group."""
    group = np.array([example.group for example in data])
    supported = np.array([example.supported for example in data])
    sources = len(set(group) - {"anchor", "changed"})
    weight = np.zeros(len(data))
    for name in set(group):
        for value in (False, True):
            chosen = (group == name) & (supported == value)
            scale = {"anchor": ANCHORS + (CHANGED if value else 0.0), "changed": CHANGED}.get(name, 1 / sources)
            weight[chosen] = scale / max(1, chosen.sum())
    return np.asarray(weight / weight.sum())


def fit(data: list[Example]) -> Floats:
    """Intercept and weights of the logistic function."""
    target = np.array([float(example.supported) for example in data])
    weight = weights_of(data)
    theta = np.r_[0.0, 0.5 * SIGNS]
    for _ in range(ROUNDS):
        chosen = np.array([example.features[np.argmax(example.features @ theta[1:])] for example in data])
        theta = _minimum(chosen, target, weight, theta)
    return np.asarray(theta)


def _minimum(features: Floats, target: Floats, weight: Floats, start: Floats) -> Floats:
    def loss(theta: Floats) -> tuple[float, Floats]:
        logit = theta[0] + features @ theta[1:]
        error = weight * (1 / (1 + np.exp(-logit)) - target)
        value = float(weight @ (np.logaddexp(0.0, logit) - target * logit) + RIDGE * (theta[1:] @ theta[1:]))
        return value, np.r_[error.sum(), features.T @ error + 2 * RIDGE * theta[1:]]

    bounds: list[tuple[float | None, float | None]] = [(None, None)]
    bounds += [(0.0, None) if sign > 0 else (None, 0.0) for sign in SIGNS]
    bounds[1 + FEATURES.index("coverage")] = (LEAST_COVERAGE, None)
    bounds[1 + FEATURES.index("negation")] = (None, -LEAST_NEGATION)
    return np.asarray(minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B").x)


def main() -> int:
    """Print the constants for both kinds of script."""
    rows = read_rows(arguments(__doc__).data, "ground-train")
    for language in ("en", "zh"):
        data = list(examples([row for row in rows if row.language == language], random.Random(9)))
        theta = fit(data)
        named = dict(zip(("intercept", *FEATURES), (round(float(value), 2) for value in theta), strict=True))
        print(language, len(data), "sentences", named)
    return 0


if __name__ == "__main__":
    sys.exit(main())
