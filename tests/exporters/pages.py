"""Pages of the Prometheus exporter, read back."""

from __future__ import annotations

from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.openmetrics import parser as openmetrics_parser
from prometheus_client.parser import text_string_to_metric_families as parse_text
from prometheus_client.samples import Sample

from exporters.prometheus import SnapshotCollector, build_registry, render
from monitor.operational import Operational
from monitor.snapshot import Snapshot
from tests.exporters.samples import operational


def parse_openmetrics(text: str) -> list[Family]:
    return list(openmetrics_parser.text_string_to_metric_families(text))  # type: ignore[no-untyped-call] # library


def registry(shown: Snapshot, state: Operational | None = None, max_series: int = 5000) -> CollectorRegistry:
    return build_registry(SnapshotCollector(lambda: shown, lambda: state or operational(), max_series))


def page(shown: Snapshot, state: Operational | None = None, max_series: int = 5000) -> list[Sample]:
    """All samples of our own, read back by both of the client's parsers, which must agree."""
    made = registry(shown, state, max_series)
    plain = render(made, as_openmetrics=False).body.decode()
    full = render(made, as_openmetrics=True).body.decode()
    text = [s for family in parse_text(plain) for s in family.samples if s.name.startswith("ragmon_")]
    open_ = [s for family in parse_openmetrics(full) for s in family.samples if s.name.startswith("ragmon_")]
    grown = ("ragmon_label_overflow_total", "ragmon_series_dropped_total")
    key = [(s.name, s.labels, s.value) for s in text if s.name not in grown]
    assert key == [(s.name, s.labels, s.value) for s in open_ if s.name not in grown]
    return open_


def values(samples: list[Sample], name: str, **labels: str) -> list[float]:
    return [s.value for s in samples if s.name == name and labels.items() <= s.labels.items()]
