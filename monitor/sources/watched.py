"""What every consumer session does, whatever its client: commit, ask whether the broker lives, say what is wrong."""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Mapping

import structlog

from monitor.config.settings import SourceSettings
from monitor.errors import SourceError
from monitor.protocols import Clock, RebalanceListener
from monitor.records import TopicPartition
from monitor.sources.kafka_commits import OffsetCommits
from monitor.sources.kafka_events import Count, SourceVitals
from monitor.sources.watchdog import Reading, Watchdog

log = structlog.get_logger(__name__)


class WatchedSession(ABC):
    """The part of a session that does not depend on the client. `watch` returns when the consumer has to be replaced.

    `own` says which partitions are ours at this moment.
    """

    def __init__(
        self,
        settings: SourceSettings,
        listener: RebalanceListener,
        clock: Clock,
        *,
        bound: float,
        count: Count,
        own: Callable[[], Container[TopicPartition]],
    ) -> None:
        self._settings = settings
        self._listener = listener
        self._clock = clock
        self._bound = bound
        self._count = count
        join_after = settings.stall_after + settings.rebalance_timeout
        self._watchdog = Watchdog(settings.stall_after, join_after, clock.monotonic())
        self._commits = OffsetCommits(
            send=self._send, own=own, listener=listener, watchdog=self._watchdog, clock=clock, count=count
        )
        self._broken: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._calls = asyncio.Lock()  # the listener is never called twice at once
        self._paused = False
        self._rebalancing = True
        self._polled = clock.monotonic()
        self._ends: dict[TopicPartition, int] = {}
        self._missing: frozenset[str] = frozenset(settings.topics)

    # ------------------------------------------------------------------------------------------- what the client says

    @abstractmethod
    async def _send(self, offsets: Mapping[TopicPartition, int]) -> None:
        """Commit these offsets; returns when the broker has confirmed all of them. Raises SourceError."""

    @abstractmethod
    async def _ask(self) -> None:
        """Ask the leaders where our partitions end, and subscribe to topics that came. Raises SourceError."""

    @abstractmethod
    async def _ping(self) -> None:
        """Ask any broker for anything. Raises SourceError."""

    @abstractmethod
    def _positions_now(self) -> Mapping[TopicPartition, int]:
        """For each own partition, the next offset to hand on."""

    @abstractmethod
    def _subscribed_to_any(self) -> bool:
        """Whether we asked the group for partitions."""

    @abstractmethod
    def _trouble(self) -> str | None:
        """What the client knows to be wrong with reading; None when nothing is."""

    def _last_words(self) -> str | None:
        """Why no broker answers, where the client knows more than the error says."""
        return None

    def _answered(self) -> None:
        """A broker answered a question."""
        self._watchdog.answered(self._clock.monotonic())

    # ------------------------------------------------------------------------------------------------------- commit

    async def commit(self, bound: float) -> None:
        """Commit what the listener says. Not in a rebalance: the callback does it, and later it is not ours to do."""
        if not self._rebalancing and not self._broken.done():
            await self._commits.commit(bound)

    async def _began_again(self, starts: Mapping[TopicPartition, int]) -> None:
        """Positions were gone (retention, a topic made anew) and moved to `starts`; count it, tell the listener."""
        positions = self._positions_now()
        for tp, offset in starts.items():
            self._note_moved(tp, positions[tp], offset)
            self._commits.forget(tp)
        async with self._calls:
            await self._listener.lost(tuple(starts))
            await self._listener.assigned(tuple(starts))

    def _note_moved(self, tp: TopicPartition, position: int, start: int) -> None:
        if position < start:
            self._count("out_of_range", start - position)
            log.error("records are gone before they were read", **tp._asdict(), lost=start - position)
        else:
            # what stood between its old end and our position cannot be told from what was read
            self._count("made_anew", 1)
            log.error("a partition ends before our position: it was made anew", **tp._asdict(), position=position)

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
            self._answered()
        except (SourceError, TimeoutError) as error:
            with contextlib.suppress(SourceError, TimeoutError):
                async with asyncio.timeout(self._bound):
                    await self._ping()
                self._answered()
            self._watchdog.unanswered(self._last_words() or str(error) or "no answer in time")

    def _idle(self) -> bool:
        """Whether nobody wants records just now, so that no partition has to move."""
        lately = self._clock.monotonic() - self._polled <= self._settings.stall_after / 4
        return self._paused or self._rebalancing or not lately

    def _compare(self, positions: Mapping[TopicPartition, int]) -> None:
        """Give the watchdog the partitions that should move, and how far the client is in each."""
        moving = {tp: Reading(at, self._ends[tp]) for tp, at in positions.items() if tp in self._ends}
        self._watchdog.read(moving, self._clock.monotonic())

    def _note_joining(self) -> None:
        """Let the watchdog know while the group has not given us our share."""
        if self._rebalancing and self._subscribed_to_any():
            self._watchdog.joining(self._clock.monotonic())

    def _break(self, why: str) -> None:
        if not self._broken.done():
            self._broken.set_result(why)

    # -------------------------------------------------------------------------------------------------- what others ask

    def problem(self) -> str | None:
        """Why records cannot come, or not all of them; None when all is well."""
        if self._missing:
            names = ", ".join(sorted(self._missing))
            return f"topic {names} does not exist, or we may not see it; see source.topics"
        reason = self._watchdog.unreachable() or self._trouble()
        if reason is None and not self._subscribed_to_any():
            reason = f"no topic matches {self._settings.pattern!r}; see source.pattern"
        if reason is None and self._rebalancing and not self._positions_now():
            reason = f"waiting for the group {self._settings.group} to share out the partitions"
        return reason

    def vitals(self) -> SourceVitals:
        """How the consumer is doing."""
        answered, committed = self._watchdog.ages(self._clock.monotonic())
        return SourceVitals(len(self._positions_now()), answered, committed)
