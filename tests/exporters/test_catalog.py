from __future__ import annotations

import re

from exporters.catalog import CATALOG
from exporters.metric import Kind, Metric


def test_every_name_is_there_once() -> None:
    series = [name for metric in CATALOG for name in metric.series]
    assert len(set(series)) == len(series)
    assert len({metric.name for metric in CATALOG}) == len(CATALOG)


def test_names_are_valid_in_both_worlds() -> None:
    for metric in CATALOG:
        assert re.fullmatch(r"ragmon(\.[a-z][a-z0-9_]*)+", metric.name), metric.name
        assert re.fullmatch(r"ragmon_[a-z0-9_]+[a-z0-9]", metric.prometheus), metric.prometheus


def test_a_prometheus_name_follows_the_opentelemetry_rules() -> None:
    def name(kind: Kind, unit: str) -> str:
        return Metric("ragmon.a.b_c", kind, unit, (), "", "", "", "").prometheus

    assert name(Kind.COUNTER, "{record}") == "ragmon_a_b_c_total"
    assert name(Kind.COUNTER, "s") == "ragmon_a_b_c_seconds_total"
    assert name(Kind.GAUGE, "s") == "ragmon_a_b_c_seconds"
    assert name(Kind.GAUGE, "By") == "ragmon_a_b_c_bytes"
    assert name(Kind.GAUGE, "1") == "ragmon_a_b_c_ratio"
    assert name(Kind.GAUGE, "{request}/min") == "ragmon_a_b_c_per_minute"
    assert name(Kind.GAUGE, "") == "ragmon_a_b_c"
    assert name(Kind.HISTOGRAM, "{score}") == "ragmon_a_b_c"


def test_a_histogram_names_its_three_series() -> None:
    found = {metric.name: metric.series for metric in CATALOG if metric.kind is Kind.HISTOGRAM}
    duration = "ragmon_traffic_duration_seconds"
    assert found == {
        "ragmon.score": ("ragmon_score_bucket", "ragmon_score_count", "ragmon_score_sum"),
        "ragmon.traffic.duration": (f"{duration}_bucket", f"{duration}_count", f"{duration}_sum"),
    }


def test_every_metric_says_what_it_is_whose_it_is_and_what_to_do() -> None:
    for metric in CATALOG:
        assert metric.help.endswith((".", "log.")), metric.name
        assert metric.owner, metric.name
        assert metric.question.strip(), metric.name
        assert metric.knob.strip(), metric.name


def test_no_label_holds_a_score_or_an_id() -> None:
    labels = {label for metric in CATALOG for label in metric.labels}
    assert not labels & {"trace_id", "request_id", "user_id", "session_id", "score", "le", "job", "instance"}
