"""The page of the architecture names what is there, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", ["", "config/", "stages/", "judges/", "judges/limits/", "judges/replies/"])
def test_every_module_of_a_folder_that_is_told_by_modules_is_named(folder: str) -> None:
    modules = [path.name for path in (ROOT / "monitor" / folder).glob("*.py") if not path.name.startswith("__")]
    assert modules
    assert {f"{folder}{name}" for name in modules} - set(re.findall(r"`([a-z_/]+\.py)`", PAGE)) == set()


def test_every_file_that_is_named_is_there() -> None:
    named = set(re.findall(r"`((?:[a-z_]+/)*[a-z_*]+\.(?:py|md|toml))`", PAGE))
    places = (ROOT, ROOT / "monitor", ROOT / "monitor" / "traces")
    assert [name for name in sorted(named) if not any(list(place.glob(name)) for place in places)] == []
