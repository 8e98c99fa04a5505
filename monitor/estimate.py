"""A number with its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its uncertainty: a two-sided 95 % interval unless the field that holds it says otherwise."""

    value: float
    lower: float
    upper: float
