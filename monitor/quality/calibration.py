"""Scores against labels: the threshold that tells bad answers from good ones best, and figures that stay honest.

A label is 0 to 1, higher is better, as a score is. An answer is bad when its label is below 0.5, and flagged when the
value that the judge decides by is below the threshold. The threshold is fitted on all answers; its sensitivity and
specificity come from answers that had no part in fitting it. Nothing depends on the order of the answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from monitor.calibration import Agreement
from monitor.operational import FlagRates
from monitor.quality.stats import kendall, share_of_both, spearman, wilson
from monitor.snapshot import BAD_BELOW

FOLDS = 10
_SEED = 20


class Pair(NamedTuple):
    """One answer with a label and a score. `deciding` is what the judge's label is decided by."""

    label: float
    score: float
    deciding: float
    language: str

    @property
    def bad(self) -> bool:
        """Whether it was labelled bad."""
        return self.label < BAD_BELOW


class Missing(NamedTuple):
    """A labelled answer whose verdict is missing."""

    bad: bool
    language: str


@dataclass(frozen=True, slots=True)
class Fitted:
    """What labels say of a judge. `threshold` is None when no cut parts anything."""

    threshold: float | None
    overall: Agreement
    languages: Mapping[str, Agreement]


def fit(pairs: Iterable[Pair], missing: Iterable[Missing] = ()) -> Fitted:
    """The threshold and all figures, together and by language, most answers first."""
    ordered = sorted(pairs)
    lost = list(missing)
    deciding = np.array([pair.deciding for pair in ordered])
    bad = np.array([pair.bad for pair in ordered], dtype=bool)
    flags = _held_out_flags(deciding, bad)
    judged = list(zip(ordered, flags, strict=True))
    counts = Counter(pair.language for pair in ordered) + Counter(one.language for one in lost)
    languages = {
        name: _agreement([one for one in judged if one[0].language == name], [m for m in lost if m.language == name])
        for name, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    }
    return Fitted(threshold(deciding, bad), _agreement(judged, lost), languages)


def threshold(deciding: NDArray[np.float64], bad: NDArray[np.bool_]) -> float | None:
    """The cut with the largest balanced accuracy, halfway between two values; of several the one in the middle.

    None without both kinds of answers, or when all values are the same.
    """
    values, place = np.unique(deciding, return_inverse=True)
    bad_total, good_total = int(bad.sum()), int((~bad).sum())
    if len(values) < 2 or not bad_total or not good_total:  # noqa: PLR2004 - a cut lies between two
        return None
    flagged = np.cumsum(np.bincount(place, bad, len(values)))[:-1]
    lost = np.cumsum(np.bincount(place, ~bad, len(values)))[:-1]
    merit = flagged * good_total - lost * bad_total  # twice the balanced accuracy, less 1, in whole numbers
    best = np.flatnonzero(merit == merit.max())
    cut = best[len(best) // 2]
    return float((values[cut] + values[cut + 1]) / 2)


def _held_out_flags(deciding: NDArray[np.float64], bad: NDArray[np.bool_]) -> Sequence[bool | None]:
    """For each answer whether it is flagged by a threshold fitted without it and its fold; None where none could be.

    Ten folds, or as many as the rarer kind of answers has; each holds its share of both kinds.
    """
    flags: list[bool | None] = [None] * len(bad)
    folds = min(FOLDS, int(bad.sum()), int((~bad).sum()))
    if folds < 2:  # noqa: PLR2004 - with one fold nothing would be left to fit on
        return flags
    fold = _folds(bad, folds)
    for number in range(folds):
        out = fold == number
        cut = threshold(deciding[~out], bad[~out])
        if cut is not None:
            for index in np.flatnonzero(out):
                flags[index] = bool(deciding[index] < cut)
    return flags


def _folds(bad: NDArray[np.bool_], folds: int) -> NDArray[np.int64]:
    rng = np.random.default_rng(_SEED)
    fold = np.empty(len(bad), dtype=np.int64)
    for kind in (bad, ~bad):
        members = np.flatnonzero(kind)
        fold[rng.permutation(members)] = np.arange(len(members)) % folds
    return fold


def _agreement(judged: Sequence[tuple[Pair, bool | None]], missing: Sequence[Missing]) -> Agreement:
    labels = [pair.label for pair, _ in judged]
    scores = [pair.score for pair, _ in judged]
    held_out = [(pair.bad, flag) for pair, flag in judged if flag is not None]
    return Agreement(
        n=len(judged),
        spearman=spearman(scores, labels),
        kendall=kendall(scores, labels),
        ceiling=ceiling(scores, labels),
        kappa=kappa(scores, labels),
        rates=(
            flag_rates("threshold", held_out),
            flag_rates("below_half", [(pair.bad, pair.score < BAD_BELOW) for pair, _ in judged]),
        ),
        missing_bad=sum(one.bad for one in missing),
        missing_good=sum(not one.bad for one in missing),
    )


def flag_rates(rule: str, answers: Iterable[tuple[bool, bool]]) -> FlagRates:
    """How well flags find bad answers, given as pairs (bad, flagged); Wilson's intervals."""
    counts = Counter(answers)
    bad, good = (counts[kind, True] + counts[kind, False] for kind in (True, False))
    flagged, passed = counts[True, True], counts[False, False]
    sensitivity = wilson(flagged / bad, bad) if bad else None
    specificity = wilson(passed / good, good) if good else None
    both = share_of_both(sensitivity, specificity) if sensitivity and specificity else None
    return FlagRates(rule, bad, flagged, good, passed, sensitivity, specificity, both)


def ceiling(scores: Sequence[float], labels: Sequence[float]) -> float | None:
    """Spearman's correlation if the same scores stood in the order of the labels: the most that both can reach.

    Below 1 when one side has ties that the other has not, such as two grades under many scores: with a tenth of bad
    answers 0.52. None when one side is all the same.
    """
    best = spearman(sorted(scores), sorted(labels))
    return None if best is None else best.value


def kappa(scores: Sequence[float], labels: Sequence[float]) -> float | None:
    """Cohen's kappa with quadratic weights (Cohen 1968): 1 - Σ(score - label)² / what independent ones would give.

    Scores are brought to the nearest grade that the labels use, the better one in the middle of two: of labels 0 and 1
    this is plain kappa of the cut at 0.5. None when labels, or labels and scores together, have one grade only.
    """
    grades = np.unique(labels)
    if len(grades) < 2:  # noqa: PLR2004 - as said above
        return None
    bounds = (grades[:-1] + grades[1:]) / 2
    given = np.array(labels)
    nearest = grades[np.searchsorted(bounds, np.array(scores), side="right")]
    # Σ over all pairs of (x - y)², divided by n: both variances and the distance of the means
    expected = nearest.var() + given.var() + (nearest.mean() - given.mean()) ** 2
    return float(1 - ((nearest - given) ** 2).mean() / expected)
