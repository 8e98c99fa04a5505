"""Doubles: small real classes that stand behind the Protocols."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from monitor.errors import SinkError, UnfitCasesError
from monitor.feedback import HeardFeedback
from monitor.operational import JudgeLoad
from monitor.protocols import RebalanceListener
from monitor.records import Case, JudgeIdentity, Judgement, Outcome, RagTrace, SensitiveHit, TopicPartition
from monitor.wire import Batch, RawRecord

SECOND = 1_000_000_000
T_contra = TypeVar("T_contra", contravariant=True)


class FakeClock:
    """A Clock that moves only when told."""

    def __init__(self, now_ns: int = 1_790_000_000 * SECOND) -> None:
        self._now_ns = now_ns
        self._monotonic = 1000.0

    def now_ns(self) -> int:
        return self._now_ns

    def monotonic(self) -> float:
        return self._monotonic

    def advance(self, seconds: float) -> None:
        self._now_ns += round(seconds * SECOND)
        self._monotonic += seconds


def _nothing() -> None:
    """Checks nothing."""


class FakeSource:
    """A topic in memory and a consumer of it that keeps to the contract of `Source`; time is the loop's.

    `check` is called at every step. With `endless` it waits for more when everything was handed on, as a topic does;
    else it is exhausted then. `pace` is the time between two polls that bring something, in seconds.
    """

    def __init__(
        self,
        records: Iterable[RawRecord],
        *,
        per_poll: int = 5,
        pace: float = 0.0,
        endless: bool = False,
        check: Callable[[], None] = _nothing,
    ) -> None:
        self.logs: dict[TopicPartition, list[RawRecord]] = {}
        for record in records:
            self.logs.setdefault(TopicPartition(record.topic, record.partition), []).append(record)
        self.committed: dict[TopicPartition, int] = dict.fromkeys(self.logs, 0)
        self.polls = 0
        self.paused = False
        self.pauses = 0
        self.stopped = False
        self.done = asyncio.Event()
        """Set when everything is committed."""
        self.check = check
        self.trouble: str | None = None
        self._per_poll = per_poll
        self._pace = pace
        self._endless = endless
        self._positions: dict[TopicPartition, int] = {}
        self._own: set[TopicPartition] = set()
        self._calls = asyncio.Lock()  # the listener is never called twice at once
        self._listener: RebalanceListener | None = None

    @property
    def ends(self) -> dict[TopicPartition, int]:
        """The offset after the last record of each partition."""
        return {tp: records[-1].offset + 1 for tp, records in self.logs.items()}

    @property
    def handed(self) -> Mapping[TopicPartition, int]:
        """The position in each partition that is assigned."""
        return self._positions

    @property
    def listener(self) -> RebalanceListener:
        assert self._listener is not None
        return self._listener

    async def start(self, listener: RebalanceListener) -> None:
        self._listener = listener
        await self.assign(self.logs)

    async def poll(self) -> Sequence[Batch]:
        self.polls += 1
        self.check()
        await asyncio.sleep(self._pace)
        batches = [] if self.paused else self._fetch()
        if not batches:
            await asyncio.sleep(0.25)
        return batches

    def _fetch(self) -> list[Batch]:
        batches = []
        for tp, position in self._positions.items():
            records = [record for record in self.logs[tp] if record.offset >= position][: self._per_poll]
            if records:
                self._positions[tp] = records[-1].offset + 1
                batches.append(Batch(tp, records, self._positions[tp]))
        return batches

    def pause(self) -> None:
        self.pauses += not self.paused
        self.paused = True

    def resume(self) -> None:
        self.paused = False

    async def commit(self, *, final: bool = False) -> None:
        del final
        self.check()
        offsets = {tp: offset for tp, offset in self.listener.committable().items() if tp in self._own}
        for tp, offset in offsets.items():
            assert self.committed[tp] <= offset <= self.ends[tp], (tp, self.committed[tp], offset)
        self.committed |= offsets
        if self.committed == self.ends:
            self.done.set()
        await asyncio.sleep(0)

    async def stop(self) -> None:
        self.stopped = True

    def problem(self) -> str | None:
        return self.trouble

    def exhausted(self) -> bool:
        return not self._endless and self._positions == self.ends

    # ------------------------------------------------------------------------------------------- what the group does

    async def assign(self, partitions: Iterable[TopicPartition]) -> None:
        """Give partitions, to be read from what is committed."""
        async with self._calls:
            given = {tp: self.committed[tp] for tp in partitions}
            await self.listener.assigned(tuple(given))
            self._own |= given.keys()
            self._positions |= given

    async def revoke(self, partitions: Iterable[TopicPartition]) -> None:
        """Take partitions away in good order: the listener finishes, its offsets are committed, the rest is dropped."""
        async with self._calls:
            gone = tuple(partitions)
            for tp in gone:
                del self._positions[tp]
            await self.listener.revoked(gone)
            await self.commit()
            self._own -= set(gone)
            await self.listener.lost(gone)

    async def lose(self, partitions: Iterable[TopicPartition]) -> None:
        """Take partitions away without a word, as when the consumer is rebuilt."""
        async with self._calls:
            gone = tuple(partitions)
            for tp in gone:
                del self._positions[tp]
            self._own -= set(gone)
            await self.listener.lost(gone)


class _Log(Protocol[T_contra]):
    async def append(self, item: T_contra, /) -> None: ...


@dataclass
class Flaky(Generic[T_contra]):
    """A log that fails for a while, then writes; `tried` holds all that was given to it."""

    log: _Log[T_contra]
    failures: float = 0
    error: SinkError = field(default_factory=lambda: SinkError("the broker is away"))
    tried: list[T_contra] = field(default_factory=list)

    async def append(self, item: T_contra) -> None:
        self.tried.append(item)
        await asyncio.sleep(0)
        if self.failures > 0:
            self.failures -= 1
            raise self.error
        await self.log.append(item)


async def _at_once(_trace: RagTrace) -> float:
    return 1.0


@dataclass(eq=False)
class ScriptedJudge:
    """A Judge whose score comes from a function, which may wait or raise; `asked` are the requests it saw."""

    score: Callable[[RagTrace], Awaitable[float]] = _at_once
    name: str = "scripted"
    evaluations: tuple[str, ...] = ("faithfulness",)
    remote: bool = False
    asked: list[RagTrace] = field(default_factory=list)
    explain: Callable[[RagTrace], str] = lambda _: ""

    def identity(self, evaluation: str) -> JudgeIdentity:
        assert evaluation in self.evaluations
        return JudgeIdentity(self.name, "0123456789ab")

    def load(self) -> JudgeLoad:
        return JudgeLoad(self.name)

    async def judge(self, trace: RagTrace, hits: Sequence[SensitiveHit], deadline: float) -> Sequence[Judgement]:
        del hits, deadline
        self.asked.append(trace)
        score = await self.score(trace)
        return [
            Judgement(name, self.identity(name), Outcome.SCORED, score=score, explanation=self.explain(trace))
            for name in self.evaluations
        ]

    async def close(self) -> None:
        """Nothing to free."""


@dataclass
class FakeSampleSet:
    """A SampleSet in memory; fails as often as `failures` says, and has no room for the cases in `unfit`."""

    rows: dict[str, Case] = field(default_factory=dict)
    unfit: frozenset[str] = frozenset()
    failures: int = 0
    taken: dict[TopicPartition, int] = field(default_factory=dict)
    """For each partition, the highest offset that came with an append."""

    def append(self, cases: Sequence[Case], positions: Mapping[TopicPartition, int]) -> int:
        self._fail()
        if unfit := self.unfit & {case.case_id for case in cases}:
            raise UnfitCasesError(unfit)
        self.taken |= {tp: max(offset, self.taken.get(tp, 0)) for tp, offset in positions.items()}
        new = {case.case_id: case for case in cases if case.case_id not in self.rows}
        self.rows |= new
        return len(new)

    def _fail(self) -> None:
        if self.failures > 0:
            self.failures -= 1
            msg = "the disk is full"
            raise SinkError(msg)


@dataclass
class MemoryCases:
    """A CaseLog over a list."""

    items: list[Case] = field(default_factory=list)

    async def append(self, case: Case) -> None:
        self.items.append(case)


@dataclass
class FakeFeedbackSet:
    """A FeedbackSet in memory; fails as often as `failures` says."""

    rows: dict[str, HeardFeedback] = field(default_factory=dict)
    failures: int = 0

    def append(self, heard: Sequence[HeardFeedback], positions: Mapping[TopicPartition, int]) -> int:
        del positions
        if self.failures > 0:
            self.failures -= 1
            msg = "the disk is full"
            raise SinkError(msg)
        new = {item.feedback_id: item for item in heard if item.feedback_id not in self.rows}
        self.rows |= new
        return len(new)
