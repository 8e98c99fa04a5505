# ruff: noqa: INP001 - a helper of the script beside it, not a package
"""The dashboard of the judges: where they stand on the anchor set, and candidates beside their incumbents."""

from __future__ import annotations

from deploy.grafana.panels import Dashboard, Panel, Query
from exporters import metrics_judges as j
from exporters.metric import EstimateMetrics, Metric

_ANCHORED = "evaluation, judge, fingerprint, calibrated"
_BESIDE = f"{_ANCHORED}, shadow_of"
_JUDGE = "{{judge}} {{fingerprint}} calibrated={{calibrated}}"
_CANDIDATE = "{{judge}} {{fingerprint}} calibrated={{calibrated}} beside {{shadow_of}}"


def _shown(metric: Metric, by: str) -> str:
    """Every replica's board shows the same number."""
    return f'max by ({by}) ({metric.prometheus}{{evaluation="$evaluation"}})'


def _interval(metrics: EstimateMetrics, by: str, legend: str) -> tuple[Query, ...]:
    named = {"upper ": metrics.upper, "": metrics.value, "lower ": metrics.lower}
    return tuple(Query(_shown(metric, by), f"{name}{legend}") for name, metric in named.items())


def _sides(metric: Metric) -> tuple[Query, ...]:
    return (Query(_shown(metric, f"{_BESIDE}, side"), f"{{{{side}}}} of {_CANDIDATE}"),)


JUDGES = Dashboard(
    "ragmon-judges",
    "ragmon: judges",
    (
        (
            "The anchor set: the same answers again and again, no traffic in it",
            (
                Panel(
                    "Change since the first run, with its 99.9 % interval",
                    j.ANCHOR_CHANGE.value,
                    _interval(j.ANCHOR_CHANGE, _ANCHORED, _JUDGE),
                ),
                Panel(
                    "Mean score",
                    j.ANCHOR_SCORE,
                    (Query(_shown(j.ANCHOR_SCORE, _ANCHORED), _JUDGE),),
                    "percentunit",
                    limits=(0, 1),
                ),
                Panel(
                    "Mean size of the changes",
                    j.ANCHOR_SPREAD,
                    (Query(_shown(j.ANCHOR_SPREAD, _ANCHORED), _JUDGE),),
                    limits=(0, None),
                ),
            ),
        ),
        (
            "Is it judged",
            (
                Panel(
                    "Rows with a score in the newest run",
                    j.ANCHOR_ROWS,
                    (Query(_shown(j.ANCHOR_ROWS, _ANCHORED), _JUDGE),),
                    kind="stat",
                    width=12,
                ),
                Panel(
                    "Since the newest run began",
                    j.ANCHOR_RUN,
                    (Query(f"time() - {_shown(j.ANCHOR_RUN, _ANCHORED)}", _JUDGE),),
                    "s",
                    "stat",
                    width=12,
                ),
            ),
        ),
        (
            "Candidates beside the judges that count, on the same requests",
            (
                Panel(
                    "Candidate minus incumbent, with its 95 % interval",
                    j.SHADOW_DIFFERENCE.value,
                    _interval(j.SHADOW_DIFFERENCE, _BESIDE, _CANDIDATE),
                ),
                Panel(
                    "Agreement of the labels (Cohen's kappa)",
                    j.SHADOW_KAPPA,
                    (Query(_shown(j.SHADOW_KAPPA, _BESIDE), _CANDIDATE),),
                    limits=(None, 1),
                ),
                Panel(
                    "Correlation of the scores (Spearman)",
                    j.SHADOW_SPEARMAN,
                    (Query(_shown(j.SHADOW_SPEARMAN, _BESIDE), _CANDIDATE),),
                    limits=(None, 1),
                ),
                Panel("Pairs", j.SHADOW_PAIRS, (Query(_shown(j.SHADOW_PAIRS, _BESIDE), _CANDIDATE),)),
                Panel("Cost of a verdict", j.SHADOW_COST, _sides(j.SHADOW_COST)),
                Panel("Latency of a verdict", j.SHADOW_LATENCY, _sides(j.SHADOW_LATENCY), "s"),
            ),
        ),
    ),
    ("evaluation",),
)
