"""What the reader's thread tells the event loop; it waits for the end of each call, with a bound."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import CancelledError
from typing import Any, Protocol, TypeVar

from monitor.errors import SourceError
from monitor.records import TopicPartition
from monitor.sources.librdkafka.damage import Gap

_WITHIN_S = 30.0  # what a listener does in a rebalance is bounded more tightly; beyond this the loop hangs

_T = TypeVar("_T")


class Told(Protocol):
    """Told by the reader on the event loop, one call at a time."""

    async def assigned(
        self, committed: Mapping[TopicPartition, int | None], starts: Mapping[TopicPartition, int]
    ) -> None:
        """These are our partitions now, read from `starts`."""
        ...

    async def revoked(self, gone: Sequence[TopicPartition]) -> Mapping[TopicPartition, int]:
        """Our partitions are about to go: finish; gives what to commit."""
        ...

    async def given_away(
        self, gone: Sequence[TopicPartition], offsets: Mapping[TopicPartition, int], failure: SourceError | None
    ) -> None:
        """The offsets were committed, or why not: drop the partitions."""
        ...

    async def lost(self, gone: Sequence[TopicPartition]) -> None:
        """Our partitions are gone already: drop."""
        ...

    async def moved(self, starts: Mapping[TopicPartition, int]) -> None:
        """The positions in these were out of range: they are read from `starts` on."""
        ...

    async def unreadable(self, gap: Gap) -> bool:
        """Make it durable that these offsets cannot be read; False when that failed, so that they are not skipped."""
        ...


class Telling:
    """Makes calls on an event loop from another thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def __call__(self, call: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
        """What the call gives, once it has ended. Raises what it raises, SourceError when it takes too long."""
        told = asyncio.run_coroutine_threadsafe(call(), self._loop)
        try:
            return told.result(_WITHIN_S)
        except (TimeoutError, CancelledError) as error:
            told.cancel()
            raise SourceError("a rebalance was not taken in within its time") from error
