"""Rules of what every consumer session does, whatever its client."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest
import structlog

from monitor.config.settings import SourceSettings
from monitor.records import TopicPartition
from monitor.sources.watched import WatchedSession
from tests.fakes import FakeClock
from tests.integration.listeners import Listener

TP = TopicPartition("traces", 1)


class Session(WatchedSession):
    """A session that stands at offset 20 and asks nobody."""

    def __init__(self, listener: Listener, counted: list[tuple[str, int]]) -> None:
        super().__init__(
            SourceSettings(),
            listener,
            FakeClock(),
            bound=1.0,
            count=lambda *event: counted.append(event),
            own=lambda: {TP},
        )

    async def _send(self, offsets: Mapping[TopicPartition, int]) -> None: ...

    async def _ask(self) -> None: ...

    async def _ping(self) -> None: ...

    def _positions_now(self) -> Mapping[TopicPartition, int]:
        return {TP: 20}

    def _subscribed_to_any(self) -> bool:
        return True

    def _trouble(self) -> str | None:
        return None


@pytest.mark.parametrize(
    ("start", "event", "logged"),
    [
        (25, ("out_of_range", 5), {"event": "records are gone before they were read", "lost": 5}),
        (0, ("made_anew", 1), {"event": "a partition ends before our position: it was made anew", "position": 20}),
    ],
)
def test_lost_offsets_are_counted_where_they_are_known_and_else_the_occasion(
    start: int, event: tuple[str, int], logged: dict[str, object]
) -> None:
    async def go() -> tuple[Listener, list[tuple[str, int]]]:
        listener, counted = Listener(), list[tuple[str, int]]()
        await Session(listener, counted)._began_again({TP: start})
        return listener, counted

    with structlog.testing.capture_logs() as lines:
        listener, counted = asyncio.run(go())
    assert counted == [event]
    assert lines == [{"log_level": "error", "topic": "traces", "partition": 1} | logged]
    assert listener.told == [("lost", (TP,)), ("assigned", (TP,))]
