"""What holds of a claim and what it lacks, as one probability, and small boosted trees: all signs fixed, no randomness.

A claim is supported when its words are held (a logistic regression, and the trees on top of it) and nothing that it
lacks makes it wrong, each lack being a cause of its own: a noisy or (Pearl 1988, "Probabilistic Reasoning in
Intelligent Systems", section 4.3.2). Trees by Newton boosting over binned features, as in Chen and Guestrin (2016),
"XGBoost", section 2. A sign is kept by refusing splits whose children are in the wrong order and by bounding all below
a split by the mean of its children, so each tree, and the sum of all, is monotone in each feature.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

MAX_BINS = 64
RIDGE = 1e-4
"""Of the linear part, whose weights of rows sum to 1."""
_LEAST = 1e-9
"""Risk below which a logarithm would have no end."""


@dataclass(frozen=True)
class Options:
    """How to boost; weights of rows are scaled to a mean of 1 beforehand, so `least_rows` is a weighted number too."""

    trees: int = 60
    depth: int = 2
    rate: float = 0.05
    ridge: float = 5.0
    least_weight: float = 30.0
    least_rows: int = 30


@dataclass
class Tree:
    """One complete tree: splits in level order, a missing one sends all to the left."""

    split: list[int]
    above: list[float]
    leaves: list[float] = field(default_factory=list)


def boost(
    rows: Floats, target: Floats, weight: Floats, start: Floats, clean: Floats, signs: Sequence[int], options: Options
) -> list[Tree]:
    """Trees for `target` (0 or 1), which add to the log-odds of `start`.

    `clean` is the probability that nothing which is lacked makes a row wrong.
    The curvature is that of the expected loss, which is never negative (Fisher scoring).
    """
    weight = weight / weight.mean()
    cuts = [_cuts(column) for column in rows.T]
    bins = np.stack([np.searchsorted(cut, column, "left") for cut, column in zip(cuts, rows.T, strict=True)], axis=1)
    logit = start.copy()
    trees = []
    for _ in range(options.trees):
        worded = 1.0 / (1.0 + np.exp(-logit))
        risk = np.maximum(1.0 - (1.0 - worded) * clean, _LEAST)
        slope = weight * worded * np.where(target > 0.0, 1.0 - 1.0 / risk, 1.0)
        curve = weight * worded**2 * (1.0 - risk) / risk
        tree, step = _grow(bins, cuts, slope, curve, weight, signs, options)
        logit += step
        trees.append(tree)
    return trees


def noisy_or(
    terms: Floats, lacks: Floats, target: Floats, weight: Floats, signs: Sequence[int]
) -> tuple[float, Floats, Floats]:
    """Base and weights of `terms` in the log-odds, which keep their `signs`, and weights of `lacks`, none negative.

    The risk is 1 - (1 - logistic(base + terms @ weights)) * exp(-lacks @ weights).
    """
    weight = weight / weight.sum()
    sign = np.array(signs, dtype=np.float64)
    count = 1 + len(sign)

    def loss(theta: Floats) -> tuple[float, Floats]:
        logit = theta[0] + terms @ theta[1:count]
        held = -np.logaddexp(0.0, logit) - lacks @ theta[count:]  # log of 1 - risk
        risk = np.maximum(-np.expm1(held), _LEAST)
        value = -float(weight @ (target * np.log(risk) + (1.0 - target) * held))
        of_held = weight * (target * np.exp(held) / risk - (1.0 - target))
        of_logit = -of_held / (1.0 + np.exp(-logit))
        slope = np.r_[of_logit.sum(), terms.T @ of_logit, -lacks.T @ of_held]
        return value + RIDGE * float(theta[1:] @ theta[1:]), slope + np.r_[0.0, 2.0 * RIDGE * theta[1:]]

    bounds: list[tuple[float | None, float | None]] = [(None, None)]
    bounds += [(0.0, None) if one > 0 else (None, 0.0) for one in sign]
    bounds += [(0.0, None)] * lacks.shape[1]
    start = np.r_[0.0, 0.1 * sign, np.full(lacks.shape[1], 0.3)]
    theta = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B").x
    return float(theta[0]), np.asarray(theta[1:count]), np.asarray(theta[count:])


def _cuts(column: Floats) -> Floats:
    """Thresholds half way between neighbouring values, few enough for `MAX_BINS`; none for a constant column."""
    values = np.unique(column)
    if len(values) > MAX_BINS:
        values = np.unique(np.quantile(column, np.linspace(0.0, 1.0, MAX_BINS), method="nearest"))
    return np.asarray(np.round((values[:-1] + values[1:]) / 2.0, 7))


@dataclass(frozen=True)
class _Node:
    members: Indices
    low: float
    high: float


def _grow(
    bins: Indices,
    cuts: list[Floats],
    slope: Floats,
    curve: Floats,
    weight: Floats,
    signs: Sequence[int],
    options: Options,
) -> tuple[Tree, Floats]:
    """One tree, and what it adds to each row."""
    tree = Tree([], [])
    level = [_Node(np.arange(len(bins)), -np.inf, np.inf)]
    for _ in range(options.depth):
        following = []
        for node in level:
            column, cut, middle = _best_split(node, bins, slope, curve, weight, signs, options)
            right = bins[node.members, column] > cut if cut >= 0 else np.zeros(len(node.members), dtype=bool)
            tree.split.append(column)
            tree.above.append(float(cuts[column][cut]) if cut >= 0 else 1e9)
            low, high = (node.low, middle), (middle, node.high)
            if cut < 0:
                low = high = (node.low, node.high)
            elif signs[column] < 0:
                low, high = high, low
            following += [_Node(node.members[~right], *low), _Node(node.members[right], *high)]
        level = following
    step = np.zeros(len(bins))
    for node in level:
        value = options.rate * _value(slope[node.members].sum(), curve[node.members].sum(), node, options)
        tree.leaves.append(round(float(value), 5))
        step[node.members] = tree.leaves[-1]
    return tree, step


def _value(slope: Floats, curve: Floats, node: _Node, options: Options) -> Floats:
    """The best constant for a part of a node, within the node's bounds."""
    return np.asarray(np.clip(-slope / (curve + options.ridge), node.low, node.high))


