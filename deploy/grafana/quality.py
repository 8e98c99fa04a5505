# ruff: noqa: INP001 - a helper of the script beside it, not a package
"""The dashboard of answer quality: what the board says, with its uncertainty."""

from __future__ import annotations

from deploy.grafana.panels import ALL, BY, LEGEND, SHOWN, Dashboard, Panel, Query, gauge
from exporters import metrics_quality as q
from exporters.metric import EstimateMetrics, Metric


def _interval(title: str, metrics: tuple[Metric, Metric, Metric], unit: str = "percentunit") -> Panel:
    value, lower, upper = metrics
    queries = (
        Query(gauge(upper), f"upper {LEGEND}"),
        Query(gauge(value), LEGEND),
        Query(gauge(lower), f"lower {LEGEND}"),
    )
    return Panel(title, value, queries, unit, limits=(0, 1))


def _compared(metric: Metric, by: str = "", matchers: str = "") -> str:
    """What each judging replica says of its judges."""
    labels = ", ".join(filter(None, ("evaluation, judge, fingerprint", by)))
    return f"max by ({labels}) ({metric.prometheus}{{{', '.join(filter(None, (SHOWN, matchers)))}}})"


def _rates(name: str, metrics: EstimateMetrics) -> tuple[Query, ...]:
    """A rate of the score's cut at 0.5, which the share of bad answers is counted by."""
    named = {f"{name}, upper": metrics.upper, name: metrics.value, f"{name}, lower": metrics.lower}
    return tuple(
        Query(_compared(metric, matchers='rule="below_half"'), f"{title} {{{{judge}}}} {{{{fingerprint}}}}")
        for title, metric in named.items()
    )


def _quantile(share: str, title: str) -> Panel:
    matchers = f'{ALL}, window="$window", q="{share}"'
    queries = (
        Query(gauge(q.QUANTILE.upper, matchers), f"upper {LEGEND}"),
        Query(gauge(q.QUANTILE.value, matchers), LEGEND),
        Query(gauge(q.QUANTILE.lower, matchers), f"lower {LEGEND}"),
    )
    return Panel(title, q.QUANTILE.value, queries, "percentunit", limits=(0, 1))


def _feedback(metric: Metric, matchers: str = "") -> str:
    """A minute. Every board counts all of it."""
    return f"max by (sentiment, human) (rate({metric.prometheus}{{{matchers}}}[$__rate_interval])) * 60"


def _negative(matchers: str, by: str) -> str:
    """Of what people rated; every board counts all of it, so replicas are not summed."""

    def rated(sentiment: str) -> str:
        selector = f'{{{matchers}, human="true", sentiment=~"{sentiment}"}}'
        counted = f"increase({q.FEEDBACK_WEIGHT.prometheus}{selector}[1d])"
        return f"sum by ({by}) (max by ({by}, sentiment) ({counted}))"

    return f"{rated('negative')} / {rated('negative|positive')}"


_BAD = Panel(
    "Share of bad answers (score below 0.5), from counters",
    q.SCORE,
    (
        Query(f"ragmon:bad:ratio1h{{{SHOWN}}}", f"last hour {LEGEND}"),
        Query(f"ragmon:bad:lower1h{{{SHOWN}}}", f"at least, last hour {LEGEND}"),
        Query(f"ragmon:bad:lower6h{{{SHOWN}}}", f"at least, last 6 h {LEGEND}"),
        Query('ragmon:bad:objective{evaluation="$evaluation"} < 1', "objective"),
        Query('2 * (ragmon:bad:objective{evaluation="$evaluation"} < 1)', "page"),
    ),
    "percentunit",
    limits=(0, None),
)
_CAUSES = Panel(
    "Low scores by cause, requests of the last hour",
    q.LOW_SCORES,
    (
        Query(
            f"sum by (cause) (max by (cause, {BY}) (increase({q.LOW_SCORES.prometheus}{{{ALL}}}[1h])))",
            "{{cause}}",
        ),
    ),
)
_NOW = (
    Panel("Mean", q.MEAN.value, (Query(gauge(q.MEAN.value), LEGEND),), "percentunit", "stat", (0, 1), 4),
    Panel("Worst 10 %", q.ES10.value, (Query(gauge(q.ES10.value), LEGEND),), "percentunit", "stat", (0, 1), 4),
    Panel("Below 0.5", q.BELOW_HALF.value, (Query(gauge(q.BELOW_HALF.value), LEGEND),), "percentunit", "stat", width=4),
    Panel("Missing verdicts", q.MISSING, (Query(gauge(q.MISSING), LEGEND),), "percentunit", "stat", width=4),
    Panel(
        "Since the last score",
        q.LAST_SCORED,
        (
            Query(
                f"time() - max by (evaluation, judge, calibrated) ({q.LAST_SCORED.prometheus}{{{SHOWN}}})",
                "{{judge}} calibrated={{calibrated}}",
            ),
        ),
        "s",
        "stat",
        width=4,
    ),
    Panel("Effective verdicts", q.WINDOW_EFFECTIVE, (Query(gauge(q.WINDOW_EFFECTIVE), LEGEND),), kind="stat", width=4),
)
_SLICE = f'{SHOWN}, dimension="$dimension", window="$window"'
_SLICE_BY = f"{BY}, dimension, value"
_SLICE_LEGEND = "{{value}} {{judge}} calibrated={{calibrated}}"

