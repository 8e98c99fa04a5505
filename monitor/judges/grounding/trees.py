"""The model kept as JSON: monotone terms, boosted trees and lacks, worked out with numpy for all sentences at once."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from monitor.judges.grounding.features import FEATURES, SHARES

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


SMOOTHING = 0.03
"""Keeps the log-odds of a share of 0 or 1 finite (about 3.5)."""
_SHARES = [number for number, name in enumerate(FEATURES) if name in SHARES]


def terms(rows: Floats) -> Floats:
    """`rows` of `FEATURES` as the linear part takes them: shares as log-odds."""
    found = rows.copy()
    shares = found[:, _SHARES]
    found[:, _SHARES] = np.log((shares + SMOOTHING) / (1.0 + SMOOTHING - shares))
    return found


@dataclass(frozen=True, slots=True)
class Trees:
    """Log-odds of risk by words, of a linear part and complete binary trees of one depth; and what lacks add to it.

    Each lack makes a claim wrong by itself, however well its words are held: the risk is 1 - (1 - r) * exp(-lacks), r
    being that of the words (a noisy or). `linear` has one weight for each of `FEATURES`, for `terms`, `lacks` one for
    each as it is, none negative. `columns` and `thresholds` have one row a tree and one
    column an inner node, in level order: a value above the threshold goes right. `leaves` stand from left to right.
    `digest` identifies the file.
    """

    base: float
    linear: Floats
    lacks: Floats
    columns: Indices
    thresholds: Floats
    leaves: Floats
    digest: str = ""

    def risk(self, rows: Floats) -> Floats:
        """The risk of each row of `FEATURES`, 0 to 1; no row has no risk."""
        place = np.zeros((len(rows), len(self.columns)), dtype=np.intp)
        tree = np.arange(len(self.columns))
        row = np.arange(len(rows))[:, None]
        inner = self.columns.shape[1]
        for _ in range(inner.bit_length()):
            place = 2 * place + 1 + (rows[row, self.columns[tree, place]] > self.thresholds[tree, place])
        logit = self.base + terms(rows) @ self.linear + self.leaves[tree, place - inner].sum(axis=1)
        risk: Floats = 1.0 - np.exp(-(rows @ self.lacks)) / (1.0 + np.exp(logit))
        return risk


def parse(raw: bytes) -> Trees:
    """A model from its JSON; raises ValueError for other shapes, KeyError for names that are no feature."""
    model = json.loads(raw)
    column = {name: number for number, name in enumerate(FEATURES)}
    linear, lacks = np.zeros(len(FEATURES)), np.zeros(len(FEATURES))
    linear[[column[name] for name in model["linear"]]] = list(model["linear"].values())
    lacks[[column[name] for name in model["lacks"]]] = list(model["lacks"].values())
    splits = [[column[name] for name in tree["split"]] for tree in model["trees"]]
    return Trees(
        float(model["base"]),
        linear,
        lacks,
        np.array(splits, dtype=np.intp),
        np.array([tree["above"] for tree in model["trees"]], dtype=np.float64),
        np.array([tree["leaves"] for tree in model["trees"]], dtype=np.float64),
        hashlib.sha256(raw).hexdigest()[:12],
    )


@cache
def load(name: str) -> Trees:
    """The shipped trees `spaced` or `unspaced`; read once, in milliseconds."""
    return parse(files(__package__).joinpath(f"{name}.json").read_bytes())
