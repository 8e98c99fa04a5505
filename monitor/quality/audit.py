"""What moves a judge beside quality: length, the order of passages, style, and mere repetition.

Each edit leaves what the answer says as it was. So a judge of what is said gives the same score before and after; the
mean change is its bias, the size of the changes and the labels that flip are how far it wavers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from monitor.quality.comparison import mean_difference
from monitor.quality.stats import partial_spearman, spearman, wilson
from monitor.records import JudgeIdentity
from monitor.snapshot import Estimate

Quality = Literal["label", "coverage"]
"""What length is held against: labels of the rows, or the share of the answer's words that stand in the passages."""
Side = Literal["score", "length", "quality"]
MIN_ROWS = 10
"""Rows from which a correlation is told."""


class Scored(NamedTuple):
    """What a judge gave for one text."""

    score: float
    label: str


class Change(NamedTuple):
    """A row before and after an edit; `after` has several for a repetition, none where every verdict is missing."""

    before: Scored
    after: tuple[Scored, ...]


@dataclass(frozen=True, slots=True)
class Length:
    """Rank correlations of the score with the length of the answer in characters. None: too few rows, or undefined."""

    rows: int
    quality: Quality
    plain: Estimate | None
    given_quality: Estimate | None
    """With what both share with quality taken out."""
    constant: tuple[Side, ...] = ()
    """What is the same on all rows, so that nothing can go with it."""

    @property
    def moves(self) -> bool:
        """Whether length moves the score beyond chance, at the same quality."""
        return self.given_quality is not None and excludes_zero(self.given_quality)


@dataclass(frozen=True, slots=True)
class Moved:
    """How one edit moves the scores. None without a row."""

    kind: str
    edit: str
    rows: int
    """That have a score before and after."""
    lost: int
    """That have one before only."""
    change: Estimate | None
    """Mean of after minus before, row by row."""
    size: float | None
    """Mean size of the changes."""
    same: Estimate | None
    """Share of the rows whose score did not change at all."""
    flipped: Estimate | None
    """Share of the rows whose label changed."""

    @property
    def moves(self) -> bool:
        """Whether the edit moves scores up or down beyond chance."""
        return self.change is not None and excludes_zero(self.change)


@dataclass(frozen=True, slots=True)
class Audit:
    """All that was found of one judge."""

    evaluation: str
    judge: JudgeIdentity
    rows: int
    scored: int
    """Rows that have a score as they are."""
    deterministic: bool
    """Whether the judge is a function of the text, in this process: a repetition cannot differ."""
    repeats: int
    length: Length
    edits: tuple[Moved, ...]


def excludes_zero(estimate: Estimate) -> bool:
    """Whether the whole interval lies on one side."""
    return estimate.lower > 0 or estimate.upper < 0


def length_bias(
    scores: Sequence[float], lengths: Sequence[float], qualities: Sequence[float], quality: Quality
) -> Length:
    """The correlation of score and length, with and without quality."""
    if len(scores) < MIN_ROWS:
        return Length(len(scores), quality, None, None)
    sides: tuple[tuple[Side, Sequence[float]], ...] = ("score", scores), ("length", lengths), ("quality", qualities)
    return Length(
        rows=len(scores),
        quality=quality,
        plain=spearman(scores, lengths),
        given_quality=partial_spearman(scores, lengths, qualities),
        constant=tuple(side for side, values in sides if len(set(values)) == 1),
    )


def moved_by(kind: str, edit: str, changes: Sequence[Change]) -> Moved:
    """What an edit does; a row counts once, by the mean of its verdicts after."""
    pairs = [change for change in changes if change.after]
    sizes = [_difference(change) for change in pairs]
    n = len(pairs)
    spread = [
        math.fsum(abs(one.score - change.before.score) for one in change.after) / len(change.after) for change in pairs
    ]
    return Moved(
        kind=kind,
        edit=edit,
        rows=n,
        lost=len(changes) - n,
        change=mean_difference((size, 1) for size in sizes),
        size=math.fsum(spread) / n if n else None,
        same=wilson(sum(size == 0 for size in spread) / n, n) if n else None,
        flipped=wilson(sum(map(_flips, pairs)) / n, n) if n else None,
    )


def _difference(change: Change) -> float:
    return math.fsum(one.score for one in change.after) / len(change.after) - change.before.score


def _flips(change: Change) -> bool:
    return any(one.label != change.before.label for one in change.after)
