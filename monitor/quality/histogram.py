"""Weighted scores in mergeable form: exact whole-number moments, and a sparse histogram.

Everything here is a sum (or, for the heaviest weight, a maximum), so merging is commutative and associative.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

from monitor.quality.grid import ONE, bin_of


@dataclass(slots=True)
class Moments:
    """Sums over weighted scores x with weights w, x in billionths. All zero when there are none."""

    count: int = 0
    weight: int = 0
    """Σ w"""
    square: int = 0
    """Σ w²"""
    wx: int = 0
    """Σ w x"""
    w2x: int = 0
    """Σ w² x"""
    w2x2: int = 0
    """Σ w² x²"""
    heaviest: int = 0
    """The largest single weight."""

    def add(self, x: int, weight: int) -> None:
        """Count one score, in billionths."""
        square = weight * weight
        self.count += 1
        self.weight += weight
        self.square += square
        self.wx += weight * x
        self.w2x += square * x
        self.w2x2 += square * x * x
        self.heaviest = max(self.heaviest, weight)

    def merge(self, other: Moments) -> Self:
        """Add `other` to this one, which is returned; `other` is not changed."""
        self.count += other.count
        self.weight += other.weight
        self.square += other.square
        self.wx += other.wx
        self.w2x += other.w2x
        self.w2x2 += other.w2x2
        self.heaviest = max(self.heaviest, other.heaviest)
        return self

    def imputed(self, x: int) -> Moments:
        """The same weights with every score replaced by `x` billionths."""
        return share_moments(self, self.weight, self.square, x)


def share_moments(total: Moments, weight: int, square: int, x: int = ONE) -> Moments:
    """Moments of a two-valued score: `x` for the part of `total` with these sums of weights, 0 for the rest."""
    return Moments(
        total.count, total.weight, total.square, weight * x, square * x, square * x * x, heaviest=total.heaviest
    )


@dataclass(slots=True)
class Cell:
    """One bin: how many scores, Σ w and Σ w²."""

    count: int = 0
    weight: int = 0
    square: int = 0


@dataclass(slots=True)
class Histogram:
    """Weighted scores: exact moments, and cells by bin (see `grid`), only for bins that hold something."""

    moments: Moments = field(default_factory=Moments)
    cells: dict[int, Cell] = field(default_factory=dict)

    def add(self, x: int, weight: int) -> None:
        """Count one score of `x` billionths that stands for `weight` requests (at least 1)."""
        if not 0 <= x <= ONE or weight < 1:
            msg = f"score {x} billionths with weight {weight} cannot be counted"
            raise ValueError(msg)
        self.moments.add(x, weight)
        key = bin_of(x)
        cell = self.cells.get(key)
        if cell is None:
            cell = self.cells[key] = Cell()
        cell.count += 1
        cell.weight += weight
        cell.square += weight * weight

    def merge(self, other: Histogram) -> Self:
        """Add `other` to this one, which is returned; `other` is not changed."""
        self.moments.merge(other.moments)
        for key, theirs in other.cells.items():
            ours = self.cells.get(key)
            if ours is None:
                self.cells[key] = Cell(theirs.count, theirs.weight, theirs.square)
            else:
                ours.count += theirs.count
                ours.weight += theirs.weight
                ours.square += theirs.square
        return self
