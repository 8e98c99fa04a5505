"""The points of judges: candidates beside others, and what judges make of the anchor set."""

from __future__ import annotations

from collections.abc import Iterable

from exporters import metrics_judges as judges
from exporters.points import Page, flag
from monitor.comparisons import AnchorScores, Comparison

_NS = 1e9
FLOOR = 30
"""Pairs from which numbers about them are shown."""


def shadow_points(page: Page, shadows: Iterable[Comparison]) -> None:
    """Put in what is known of each candidate, compared with its incumbent as that is now."""
    value = page.guard.vocabulary.value
    shown = set()
    for one in shadows:
        who = (
            value("evaluation", one.evaluation),
            value("judge", one.candidate.judge),
            value("fingerprint", one.candidate.fingerprint),
            flag(one.candidate.calibrated),
            value("judge", one.incumbent.judge),
        )
        pair = (*who[:3], who[-1])
        if pair in shown:
            continue
        shown.add(pair)
        page.gauge(judges.SHADOW_PAIRS, who, one.pairs)
        if one.pairs < FLOOR:
            continue
        page.estimate(judges.SHADOW_DIFFERENCE, who, one.difference)
        if one.kappa is not None:
            page.gauge(judges.SHADOW_KAPPA, who, one.kappa)
        if one.spearman is not None:
            page.gauge(judges.SHADOW_SPEARMAN, who, one.spearman.value)
        for name, side in (("candidate", one.candidate), ("incumbent", one.incumbent)):
            page.gauge(judges.SHADOW_COST, (*who, name), side.cost / one.requests)
            page.gauge(judges.SHADOW_LATENCY, (*who, name), side.latency_s)


def anchor_points(page: Page, anchors: Iterable[AnchorScores]) -> None:
    """Put in where each judge stands on the anchor set."""
    value = page.guard.vocabulary.value
    for one in anchors:
        names = (value("evaluation", one.evaluation), value("judge", one.judge), value("fingerprint", one.fingerprint))
        who = (*names, flag(one.calibrated))
        page.gauge(judges.ANCHOR_ROWS, who, one.rows)
        page.gauge(judges.ANCHOR_SCORE, who, one.mean)
        page.gauge(judges.ANCHOR_RUN, who, one.judged_ns / _NS)
        page.estimate(judges.ANCHOR_CHANGE, who, one.change)
        if one.spread is not None:
            page.gauge(judges.ANCHOR_SPREAD, who, one.spread)
