"""How the process is doing: the lag of its event loop, and the `Operational` record that the exporters show."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from monitor.accounting import Accounting
from monitor.config.settings import Assembly, Settings
from monitor.operational import Operational, QueueFill, SourceState, TrafficCount
from monitor.pipeline import Pipeline
from monitor.protocols import Clock
from monitor.records import TopicPartition
from monitor.sources.kafka_events import SourceVitals

_TICK_S = 0.1
_KEPT = 300  # ticks: the longest lag of half a minute
_START_S = 30.0
"""How long a start may take until what it waits for is a warning."""
_NO_RECORDS = "no records can come just now"
_READING = ("judge", "harvest")
"""The roles that read records; what is said of the process is said of the first that it has."""
_REBUILD = "rebuild"
"""The event that has a metric of its own."""


@dataclass(slots=True)
class LoopLag:
    """Measures how late the event loop comes back to us: the heartbeats to the broker live on the same loop."""

    clock: Clock
    _lags: deque[float] = field(default_factory=lambda: deque(maxlen=_KEPT))

    async def run(self) -> None:
        """Measure until cancelled."""
        while True:
            before = self.clock.monotonic()
            await asyncio.sleep(_TICK_S)
            self._lags.append(max(0.0, self.clock.monotonic() - before - _TICK_S))

    def longest(self) -> float:
        """The longest lag of the last half minute, in seconds; 0 before the first measurement."""
        return max(self._lags, default=0.0)


class Line(NamedTuple):
    """A line of the log."""

    level: int
    """As of `logging`."""
    event: str
    said: Mapping[str, str]


@dataclass(slots=True)
class RecordsTold:
    """Which lines say that no records can come, and when they can.

    At a start it is in order to wait, for the history or until the group has shared out its partitions: that is told as
    information, and as a warning once it has lasted. Later each problem is a warning at once.
    """

    began: float
    """When the process did (monotonic seconds)."""
    _came: bool = False
    """Whether records could come before."""
    _told: tuple[str, int] | None = None
    """The problem that was told last and still is one, and at which level."""

    def line(self, problem: str, now: float) -> Line | None:
        """What to say of a problem (empty: there is none) at a time (monotonic seconds); None when nothing is new."""
        told = self._told
        if not problem:
            self._came, self._told = True, None
            return Line(logging.INFO, "records can come", {"ends": _NO_RECORDS}) if told else None
        starts = not self._came and now - self.began < _START_S
        self._told = problem, logging.INFO if starts else logging.WARNING
        if self._told == told:
            return None
        return Line(self._told[1], "no records can come yet" if starts else _NO_RECORDS, {"why": problem})


def _none() -> Mapping[str, int]:
    return {}


def _nothing() -> str | None:
    return None


class Watched(Protocol):
    """What is asked of the source of a role."""

    def problem(self) -> str | None:
        """Why records cannot come, or not all of them; None when all is well."""
        ...

    def lag(self) -> Mapping[TopicPartition, int]:
        """For each own partition, how many offsets are not handed on yet."""
        ...

    def vitals(self) -> SourceVitals:
        """How the consumer is doing."""
        ...


@dataclass(slots=True)
class Vitals:
    """Takes the `Operational` record of a process, from whatever parts it has."""

    settings: Settings
    clock: Clock
    events: Counter[str]
    """What happened so far; those that are known before are there with 0."""
    accounting: Accounting
    lag: LoopLag
    export_failures: Callable[[], Mapping[str, int]] = _none
    waits: Callable[[], str | None] = _nothing
    """Why judging has not begun yet; None once it has."""
    _started_ns: int = 0
    _holders: list[Callable[[], Mapping[str, int]]] = field(default_factory=list)
    _pipeline: Pipeline | None = None
    _harvest: Callable[[], str | None] | None = None
    _sources: dict[str, Watched] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._started_ns = self.clock.now_ns()

    def count_in(self, held: Callable[[], Mapping[str, int]]) -> None:
        """Ask this, too, what is in flight, for the conservation check."""
        self._holders.append(held)

    def judges(self, pipeline: Pipeline, source: Watched) -> None:
        """Report on the judge role from now on."""
        self._pipeline, self._sources["judge"] = pipeline, source

    def harvests(self, problem: Callable[[], str | None], source: Watched) -> None:
        """Report on the harvest role from now on. `problem` says why nothing is harvested just now."""
        self._harvest, self._sources["harvest"] = problem, source

    def take(self) -> Operational:
        """The record as of now."""
        pipeline = self._pipeline
        return Operational(
            started_ns=self._started_ns,
            sources=tuple(self._state(role, self._sources[role]) for role in _READING if role in self._sources),
            harvest_problem=None if self._harvest is None else self._harvest() or "",
            rebuilds=self.events[_REBUILD],
            events={name: number for name, number in self.events.items() if name != _REBUILD},
            loop_lag_s=self.lag.longest(),
            rates=pipeline.intake.chooser.sampler.rates() if pipeline else {},
            budget_per_minute=self.settings.sampling.budget_per_minute if pipeline else None,
            left_out=dict(pipeline.intake.left_out) if pipeline else {},
            closed=dict(pipeline.intake.assembler.closed) if pipeline else {},
            queues=_queues(pipeline, self.settings.assembly),
            judges=pipeline.panel.loads() if pipeline else (),
            asked=pipeline.panel.asked() if pipeline else (),
            conservation=tuple(self.accounting.problems(self._in_flight())),
            traffic=pipeline.intake.watch.count() if pipeline else TrafficCount(),
            export_failures=self.export_failures(),
        )

    def _state(self, role: str, source: Watched) -> SourceState:
        problem = source.problem()
        if role == "judge":
            problem = self.waits() or (self._pipeline.problem() if self._pipeline else problem)
        vitals = source.vitals()
        return SourceState(
            role=role,
            problem=problem or "",
            assigned=vitals.assigned,
            lag=source.lag(),
            round_trip_age_s=vitals.round_trip_age_s,
            commit_age_s=vitals.commit_age_s,
        )

    def _in_flight(self) -> Mapping[str, int]:
        held: Counter[str] = Counter()
        for ask in self._holders:
            held.update(ask())
        return held


def _queues(pipeline: Pipeline | None, assembly: Assembly) -> tuple[QueueFill, ...]:
    if pipeline is None:
        return ()
    assembler = pipeline.intake.assembler
    return (
        QueueFill("judge", pipeline.waiting(), pipeline.settings.queue),
        QueueFill("traces", assembler.open_traces, assembly.max_traces),
        QueueFill("trace_bytes", pipeline.intake.open_bytes(), assembly.max_bytes),
    )
