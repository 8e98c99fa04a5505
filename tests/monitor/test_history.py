"""Judging waits for the history of verdicts, but not for ever, and says that it does."""

from __future__ import annotations

import asyncio

import pytest
from structlog.testing import capture_logs

from monitor.clock import SystemClock
from monitor.config.settings import BoardSettings
from monitor.history import History
from monitor.judges.panel import Panel
from monitor.offline.memory import MemoryVerdicts
from monitor.quality.memory import VerdictMemory
from monitor.roles import BoardRole
from tests import virtual_time
from tests.virtual_time import VirtualClock


def history(problem: str | None = None) -> History:
    return History(BoardRole(MemoryVerdicts(), VerdictMemory(BoardSettings()), SystemClock()), lambda: problem, ())


@pytest.mark.parametrize(("comes", "waited"), [("ready", 5.0), ("stop", 5.0), ("nothing", 60.0)])
def test_judging_begins_once_the_history_is_read_or_when_told_to_stop_or_after_a_minute(
    comes: str, waited: float
) -> None:
    async def main(clock: VirtualClock) -> tuple[float, list[str]]:
        made, stop, began = history(), asyncio.Event(), clock.monotonic()
        events = {"ready": made.board.ready, "stop": stop}
        if comes in events:
            asyncio.get_running_loop().call_later(5.0, events[comes].set)
        with capture_logs() as logged:
            await made.wait(stop, Panel((), clock))
        assert made.why_not_judging() is None
        return clock.monotonic() - began, [line["event"] for line in logged]

    took, logged = virtual_time.run(main)
    assert took == pytest.approx(waited)
    assert [line.startswith("judging starts before") for line in logged] == ([True] if comes == "nothing" else [])


def test_while_judging_waits_it_says_for_what_and_what_is_wrong() -> None:
    assert history().why_not_judging() == "the history of verdicts is read first"
    assert history("no broker").why_not_judging() == "the history of verdicts is read first: no broker"
