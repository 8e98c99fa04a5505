"""What a synchronous stage asks of the shell between two of its steps."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Generic, TypeVar

from monitor.wire import DeadLetter

T_co = TypeVar("T_co", covariant=True)


class Work(Generic[T_co]):
    """A long pure computation, to be done before the next step, best off the event loop: heartbeats live on that.

    A failure is kept, and raised in the stage.
    """

    __slots__ = ("_call", "_error", "_results")

    def __init__(self, call: Callable[[], T_co]) -> None:
        self._call = call
        self._results: list[T_co] = []
        self._error: Exception | None = None

    def do(self) -> None:
        """Compute. Raises nothing."""
        try:
            self._results.append(self._call())
        except Exception as error:  # noqa: BLE001 - it belongs to the stage, which waits for it
            self._error = error

    def result(self) -> T_co:
        """What was computed; raises what it raised. Call `do` first."""
        if self._error is not None:
            raise self._error
        return self._results[0]


Step = DeadLetter | Work[object] | None
"""A dead letter has to be durable, work has to be done before the next step is taken; None is a chance to breathe."""


def worked(call: Callable[[], T_co], *, large: bool) -> Generator[Work[T_co], None, T_co]:
    """The result of a computation: made at once, or as a step of its own when it is large."""
    if not large:
        return call()
    work = Work(call)
    yield work
    return work.result()
