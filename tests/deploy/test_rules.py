from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from exporters.catalog import CATALOG
from tests.deploy.promtool import ROOT, needs_promtool, promtool

PROMETHEUS = ROOT / "deploy" / "prometheus"
RULES = sorted((PROMETHEUS / "rules").glob("*.yaml"))
TESTS = sorted((PROMETHEUS / "tests").glob("*.test.yaml"))
SERIES = re.compile(r"\bragmon[_:][a-z0-9_:]*[a-z0-9]")


def rules() -> Iterator[dict[str, Any]]:
    for path in RULES:
        for group in yaml.safe_load(path.read_text())["groups"]:
            yield from group["rules"]


@needs_promtool
def test_the_rules_and_the_scrape_configuration_are_valid() -> None:
    assert "SUCCESS" in promtool("check", "rules", *(f"rules/{path.name}" for path in RULES), folder=PROMETHEUS)
    assert "3 rule files found" in promtool("check", "config", "prometheus.yaml", folder=PROMETHEUS)


@needs_promtool
@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_the_alerts_fire_when_they_should_and_not_before(path: Path) -> None:
    assert "SUCCESS" in promtool("test", "rules", path.name, folder=path.parent)


def test_the_objectives_of_the_demo_are_those_that_ship_with_other_numbers() -> None:
    shipped, demo = (
        yaml.safe_load((PROMETHEUS / folder / "ragmon-objectives.yaml").read_text())["groups"]
        for folder in ("rules", "demo")
    )
    without = [[{**rule, "expr": ""} for rule in groups[0]["rules"]] for groups in (shipped, demo)]
    assert without[0] == without[1]
    assert [group["name"] for group in shipped] == [group["name"] for group in demo] == ["ragmon-objectives"]


def test_rules_read_only_metrics_of_the_catalog_and_recorded_ones() -> None:
    known = {name for metric in CATALOG for name in metric.series} | {r["record"] for r in rules() if "record" in r}
    used = {name for rule in rules() for name in SERIES.findall(rule["expr"])}
    assert used - known == set()


def test_rules_match_only_labels_that_the_metric_has() -> None:
    labels = {name: set(metric.labels) for metric in CATALOG for name in metric.series}
    for rule in rules():
        for name, matchers in re.findall(r"\b(ragmon_[a-z0-9_]+)\{([^}]*)\}", rule["expr"]):
            allowed = labels[name] | ({"le"} if name.endswith("_bucket") else set())
            assert set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", matchers)) <= allowed, rule


def test_every_recorded_series_is_read_by_a_rule_or_a_dashboard() -> None:
    dashboards = "".join(path.read_text() for path in (ROOT / "deploy" / "grafana").rglob("*.json"))
    read = {name for rule in rules() for name in SERIES.findall(rule["expr"])} | set(SERIES.findall(dashboards))
    assert {rule["record"] for rule in rules() if "record" in rule} - read == set()


def test_every_alert_is_tested_and_says_what_to_do() -> None:
    tested = "".join(path.read_text() for path in TESTS)
    for rule in rules():
        if "alert" in rule:
            assert rule["alert"] in tested
            assert rule["labels"]["severity"] in {"page", "ticket", "info"}
            assert set(rule["annotations"]) == {"summary", "description", "runbook"}


def test_score_buckets_are_named_as_the_page_names_them() -> None:
    used = {le for rule in rules() for le in re.findall(r'\ble="([^"]+)"', rule["expr"])}
    assert used == {"0.499"}
