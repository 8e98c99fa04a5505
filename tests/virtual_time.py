"""An event loop whose time jumps: a coroutine that waits for an hour is done at once, and every timeout is exact."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
BASE_NS = 1_790_000_000_000_000_000
_STUCK_S = 5.0


class _JumpingSelector(selectors.DefaultSelector):
    """Instead of blocking until the next timer it moves the time there."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1000.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:  # nothing but another thread can wake us
            events: list[tuple[selectors.SelectorKey, int]] = super().select(_STUCK_S)
            if not events:
                msg = "every task waits, and nothing will come"
                raise RuntimeError(msg)
            return events
        events = super().select(0)
        if not events and timeout > 0:
            self.now += timeout
        return events


class VirtualClock:
    """A Clock on the loop's jumping time."""

    def __init__(self, selector: _JumpingSelector) -> None:
        self._selector = selector

    def now_ns(self) -> int:
        return BASE_NS + round(self._selector.now * 1e9)

    def monotonic(self) -> float:
        return self._selector.now


class _VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self, selector: _JumpingSelector) -> None:
        super().__init__(selector)
        self._jumping = selector

    def time(self) -> float:
        return self._jumping.now

    def run_in_executor(self, _executor: Any, function: Callable[..., T], *arguments: Any) -> asyncio.Future[T]:  # type: ignore[override]  # noqa: ANN401 - as in asyncio
        """Do the work of other threads at once and in place: else time would run ahead of it."""
        future: asyncio.Future[T] = self.create_future()
        try:
            future.set_result(function(*arguments))
        except Exception as error:  # noqa: BLE001 - it belongs to who waits
            future.set_exception(error)
        return future


def run(main: Callable[[VirtualClock], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine function to its end in virtual time; it gets the clock."""
    selector = _JumpingSelector()
    with asyncio.Runner(loop_factory=lambda: _VirtualLoop(selector)) as runner:
        return runner.run(main(VirtualClock(selector)))
