"""The points of quality: totals and windows of the board."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Iterator

from exporters import metrics_quality as quality
from exporters.labels import Vocabulary
from exporters.metric import EstimateMetrics, Metric
from exporters.points import Histogram, Labels, Page, flag
from monitor.cause import Cause
from monitor.config.values import duration_text
from monitor.operational import Asked, Operational
from monitor.records import Outcome
from monitor.snapshot import (
    EVERYTHING,
    OTHER,
    SCORE_BOUNDS,
    Estimate,
    FeedbackTotals,
    ScoreTotals,
    Sentiment,
    Snapshot,
    WindowStats,
    WorstCase,
)

_NS = 1e9
_EVERYTHING = (EVERYTHING.dimension, EVERYTHING.value)
_EMPTY = Histogram((0,) * len(SCORE_BOUNDS), 0.0)

_WITHOUT_CAUSE = "safety."
"""How the names of evaluations begin whose low scores have no cause."""
_EXEMPLARS = 100
"""Cases kept when slices fold together; a page shows one for each bucket."""
_WINDOW_SERIES = 4 * 3 + 3 * 3 + 7
"""Most gauges of one window: mean, ES10, share below 0.5, corrected and not, and three quantiles as triples; two
bounds, five numbers."""


def quality_points(page: Page, snapshot: Snapshot, operational: Operational) -> None:
    """Put in everything that the board says. Rows of the whole traffic come first: they are kept if room is short.

    While the history is being read, windows are incomplete and therefore absent.
    """
    _board(page, snapshot)
    labeller = _Labeller(page.guard.vocabulary)
    _zeros(page, labeller, operational.asked)
    _calibrations(page, operational.asked)
    _feedback(page, snapshot.feedback)
    windows = snapshot.windows if snapshot.caught_up else ()
    if snapshot.caught_up:
        _last_scored(page, windows, operational)
    for whole in (True, False):
        _totals(page, labeller, (t for t in snapshot.totals if (t.slice == EVERYTHING) is whole))
        for window in windows:
            if (window.slice == EVERYTHING) is whole:
                _window(page, labeller, window)


def _board(page: Page, snapshot: Snapshot) -> None:
    if snapshot.shows_quality:  # a judge that has read the history is no board that has
        page.gauge(quality.CAUGHT_UP, (), float(snapshot.caught_up))
    page.count(quality.DUPLICATES, (), snapshot.duplicates)
    page.count(quality.LATE, (), snapshot.late)
    page.count(quality.REFUSED, (), snapshot.refused)


def _feedback(page: Page, totals: FeedbackTotals) -> None:
    value = page.guard.vocabulary.value
    for sentiment in Sentiment:
        for human in ("true", "false"):
            page.count(quality.FEEDBACK, (sentiment.value, human), 0)
            everything = (*_EVERYTHING, sentiment.value, human)
            page.count(quality.FEEDBACK_JOINED, everything, 0)
            page.count(quality.FEEDBACK_WEIGHT, everything, 0)
    for heard in totals.heard:
        page.count(quality.FEEDBACK, (heard.sentiment.value, flag(heard.human)), heard.count)
    for joined in totals.joined:
        dimension = value("dimension", joined.slice.dimension)
        place = (dimension, value("value", joined.slice.value, dimension))
        labels = (*place, joined.sentiment.value, flag(joined.human))
        page.count(quality.FEEDBACK_JOINED, labels, joined.count)
        page.count(quality.FEEDBACK_WEIGHT, labels, joined.weight)
    for reason, count in totals.left_out.items():
        page.count(quality.FEEDBACK_LEFT_OUT, (value("reason", reason),), count)


def _zeros(page: Page, labeller: _Labeller, asked: Iterable[Asked]) -> None:
    """Every series that alerts need exists from the first page, or the first increase is lost."""
    for item in asked:
        judge = item.judge
        who = labeller.who(item.evaluation, judge.name, judge.fingerprint, judge.calibrated)
        labels = (*who, *_EVERYTHING)
        page.histogram(quality.SCORE, labels, _EMPTY)
        page.count(quality.VERDICTS, (*labels, "scored", ""), 0)
        page.count(quality.VERDICT_WEIGHT, (*labels, "scored", ""), 0)
        for cause in () if item.evaluation.startswith(_WITHOUT_CAUSE) else Cause:
            page.count(quality.LOW_SCORES, (*labels, cause.value), 0)


def _calibrations(page: Page, asked: Iterable[Asked]) -> None:
    """What labels say of each judge that is asked."""
    value = page.guard.vocabulary.value
    for item in asked:
        names = (("evaluation", item.evaluation), ("judge", item.judge.name), ("fingerprint", item.judge.fingerprint))
        who = tuple(value(label, name) for label, name in names)
        reason = value("reason", item.uncalibrated) if item.uncalibrated else ""
        page.gauge(quality.CALIBRATED, (*who, reason), float(item.judge.calibrated))
        page.gauge(quality.LABELS, who, item.labels)
        for rates in item.rates:
            labels = (*who, value("rule", rates.rule))
            page.estimate(quality.SENSITIVITY, labels, rates.sensitivity)
            page.estimate(quality.SPECIFICITY, labels, rates.specificity)


def _totals(page: Page, labeller: _Labeller, totals: Iterable[ScoreTotals]) -> None:
    """Sums what folds into the same labels first: a flood of slice values costs one addition each."""
    sums: dict[Labels, _Sum] = {}
    for item in totals:
        labels = labeller.judged(item)
        there = sums.get(labels)
        if there is None:
            there = sums[labels] = _Sum()
        there.add(item)
    value = page.guard.vocabulary.value
    for labels, made in sums.items():
        page.histogram(quality.SCORE, labels, Histogram(tuple(made.buckets), made.score, tuple(made.exemplars)))
        for (outcome, reason), (count, weight) in made.outcomes.items():
            how = (*labels, outcome.value, value("reason", reason) if reason else "")
            page.count(quality.VERDICTS, how, count)
            page.count(quality.VERDICT_WEIGHT, how, weight)
        for cause, weight in made.causes.items():
            page.count(quality.LOW_SCORES, (*labels, value("cause", cause)), weight)


class _Sum:
    """Growing totals of what has the same labels."""

    __slots__ = ("buckets", "causes", "exemplars", "outcomes", "score")

    def __init__(self) -> None:
        self.buckets = [0] * len(SCORE_BOUNDS)
        self.score = 0.0
        self.exemplars: list[WorstCase] = []
        self.outcomes: dict[tuple[Outcome, str], tuple[int, int]] = {}
        self.causes: Counter[str] = Counter()

    def add(self, item: ScoreTotals) -> None:
        self.buckets = list(map(operator.add, self.buckets, item.buckets))
        self.score += item.sum
        if item.exemplars and len(self.exemplars) < _EXEMPLARS:
            self.exemplars += item.exemplars
        self.causes.update(item.causes)
        for ended in item.outcomes:
            count, weight = self.outcomes.get((ended.outcome, ended.reason), (0, 0))
            self.outcomes[ended.outcome, ended.reason] = (count + ended.count, weight + ended.weight)


def _window(page: Page, labeller: _Labeller, window: WindowStats) -> None:
    judged = labeller.judged(window)
    if judged[-1] == OTHER != window.slice.value:  # gauges of different values cannot be summed
        page.guard.dropped["cap"] += 1
        return
    labels = (*judged, duration_text(window.window_s))
    whole = window.slice == EVERYTHING
    if not page.has_room(("window", *labels), _WINDOW_SERIES, whole=whole, yields=not whole):
        page.guard.dropped["cap"] += 1
        return
    for metric, more, value in _numbers(window):
        page.put(metric, labels + more, value)


def _numbers(window: WindowStats) -> Iterator[tuple[Metric, Labels, float]]:
    yield quality.WINDOW_VERDICTS, (), window.n
    yield quality.WINDOW_EFFECTIVE, (), window.n_eff
    yield quality.WINDOW_EQUAL, (), window.n_equal
    yield quality.WINDOW_REQUESTS, (), window.weight
    if window.missing_ratio is not None:
        yield quality.MISSING, (), window.missing_ratio
    if window.bounds is not None:
        yield quality.BOUND_LOWER, (), window.bounds.lower
        yield quality.BOUND_UPPER, (), window.bounds.upper
    yield from _triple(quality.MEAN, (), window.mean)
    yield from _triple(quality.ES10, (), window.es10)
    yield from _triple(quality.BELOW_HALF, (), window.below_half)
    yield from _triple(quality.BELOW_HALF_CORRECTED, (), window.below_half_corrected)
    yield from _triple(quality.QUANTILE, ("0.01",), window.p01)
    yield from _triple(quality.QUANTILE, ("0.05",), window.p05)
    yield from _triple(quality.QUANTILE, ("0.1",), window.p10)


def _triple(
    metrics: EstimateMetrics, labels: Labels, estimate: Estimate | None
) -> Iterator[tuple[Metric, Labels, float]]:
    if estimate is not None:
        yield metrics.value, labels, estimate.value
        yield metrics.lower, labels, estimate.lower
        yield metrics.upper, labels, estimate.upper


def _last_scored(page: Page, windows: Iterable[WindowStats], operational: Operational) -> None:
    """A judge that was taken out of the configuration is left out: it would look like one that died."""
    newest = {
        (item.evaluation, item.judge.name): (operational.started_ns, item.judge.calibrated)
        for item in operational.asked
    }
    asked = frozenset(newest)
    for window in windows:
        pair = (window.evaluation, window.judge)
        if window.last_end_ns is not None and (not asked or pair in asked):
            newest[pair] = max(newest.get(pair, (0, False)), (window.last_end_ns, window.calibrated))
    value = page.guard.vocabulary.value
    for (evaluation, judge), (ns, calibrated) in newest.items():
        who = (value("evaluation", evaluation), value("judge", judge), flag(calibrated))
        page.gauge(quality.LAST_SCORED, who, ns / _NS)


class _Labeller:
    """Labels of quality numbers; remembers who judged, as a flood of slices has few judges."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._value = vocabulary.value
        self._judges: dict[tuple[str, str, str, bool], Labels] = {}

    def judged(self, item: ScoreTotals | WindowStats) -> Labels:
        judge = (item.evaluation, item.judge, item.fingerprint, item.calibrated)
        who = self._judges.get(judge)
        if who is None:
            who = self._judges[judge] = self.who(*judge)
        dimension = self._value("dimension", item.slice.dimension)
        return (*who, dimension, self._value("value", item.slice.value, dimension))

    def who(self, evaluation: str, judge: str, fingerprint: str, calibrated: bool) -> Labels:  # noqa: FBT001 - as in the records
        value = self._value
        names = (value("evaluation", evaluation), value("judge", judge), value("fingerprint", fingerprint))
        return (*names, flag(calibrated))
