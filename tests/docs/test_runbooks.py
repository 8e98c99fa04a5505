"""Each alert has a runbook, and a runbook names metrics, options and pages that exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
import yaml
from pydantic import BaseModel

from exporters.catalog import CATALOG
from monitor.config.judges import LlmJudge
from monitor.config.section import Section
from monitor.config.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
RUNBOOKS = ROOT / "docs" / "runbooks"
PAGES = sorted(path for path in RUNBOOKS.glob("*.md") if path.name != "README.md")


def _alerts() -> dict[str, dict[str, dict[str, str]]]:
    rules = yaml.safe_load((ROOT / "deploy/prometheus/rules/ragmon-alerts.yaml").read_text(encoding="utf-8"))
    return {rule["alert"]: rule for group in rules["groups"] for rule in group["rules"]}


def _options(model: type[BaseModel], prefix: str = "") -> set[str]:
    found: set[str] = set()
    for name, field in model.model_fields.items():
        found.add(prefix + name)
        kinds = [field.annotation, *get_args(field.annotation)]
        for kind in kinds:
            if isinstance(kind, type) and issubclass(kind, Section):
                found |= _options(kind, f"{prefix}{name}.")
    return found


OPTIONS = _options(Settings) | _options(LlmJudge, "judges.")
METRICS = {name for metric in CATALOG for name in (metric.prometheus, *metric.series)}


def test_every_alert_has_a_runbook_and_every_runbook_an_alert() -> None:
    assert {page.stem for page in PAGES} == _alerts().keys()


def test_the_runbook_that_an_alert_names_is_its_own() -> None:
    for name, rule in _alerts().items():
        for key, value in rule["annotations"].items():
            if key.startswith("runbook"):
                assert value.endswith(f"docs/runbooks/{name}.md")


def test_the_overview_lists_every_page_with_the_severity_of_its_alert() -> None:
    rows = re.findall(
        r"^\| \[(\w+)\]\((\w+)\.md\) \| (\w+) \|", (RUNBOOKS / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert rows == [(name, name, rule["labels"]["severity"]) for name, rule in _alerts().items()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_runbook_says_what_it_means_what_to_look_at_and_what_to_turn(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.findall(r"^#+ (.*)$", text, re.MULTILINE) == [
        page.stem,
        "What it means",
        "Look at these first",
        "What to turn",
    ]
    assert f"Severity: {_alerts()[page.stem]['labels']['severity']}." in text
    assert re.findall(r"^(\d)\. ", text, re.MULTILINE) == ["1", "2", "3"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_runbook_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`([^`]+)`", text)
    sections = "|".join(Settings.model_fields)
    assert {name for name in named if re.match(r"ragmon_\w+$", name)} <= METRICS
    assert {name for name in named if re.match(rf"({sections})\.\w+$", name)} <= OPTIONS
    assert all((ROOT / name).exists() for name in named if name.startswith("deploy/"))
    assert all((RUNBOOKS / link).exists() for link in re.findall(r"\]\(([^)]+)\)", text))
