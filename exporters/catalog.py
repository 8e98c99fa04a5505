"""The catalog of metrics: every metric once, in the order of the pages that show it."""

from __future__ import annotations

from types import ModuleType

from exporters import metrics_judges, metrics_process, metrics_quality, metrics_traffic
from exporters.metric import EstimateMetrics, Metric


def _metrics(module: ModuleType) -> tuple[Metric, ...]:
    entries = vars(module).values()
    groups = (entry if isinstance(entry, EstimateMetrics) else (entry,) for entry in entries)
    return tuple(metric for group in groups for metric in group if isinstance(metric, Metric))


CATALOG = _metrics(metrics_quality) + _metrics(metrics_judges) + _metrics(metrics_traffic) + _metrics(metrics_process)
"""Every metric, in the order of its module."""
