"""Offset commits of one consumer: bounded, one at a time, of own partitions only, and never backwards."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Container, Mapping

import structlog

from monitor.errors import SourceError
from monitor.protocols import Clock, RebalanceListener
from monitor.records import TopicPartition
from monitor.sources.kafka_events import Count
from monitor.sources.watchdog import Watchdog

log = structlog.get_logger(__name__)

_LAST_CHANCE_S = 1.0

Send = Callable[[Mapping[TopicPartition, int]], Awaitable[None]]
"""Commits the offsets; returns when the broker has confirmed all of them. Raises SourceError."""


class OffsetCommits:
    """Commits what the listener says. Failures are normal (a rebalance got in between) and counted.

    `own` says which partitions are ours at this moment.
    """

    def __init__(
        self,
        *,
        send: Send,
        own: Callable[[], Container[TopicPartition]],
        listener: RebalanceListener,
        watchdog: Watchdog,
        clock: Clock,
        count: Count,
    ) -> None:
        self._send = send
        self._own = own
        self._listener = listener
        self._watchdog = watchdog
        self._clock = clock
        self._count = count
        self._committed: dict[TopicPartition, int] = {}
        self._one = asyncio.Lock()  # two at once could arrive in the wrong order
        self._limit: asyncio.Timeout | None = None

    def begin(self, committed: Mapping[TopicPartition, int | None]) -> None:
        """Partitions were assigned: what the broker holds for them."""
        self._committed = {tp: offset for tp, offset in committed.items() if offset is not None}

    def forget(self, tp: TopicPartition) -> None:
        """Let the next commit of the partition be lower than the last: its offsets began anew."""
        self._committed.pop(tp, None)

    def hurry(self) -> None:
        """Give a commit under way one second more: a client would repeat it with the next generation's right."""
        if self._limit is not None:
            self._limit.reschedule(asyncio.get_running_loop().time() + _LAST_CHANCE_S)

    async def commit(self, bound: float) -> None:
        """Commit within `bound` seconds, or count why not. Never raises for Kafka's sake."""
        try:
            async with asyncio.timeout(bound) as limit, self._one:
                self._limit = limit
                offsets = self.wanted()
                if offsets:
                    await self._send(offsets)
                self.settled(offsets)
        except TimeoutError:
            self._count("commit_timeout", 1)
        except SourceError as error:
            self.failed(error)
        finally:
            self._limit = None

    def wanted(self) -> dict[TopicPartition, int]:
        """What is to be committed now; may be empty."""
        own = self._own()
        offsets = {
            tp: offset
            for tp, offset in self._listener.committable().items()
            if tp in own and offset > self._committed.get(tp, -1)
        }
        if offsets:
            self._watchdog.commit_wanted(self._clock.monotonic())
        return offsets

    def settled(self, offsets: Mapping[TopicPartition, int]) -> None:
        """They stand at the broker."""
        self._committed |= offsets
        self._watchdog.committed(self._clock.monotonic())

    def failed(self, error: SourceError) -> None:
        """A commit was refused."""
        self._count("commit_failed", 1)
        log.info("offset commit failed", error=str(error))
