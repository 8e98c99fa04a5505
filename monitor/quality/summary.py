"""From a tally to published numbers: which statistics, and the floors below which they are not shown.

A floor is in cases by Kish's effective n (`n_equal`), which is the count for equal weights and never more than it. It
is about 3/q for a quantile q: with fewer cases the estimate is nearly the minimum of the sample and its interval says
little.
The n_eff that is shown beside the numbers is that of the mean (`stats.effective_n`) and may exceed the count.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from monitor.operational import FlagRates
from monitor.quality.histogram import Moments
from monitor.quality.stats import (
    Distribution,
    effective_n,
    expected_shortfall,
    kish_n,
    manski_bounds,
    mean,
    prevalence,
    share_below,
)
from monitor.quality.tally import Tally
from monitor.snapshot import BAD_BELOW, Estimate, SliceKey, WindowStats

FLOOR = 30
"""For the mean, its bounds, the share below 0.5, ES10 and p10."""
P05_FLOOR = 60
P01_FLOOR = 300

_P01, _P05, _P10 = Fraction(1, 100), Fraction(5, 100), Fraction(10, 100)


def window_stats(
    judge: tuple[str, str, str], key: SliceKey, window_s: int, tally: Tally, *, calibrated: bool
) -> WindowStats:
    """The numbers of one window; `judge` is evaluation, judge name and fingerprint."""
    evaluation, name, fingerprint = judge
    scored, missing = tally.scores.moments, tally.missing
    cases = kish_n(scored)
    enough = cases >= FLOOR
    distribution = Distribution(tally.scores) if enough else None

    def quantile(q: Fraction, floor: int) -> Estimate | None:
        return distribution.quantile(q) if distribution is not None and cases >= floor else None

    return WindowStats(
        evaluation=evaluation,
        judge=name,
        fingerprint=fingerprint,
        calibrated=calibrated,
        slice=key,
        window_s=window_s,
        n=scored.count,
        n_eff=effective_n(scored),
        n_equal=cases,
        weight=scored.weight,
        mean=mean(scored) if enough else None,
        es10=expected_shortfall(tally.scores, _P10) if enough else None,
        p01=quantile(_P01, P01_FLOOR),
        p05=quantile(_P05, P05_FLOOR),
        p10=quantile(_P10, FLOOR),
        below_half=share_below(tally.scores, BAD_BELOW) if enough else None,
        bounds=manski_bounds(scored, missing) if enough else None,
        missing_ratio=_missing_ratio(scored, missing),
        outcomes=tally.outcomes.listed(),
        last_end_ns=tally.last_end_ns,
    )


def corrected(stats: WindowStats, rates: FlagRates | None) -> WindowStats:
    """With the share of bad requests as labels would have it, where a calibrated judge's errors are known."""
    if rates is None or not stats.calibrated or stats.below_half is None:
        return stats
    return replace(stats, below_half_corrected=prevalence(stats.below_half.value, stats.n_eff, rates))


def _missing_ratio(scored: Moments, missing: Moments) -> float | None:
    total = scored.weight + missing.weight
    return missing.weight / total if total else None