QUALITY = Dashboard(
    "ragmon-quality",
    "ragmon: answer quality",
    (
        ("Now", _NOW),
        (
            "Over time, with 95 % intervals",
            (
                _interval("Mean", q.MEAN),
                _interval("Mean of the worst 10 %", q.ES10),
                _interval("Share below 0.5", q.BELOW_HALF),
                _BAD,
                _CAUSES,
                Panel(
                    "What the mean could be, given missing verdicts",
                    q.BOUND_LOWER,
                    (
                        Query(gauge(q.BOUND_UPPER), f"at most {LEGEND}"),
                        Query(gauge(q.MEAN.value), LEGEND),
                        Query(gauge(q.BOUND_LOWER), f"at least {LEGEND}"),
                    ),
                    "percentunit",
                    limits=(0, 1),
                ),
                Panel(
                    "Scores",
                    q.SCORE,
                    (
                        Query(
                            f"sum by (le) (max by (le, {BY}) (increase("
                            f"{q.SCORE.prometheus}_bucket{{{ALL}}}[$__rate_interval])))",
                            "{{le}}",
                            exemplars=True,
                        ),
                    ),
                    kind="heatmap",
                ),
            ),
        ),
        (
            "Slices",
            (
                Panel(
                    "Mean by $dimension",
                    q.MEAN.value,
                    (Query(gauge(q.MEAN.value, _SLICE, _SLICE_BY), _SLICE_LEGEND),),
                    "percentunit",
                    limits=(0, 1),
                ),
                Panel(
                    "Share below 0.5 by $dimension",
                    q.BELOW_HALF.value,
                    (Query(gauge(q.BELOW_HALF.value, _SLICE, _SLICE_BY), _SLICE_LEGEND),),
                    "percentunit",
                    limits=(0, None),
                ),
                Panel(
                    "Requests behind it by $dimension",
                    q.WINDOW_REQUESTS,
                    (Query(gauge(q.WINDOW_REQUESTS, _SLICE, _SLICE_BY), _SLICE_LEGEND),),
                ),
            ),
        ),
        (
            "Against labels of people",
            (
                Panel(
                    "Calibrated, or why not",
                    q.CALIBRATED,
                    (Query(_compared(q.CALIBRATED, "reason"), "{{judge}} {{fingerprint}} {{reason}}"),),
                    kind="stat",
                    width=12,
                ),
                Panel(
                    "Labelled answers",
                    q.LABELS,
                    (Query(_compared(q.LABELS), "{{judge}} {{fingerprint}}"),),
                    kind="stat",
                    width=12,
                ),
            ),
        ),
        (
            "How often the judge is right by those labels",
            (
                Panel(
                    "Bad answers found, good ones let pass (score below 0.5)",
                    q.SENSITIVITY.value,
                    (*_rates("sensitivity", q.SENSITIVITY), *_rates("specificity", q.SPECIFICITY)),
                    "percentunit",
                    limits=(0, 1),
                ),
                _interval("Share of bad answers, corrected by the labels", q.BELOW_HALF_CORRECTED),
            ),
        ),
        (
            "Quantiles (descriptive: they jump between a judge's steps)",
            (_quantile("0.01", "p01"), _quantile("0.05", "p05"), _quantile("0.1", "p10")),
        ),
        (
            "Feedback on judged requests",
            (
                Panel(
                    "Share of negative feedback by $dimension, last day",
                    q.FEEDBACK_WEIGHT,
                    (
                        Query(_negative('dimension="all"', "dimension"), "all"),
                        Query(_negative('dimension="$dimension"', "value"), "{{value}}"),
                    ),
                    "percentunit",
                    limits=(0, 1),
                ),
                Panel(
                    "Joined with a verdict",
                    q.FEEDBACK_JOINED,
                    (Query(_feedback(q.FEEDBACK_JOINED, 'dimension="all"'), "{{sentiment}} human={{human}}"),),
                    "cpm",
                ),
                Panel(
                    "All that came",
                    q.FEEDBACK,
                    (
                        Query(_feedback(q.FEEDBACK), "{{sentiment}} human={{human}}"),
                        Query(
                            f"max by (reason) (rate({q.FEEDBACK_LEFT_OUT.prometheus}[$__rate_interval])) * 60",
                            "left out: {{reason}}",
                        ),
                    ),
                    "cpm",
                ),
            ),
        ),
        (
            "Verdicts",
            (
                Panel(
                    "Verdicts by outcome",
                    q.VERDICTS,
                    (
                        Query(
                            f"max by (outcome, reason) (rate({q.VERDICTS.prometheus}{{{ALL}}}[$__rate_interval])) * 60",
                            "{{outcome}} {{reason}}",
                        ),
                    ),
                    "cpm",
                ),
                Panel(
                    "Missing share of the last hour",
                    q.VERDICT_WEIGHT,
                    (
                        Query(f"ragmon:missing:ratio1h{{{SHOWN}}}", "{{judge}}"),
                        Query("ragmon:objective:missing_ratio", "objective"),
                    ),
                    "percentunit",
                    limits=(0, None),
                ),
                Panel(
                    "Verdicts in the window",
                    q.WINDOW_VERDICTS,
                    (
                        Query(gauge(q.WINDOW_VERDICTS), f"all {LEGEND}"),
                        Query(gauge(q.WINDOW_EFFECTIVE), f"effective {LEGEND}"),
                        Query(gauge(q.WINDOW_EQUAL), f"of equal weight {LEGEND}"),
                    ),
                ),
            ),
        ),
    ),
    ("evaluation", "judge", "dimension", "window"),
)
