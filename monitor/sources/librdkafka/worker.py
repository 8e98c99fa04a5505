"""A thread for calls that block. A call that never returns costs its thread, and holds up neither loop nor exit."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from monitor.errors import SourceError

_T = TypeVar("_T")


class Worker:
    """One daemon thread that makes calls one after another, in their order."""

    def __init__(self, name: str) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._finished = False
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def submit(self, call: Callable[[], _T]) -> asyncio.Future[_T]:
        """Make the call after those before it. Its outcome may be ignored; waiting for it may be given up."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[_T] = loop.create_future()
        future.add_done_callback(_look)
        if self._finished:
            future.set_exception(SourceError("the consumer is being closed"))
            return future

        def job() -> None:
            if future.done():
                return  # given up before its turn
            outcome: Callable[[], None]
            try:
                result = call()
            except BaseException as error:  # noqa: BLE001 - whoever waits gets it
                outcome = _settle(future, future.set_exception, error)
            else:
                outcome = _settle(future, future.set_result, result)
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(outcome)

        self._jobs.put(job)
        return future

    def finish(self) -> None:
        """Take no more calls; the thread ends after those that wait. Idempotent."""
        self._finished = True
        self._jobs.put(None)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()


def _settle(future: asyncio.Future[_T], settle: Callable[[Any], None], value: object) -> Callable[[], None]:
    def outcome() -> None:
        if not future.done():
            settle(value)

    return outcome


def _look(future: asyncio.Future[Any]) -> None:
    """An error that nobody waits for any more is no news."""
    if not future.cancelled():
        future.exception()
