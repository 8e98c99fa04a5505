"""The vocabulary of results: what the board makes of the verdicts, and every exporter shows.

A number never stands alone: `Estimate` carries its interval, `WindowStats` its n, effective n and the bounds that
missing verdicts leave open. None means "below the floor of this statistic", and exporters then show nothing.
How the process itself is doing is in `monitor/operational.py`.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from monitor.comparisons import AnchorScores, Comparison
from monitor.estimate import Estimate as Estimate  # noqa: PLC0414 - whoever reads results finds it here
from monitor.records import Outcome


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """How many verdicts ended so, and the sum of their weights."""

    outcome: Outcome
    reason: str
    count: int
    weight: int


OTHER = "other"
"""Stands for all values, names and reasons that have no place of their own."""
UNKNOWN = "unknown"
"""Stands for a value that is missing."""


@dataclass(frozen=True, slots=True)
class SliceKey:
    """One dimension and one value of it; (`all`, `all`) is everything."""

    dimension: str
    value: str


EVERYTHING = SliceKey("all", "all")


@dataclass(frozen=True, slots=True)
class WindowStats:
    """The numbers of one evaluation by one judge in one slice and one window. None: below that statistic's floor.

    `n_eff` may be above `n`: it counts flips of a coin that tell as much, and scores between 0 and 1 vary less.
    """

    evaluation: str
    judge: str
    fingerprint: str
    calibrated: bool
    slice: SliceKey
    window_s: int
    n: int
    """Scored verdicts."""
    n_eff: float
    """Effective sample size of the weighted mean: so many flips of a coin with that mean tell as much.

    0 without scored verdicts. Above `n` where scores vary less than flips do, below it where weights differ.
    """
    n_equal: float
    """Kish's effective sample size: so many verdicts of equal weight tell as much. At most `n`, and equal to it where
    weights are; a verdict that stands for many requests beside others that stand for one brings it down. Each
    statistic has its floor in these."""
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
    below_half_corrected: Estimate | None = None
    """`below_half` corrected for how often the judge is wrong, by the labels of its calibration; None without one."""


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


BAD_BELOW = 0.5
"""A score or label below it is bad: in shares, exemplars and causes, and where judges without labels are compared."""

SCORE_BOUNDS = (0.0, 0.25, 0.499, 0.5, 0.75, 0.999, 1.0)
"""Histogram bounds: each atom of a judge's scores, and one just below it, to read off the share below the atom."""


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
    causes: Mapping[str, int] = field(default_factory=dict)
    """Requests that low scores stand for, by cause; what is low is told by the verdict, not by the buckets."""


class Sentiment(enum.StrEnum):
    """Our reading of feedback."""

    NEGATIVE = "negative"
    POSITIVE = "positive"
    UNRATED = "unrated"
    """It cannot be told."""


@dataclass(frozen=True, slots=True)
class FeedbackCount:
    """How much feedback came. `human`: a person's, not another evaluator's."""

    sentiment: Sentiment
    human: bool
    count: int


@dataclass(frozen=True, slots=True)
class JoinedFeedback:
    """How much feedback on judged requests there is in one slice, and how much of all feedback that stands for."""

    slice: SliceKey
    sentiment: Sentiment
    human: bool
    count: int
    weight: int


@dataclass(frozen=True, slots=True)
class FeedbackTotals:
    """Monotone totals of feedback since the process caught up; they change no quality number.

    `heard` counts each feedback when it comes; `joined` counts it when the request that it speaks of has a verdict too,
    which may be before or after. `left_out` counts by reason what is not, or no longer, waited for.
    """

    heard: tuple[FeedbackCount, ...] = ()
    joined: tuple[JoinedFeedback, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)


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
    shows_quality: bool = True
    """False in a process without a board, which reads the topic to know what was judged, or not at all."""
    duplicates: int = 0
    """Verdicts that were left out because their id had been counted."""
    late: int = 0
    """Verdicts whose event time lay beyond the longest window or too far in the future."""
    refused: int = 0
    """Verdicts that make no sense (a score out of range, no weight, a broken name), or of one judge too many."""
    feedback: FeedbackTotals = FeedbackTotals()
    shadows: tuple[Comparison, ...] = ()
    """Judges that run beside others, compared with them; they are in no other number."""
    anchors: tuple[AnchorScores, ...] = ()
    """What judges made of the anchor set; in no other number."""
