"""One Kafka consumer from its start until it is broken or no longer wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from aiokafka import ConsumerRebalanceListener, errors
from aiokafka import TopicPartition as ClientPartition

from monitor.config.settings import SourceSettings
from monitor.errors import SourceError
from monitor.kafka_client.closing import close_client
from monitor.kafka_client.diagnosis import describe
from monitor.kafka_client.reader import CarefulReader
from monitor.protocols import Clock, RebalanceListener
from monitor.records import TopicPartition
from monitor.sources.kafka_events import Count
from monitor.sources.watched import WatchedSession
from monitor.wire import Batch

_REVOKE_S = 8.0  # the listener has 5 s to drain; the group waits for us
_COMMIT_IN_REVOKE_S = 5.0


class ConsumerSession(WatchedSession, ConsumerRebalanceListener):  # type: ignore[misc]  # aiokafka is untyped
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
        super().__init__(settings, listener, clock, bound=bound, count=count, own=consumer.assignment)
        self._consumer = consumer
        self._reader = reader
        self._settled = asyncio.Event()
        self._bug: Exception | None = None

    # --------------------------------------------------------------------------------------------- start and finish

    async def connect(self) -> None:
        """Reach a broker and ask for membership; does not wait for the assignment. Raises KafkaError, TimeoutError."""
        async with asyncio.timeout(self._bound):
            await self._consumer.start()
            await self._subscribe()
        self._answered()

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
        await self._began_again(starts)
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
                await self._listener.assigned(tuple(committed))
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

    # ---------------------------------------------------------------------------------------- for `WatchedSession`

    async def _send(self, offsets: Mapping[TopicPartition, int]) -> None:
        try:
            await self._consumer.commit({ClientPartition(*tp): offset for tp, offset in offsets.items()})
        except errors.KafkaError as error:
            raise SourceError(describe(error)) from error

    async def _ask(self) -> None:
        try:
            await self._ask_leaders()
        except errors.KafkaError as error:
            raise SourceError(describe(error)) from error

    async def _ask_leaders(self) -> None:
        if self._missing:
            await self._commits.commit(self._bound)  # a new subscription revokes everything without a chance to commit
            await self._subscribe()
        self._note_joining()
        own = self._consumer.assignment()
        if not own:
            await self._consumer.topics()
            return
        ends = await self._consumer.end_offsets(own)
        self._ends = {TopicPartition(*tp): offset for tp, offset in ends.items()}
        moving = () if self._idle() else self._ends.keys() & self._reader.positions.keys() - self._reader.stuck()
        self._compare({tp: await self._consumer.position(ClientPartition(*tp)) for tp in moving})

    async def _ping(self) -> None:
        try:
            await self._consumer.topics()
        except errors.KafkaError as error:
            raise SourceError(describe(error)) from error

    def _positions_now(self) -> Mapping[TopicPartition, int]:
        return self._reader.positions

    def _subscribed_to_any(self) -> bool:
        return bool(self._consumer.subscription())

    def _trouble(self) -> str | None:
        return self._reader.problem()

    def _break(self, why: str) -> None:
        super()._break(why)
        self._settled.set()

    # -------------------------------------------------------------------------------------------------- what others ask

    def lag(self) -> Mapping[TopicPartition, int]:
        """For each own partition, how many offsets lie between what was handed on and the end last seen."""
        lag = {}
        for tp, position in self._reader.positions.items():
            own = tp in self._consumer.assignment()
            end = (self._consumer.highwater(ClientPartition(*tp)) if own else None) or self._ends.get(tp, position)
            lag[tp] = max(0, end - position)
        return lag
