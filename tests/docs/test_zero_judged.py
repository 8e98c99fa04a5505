"""docs/zero-judged.md explains every word under which a request or trace is lost."""

from __future__ import annotations

import re
from pathlib import Path

from monitor.accounting import STAGES
from monitor.judges.scorable import MEANINGS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "zero-judged.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)`", PAGE, re.MULTILINE)


def test_every_reason_of_extract_and_of_not_scorable_is_explained() -> None:
    reasons = {reason.name for stage in STAGES if stage.name == "extract" for reason in stage.reasons}
    assert reasons | set(MEANINGS) <= set(ROWS)


def test_every_row_is_a_word_that_exists() -> None:
    known = {stage.name for stage in STAGES} | {reason.name for stage in STAGES for reason in stage.reasons}
    assert set(ROWS) <= known | set(MEANINGS)


def test_its_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (DOCS / target).exists(), target
