"""The committed dashboards, read back: every query with Grafana's variables filled in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.deploy.promtool import ROOT

GRAFANA = ROOT / "deploy" / "grafana"
_VARIABLES = {
    "$__rate_interval": "1m",
    "$evaluation": "faithfulness",
    "$judge": ".+",
    "$dimension": "app",
    "$window": "5m",
}


def dashboards() -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted((GRAFANA / "dashboards").glob("*.json"))]


def panels() -> Iterator[dict[str, Any]]:
    for dashboard in dashboards():
        yield from (panel for panel in dashboard["panels"] if panel["type"] != "row")


def queries() -> list[str]:
    """Every PromQL expression of every panel."""
    found = [target["expr"] for panel in panels() for target in panel["targets"]]
    return [_filled(expr) for expr in found]


def _filled(expr: str) -> str:
    for name, value in _VARIABLES.items():
        expr = expr.replace(name, value)
    return expr
