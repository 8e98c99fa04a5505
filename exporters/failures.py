"""Counts failed exports, and says so in the log without repeating itself."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping

import structlog

from monitor.protocols import Clock

_QUIET_S = 60.0
log = structlog.get_logger(__name__)


class Failures:
    """Failures of each signal since the start; one log line a minute and signal at most."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._counts: Counter[str] = Counter()
        self._said: dict[str, float] = {}
        self._lock = threading.Lock()  # exporters' threads and the event loop count

    def add(self, signal: str, why: str, number: int = 1) -> None:
        """Count `number` failures of one signal; `why` is for the log."""
        now = self._clock.monotonic()
        with self._lock:
            self._counts[signal] += number
            total = self._counts[signal]
            quiet = now - self._said.get(signal, float("-inf")) < _QUIET_S
            if not quiet:
                self._said[signal] = now
        if not quiet:
            log.warning("otlp export failed", signal=signal, why=why, failures=total)

    def counts(self) -> Mapping[str, int]:
        """The counts as of now."""
        with self._lock:
            return dict(self._counts)
