"""The vocabulary of results: what the board makes of the verdicts, and every exporter shows.

A number never stands alone: `Estimate` carries its interval, `WindowStats` its n, effective n and the bounds that
missing verdicts leave open. None means "below the floor of this statistic", and exporters then show nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from monitor.records import Outcome


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its uncertainty: a two-sided 95 % interval unless the field that holds it says otherwise."""

    value: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """How many verdicts ended so, and the sum of their weights."""

    outcome: Outcome
    reason: str
    count: int
    weight: int


@dataclass(frozen=True, slots=True)
class SliceKey:
    """One dimension and one value of it; (`all`, `all`) is everything."""

    dimension: str
    value: str


@dataclass(frozen=True, slots=True)
class WindowStats:
    """The numbers of one evaluation by one judge in one slice and one window. None: below that statistic's floor."""

    evaluation: str
    judge: str
    fingerprint: str
    calibrated: bool
    slice: SliceKey
    window_s: int
    n: int
    """Scored verdicts."""
    n_eff: float
    """Effective sample size of the weighted mean (statistics A2); 0 without scored verdicts."""
    weight: int
    """Sum of the weights of the scored verdicts: the number of requests they stand for."""
    mean: Estimate | None
    es10: Estimate | None
    """Mean of the worst 10 %."""
    p01: Estimate | None
    p05: Estimate | None
    p10: Estimate | None
    below_half: Estimate | None
    """Share of requests with a score below 0.5."""
    bounds: Estimate | None
    """`value` is the mean; `lower` and `upper` are what it could be if every missing verdict were 0 or 1 (Manski),
    widened by the sampling error."""
    missing_ratio: float | None
    """Weight of missing verdicts (judge errors, skipped) over weight of missing and scored; None without either."""
    outcomes: tuple[OutcomeCount, ...]
    last_end_ns: int | None
    """Event time of the newest scored verdict."""


@dataclass(frozen=True, slots=True)
class WorstCase:
    """A low verdict to look at, without content: the trace id leads to the content."""

    trace_id: str
    request_id: str
    evaluation: str
    score: float
    end_ns: int
    app: str | None


@dataclass(frozen=True, slots=True)
class StageCount:
    """The account of one stage: `received` equals `passed` + the sum of `dropped` + `held` at any moment."""

    stage: str
    unit: str
    received: int
    passed: int
    dropped: Mapping[str, int]
    held: int


SCORE_BOUNDS = (0.0, 0.25, 0.499, 0.5, 0.75, 0.999, 1.0)
"""Histogram bounds with one at each atom of a judge's scores and one just below it (statistics A8)."""


@dataclass(frozen=True, slots=True)
class ScoreTotals:
    """Monotone totals of one evaluation by one judge in one slice, for counters and histograms.

    They start at zero when the process has caught up with the verdict topic: history is in the windows only, or a
    restart would look like a burst of verdicts to `rate()`. `buckets` are cumulative weighted counts at `SCORE_BOUNDS`,
    `sum` is the weighted sum of the scores; `exemplars` are recent low scores.
    """

    evaluation: str
    judge: str
    fingerprint: str
    calibrated: bool
    slice: SliceKey
    buckets: tuple[int, ...]
    sum: float
    outcomes: tuple[OutcomeCount, ...]
    exemplars: tuple[WorstCase, ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that the exporters show, taken at one moment.

    `caught_up` is False while the board still reads the history of the verdict topic: windows are then incomplete.
    """

    taken_ns: int
    windows: tuple[WindowStats, ...]
    totals: tuple[ScoreTotals, ...]
    worst: tuple[WorstCase, ...]
    stages: tuple[StageCount, ...]
    caught_up: bool = True
    duplicates: int = 0
    """Verdicts that were left out because their id had been counted."""
    late: int = 0
    """Verdicts whose event time lay beyond the longest window or too far in the future."""
