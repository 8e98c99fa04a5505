"""`ragmon run`: signals in, exit code out; what runs is `app.Monitor`."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Collection
from pathlib import Path

import structlog

from monitor import garbage, logs
from monitor.app import Monitor
from monitor.clock import SystemClock
from monitor.config.cautions import shared_with_another
from monitor.config.settings import Settings
from monitor.errors import plain_config_errors

log = structlog.get_logger(__name__)

_SHUTDOWN_S = 9.0
"""Time beyond the drain time until the process ends whatever hangs: what is uncommitted is read again."""


def main(settings: Settings, roles: Collection[str], file: Path | None) -> int:
    """Run until a signal; returns the exit code. SIGTERM or SIGINT drains, a second one ends at once.

    `file` is where the settings are from, None when no file was given.
    """
    logs.configure(settings.log, SystemClock())
    tell_start(settings, roles, file)
    monitor = Monitor(settings, roles)
    garbage.settle()
    with plain_config_errors():
        asyncio.run(_run(monitor))
    log.info("ragmon stopped")
    return 0


def tell_start(settings: Settings, roles: Collection[str], file: Path | None) -> None:
    """One line of what runs; a warning when nobody has configured anything, or another ragmon may be in the way."""
    used = {
        "roles": sorted(roles),
        "brokers": list(settings.kafka.brokers),
        "topics": settings.source.pattern or list(settings.source.topics),
        "judges": [judge.name for judge in settings.judges],
    }
    if file is None and settings == Settings():
        log.warning(
            "ragmon starts with defaults: neither a file (-c FILE) nor a RAGMON_ variable configures it", **used
        )
    else:
        log.info("ragmon starts", config=str(file) if file else "environment", **used)
    if shared := shared_with_another(settings):
        log.warning("ragmon may share what another ragmon uses", why=shared)


async def _run(monitor: Monitor) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    drain_s = monitor.settings.judging.drain

    def on_signal() -> None:
        log.info("stopping; a second signal ends at once", drain_s=drain_s)
        stop.set()

    end_for_sure = _EndForSure(drain_s + _SHUTDOWN_S)
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal)  # wakes the loop by its own channel ...
        signal.signal(number, end_for_sure)  # ... so this one is free for what must not depend on the loop
    await monitor.run(stop)


class _EndForSure:
    """A signal handler: the first signal sets an alarm that ends the process, a second signal ends it at once.

    Python runs it between two instructions and inside a long regular expression, so a blocked loop cannot keep it off.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._asked = False

    def __call__(self, _number: int, _frame: object) -> None:
        if self._asked:
            os._exit(1)
        self._asked = True
        signal.signal(signal.SIGALRM, lambda _number, _frame: os._exit(0))
        signal.setitimer(signal.ITIMER_REAL, self._seconds)
