"""Logs: one JSON object a line on standard error, control characters escaped, repeated lines held back.

Nothing of ours logs what users wrote. Of libraries only errors pass; of those whose troubles we tell, less.
"""

from __future__ import annotations

import contextlib
import enum
import logging
import sys
from collections import deque
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass, field
from typing import Any

import structlog

from monitor.clock import SystemClock
from monitor.config.settings import Log
from monitor.protocols import Clock

_REPEAT_S = 10.0
_REMEMBERED = 1000
_DIFFERENT = 5
"""So many lines of one event are written within the time at most, each with another reason than the one before."""
_REASONS = ("why", "error", "reason", "judge")
"""What makes a line another one than the last of its event, where it has them."""
_NO_NUMBERS = str.maketrans("", "", "0123456789")
_TELLS_APART = frozenset(" ='\"")


@dataclass(slots=True)
class _Told:
    """What was written of an event."""

    reason: str | None = None
    """Of the last line; None when there is none, or when what it told is over."""
    held_back: int = 0
    at: deque[float] = field(default_factory=lambda: deque(maxlen=_DIFFERENT))
    """When (monotonic seconds), the last ones."""

    def again(self, reason: str, now: float) -> bool:
        """Whether a line with this reason says nothing new, or more than may be said within the time."""
        if self.reason is None:
            return False
        lately = sum(now - at < _REPEAT_S for at in self.at)
        return lately == _DIFFERENT or (lately > 0 and reason == self.reason)


class Repeats:
    """Holds back a line that was written less than ten seconds ago; the next one says how many were held back.

    A line is repeated that gives the same reason, apart from its numbers, as the last one of its event. Of one event
    five lines are written in ten seconds at most. The first one after an info line that `ends` the event is always
    written: the log ends with what holds.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen: dict[tuple[str, str], _Told] = {}

    def __call__(self, _logger: object, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        """A structlog processor. Raises DropEvent for a repeated line."""
        key, now = (method, str(event.get("event"))), self._clock.monotonic()
        if method == "info":
            if ended := self._seen.get(("warning", str(event.get("ends")))):
                ended.reason = None
            return event
        told = self._seen.get(key, _Told())
        reason = " ".join(str(event.get(name, "")) for name in _REASONS).translate(_NO_NUMBERS)
        if told.again(reason, now):
            told.held_back += 1
            raise structlog.DropEvent
        if told.held_back:
            event["repeated"] = told.held_back
        if key not in self._seen and len(self._seen) >= _REMEMBERED:
            self._seen.clear()
        told.reason, told.held_back = reason, 0
        told.at.append(now)
        self._seen[key] = told
        return event


def configure(settings: Log, clock: Clock) -> None:
    """Set up logging for the process; called once, by the entry point."""
    level = logging.getLevelNamesMapping()[settings.level.upper()]
    processors: list[Any] = [
        Repeats(clock),
        _words,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    if settings.format == "json":
        processors.append(structlog.processors.JSONRenderer(ensure_ascii=True))
    else:
        processors.append(structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()))
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    # libraries tell their troubles, which we report ourselves, at great length; only what we would not see passes
    logging.basicConfig(level=max(level, logging.ERROR), format="%(levelname)s %(name)s: %(message)r", force=True)
    for noisy in ("aiokafka", "opentelemetry", "uvicorn", "httpx"):
        logging.getLogger(noisy).setLevel(max(level, logging.CRITICAL))


@contextlib.contextmanager
def on_stderr() -> Iterator[None]:
    """For a command whose standard output is its result: warnings and errors become lines of standard error.

    Repeated ones are held back, as in `configure`.
    """
    before = structlog.get_config()
    structlog.configure(
        processors=[Repeats(SystemClock()), _words, _as_line],
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),  # as it is when something is logged
    )
    try:
        yield
    finally:
        structlog.configure(**before)


def _words(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor: a member of an enumeration is told as its word, not as Python writes it."""
    for name, value in event.items():
        if isinstance(value, enum.StrEnum):
            event[name] = value.value
    return event


def _as_line(_logger: object, method: str, event: MutableMapping[str, Any]) -> str:
    """A structlog processor. Raises DropEvent below a warning."""
    if method in {"debug", "info"}:
        raise structlog.DropEvent
    said = {name: value for name, value in event.items() if name != "event"}
    return " ".join(
        ["ragmon:", *str(event.get("event")).split(), *(f"{name}={_plain(value)}" for name, value in said.items())]
    )


def _plain(value: object) -> str:
    """A value as a person writes it; in quotes where it would not be told from the rest of the line."""
    if not isinstance(value, str):
        return repr(value)
    return value if value.isprintable() and value and not _TELLS_APART & set(value) else repr(value)
