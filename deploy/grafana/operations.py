# ruff: noqa: INP001 - a helper of the script beside it, not a package
"""The dashboard of the work itself: the funnel, the source, the judges, the process."""

from __future__ import annotations

from deploy.grafana.panels import Dashboard, Panel, Query, own, rate
from exporters import metrics_process as p
from exporters import metrics_quality as q
from exporters import metrics_traffic as t
from exporters.metric import Metric

_ALL = 'dimension="all"'
_APPS = 'dimension="app"'
_USED = own(p.JUDGE_ALLOWANCE_USED, "judge, limit", "max")
_ALLOWED = own(p.JUDGE_ALLOWANCE, "judge, limit", "max")
_JUDGED = "60 * " + rate(p.STAGE_RECEIVED, "stage", 'stage="judge"')


def _share(metric: Metric) -> str:
    return f"{rate(metric, 'value', _APPS)} / {rate(t.TRAFFIC_REQUESTS, 'value', _APPS)}"


def _latency(share: float) -> str:
    buckets = f"{t.TRAFFIC_DURATION.prometheus}_bucket{{{_ALL}}}"
    return f"histogram_quantile({share}, sum by (le) (rate({buckets}[$__rate_interval])))"


OPERATIONS = Dashboard(
    "ragmon-operations",
    "ragmon: the work itself",
    (
        (
            "Health",
            (
                Panel("Sources up", p.SOURCE_UP, (Query(own(p.SOURCE_UP, "role"), "{{role}}"),), kind="stat", width=4),
                Panel("Caught up", q.CAUGHT_UP, (Query(f"max({q.CAUGHT_UP.prometheus})", ""),), kind="stat", width=4),
                Panel(
                    "Accounts that do not add up",
                    p.CONSERVATION,
                    (Query(f"max({p.CONSERVATION.prometheus})", ""),),
                    kind="stat",
                    width=4,
                ),
                Panel(
                    "Problems",
                    p.SOURCE_PROBLEM,
                    (
                        Query(f'sum({p.SOURCE_PROBLEM.prometheus}{{role="judge"}})', "reading"),
                        Query(f"sum({p.HARVEST_PROBLEM.prometheus})", "harvesting"),
                    ),
                    kind="stat",
                    width=4,
                ),
                Panel(
                    "Version",
                    p.BUILD_INFO,
                    (Query(own(p.BUILD_INFO, "version"), "{{version}}"),),
                    kind="stat",
                    width=4,
                ),
                Panel("Lag", p.SOURCE_LAG, (Query(own(p.SOURCE_LAG, "role"), "{{role}}"),), kind="stat", width=4),
            ),
        ),
        (
            "Funnel",
            (
                Panel(
                    "Received by each stage",
                    p.STAGE_RECEIVED,
                    (Query(rate(p.STAGE_RECEIVED, "stage, unit"), "{{stage}} ({{unit}})"),),
                    "ops",
                ),
                Panel(
                    "Passed on by each stage",
                    p.STAGE_PASSED,
                    (Query(rate(p.STAGE_PASSED, "stage, unit"), "{{stage}} ({{unit}})"),),
                    "ops",
                ),
                Panel(
                    "Dropped, by reason",
                    p.STAGE_DROPPED,
                    (Query(rate(p.STAGE_DROPPED, "stage, reason"), "{{stage}}: {{reason}}"),),
                    "ops",
                ),
                Panel(
                    "Left out of readable records, by reason",
                    p.LEFT_OUT,
                    (Query(rate(p.LEFT_OUT, "reason"), "{{reason}}"),),
                    "ops",
                ),
                Panel(
                    "Traces closed, by reason",
                    p.TRACES_CLOSED,
                    (Query(rate(p.TRACES_CLOSED, "reason"), "{{reason}}"),),
                    "ops",
                ),
                Panel("Held", p.STAGE_HELD, (Query(own(p.STAGE_HELD, "stage, unit"), "{{stage}} ({{unit}})"),)),
                Panel(
                    "Queues",
                    p.QUEUE_LENGTH,
                    (
                        Query(own(p.QUEUE_LENGTH, "queue"), "{{queue}}"),
                        Query(own(p.QUEUE_CAPACITY, "queue"), "capacity of {{queue}}"),
                    ),
                ),
                Panel(
                    "Sampling rates in force",
                    p.SAMPLING_RATE,
                    (Query(own(p.SAMPLING_RATE, "policy", "min"), "{{policy}}"),),
                    "percentunit",
                    limits=(0, None),
                ),
            ),
        ),
        (
            "The service's traffic, in the records that were read",
            (
                Panel(
                    "Requests",
                    t.TRAFFIC_REQUESTS,
                    (
                        Query(rate(t.TRAFFIC_REQUESTS, "value, basis", _APPS), "{{value}} ({{basis}})"),
                        Query(rate(t.TRAFFIC_UNREADABLE, "job"), "records that cannot be counted"),
                    ),
                    "reqps",
                ),
                Panel(
                    "Errors and empty retrievals",
                    t.TRAFFIC_ERRORS,
                    (
                        Query(_share(t.TRAFFIC_ERRORS), "failed {{value}}"),
                        Query(_share(t.TRAFFIC_EMPTY), "nothing found {{value}}"),
                    ),
                    "percentunit",
                    limits=(0, None),
                ),
                Panel(
                    "Latency",
                    t.TRAFFIC_DURATION,
                    tuple(Query(_latency(share), f"p{share * 100:.0f}") for share in (0.5, 0.9, 0.99)),
                    "s",
                ),
                Panel(
                    "Tokens",
                    t.TRAFFIC_TOKENS,
                    (Query(rate(t.TRAFFIC_TOKENS, "value, direction", _APPS), "{{value}} {{direction}}"),),
                    "ops",
                ),
            ),
        ),
        (
            "Source",
            (
                Panel("Lag", p.SOURCE_LAG, (Query(own(p.SOURCE_LAG, "instance, topic"), "{{instance}} {{topic}}"),)),
                Panel(
                    "Ages",
                    p.COMMIT_AGE,
                    (
                        Query(own(p.COMMIT_AGE, "instance, role", "max"), "commit {{instance}} {{role}}"),
                        Query(own(p.ROUND_TRIP_AGE, "instance, role", "max"), "broker {{instance}} {{role}}"),
                    ),
                    "s",
                ),
                Panel(
                    "Partitions and rebuilds",
                    p.SOURCE_PARTITIONS,
                    (
                        Query(own(p.SOURCE_PARTITIONS, "instance, role"), "partitions {{instance}} {{role}}"),
                        Query(
                            f"sum by (instance) (increase({p.SOURCE_REBUILDS.prometheus}[1h]))",
                            "rebuilds/h {{instance}}",
                        ),
                    ),
                ),
                Panel(
                    "Got over",
                    p.EVENTS,
                    (
                        Query(
                            f"sum by (instance, event) (increase({p.EVENTS.prometheus}[1h]))",
                            "{{event}}/h {{instance}}",
                        ),
                    ),
                ),
            ),
        ),
        (
            "Judges",
            (
                Panel(
                    "Mean latency of a judgement",
                    p.JUDGE_DURATION,
                    (Query(f"{rate(p.JUDGE_DURATION, 'judge')} / {rate(p.JUDGEMENTS, 'judge')}", "{{judge}}"),),
                    "s",
                ),
                Panel(
                    "Judgements and calls",
                    p.JUDGE_CALLS,
                    (
                        Query(rate(p.JUDGEMENTS, "judge"), "judgements {{judge}}"),
                        Query(rate(p.JUDGE_CALLS, "judge"), "calls {{judge}}"),
                        Query(rate(p.JUDGE_RETRIES, "judge"), "retries {{judge}}"),
                        Query(rate(p.JUDGE_REUSED, "judge"), "given again {{judge}}"),
                    ),
                    "ops",
                ),
                Panel(
                    "Parallel calls",
                    p.JUDGE_LIMIT,
                    (
                        Query(own(p.JUDGE_IN_FLIGHT, "judge"), "running {{judge}}"),
                        Query(own(p.JUDGE_LIMIT, "judge"), "allowed {{judge}}"),
                    ),
                ),
                Panel(
                    "Tokens",
                    p.JUDGE_TOKENS,
                    (
                        Query(rate(p.JUDGE_TOKENS, "judge, direction"), "{{judge}} {{direction}}"),
                        Query(rate(p.JUDGE_CACHED, "judge"), "{{judge}} input from the cache"),
                    ),
                ),
                Panel(
                    "Cost an hour",
                    p.JUDGE_COST,
                    (Query(f"sum by (judge) (increase({p.JUDGE_COST.prometheus}[1h]))", "{{judge}}"),),
                ),
                Panel(
                    "Used of the limits",
                    p.JUDGE_ALLOWANCE_USED,
                    (Query(f"{_USED} / {_ALLOWED}", "{{judge}} {{limit}}"),),
                    "percentunit",
                    limits=(0, None),
                ),
                Panel(
                    "Rate divided by",
                    p.JUDGE_SLOWDOWN,
                    (Query(own(p.JUDGE_SLOWDOWN, "judge", "max"), "{{judge}}"),),
                ),
                Panel(
                    "Circuit breaker",
                    p.JUDGE_BREAKER,
                    (
                        Query(own(p.JUDGE_BREAKER, "judge, state", "max"), "{{judge}} {{state}}"),
                        Query(own(p.JUDGE_PAUSED, "judge, reason", "max"), "{{judge}} paused: {{reason}}"),
                    ),
                ),
            ),
        ),
        (
            "Board, export, process",
            (
                Panel(
                    "Verdicts left out by the board",
                    q.LATE,
                    (
                        Query(f"max(rate({q.DUPLICATES.prometheus}[$__rate_interval]))", "duplicates"),
                        Query(f"max(rate({q.LATE.prometheus}[$__rate_interval]))", "late"),
                        Query(f"max(rate({q.REFUSED.prometheus}[$__rate_interval]))", "refused"),
                    ),
                    "ops",
                ),
                Panel(
                    "Left out of the page",
                    p.SERIES_DROPPED,
                    (
                        Query(rate(p.SERIES_DROPPED, "reason"), "series: {{reason}}"),
                        Query(rate(p.LABEL_OVERFLOW, "label"), "values: {{label}}"),
                        Query(rate(p.EXPORT_FAILURES, "signal"), "failed exports: {{signal}}"),
                    ),
                    "ops",
                ),
                Panel("Loop lag", p.LOOP_LAG, (Query(own(p.LOOP_LAG, "instance", "max"), "{{instance}}"),), "s"),
                Panel(
                    "Budget",
                    p.SAMPLING_BUDGET,
                    (
                        Query(f"sum({p.SAMPLING_BUDGET.prometheus})", "judged requests a minute at most, all judges"),
                        Query(_JUDGED, "judged requests a minute"),
                    ),
                ),
            ),
        ),
    ),
)
