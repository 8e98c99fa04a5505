"""The judge role, stage by stage. THE FILE TO READ FIRST.

    source    Batch        raw records of one partition; the key alone drops what no policy can want
    decode    Decoded      bytes to spans or plain requests, only of traces that some policy can want; poison goes to
                           the dead letters. What none can want at the rates of the moment waits unread
                           (monitor/stages/unread.py)
    assemble  Assembled    the spans of one trace, closed by quiet time, timeout or eviction
    extract   RagTrace     the requests that the trace holds
    sample    Decision     whether a request is judged, and how likely that was
    judge     Judgement    redact, then the panel under one deadline (monitor/stages/judging.py)
    emit      Case, Verdict   each confirmed by the broker; only then may the offsets move
    hear      HeardFeedback   what was said of earlier requests, confirmed in the same way (monitor/stages/hearing.py)

`Intake` (monitor/stages/intake.py) does the first five on what one poll brought, synchronously. Judging and emitting
are run here, each request by a task of its own: `judging.workers` of them judge, some more wait for the broker, so that
writes share batches. Before them stands one bounded queue: when it is full the source is paused, but polled on, so that
the group membership stays. Every request carries a `Receipt`: its records stay uncommitted until it is done.

Drain order at the end: intake stops, the queue empties within the drain time, offsets are committed, the source leaves.
What could not be finished stays uncommitted and is read again; ids that depend on the request alone make that harmless.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import structlog

from monitor.config.settings import Judging
from monitor.errors import SinkError, where
from monitor.judges.panel import Panel
from monitor.protocols import CaseLog, Clock, DeadLetters, FeedbackLog, Source, VerdictLog
from monitor.records import TopicPartition
from monitor.stages.durable import Persistence
from monitor.stages.hearing import Hearing
from monitor.stages.intake import Intake
from monitor.stages.judging import Judged, RequestJudging
from monitor.stages.receipts import Sampled
from monitor.stages.steps import Step, Work
from monitor.wire import Batch, DeadLetter

log = structlog.get_logger(__name__)

_REVOKE_WAIT_S = 5.0  # the group waits for us; longer would cost membership with common broker settings
_CLOSE_S = 10.0  # between two polls: long, as a pause throws away what was fetched, but well below max_poll_interval
_STOP_BOUND_S = 10.0
_WRITING = 128  # judged requests that wait for the broker, beside those that are being judged
_REVOKED = "revoked"


@dataclass(slots=True)
class Pipeline:
    """Runs the stages over one Source; it is the source's RebalanceListener."""

    source: Source
    intake: Intake
    panel: Panel
    verdicts: VerdictLog
    cases: CaseLog
    feedback: FeedbackLog
    dead_letters: DeadLetters
    judged_before: Callable[[str, int], bool]
    """Whether the verdict log holds this verdict id, of a request that ended at this time (ns)."""
    clock: Clock
    settings: Judging
    commit_every_s: float
    _queue: asyncio.Queue[Sampled] = field(default_factory=asyncio.Queue)
    _running: dict[Sampled, asyncio.Task[None]] = field(default_factory=dict)
    """Requests that are judged or written, each by a task."""
    _room: asyncio.Semaphore = field(init=False)
    """For running requests."""
    _workers: asyncio.Semaphore = field(init=False)
    """For those of them that are judged."""
    _finished: asyncio.Event = field(default_factory=asyncio.Event)
    """Set whenever a request is finished; whoever waits for more than one clears it."""
    _persistence: Persistence = field(init=False)
    _hearing: Hearing = field(init=False)
    _judging: RequestJudging = field(init=False)
    _flooded: bool = False

    def __post_init__(self) -> None:
        self._persistence = Persistence(self.clock)
        self._hearing = Hearing(self.intake, self.feedback, self._persistence, self._finished)
        self._judging = RequestJudging(
            self.intake.chooser, self.panel, self.judged_before, self.clock, self.settings.deadline
        )
        self._room = asyncio.Semaphore(self.settings.workers + _WRITING)
        self._workers = asyncio.Semaphore(self.settings.workers)

    # ------------------------------------------------------------------------------------------------- the life of it

    async def run(self, stop: asyncio.Event) -> None:
        """Run until `stop` is set or the source is exhausted, then drain. Raises only for programming errors."""
        await self.source.start(self)
        try:
            async with asyncio.TaskGroup() as group:
                jobs = (self._begin_for_ever(group), self._hearing.run(), self._commit_for_ever())
                helpers = [group.create_task(job) for job in jobs]
                await self._take_in(stop)
                await self._drain(None if self.source.exhausted() else self.settings.drain)
                for task in (*helpers, *self._running.values()):
                    task.cancel()
        finally:
            self.intake.accounting.stage("judge").dropped(_REVOKED, len(self._running))
            self._running.clear()
            self._hearing.give_up()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_STOP_BOUND_S):
                    await self.source.commit(final=True)
                    await self.source.stop()

    def problem(self) -> str | None:
        """Why nothing is being judged just now, in words for a person; None when all is well."""
        if self._flooded:
            return "most of the last records were unreadable: check source.encoding and the topic, then restart"
        return self.source.problem()

    def waiting(self) -> int:
        """Sampled requests that wait for a worker."""
        return self._queue.qsize()

    def in_flight(self) -> Mapping[str, int]:
        """What each stage truly holds, for the conservation check."""
        judging = self._queue.qsize() + len(self._running)
        source = self.intake.open_records()
        return {"source": source, "assemble": self.intake.open_spans(), "judge": judging, "hear": self._hearing.held}

    async def _take_in(self, stop: asyncio.Event) -> None:
        while not (stop.is_set() or self.source.exhausted()):
            full = self._gate()
            with self._deaf(when=full or self.intake.behind()):
                batches = await self.source.poll()
            # before the next await: from then on a partition may be revoked, and assigned anew at another offset
            generations = [self.intake.ledger.generation(batch.partition) for batch in batches]
            for batch, generation in zip(batches, generations, strict=True):
                await self._take(batch, generation, stop)
            self._hearing.hand_on()
            if not full:
                await self._close_due(stop)
        if self.source.exhausted():
            await self._close_due(stop, everything=True)

    async def _take(self, batch: Batch, generation: int, stop: asyncio.Event) -> None:
        for step in self.intake.take(batch, generation, self.clock.monotonic(), self.clock.now_ns()):
            if not await self._do(step, stop):
                return  # the rest of the batch stays uncommitted

    async def _close_due(self, stop: asyncio.Event, *, everything: bool = False) -> None:
        """Hand on what is due while there is room and polling can wait; what is left is first in the next turn."""
        now = self.clock.monotonic()
        for step in self.intake.close_due(now, self.clock.now_ns(), everything=everything):
            self._hand_on()
            late = self.clock.monotonic() - now >= _CLOSE_S
            if not await self._do(step, stop):
                break
            if step is None and not everything and (late or self._full() or stop.is_set()):
                break  # here only: after any other step something is in the stage's hands
        self._hand_on()

    async def _do(self, step: Step, stop: asyncio.Event) -> bool:
        """Do what a synchronous stage asks for; False when we were told to stop before a letter was durable."""
        match step:
            case None:
                await asyncio.sleep(0)
            case Work():
                await asyncio.to_thread(step.do)
            case DeadLetter():
                with self._deaf():
                    return await self._bury(step, stop)
        return True

    @contextlib.contextmanager
    def _deaf(self, *, when: bool = True) -> Iterator[None]:
        """What happens meanwhile keeps records from coming: no open trace ends for the time that it takes."""
        before = self.clock.monotonic()
        try:
            yield
        finally:
            if when:
                self.intake.deaf += self.clock.monotonic() - before

    def _hand_on(self) -> None:
        self._hearing.hand_on()
        ready = self.intake.chooser.ready
        if ready:
            self.intake.accounting.stage("judge").received(len(ready))
            while ready:
                self._queue.put_nowait(ready.popleft())

    def _gate(self) -> bool:
        """Pause the source while there is work in hand, and for good in a flood; returns whether the queue is full."""
        if not self._flooded and self.intake.flooded():
            self._flooded = True
            log.error(
                "intake stops: most of the last records were unreadable", hint="check source.encoding and the topic"
            )
        full = self._full()
        if full or self._flooded or self.intake.behind():
            self.source.pause()
        else:
            self.source.resume()
        return full

    def _full(self) -> bool:
        shedding = self.settings.when_full == "shed"
        return self._hearing.full or self._queue.qsize() >= self.settings.queue * (2 if shedding else 1)

    async def _drain(self, seconds: float | None) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._until(lambda: not (self._queue.qsize() or self._running or self._hearing.held))

    async def _until(self, reached: Callable[[], bool]) -> None:
        """Wait until something is reached that only the end of requests brings about."""
        while not reached():
            self._finished.clear()
            await self._finished.wait()

    async def _commit_for_ever(self) -> None:
        while True:
            await asyncio.sleep(self.commit_every_s)
            await self.source.commit()

    # ------------------------------------------------------------------------------------------------ judge, then emit

    async def _begin_for_ever(self, group: asyncio.TaskGroup) -> None:
        while True:
            await self._room.acquire()
            await self._workers.acquire()
            request = await self._queue.get()
            shed = self.settings.when_full == "shed" and self._queue.qsize() >= self.settings.queue
            self._running[request] = group.create_task(self._process(request, shed=shed))

    async def _process(self, request: Sampled, *, shed: bool) -> None:
        """Take one request to its end. If cancelled it stays among the running ones, which count as revoked then."""
        stage = self.intake.accounting.stage("judge")
        try:
            dropped = await self._finish(request, shed=shed)
        except Exception as error:  # noqa: BLE001 - a stage boundary: a defect costs one request, not the process
            log.error("no verdict on a request", trace_id=request.trace.trace_id, **where(error))  # noqa: TRY400 - see where
            dropped = "failed"
        del self._running[request]
        self._room.release()
        if dropped:
            stage.dropped(dropped)
        else:
            stage.passed()
        if dropped != _REVOKED:  # else nothing of it is settled here: its records are read again
            request.receipt.done()
        self._finished.set()

    async def _finish(self, request: Sampled, *, shed: bool) -> str:
        """Judge and emit; gives the reason when the request was dropped instead, empty when it was judged."""
        try:
            if self.intake.abandoned(request.receipt.positions):
                return _REVOKED
            judged = await self._judging.judge(request, shed=shed)
        finally:
            self._workers.release()  # the next request is judged while this one is written
        if judged is None:
            return "already_judged"
        await self._emit(judged)
        return judged.dropped

    async def _emit(self, judged: Judged) -> None:
        """Make the outcome durable. The case first: a verdict in the log says that its case is durable, too."""
        case, verdicts = judged.case, judged.verdicts
        if case is not None:
            try:
                await self._persistence.until_durable("case", lambda: self.cases.append(case))
            except SinkError as error:
                # too large, however much it is cut: the sample set lacks it, the numbers must not
                trace_id = case.trace.trace_id
                log.error("a case is refused for good", trace_id=trace_id, error=str(error))  # noqa: TRY400 - see where
        await self._persistence.until_durable("verdicts", lambda: self.verdicts.append(verdicts))
        emit = self.intake.accounting.stage("emit")
        emit.received(len(verdicts))
        emit.passed(len(verdicts))
        if verdicts and judged.raw is not None:
            await self._hearing.write_inline(judged.raw)

    async def _bury(self, letter: DeadLetter, stop: asyncio.Event) -> bool:
        """Whether intake may go on; False when we were told to stop while the letter was not durable."""
        place = {name: value for name, value in letter.position._asdict().items() if name != "generation"}
        # the kind stands in the event: lines of one event are held back for some seconds, and kinds are few
        event = f"a record cannot be understood: {letter.error}"
        log.warning(event, detail=letter.detail, **place)
        try:
            return await self._persistence.until_durable(
                "dead letter", lambda: self.dead_letters.append(letter), stop.is_set
            )
        except SinkError as error:
            position = letter.position._asdict()
            log.error("a dead letter is refused for good; the record is left out", error=str(error), **position)  # noqa: TRY400 - see where
            return True

    # ------------------------------------------------------------------------------- as the source's RebalanceListener

    async def assigned(self, partitions: Iterable[TopicPartition]) -> None:
        """Start a new generation of each partition."""
        for partition in partitions:
            self.intake.assign(partition)

    async def revoked(self, partitions: Iterable[TopicPartition]) -> None:
        """Let running judgements finish; the rest is abandoned and read again by the next owner."""
        gone = frozenset(partitions)
        self.intake.forget(gone)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(_REVOKE_WAIT_S, self.settings.drain)):
                await self._until(
                    lambda: (
                        not (any(item.receipt.touches(gone) for item in self._running) or self._hearing.writes(gone))
                    )
                )

    async def lost(self, partitions: Iterable[TopicPartition]) -> None:
        """Drop the partitions' state; what still runs belongs to an older generation and moves nothing."""
        gone = tuple(partitions)
        self.intake.forget(gone)
        for partition in gone:
            self.intake.ledger.drop(partition)

    def committable(self) -> Mapping[TopicPartition, int]:
        """The lowest offset of each partition that an open request still needs."""
        return self.intake.ledger.committable()
