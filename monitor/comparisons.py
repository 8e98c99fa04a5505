"""The vocabulary of judges compared: a candidate with its incumbent, a judge with itself on the anchor set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from monitor.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Side:
    """One of two judges that judged the same requests, under one evaluation."""

    judge: str
    fingerprint: str
    calibrated: bool
    scored: int
    missing: int
    """Judge errors and what was skipped."""
    mean: float | None
    """Weighted, of its scores where both scored; None without any."""
    cost: float
    """Of its verdicts, in the currency of the prices. One call for several evaluations counts with the first."""
    tokens: int
    calls: int
    latency_s: float
    """Mean of its verdicts that it was asked for: without what waited for a place, a limit or another call only."""
    unscored: Mapping[str, int] = field(default_factory=dict)
    """Verdicts without a score, by outcome and reason such as `judge_error{connect}`; the most frequent first."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A candidate beside the incumbent, on the same requests. None: undefined, or too few for it."""

    evaluation: str
    incumbent: Side
    candidate: Side
    requests: int
    """That both were asked about."""
    pairs: int
    """Of those, the ones that both scored."""
    difference: Estimate | None
    """Weighted mean of candidate minus incumbent, -1 to 1, over the pairs."""
    spearman: Estimate | None
    """Between the scores."""
    agreement: Estimate | None
    """Share of the pairs with the same word, see `words`."""
    kappa: float | None
    """Cohen's, of the same words."""
    words: str
    """`label`; or `below_half`, score below 0.5 or not, where not every verdict has a label."""


@dataclass(frozen=True, slots=True)
class AnchorScores:
    """The anchor set as one judge scored it last, and how far that is from its first run under the same fingerprint."""

    evaluation: str
    judge: str
    fingerprint: str
    calibrated: bool
    """When it judged last: in the whole of the newest run."""
    rows: int
    """Scored in the newest run."""
    mean: float
    compared: int
    """Rows that were scored in an earlier run as well."""
    change: Estimate | None
    """Mean change of the score, row by row, since the first run, -1 to 1, with its 99.9 % interval; or None."""
    spread: float | None
    """Mean size of the changes, 0 to 1."""
    judged_ns: int
    """Begin of the newest run."""
