"""The metrics of judges: candidates that run beside an incumbent, and what judges make of the anchor set."""

from __future__ import annotations

from exporters.metric import estimate, gauge

_BESIDE = ("evaluation", "judge", "fingerprint", "calibrated", "shadow_of")
"""What a candidate judged, the candidate and whether it is calibrated, and the judge that it runs beside."""

SHADOW_PAIRS = gauge(
    "shadow.pairs",
    "{request}",
    _BESIDE,
    "comparison",
    "Newest requests, 2000 at most, that a candidate and the judge that it runs beside both scored.",
    "How much is behind the comparison?",
    "sampling.base, judges.*.rate",
)
SHADOW_DIFFERENCE = estimate(
    "shadow.difference",
    "{score}",
    _BESIDE,
    "Weighted mean of the candidate's score minus that of the judge that it runs beside, -1 to 1, request by request.",
    "Would the level of the scores change with the judge?",
    "ragmon judge compare; see changing-judges.md",
    "comparison",
)
SHADOW_KAPPA = gauge(
    "shadow.kappa",
    "{kappa}",
    _BESIDE,
    "comparison",
    "Cohen's kappa of both judges' labels, or of their scores below 0.5 or not where there are none: 1 is always the "
    "same, 0 as often as by chance.",
    "Do both find the same answers bad?",
    "ragmon judge compare",
)
SHADOW_SPEARMAN = gauge(
    "shadow.spearman",
    "{correlation}",
    _BESIDE,
    "comparison",
    "Spearman's rank correlation of both judges' scores.",
    "Do both put the answers in the same order?",
    "ragmon judge compare",
)
SHADOW_COST = gauge(
    "shadow.cost",
    "{cost}",
    (*_BESIDE, "side"),
    "comparison",
    "Cost of a verdict, of the `candidate` and of the `incumbent`, in the currency of the prices.",
    "What would the candidate cost?",
    "The candidate's model",
)
SHADOW_LATENCY = gauge(
    "shadow.latency",
    "s",
    (*_BESIDE, "side"),
    "comparison",
    "Mean latency of a verdict, of the `candidate` and of the `incumbent`: of a remote judge the time of its calls.",
    "Is the candidate fast enough?",
    "The candidate's model and endpoint",
)
_ANCHORED = ("evaluation", "judge", "fingerprint", "calibrated")
ANCHOR_SCORE = gauge(
    "judge.anchor.score",
    "{score}",
    _ANCHORED,
    "anchors",
    "Mean score of the anchor set, judged last; no request of the service is in it.",
    "Where does the judge stand on answers that never change?",
    "anchors, anchors_every",
)
ANCHOR_CHANGE = estimate(
    "judge.anchor.change",
    "{score}",
    _ANCHORED,
    "Mean change of the anchors' scores, row by row, since the first run under the same fingerprint, -1 to 1.",
    "Did the judge drift, beyond chance? Traffic is not in it.",
    "The model's snapshot in judges.*.model; see RagmonJudgeDrifted",
    "anchors",
    level="99.9 %",
)
ANCHOR_SPREAD = gauge(
    "judge.anchor.spread",
    "{score}",
    _ANCHORED,
    "anchors",
    "Mean size of the changes of the anchors' scores since the first run, 0 to 1: also those that cancel out.",
    "How far does the judge waver on one and the same answer?",
    "judges.*.temperature, judges.*.seed",
)
ANCHOR_ROWS = gauge(
    "judge.anchor.rows",
    "{row}",
    _ANCHORED,
    "anchors",
    "Rows of the anchor set that have a score in the newest run; those without one failed or were skipped.",
    "How much is behind the anchors' numbers?",
    "anchors; judges.*.cost_per_day",
)
ANCHOR_RUN = gauge(
    "judge.anchor.run.timestamp",
    "s",
    _ANCHORED,
    "anchors",
    "Unix time at which the newest run of the anchors began.",
    "Are the anchors still judged?",
    "anchors_every; the judge's endpoint and limits",
)
