"""The points of the service's own traffic."""

from __future__ import annotations

from exporters import metrics_traffic as metrics
from exporters.points import Histogram, Page
from monitor.operational import LATENCY_BOUNDS, TrafficCount, TrafficTotals


def traffic_points(page: Page, traffic: TrafficCount) -> None:
    """Put in what is known of the traffic; nothing when it is not counted."""
    if traffic.basis == "off":
        return
    for totals in traffic.totals:
        _slice(page, totals, traffic.basis)
    page.count(metrics.TRAFFIC_UNREADABLE, (), traffic.unreadable)


def _slice(page: Page, totals: TrafficTotals, basis: str) -> None:
    value = page.guard.vocabulary.value
    dimension = value("dimension", totals.slice.dimension)
    labels = (dimension, value("value", totals.slice.value, dimension), basis)
    page.count(metrics.TRAFFIC_REQUESTS, labels, totals.requests)
    page.count(metrics.TRAFFIC_ERRORS, labels, totals.errors)
    page.count(metrics.TRAFFIC_EMPTY, labels, totals.empty_retrievals)
    page.count(metrics.TRAFFIC_TOKENS, (*labels, "input"), totals.input_tokens)
    page.count(metrics.TRAFFIC_TOKENS, (*labels, "output"), totals.output_tokens)
    *buckets, count = map(round, totals.buckets)  # a count has to be whole
    latencies = Histogram(tuple(buckets), totals.seconds, bounds=LATENCY_BOUNDS, over=count - buckets[-1])
    page.histogram(metrics.TRAFFIC_DURATION, labels, latencies)
