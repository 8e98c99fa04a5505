from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from exporters.catalog import CATALOG
from tests.deploy.dashboards import GRAFANA, dashboards, panels, queries
from tests.deploy.promtool import ROOT, needs_promtool, promtool
from tests.deploy.test_rules import SERIES, rules

ALERTING = GRAFANA / "provisioning" / "alerting" / "ragmon.yaml"


def groups() -> list[dict[str, Any]]:
    loaded: dict[str, Any] = yaml.safe_load(ALERTING.read_text())
    assert loaded["apiVersion"] == 1
    return list(loaded["groups"])


def test_the_committed_files_are_what_the_generator_writes() -> None:
    checked = subprocess.run(
        [sys.executable, GRAFANA / "generate.py", "--check"], capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def test_every_query_reads_only_metrics_of_the_catalog_and_recorded_ones() -> None:
    known = {name for metric in CATALOG for name in metric.series} | {r["record"] for r in rules() if "record" in r}
    assert {name for query in queries() for name in SERIES.findall(query)} - known == set()
    variables = [v["definition"] for d in dashboards() for v in d["templating"]["list"] if "definition" in v]
    assert {name for query in variables for name in SERIES.findall(query)} - known == set()


def test_every_metric_is_on_a_dashboard_or_in_a_rule() -> None:
    read = {name for text in [*queries(), *(r["expr"] for r in rules())] for name in SERIES.findall(text)}
    assert [metric.name for metric in CATALOG if not set(metric.series) & read] == []


@needs_promtool
def test_every_query_is_promql(tmp_path: Path) -> None:
    made = [{"record": f"q{number}", "expr": query} for number, query in enumerate(queries())]
    (tmp_path / "queries.yaml").write_text(yaml.safe_dump({"groups": [{"name": "queries", "rules": made}]}))
    assert f"{len(made)} rules found" in promtool("check", "rules", "queries.yaml", folder=tmp_path)


def test_every_variable_of_a_query_is_declared() -> None:
    for dashboard in dashboards():
        declared = {variable["name"] for variable in dashboard["templating"]["list"]} | {"__rate_interval"}
        used = set(re.findall(r"\$\{?(\w+)", str(dashboard["panels"])))
        assert used <= declared, dashboard["title"]


def test_panels_have_a_place_of_their_own_and_say_what_to_turn() -> None:
    for dashboard in dashboards():
        taken: set[tuple[int, int]] = set()
        for panel in dashboard["panels"]:
            place = panel["gridPos"]
            cells = {
                (x, y)
                for x in range(place["x"], place["x"] + place["w"])
                for y in range(place["y"], place["y"] + place["h"])
            }
            assert not cells & taken
            assert place["x"] + place["w"] <= 24
            taken |= cells
        assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
    assert all("Turn: " in panel["description"] for panel in panels())


def test_grafana_alerts_are_the_shipped_alerts() -> None:
    shipped = {rule["alert"]: rule for rule in rules() if "alert" in rule}
    managed = {rule["title"]: rule for group in groups() for rule in group["rules"]}
    assert set(managed) == set(shipped)
    for name, rule in managed.items():
        by_ref = {query["refId"]: query for query in rule["data"]}
        expression = shipped[name]["expr"].strip()
        assert by_ref["V"]["model"]["expr"] == expression
        assert by_ref["A"]["model"]["expr"] == f"({expression}) * 0 + 1"
        assert (rule["for"], rule["labels"]) == (shipped[name].get("for", "0s"), shipped[name]["labels"])


def test_grafana_alerts_have_what_file_provisioning_needs() -> None:
    uids = [rule["uid"] for group in groups() for rule in group["rules"]]
    assert len(set(uids)) == len(uids)
    assert all(len(uid) <= 40 for uid in uids)
    source = yaml.safe_load((GRAFANA / "provisioning" / "datasources" / "ragmon.yaml").read_text())["datasources"][0]
    for group in groups():
        assert {"orgId", "name", "folder", "interval", "rules"} == set(group)
        for rule in group["rules"]:
            assert {"uid", "title", "condition", "data", "for", "noDataState", "execErrState"} <= set(rule)
            assert (rule["condition"], rule["noDataState"]) == ("C", "OK")
            assert {query["datasourceUid"] for query in rule["data"]} == {source["uid"], "__expr__"}
            assert "$value " not in str(rule["annotations"])


def test_the_provider_and_the_dashboards_meet() -> None:
    provider = yaml.safe_load((GRAFANA / "provisioning" / "dashboards" / "ragmon.yaml").read_text())
    assert [p["type"] for p in provider["providers"]] == ["file"]
    assert {dashboard["uid"] for dashboard in dashboards()} == {"ragmon-quality", "ragmon-judges", "ragmon-operations"}
    assert (ROOT / "deploy" / "grafana" / "dashboards").is_dir()
