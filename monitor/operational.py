"""The vocabulary of the process: how it is doing, what its judges spend and are known for, what traffic it saw."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from monitor.estimate import Estimate
from monitor.records import JudgeIdentity, TopicPartition
from monitor.snapshot import SliceKey


class BreakerState(enum.StrEnum):
    """The circuit breaker of a judge."""

    CLOSED = "closed"
    HALF_OPEN = "half_open"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class QueueFill:
    """One bounded queue: how many wait in it, and how many fit."""

    queue: str
    length: int
    capacity: int


@dataclass(frozen=True, slots=True)
class LimitFill:
    """One limit of what a judge may spend, named as its setting, and what of it is used in its period."""

    limit: str
    cap: float
    used: float


@dataclass(frozen=True, slots=True)
class JudgeLoad:
    """What one judge did since the process started, and what holds it back now."""

    judge: str
    judgements: int = 0
    duration_s: float = 0.0
    """Sum of the latencies of its judgements."""
    calls: int = 0
    """Calls of its endpoint, retries included; 0 for a judge in the process."""
    retries: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    in_flight: int = 0
    concurrency_limit: int | None = None
    """Parallel calls allowed just now; None when nothing limits it."""
    breaker: BreakerState | None = None
    """None for a judge without a circuit breaker."""
    paused: str = ""
    """Why it is not asked just now: the bounded reason that opened the circuit breaker; empty while it is asked."""
    cached_tokens: int = 0
    """Input tokens that the server had cached."""
    reused: int = 0
    """Judgements that were given again for the same content, without a call."""
    slowdown: float = 1.0
    """What its rate is divided by, so that it stays within its limits."""
    limits: tuple[LimitFill, ...] = ()


@dataclass(frozen=True, slots=True)
class FlagRates:
    """How often a rule of a judge flags answers that were labelled bad, and lets pass those that were labelled good."""

    rule: str
    """`threshold`: what decides is below the fitted threshold; `below_half`: the score is below 0.5, as in windows."""
    bad: int
    flagged: int
    """Of the bad answers."""
    good: int
    passed: int
    """Of the good answers."""
    sensitivity: Estimate | None
    """Share of the bad answers that are flagged; None without any."""
    specificity: Estimate | None
    """Share of the good answers that are not flagged; None without any."""
    balanced_accuracy: Estimate | None
    """The mean of both."""

    @property
    def has_power(self) -> bool:
        """Whether it tells bad from good beyond doubt: sensitivity and specificity make more than 1, a coin's 1."""
        accuracy = self.balanced_accuracy
        if accuracy is None or not self.bad or not self.good:
            return False
        return accuracy.lower > 1 / 2 and self.flagged / self.bad + self.passed / self.good > 1  # whatever was written


@dataclass(frozen=True, slots=True)
class Asked:
    """An evaluation that the configuration asks for, who gives it, and what is known of how well."""

    evaluation: str
    judge: JudgeIdentity
    uncalibrated: str = "no_labels"
    """Why the judge does not count as calibrated, a bounded word; empty when it does."""
    labels: int = 0
    """Labelled answers that it was compared with."""
    rates: tuple[FlagRates, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceState:
    """How the source of one role is doing. An age of None means "not yet"."""

    role: str = ""
    """`judge` reads the service's traces, `harvest` our own cases."""
    problem: str = ""
    """Why no records can come just now, in words for a person; empty when all is well. Never a label value."""
    assigned: int = 0
    """Partitions assigned to this process."""
    lag: Mapping[TopicPartition, int] = field(default_factory=dict)
    """Records between the position and the end of each assigned partition."""
    round_trip_age_s: float | None = None
    """Seconds since the last answer of the broker."""
    commit_age_s: float | None = None
    """Seconds since the last successful commit."""

    @property
    def up(self) -> bool:
        """Whether it has an assignment and the broker answers."""
        return not self.problem and self.assigned > 0


LATENCY_BOUNDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 60.0, 120.0)
"""Histogram bounds of the requests' latencies, in seconds."""


@dataclass(frozen=True, slots=True)
class TrafficTotals:
    """The service's requests of one slice in the records that this process read; monotone, from its start.

    Estimates, so not whole, where only a sample was looked at. `buckets` are cumulative at `LATENCY_BOUNDS`, and one
    more for all.
    """

    slice: SliceKey
    requests: float
    errors: float
    empty_retrievals: float
    input_tokens: float
    output_tokens: float
    seconds: float
    """Sum of the latencies, where they are known."""
    buckets: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class TrafficCount:
    """What is known of the service's traffic, and how. `basis` is `all`, `sampled` (estimates) or `off`."""

    basis: str = "off"
    totals: tuple[TrafficTotals, ...] = ()
    unreadable: int = 0
    """Records that could not be decoded to be counted; with basis `all` only."""


@dataclass(frozen=True, slots=True)
class Operational:
    """How this process is doing, taken at one moment; the defaults describe a process that has just started.

    Totals count from the start of the process.
    """

    started_ns: int = 0
    sources: tuple[SourceState, ...] = ()
    """One for each role that has one, that of the judge role first; none in a process with a board only."""
    harvest_problem: str | None = None
    """Why cases cannot be read or written, as a source's `problem`; None in a process that does not harvest."""
    rebuilds: int = 0
    """How often the supervisor rebuilt the source's client."""
    events: Mapping[str, int] = field(default_factory=dict)
    """What else went wrong with Kafka and was got over, by a bounded word: occasions, or offsets, or records."""
    loop_lag_s: float = 0.0
    """Longest delay of the event loop that was seen lately."""
    rates: Mapping[str, int] = field(default_factory=dict)
    """The k of the rate 1/k that is in force for each sampling policy; 0: never."""
    budget_per_minute: float | None = None
    """Requests that this process judges a minute at most; 0: no limit, None where nothing is judged."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Parts of readable records that were not read, by a bounded reason, and texts that were mended."""
    closed: Mapping[str, int] = field(default_factory=dict)
    """Traces that were closed, by `CloseReason`; those of traces that nobody can want are not among them."""
    queues: tuple[QueueFill, ...] = ()
    judges: tuple[JudgeLoad, ...] = ()
    asked: tuple[Asked, ...] = ()
    conservation: tuple[str, ...] = ()
    """Sums of the accounts that do not add up, in words for a person."""
    traffic: TrafficCount = TrafficCount()
    export_failures: Mapping[str, int] = field(default_factory=dict)
    """Failed or dropped OTLP exports for each signal (`metrics`, `events`)."""

    @property
    def source(self) -> SourceState:
        """What the process reads in the first place; that of nothing in a process with a board only."""
        return self.sources[0] if self.sources else SourceState()
