"""The one place that asks the machine for the time."""

from __future__ import annotations

import time


class SystemClock:
    """`protocols.Clock` on the machine's own clocks."""

    def now_ns(self) -> int:
        """Wall time in nanoseconds since the Unix epoch."""
        return time.time_ns()

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()
