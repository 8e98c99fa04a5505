"""One Kafka consumer from its start until it is broken or no longer wanted."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Mapping
from typing import Any

import structlog
from aiokafka import ConsumerRebalanceListener, errors
from aiokafka import TopicPartition as ClientPartition

from monitor.errors import SourceError
from monitor.kafka_client.closing import close_client
from monitor.kafka_client.diagnosis import describe
from monitor.kafka_client.reader import CarefulReader
from monitor.protocols import Clock, RebalanceListener
from monitor.records import TopicPartition
from monitor.settings import SourceSettings
from monitor.sources.kafka_commits import OffsetCommits
from monitor.sources.kafka_events import Count, SourceVitals
from monitor.sources.watchdog import Reading, Watchdog
from monitor.wire import Batch

log = structlog.get_logger(__name__)

_REVOKE_S = 8.0  # the listener has 5 s to drain; the group waits for us
_COMMIT_IN_REVOKE_S = 5.0


class ConsumerSession(ConsumerRebalanceListener):  # type: ignore[misc]  # aiokafka is untyped
    """Reads, commits, watches. `watch` returns when the consumer has to be replaced; then `close` it."""

    def __init__(
        self,
        consumer: Any,  # noqa: ANN401 - aiokafka is untyped
        reader: CarefulReader,
        settings: SourceSettings,
        listener: RebalanceListener,
        clock: Clock,
        *,
        bound: float,
        count: Count,
    ) -> None:
        self._consumer = consumer
        self._reader = reader
        self._settings = settings
        self._listener = listener
        self._clock = clock
        self._bound = bound
        self._count = count
        self._watchdog = Watchdog(
            settings.stall_after, settings.stall_after + settings.rebalance_timeout, clock.monotonic()
        )
        self._paused = False
        self._rebalancing = True
        self._settled = asyncio.Event()
        self._broken: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._calls = asyncio.Lock()  # the listener is never called twice at once
        self._commits = OffsetCommits(
            send=self._send,
            own=consumer.assignment,
            listener=listener,
            watchdog=self._watchdog,
            clock=clock,
            count=count,
        )
        self._ends: dict[TopicPartition, int] = {}
        self._missing: frozenset[str] = frozenset(settings.topics)
        self._polled = clock.monotonic()
        self._bug: Exception | None = None

    # --------------------------------------------------------------------------------------------- start and finish

    async def connect(self) -> None:
        """Reach a broker and ask for membership; does not wait for the assignment. Raises KafkaError, TimeoutError."""
        async with asyncio.timeout(self._bound):
            await self._consumer.start()
            await self._subscribe()
        self._watchdog.answered(self._clock.monotonic())

    async def close(self, within: float) -> None:
        """Leave the group if the broker lets us, and free everything. Never raises."""
        self._rebalancing = True
        await close_client(self._consumer, within)
        if self._reader.positions:
            async with self._calls:
                await self._listener.lost(tuple(self._reader.positions))

    async def _subscribe(self) -> None:
        """Subscribe to those of the topics that exist: asking for a missing one by name might create it."""
        if self._settings.pattern is not None:
            self._missing = frozenset()
            self._consumer.subscribe(pattern=self._settings.pattern, listener=self)
            return
        existing = frozenset(self._settings.topics) & await self._consumer.topics()
        self._missing = frozenset(self._settings.topics) - existing
        if existing and existing != self._consumer.subscription():
            self._consumer.subscribe(topics=sorted(existing), listener=self)

    # --------------------------------------------------------------------------------------------------------- read

    async def poll(self, timeout: float) -> list[Batch]:  # noqa: ASYNC109 - a poll time, not a bound
        """The next batches, empty when none came in time, in a rebalance, or when the consumer is broken."""
        self._polled = self._clock.monotonic()
        if self._bug is not None:
            raise self._bug
        if self._rebalancing or self._broken.done():
            await self._wait(timeout)
            return []
        try:
            batches = await self._reader.read(timeout)
        except SourceError as error:
            self._break(str(error))
            return []
        except (errors.OffsetOutOfRangeError, errors.NoOffsetForPartitionError) as error:
            await self._begin_again(error)
            return []
        if self._rebalancing:
            return []  # taken before the callback's seek, which rewinds them
        return batches

    async def _wait(self, timeout: float) -> None:  # noqa: ASYNC109 - see poll
        try:
            if not self._broken.done():
                self._consumer._coordinator.check_errors()  # noqa: SLF001 - refusals of the group surface nowhere else
            async with asyncio.timeout(timeout):
                await self._settled.wait()
        except errors.KafkaError as error:
            self._break(describe(error))
        except TimeoutError:
            pass

    def pause(self) -> None:
        """Fetch nothing; partitions that come later are paused, too."""
        if not self._paused:
            self._paused = True
            self._consumer.pause(*self._consumer.assignment())

    def resume(self) -> None:
        """Fetch again."""
        if self._paused:
            self._paused = False
            self._consumer.resume(*self._consumer.assignment())

    async def _begin_again(self, error: Exception) -> None:
        """Our position is gone (retention, a topic made anew): read on from the oldest record there is."""
        tps = [TopicPartition(*tp) for tp in error.args[0]] if isinstance(error.args[0], dict) else []
        known = [tp for tp in tps if tp in self._reader.positions]
        if not known:
            return  # not begun yet: the assignment callback will seek
        try:
            async with asyncio.timeout(self._bound):
                first = await self._consumer.beginning_offsets([ClientPartition(*tp) for tp in known])
        except (errors.KafkaError, TimeoutError):
            return  # the error comes again with the next poll
        starts = {TopicPartition(*tp): offset for tp, offset in first.items() if tp in self._reader.positions}
        for tp, offset in starts.items():
            skipped = offset - self._reader.positions[tp]
            log.error("position is out of range", topic=tp.topic, partition=tp.partition, lost=max(0, skipped))
            self._count("out_of_range", max(1, skipped))
            self._commits.forget(tp)
        async with self._calls:
            await self._listener.lost(tuple(starts))
            await self._listener.assigned(starts)
        for tp, offset in starts.items():
            self._reader.restart(tp, offset)

    # --------------------------------------------------------------------------------------------------- rebalances

    async def on_partitions_revoked(self, revoked: Iterable[Any]) -> None:
        """Let the listener finish what it can, commit that, then tell it to drop the rest."""
        self._rebalancing = True
        self._settled.clear()
        gone = tuple(TopicPartition(*tp) for tp in revoked)
        if not gone:
            return
        self._count("rebalance", 1)
        self._commits.hurry()
        try:
            async with self._calls:
                try:
                    async with asyncio.timeout(_REVOKE_S):
                        await self._listener.revoked(gone)
                except TimeoutError:
                    self._count("revoke_timeout", 1)
                await self._commits.commit(min(_COMMIT_IN_REVOKE_S, self._bound))
                await self._listener.lost(gone)
            self._reader.begin({})
        except Exception as error:  # noqa: BLE001 - aiokafka would swallow it; `poll` raises it
            self._bug = error

    async def on_partitions_assigned(self, assigned: Iterable[Any]) -> None:
        """Find out where to begin, tell the listener, seek. Nothing is handed on before the end of it."""
        tps = list(assigned)
        try:
            async with asyncio.timeout(self._bound):
                committed, starts = await self._starts(tps)
            async with self._calls:
                await self._listener.assigned(committed)
        except (errors.KafkaError, TimeoutError) as error:
            self._break(f"committed offsets cannot be read: {describe(error)}")
            return
        except Exception as error:  # noqa: BLE001 - see on_partitions_revoked
            self._bug = error
            return
        if self._paused and tps:
            self._consumer.pause(*tps)
        self._commits.begin(committed)
        # from here on without an await: what was fetched before the seek is read again, what comes after it is new
        self._reader.begin(starts)
        self._watchdog.joined()
        self._rebalancing = False
        self._settled.set()

    async def _starts(self, tps: list[Any]) -> tuple[dict[TopicPartition, int | None], dict[TopicPartition, int]]:
        """The committed offsets, and where to begin: there, or where the settings say.

        A start at the latest record is committed at once; else what comes before the first own commit would be jumped
        over by the next start.
        """
        committed: dict[TopicPartition, int | None] = {
            TopicPartition(*tp): await self._consumer.committed(tp) for tp in tps
        }
        fresh = [tp for tp in tps if committed[TopicPartition(*tp)] is None]
        begin: dict[Any, int] = {}
        if fresh and self._settings.start == "earliest":
            begin = await self._consumer.beginning_offsets(fresh)
        elif fresh:
            begin = await self._consumer.end_offsets(fresh)
            await self._consumer.commit(begin)
            committed |= {TopicPartition(*tp): offset for tp, offset in begin.items()}
        starts = {tp: offset for tp, offset in committed.items() if offset is not None}
        return committed, starts | {TopicPartition(*tp): offset for tp, offset in begin.items()}

    # ------------------------------------------------------------------------------------------------------- commit

    async def commit(self, bound: float) -> None:
        """Commit what the listener says. Not in a rebalance: the callback does it, and later it is not ours to do."""
        if not self._rebalancing and not self._broken.done():
            await self._commits.commit(bound)

    async def _send(self, offsets: Mapping[TopicPartition, int]) -> None:
        try:
            await self._consumer.commit({ClientPartition(*tp): offset for tp, offset in offsets.items()})
        except errors.KafkaError as error:
            raise SourceError(describe(error)) from error

    # -------------------------------------------------------------------------------------------------------- watch

    async def watch(self) -> str:
        """Returns why the consumer has to be replaced, once it has to."""
        interval = min(5.0, self._settings.stall_after / 4)
        while True:
            await asyncio.wait({self._broken}, timeout=interval)
            if self._broken.done():
                return self._broken.result()
            await self._probe()
            why = self._watchdog.broken(self._clock.monotonic())
            if why is not None:
                return why

    async def _probe(self) -> None:
        """Ask the leaders where their partitions end; when that fails, any broker for anything.

        One lost leader among many is a problem to show, but a new client would find it no better.
        """
        try:
            async with asyncio.timeout(self._bound):
                await self._ask()
            self._watchdog.answered(self._clock.monotonic())
        except (errors.KafkaError, TimeoutError) as error:
            with contextlib.suppress(errors.KafkaError, TimeoutError):
                async with asyncio.timeout(self._bound):
                    await self._consumer.topics()
                self._watchdog.answered(self._clock.monotonic())
            self._watchdog.unanswered(describe(error))

    async def _ask(self) -> None:
        if self._missing:
            await self._commits.commit(self._bound)  # a new subscription revokes everything without a chance to commit
            await self._subscribe()
        if self._rebalancing and self._consumer.subscription():
            self._watchdog.joining(self._clock.monotonic())
        own = self._consumer.assignment()
        if not own:
            await self._consumer.topics()
            return
        ends = await self._consumer.end_offsets(own)
        self._ends = {TopicPartition(*tp): offset for tp, offset in ends.items()}
        await self._compare()

    async def _compare(self) -> None:
        """Give the watchdog the partitions that should move."""
        now = self._clock.monotonic()
        idle = self._paused or self._rebalancing or now - self._polled > self._settings.stall_after / 4
        readings = {}
        if not idle:
            for tp, end in self._ends.items():
                if tp in self._reader.positions and tp not in self._reader.stuck():
                    position = await self._consumer.position(ClientPartition(*tp))
                    readings[tp] = Reading(position, end)
        self._watchdog.read(readings, now)

    def _break(self, why: str) -> None:
        if not self._broken.done():
            self._broken.set_result(why)
            self._settled.set()

    # -------------------------------------------------------------------------------------------------- what others ask

    def problem(self) -> str | None:
        """Why records cannot come, or not all of them; None when all is well."""
        if self._missing:
            names = ", ".join(sorted(self._missing))
            return f"topic {names} does not exist, or we may not see it; see source.topics"
        reason = self._watchdog.unreachable() or self._reader.problem()
        if reason is None and self._settings.pattern is not None and not self._consumer.subscription():
            reason = f"no topic matches {self._settings.pattern!r}; see source.pattern"
        if reason is None and not self._reader.positions and self._rebalancing:
            reason = f"waiting for the group {self._settings.group} to share out the partitions"
        return reason

    def lag(self) -> Mapping[TopicPartition, int]:
        """For each own partition, how many offsets lie between what was handed on and the end last seen."""
        lag = {}
        for tp, position in self._reader.positions.items():
            own = tp in self._consumer.assignment()
            end = (self._consumer.highwater(ClientPartition(*tp)) if own else None) or self._ends.get(tp, position)
            lag[tp] = max(0, end - position)
        return lag

    def vitals(self) -> SourceVitals:
        """How the consumer is doing."""
        answered, committed = self._watchdog.ages(self._clock.monotonic())
        return SourceVitals(len(self._reader.positions), answered, committed)
