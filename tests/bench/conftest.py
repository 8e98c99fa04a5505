"""The script that a test is about."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def module(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Of `test_answers.py` it is `bench/answers.py`, which finds its neighbours as it does when it is run."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    return importlib.import_module(request.path.stem.removeprefix("test_"))