def _best_split(
    node: _Node,
    bins: Indices,
    slope: Floats,
    curve: Floats,
    weight: Floats,
    signs: Sequence[int],
    options: Options,
) -> tuple[int, int, float]:
    """Column, the last bin that goes left (-1: no split is worth it), and the bound between both sides."""
    best = (0, -1, 0.0)
    most = 1e-6
    inside = bins[node.members]
    for column, sign in enumerate(signs):
        sums = [_up_to(inside[:, column], values[node.members]) for values in (slope, curve, weight)]
        rows = np.cumsum(np.bincount(inside[:, column], minlength=MAX_BINS))
        left_slope, left_curve, left_weight = (total[:-1] for total in sums)
        right_slope, right_curve, right_weight = (total[-1] - total[:-1] for total in sums)
        left, right = _value(left_slope, left_curve, node, options), _value(right_slope, right_curve, node, options)
        whole = _value(sums[0][-1], sums[1][-1], node, options)
        gain = (
            _gain(left_slope, left_curve, left, options)
            + _gain(right_slope, right_curve, right, options)
            - _gain(sums[0][-1], sums[1][-1], whole, options)
        )
        allowed = (
            (sign * (right - left) >= 0.0)
            & (np.minimum(left_weight, right_weight) >= options.least_weight)
            & (np.minimum(rows[:-1], rows[-1] - rows[:-1]) >= options.least_rows)
        )
        gain = np.where(allowed, gain, -np.inf)
        cut = int(gain.argmax())
        if gain[cut] > most:
            most = float(gain[cut])
            best = (column, cut, float(left[cut] + right[cut]) / 2.0)
    return best


def _up_to(bins: Indices, values: Floats) -> Floats:
    """The sum of `values` up to each bin."""
    return np.asarray(np.cumsum(np.bincount(bins, values, MAX_BINS)), dtype=np.float64)


def _gain(slope: Floats, curve: Floats, value: Floats, options: Options) -> Floats:
    """How much the loss falls when a part takes `value`, times 2."""
    return np.asarray(-(2.0 * slope * value + (curve + options.ridge) * value * value))
