"""The shipped files of the embedded judge are what training writes."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from monitor.judges.grounding import trees

_BENCH = Path(__file__).parents[2] / "bench"
_SHIPPED = Path(trees.__file__).parent


@pytest.fixture
def training(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, which finds its neighbours as it does when it is run."""
    monkeypatch.syspath_prepend(str(_BENCH))
    spec = importlib.util.spec_from_file_location("bench_train_embedded", _BENCH / "train_embedded.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["bench_train_embedded"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_training_writes_the_shipped_bytes(training: ModuleType) -> None:
    """Text rules, features, rows and recipe are those that the shipped models were trained with."""
    folder = Path(os.environ.get("RAGMON_BENCH_DATA", "absent"))
    if not (folder / "ground-train.jsonl.gz").exists():
        pytest.skip("the benchmark rows are not here (RAGMON_BENCH_DATA)")
    rows = training.read_rows(folder, "ground-train")
    assert training.table_of_rarity(rows) == (_SHIPPED / "common.json").read_bytes()
    for name, language, recipe in (("spaced", "en", training.SPACED), ("unspaced", "zh", training.UNSPACED)):
        chosen = [row for row in rows if row.language == language]
        data = list(training.examples(chosen, random.Random(training.SEED)))
        assert training.train(data, recipe) == (_SHIPPED / f"{name}.json").read_bytes(), name


def test_the_model_with_vectors_was_trained_on_the_examples_of_the_one_without() -> None:
    plain, vectors = (json.loads((_SHIPPED / f"{name}.json").read_bytes()) for name in ("spaced", "spaced_vectors"))
    assert vectors["trained_on"] == plain["trained_on"]


def test_another_example_changes_what_a_model_says_it_was_trained_on(training: ModuleType) -> None:
    rng = random.Random(1)
    row = training.Row("a", "en", "g", "", ["It costs 3 euros. It is open."], "It costs 3 euros.", False, [])  # noqa: FBT003 - a row
    data = list(training.examples([row], rng))
    assert training.digest(data) == training.digest([*data])
    assert training.digest(data) != training.digest(data[:-1])
