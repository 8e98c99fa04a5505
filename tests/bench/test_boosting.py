"""The model of the embedded judge finds what made its examples, and keeps its signs."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

COUNT = 20_000


def _examples(of_lack: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Terms, lacks and what is wrong: by the words at the odds of `-1 - 2 * term`, and by each lack on its own."""
    rng = np.random.default_rng(1)
    terms, lacks = rng.normal(size=(COUNT, 1)), rng.integers(0, 3, (COUNT, 1)).astype(float)
    risk = 1.0 - np.exp(-of_lack * lacks[:, 0]) / (1.0 + np.exp(-1.0 - 2.0 * terms[:, 0]))
    return terms, lacks, (rng.random(COUNT) < risk).astype(float)


def test_words_and_lacks_get_the_weights_that_made_the_examples(module: ModuleType) -> None:
    terms, lacks, wrong = _examples(0.8)
    base, words, causes = module.noisy_or(terms, lacks, wrong, np.ones(COUNT), [-1])
    assert (base, *words, *causes) == pytest.approx((-1.0, -2.0, 0.8), abs=0.1)


def test_a_weight_that_would_change_its_sign_is_none(module: ModuleType) -> None:
    terms, lacks, wrong = _examples(0.0)
    _, words, causes = module.noisy_or(terms, lacks, wrong, np.ones(COUNT), [1])
    assert (words[0], causes[0]) == pytest.approx((0.0, 0.0), abs=0.05)


def test_trees_add_what_the_words_leave_open_and_nothing_to_a_lack(module: ModuleType) -> None:
    rng = np.random.default_rng(2)
    held, lacked = rng.random((COUNT, 1)), rng.integers(0, 2, COUNT).astype(float)
    wrong = ((held[:, 0] < 0.3) | (lacked > 0.0)).astype(float)
    clean = np.exp(-20.0 * lacked)
    trees = module.boost(held, wrong, np.ones(COUNT), np.zeros(COUNT), clean, [-1], module.Options(trees=60, rate=0.3))
    logit = sum(np.where(held[:, 0] > 0.5, tree.leaves[-1], tree.leaves[0]) for tree in trees)
    assert (logit[held[:, 0] > 0.5] < -2.0).all()
    assert (logit[held[:, 0] < 0.3] > 2.0).all()
