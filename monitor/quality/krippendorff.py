"""Krippendorff's alpha: how far annotators agree beyond chance, whoever labelled which answers.

alpha = 1 - observed / expected disagreement (Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability"), by three
distances: nominal (the same or not), ordinal (how many labels lie between), interval (squared difference).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate

from monitor.calibration import Raters

_PAIR = 2

Spread = Callable[[Mapping[float, int]], float]
"""Sum of the distances over all ordered pairs of labels, given as counts."""


def raters(answers: Iterable[Mapping[str, float]]) -> Raters | None:
    """Alpha over answers, each given as the labels by annotator; None when no two annotators labelled the same one.

    An alpha is None when all labels are the same: agreement beyond chance is then undefined. The order of answers and
    annotators does not matter.
    """
    units = [labels for labels in answers if len(labels) >= _PAIR]
    if not units:
        return None
    values = [list(labels.values()) for labels in units]
    return Raters(
        annotators=len({name for labels in units for name in labels}),
        answers=len(units),
        nominal=alpha(values, nominal),
        ordinal=alpha(_middle_ranks(values), interval),
        interval=alpha(values, interval),
    )


def alpha(units: Sequence[Sequence[float]], spread: Spread) -> float | None:
    """Alpha over units of at least two labels each; 1 is full agreement, 0 is chance; None when all are the same."""
    pooled = Counter(label for unit in units for label in unit)
    if len(pooled) == 1:
        return None
    observed = math.fsum(spread(Counter(unit)) / (len(unit) - 1) for unit in units)
    return 1.0 - (pooled.total() - 1) * observed / spread(pooled)


def nominal(counts: Mapping[float, int]) -> float:
    """A pair is 1 apart when its labels differ."""
    total = sum(counts.values())
    return float(total * total - sum(count * count for count in counts.values()))


def interval(counts: Mapping[float, int]) -> float:
    """A pair is its squared difference apart."""
    total = sum(counts.values())
    mean = math.fsum(label * count for label, count in counts.items()) / total
    return 2.0 * total * math.fsum(count * (label - mean) ** 2 for label, count in counts.items())


def _middle_ranks(units: Sequence[Sequence[float]]) -> list[list[float]]:
    """Each label by the number of labels below it and half of those like it: ordinal distance is their difference."""
    counts = sorted(Counter(label for unit in units for label in unit).items())
    upto = accumulate(count for _, count in counts)
    ranks = {label: below - count / 2 for (label, count), below in zip(counts, upto, strict=True)}
    return [[ranks[label] for label in unit] for unit in units]
