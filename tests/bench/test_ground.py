"""Rules of the figures that the benchmark scripts print."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

_SPEC = importlib.util.spec_from_file_location("bench_ground", Path(__file__).parents[2] / "bench" / "ground.py")
assert _SPEC is not None
assert _SPEC.loader is not None
ground = sys.modules["bench_ground"] = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(ground)

scores = st.lists(st.tuples(st.sampled_from([0.0, 0.2, 0.5, 0.7, 1.0]), st.booleans()), min_size=2, max_size=30)


def both(rows: list[tuple[float, bool]]) -> tuple[np.ndarray, np.ndarray]:
    rows = [*rows, (0.5, True), (0.5, False)]
    return np.array([score for score, _ in rows]), np.array([wrong for _, wrong in rows])


@given(scores)
def test_auroc_is_the_share_of_pairs_in_the_right_order(rows: list[tuple[float, bool]]) -> None:
    score, wrong = both(rows)
    pairs = [(good > bad) + 0.5 * (good == bad) for good in score[~wrong] for bad in score[wrong]]
    assert ground.auroc(score, wrong) == pytest.approx(np.mean(pairs))


@given(scores)
def test_no_threshold_has_a_higher_balanced_accuracy_than_the_best_one(rows: list[tuple[float, bool]]) -> None:
    score, wrong = both(rows)
    best = ground.balanced_accuracy(score < ground.best_threshold(score, wrong), wrong)
    assert best >= max(ground.balanced_accuracy(score < cut, wrong) for cut in (*score, -1.0, 2.0))


def test_calibration_error_is_how_far_risks_are_from_what_is_wrong() -> None:
    wrong = np.array([True, False, False, False])
    assert ground.calibration_error(np.full(4, 0.75), wrong) == pytest.approx(0.0)
    assert ground.calibration_error(np.full(4, 0.25), wrong) == pytest.approx(0.5)
    assert ground.calibration_error(np.array([0.0, 1.0, 1.0, 1.0]), wrong) == 0.0
    assert np.isnan(ground.calibration_error(np.array([-3.0, 1.0, 1.0, 1.0]), wrong))


def test_what_cannot_be_told_is_no_number() -> None:
    assert np.isnan(ground.auroc(np.array([0.1, 0.2]), np.array([True, True])))
    assert np.isnan(ground.spearman(np.array([0.5, 0.5]), np.array([0.0, 1.0])))
