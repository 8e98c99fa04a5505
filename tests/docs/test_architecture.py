"""The page of the architecture names what is there, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_every_module_at_the_top_is_named() -> None:
    modules = {path.name for path in (ROOT / "monitor").glob("*.py") if not path.name.startswith("__")}
    assert modules - set(re.findall(r"`([a-z_]+\.py)`", PAGE)) == set()


def test_every_file_that_is_named_is_there() -> None:
    named = set(re.findall(r"`((?:[a-z_]+/)*[a-z_*]+\.(?:py|md|toml))`", PAGE))
    places = (ROOT, ROOT / "monitor", ROOT / "monitor" / "traces")
    assert [name for name in sorted(named) if not any(list(place.glob(name)) for place in places)] == []
