"""One librdkafka consumer from its start until it is broken or no longer wanted, as the event loop sees it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from confluent_kafka import OFFSET_END

from monitor.config.settings import SourceSettings
from monitor.errors import SinkError, SourceError
from monitor.kafka_client.reader import Bury
from monitor.protocols import Clock, RebalanceListener
from monitor.records import TopicPartition
from monitor.sampling.presample import Presample
from monitor.sources.kafka_events import Count
from monitor.sources.librdkafka.calls import Asker
from monitor.sources.librdkafka.damage import Gap
from monitor.sources.librdkafka.reader import ConsumerReader
from monitor.sources.librdkafka.worker import Worker
from monitor.sources.watched import WatchedSession
from monitor.wire import Batch

log = structlog.get_logger(__name__)

_FILL_S = 0.1  # how long a poll that is not full waits for more
_REVOKE_S = 8.0  # the listener has 5 s to drain; the group waits for us
_INTERNAL = "__"


class LibrdkafkaSession(WatchedSession):
    """Reads, commits, watches. `watch` returns when the consumer has to be replaced; then `close` it."""

    def __init__(
        self,
        options: Mapping[str, Any],
        settings: SourceSettings,
        listener: RebalanceListener,
        clock: Clock,
        *,
        bound: float,
        count: Count,
        bury: Bury,
        presample: Presample | None,
    ) -> None:
        super().__init__(settings, listener, clock, bound=bound, count=count, own=self._positions_now)
        self._bury = bury
        self._reader = ConsumerReader(options, settings, bound, self, clock, presample)
        self._asker = Asker(options, bound)
        self._reading, self._asking = Worker("Kafka reading"), Worker("Kafka asking")
        self._job: asyncio.Future[list[Batch]] | None = None
        self._positions: dict[TopicPartition, int] = {}
        self._subscribed: frozenset[str] = frozenset()

    # --------------------------------------------------------------------------------------------- start and finish

    async def connect(self) -> None:
        """Reach a broker and ask for membership; does not wait for the assignment. Raises SourceError."""
        await self._reading.submit(self._reader.open)
        topics = self._asking.submit(self._asker.topics)
        while not topics.done():
            await self._reading.submit(self._reader.pump)
            if self._reader.down is not None:
                raise SourceError(self._reader.down)
        await self._subscribe(topics.result())
        self._answered()

    async def close(self, within: float) -> None:
        """Leave the group if the broker lets us; what hangs goes on in its thread. Never raises."""
        self._rebalancing = self._reader.closing = True
        closed = {self._reading.submit(self._reader.close), self._asking.submit(self._asker.close)}
        self._reading.finish()
        self._asking.finish()
        await asyncio.wait(closed, timeout=within)
        if self._positions:
            await self._drop(tuple(self._positions))

    async def _subscribe(self, there: frozenset[str]) -> None:
        """Subscribe to those of the topics that exist. A pattern means the same here as with the other client."""
        pattern = self._settings.pattern
        if pattern is None:
            wanted = frozenset(self._settings.topics) & there
            self._missing = frozenset(self._settings.topics) - there
        else:
            wanted = frozenset(name for name in there if re.match(pattern, name) and not name.startswith(_INTERNAL))
            self._missing = frozenset()
        if wanted and wanted != self._subscribed:
            await self._reading.submit(lambda: self._reader.subscribe(sorted(wanted)))
            self._subscribed = wanted

    # --------------------------------------------------------------------------------------------------------- read

    async def poll(self, timeout: float) -> list[Batch]:  # noqa: ASYNC109 - a poll time, not a bound
        """The next batches, empty when none came in time, in a rebalance, or when the consumer is broken."""
        self._polled = self._clock.monotonic()
        if self._broken.done():
            await asyncio.sleep(timeout)
            return []
        if self._job is None:
            paused, within = self._paused, min(timeout, _FILL_S)
            self._job = self._reading.submit(lambda: self._reader.read(within, paused=paused))
        job = self._job
        await asyncio.wait({job}, timeout=timeout)
        if not job.done():
            return []  # in a rebalance, which may take its time; what the read gives comes with a later poll
        self._job = None
        try:
            batches = job.result()
        except SourceError as error:
            self._break(str(error))
            return []
        self._positions |= {batch.partition: batch.next_offset for batch in batches}
        return batches

    def pause(self) -> None:
        """Deliver nothing from the next read on; partitions that come later are paused, too."""
        self._paused = True

    def resume(self) -> None:
        """Deliver again."""
        self._paused = False

    # ------------------------------------------------------------------------- what the reader tells (`telling.Told`)

    async def assigned(
        self, committed: Mapping[TopicPartition, int | None], starts: Mapping[TopicPartition, int]
    ) -> None:
        """Tell the listener; from then on commits are ours to make."""
        async with self._calls:
            await self._listener.assigned(tuple(committed))
        self._commits.begin(committed)
        self._positions = dict(starts)
        self._watchdog.joined()
        self._rebalancing = False

    async def revoked(self, gone: Sequence[TopicPartition]) -> Mapping[TopicPartition, int]:
        """Let the listener finish what it can; gives what to commit of it."""
        self._rebalancing = True
        self._count("rebalance", 1)
        async with self._calls:
            try:
                async with asyncio.timeout(_REVOKE_S):
                    await self._listener.revoked(gone)
            except TimeoutError:
                self._count("revoke_timeout", 1)
        return self._commits.wanted()

    async def given_away(
        self, gone: Sequence[TopicPartition], offsets: Mapping[TopicPartition, int], failure: SourceError | None
    ) -> None:
        """Take note of the last commit, and let the listener drop the rest."""
        if failure is None:
            self._commits.settled(offsets)
        else:
            self._commits.failed(failure)
        await self._drop(gone)

    async def lost(self, gone: Sequence[TopicPartition]) -> None:
        """Let the listener drop what is not ours any more."""
        self._rebalancing = True
        self._count("rebalance", 1)
        await self._drop(gone)

    async def _drop(self, gone: Sequence[TopicPartition]) -> None:
        self._positions.clear()
        async with self._calls:
            await self._listener.lost(gone)

    async def moved(self, starts: Mapping[TopicPartition, int]) -> None:
        """Count what retention took away; the listener begins anew behind it."""
        await self._began_again(starts)
        self._positions |= starts

    async def unreadable(self, gap: Gap) -> bool:
        """Bury it; False when that was not confirmed."""
        try:
            await self._bury(gap.partition, gap.first, gap.end, gap.fault, gap.detail)
        except SinkError as error:
            log.warning("unreadable records are not skipped before their dead letter is written", error=str(error))
            return False
        return True

    # ---------------------------------------------------------------------------------------- for `WatchedSession`

    async def _send(self, offsets: Mapping[TopicPartition, int]) -> None:
        assignment = self._reader.assignment
        await self._reading.submit(lambda: self._reader.commit(offsets, assignment))

    async def _ask(self) -> None:
        own = tuple(self._positions)
        if self._missing or self._settings.pattern is not None or not own:
            await self._subscribe(await self._asking.submit(self._asker.topics))
        self._note_joining()
        if own:
            self._ends = await self._asking.submit(lambda: self._asker.edges(own, OFFSET_END))
            stuck = self._reader.damage.stuck()
            self._compare({} if self._idle() else {tp: at for tp, at in self._positions.items() if tp not in stuck})

    async def _ping(self) -> None:
        await self._asking.submit(self._asker.topics)

    def _last_words(self) -> str | None:
        return self._reader.down

    def _answered(self) -> None:
        self._reader.down = None
        super()._answered()

    def _positions_now(self) -> Mapping[TopicPartition, int]:
        return self._positions

    def _subscribed_to_any(self) -> bool:
        return bool(self._subscribed)

    def _trouble(self) -> str | None:
        return self._reader.down or self._reader.damage.problem() or self._reader.complaint

    # -------------------------------------------------------------------------------------------------- what others ask

    def lag(self) -> Mapping[TopicPartition, int]:
        """For each own partition, how many offsets lie between what was handed on and the end last seen."""
        fetched = self._reader.highwater
        return {
            tp: max(0, max(fetched.get(tp, 0), self._ends.get(tp, 0)) - position)
            for tp, position in self._positions.items()
        }
