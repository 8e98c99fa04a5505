"""Whoever copies a panel of judges from the documents gets one that still scans for what must not leave."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "runbooks").glob("*.md"))]
BLOCKS = re.compile(r"^( *)```yaml\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def panels() -> list[tuple[str, list[dict[str, object]]]]:
    contents = (
        (page.name, yaml.safe_load(textwrap.dedent(block)))
        for page in PAGES
        for _, block in BLOCKS.findall(page.read_text(encoding="utf-8"))
    )
    return [(name, found["judges"]) for name, found in contents if isinstance(found, dict) and "judges" in found]


@pytest.mark.parametrize(("page", "judges"), panels())
def test_every_panel_that_a_page_shows_has_the_judges_of_the_default_one(
    page: str, judges: list[dict[str, object]]
) -> None:
    assert {"embedded", "scanner"} <= {judge["type"] for judge in judges}, page


def test_panels_are_found() -> None:
    assert {"README.md", "changing-judges.md", "judges.md", "configuration.md"} <= {page for page, _ in panels()}
