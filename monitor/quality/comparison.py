"""Two judges on the same requests: how far their scores and labels agree, and what each of them takes."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from monitor.comparisons import Comparison, Side
from monitor.quality.grid import to_billionths
from monitor.quality.histogram import Moments
from monitor.quality.stats import Z, mean, spearman, wilson
from monitor.quality.tally import is_missing
from monitor.records import Outcome, Verdict, is_somebody
from monitor.snapshot import BAD_BELOW, Estimate


class Given(NamedTuple):
    """What one judge gave for one request. `weight` is how many requests it stands for."""

    judge: str
    fingerprint: str
    calibrated: bool
    outcome: Outcome
    score: float | None
    label: str
    weight: int = 1
    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    latency_s: float = 0.0
    reason: str = ""


class Pair(NamedTuple):
    """What both judges gave for one request."""

    incumbent: Given
    candidate: Given

    @property
    def scored(self) -> bool:
        """Whether both gave a score."""
        return self.incumbent.score is not None and self.candidate.score is not None

    @property
    def weight(self) -> int:
        """Both see parts of the sample by the same random number: the rarer part is the one that both see."""
        return max(self.incumbent.weight, self.candidate.weight)


def given_of(verdict: Verdict) -> Given:
    """The part of a verdict that is compared."""
    return Given(
        verdict.judge,
        verdict.fingerprint,
        verdict.calibrated,
        verdict.outcome,
        verdict.score,
        verdict.label,
        verdict.weight,
        verdict.calls,
        verdict.input_tokens + verdict.output_tokens,
        verdict.cost,
        verdict.latency_s,
        verdict.reason,
    )


def compare(evaluation: str, pairs: Iterable[Pair]) -> tuple[Comparison, ...]:
    """A comparison for each two fingerprints, never mixed; the one of the last pair first.

    A fingerprint that stands for several judges has none.
    """
    groups: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        prints = (pair.incumbent.fingerprint, pair.candidate.fingerprint)
        if not all(map(is_somebody, prints)):
            continue
        group = groups[prints] = groups.pop(prints, [])
        group.append(pair)
    return tuple(_compared(evaluation, group) for group in reversed(groups.values()))


def mean_difference(changes: Iterable[tuple[float, int]], z: float = Z) -> Estimate | None:
    """Hajek's weighted mean of differences in -1 to 1, given with their weights; None without any.

    `z` is the normal deviate of the interval's level, 95 % by default.

    Differences are brought to 0 to 1, where `stats.mean` has its interval: as it adds a case at either end, two judges
    that always agree are not certain to agree. Paired: what both judges find easy or hard is not in the interval.
    """
    moments = Moments()
    for difference, weight in changes:
        moments.add(to_billionths(min(1.0, max(0.0, (difference + 1) / 2))), weight)
    found = mean(moments, z)
    return None if found is None else Estimate(*(2 * end - 1 for end in (found.value, found.lower, found.upper)))


def nominal_kappa(words: Sequence[tuple[str, str]]) -> float | None:
    """Cohen's kappa (1960) of two raters' words; None when both only ever use one and the same."""
    if not words:
        return None
    n = len(words)
    first, second = Counter(one for one, _ in words), Counter(other for _, other in words)
    observed = sum(one == other for one, other in words) / n
    expected = sum(first[word] * second[word] for word in first) / (n * n)
    return None if expected == 1 else (observed - expected) / (1 - expected)


def _compared(evaluation: str, group: Sequence[Pair]) -> Comparison:
    scored = [pair for pair in group if pair.scored]
    left, right = ([_score(one) for one in side] for side in (_incumbents(scored), _candidates(scored)))
    kind, words = _words(scored)
    weights = [pair.weight for pair in scored]
    changes = zip((b - a for a, b in zip(left, right, strict=True)), weights, strict=True)
    same = sum(one == other for one, other in words)
    return Comparison(
        evaluation=evaluation,
        incumbent=_side(_incumbents(group), left, weights),
        candidate=_side(_candidates(group), right, weights),
        requests=len(group),
        pairs=len(scored),
        difference=mean_difference(changes),
        spearman=spearman(left, right) if scored else None,
        agreement=wilson(same / len(words), len(words)) if words else None,
        kappa=nominal_kappa(words),
        words=kind,
    )


def _incumbents(pairs: Iterable[Pair]) -> list[Given]:
    return [pair.incumbent for pair in pairs]


def _candidates(pairs: Iterable[Pair]) -> list[Given]:
    return [pair.candidate for pair in pairs]


def _score(given: Given) -> float:
    return 0.0 if given.score is None else given.score


def _words(scored: Sequence[Pair]) -> tuple[str, list[tuple[str, str]]]:
    labels = [(pair.incumbent.label, pair.candidate.label) for pair in scored]
    if labels and all(one and other for one, other in labels):
        return "label", labels
    return "below_half", [(_half(pair.incumbent), _half(pair.candidate)) for pair in scored]


def _half(given: Given) -> str:
    return "bad" if _score(given) < BAD_BELOW else "good"


def _side(all_given: Sequence[Given], scores: Sequence[float], weights: Sequence[int]) -> Side:
    """`scores` are those that are compared, and `weights` those of their pairs."""
    newest = all_given[-1]
    latencies = [one.latency_s for one in all_given if one.latency_s > 0]
    return Side(
        judge=newest.judge,
        fingerprint=newest.fingerprint,
        calibrated=newest.calibrated,
        scored=sum(one.outcome is Outcome.SCORED for one in all_given),
        missing=sum(is_missing(one.outcome) for one in all_given),
        mean=math.fsum(map(operator.mul, scores, weights)) / sum(weights) if scores else None,
        cost=sum(one.cost for one in all_given),
        tokens=sum(one.tokens for one in all_given),
        calls=sum(one.calls for one in all_given),
        latency_s=sum(latencies) / len(latencies) if latencies else 0.0,
        unscored=unscored((one.outcome, one.reason) for one in all_given),
    )


def unscored(ends: Iterable[tuple[Outcome, str]]) -> dict[str, int]:
    """How often verdicts had no score, by outcome and reason as in `judge_error{connect}`; the most frequent first."""
    counts = Counter(f"{outcome}{{{reason}}}" for outcome, reason in ends if outcome is not Outcome.SCORED)
    return dict(counts.most_common())
