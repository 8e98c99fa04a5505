# ruff: noqa: INP001 - a helper of the script beside it, not a package
"""What a dashboard is made of: rows of panels, panels of queries over the catalog of metrics."""

from __future__ import annotations

from dataclasses import dataclass

from exporters.metric import Kind, Metric


@dataclass(frozen=True, slots=True)
class Query:
    """One PromQL expression, and the legend of its series."""

    expr: str
    legend: str
    exemplars: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel; its description is the question and the knob of `about`, from the catalog."""

    title: str
    about: Metric
    queries: tuple[Query, ...]
    unit: str = "short"
    kind: str = "timeseries"
    """A Grafana panel type: `timeseries`, `stat`, `heatmap`."""
    limits: tuple[float | None, float | None] = (None, None)
    """Ends of the axis."""
    width: int = 8


@dataclass(frozen=True, slots=True)
class Dashboard:
    """One dashboard: rows of panels under a heading."""

    uid: str
    title: str
    rows: tuple[tuple[str, tuple[Panel, ...]], ...]
    variables: tuple[str, ...] = ()


SHOWN = 'evaluation="$evaluation", judge=~"$judge"'
ALL = f'{SHOWN}, dimension="all"'
BY = "evaluation, judge, fingerprint, calibrated"
LEGEND = "{{judge}} {{fingerprint}} calibrated={{calibrated}}"


def gauge(metric: Metric, matchers: str = f'{ALL}, window="$window"', by: str = BY) -> str:
    """Every replica's board shows the same number."""
    return f"max by ({by}) ({metric.prometheus}{{{matchers}}})"


def rate(metric: Metric, by: str, matchers: str = "") -> str:
    """Each replica counts its own work."""
    assert metric.kind is Kind.COUNTER  # noqa: S101 - a rate of anything else is a mistake in this file
    selector = f"{{{matchers}}}" if matchers else ""
    return f"sum by ({by}) (rate({metric.prometheus}{selector}[$__rate_interval]))"


def own(metric: Metric, by: str, how: str = "sum") -> str:
    """A gauge of each replica itself, put together by `how`."""
    return f"{how} by ({by}) ({metric.prometheus})"
