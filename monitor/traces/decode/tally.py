"""What one record gave while it was decoded, and what was left out of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from monitor.errors import DecodeError
from monitor.protocols import Wanted
from monitor.traces.decode.limits import MAX_UNUSABLE, refuse_unusable
from monitor.traces.text import Repairer
from monitor.wire import Decoded, LogEvent, Part, Span

T = TypeVar("T")

ORDINARY = ("log_without_span", "log_without_event")
"""Reasons of log records that are no span events: nothing of ours, but nothing wrong."""

LEFT_OUT = (
    *("bad_trace_id", "bad_span_id", "unreadable_span", "unreadable_log", "unreadable_resource", "unreadable_scope"),
    *("too_deep", "bad_link", "bad_record", "unknown_field", *ORDINARY),
)
"""Every reason of `Decoded.skipped`."""


class UnusableError(ValueError):
    """A part of a record is left out; `reason` is the bounded word it is counted under."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Tally:
    """The yield of one record. `items` are its spans and log records.

    `unwanted` are those of traces nobody wants, `unwanted_logs` the log records among them.
    """

    __slots__ = ("items", "logs", "parts", "repairer", "skipped", "spans", "unwanted", "unwanted_logs")

    def __init__(self) -> None:
        self.items = 0
        self.unwanted = 0
        self.unwanted_logs = 0
        self.spans: list[Span] = []
        self.logs: list[LogEvent] = []
        self.parts: list[Part] = []
        self.skipped: dict[str, int] = {}
        self.repairer = Repairer()

    def chosen(self, items: Sequence[T], wanted: Wanted | None, peek: Callable[[T], str | None]) -> Sequence[int]:
        """The numbers of the items to read, by the trace id that `peek` sees; all are counted.

        One whose id cannot be told is among them: when it is read it is seen what it is, and whether it is wanted.
        """
        if wanted is None:
            return self.chose(range(len(items)), len(items))
        ids = list(map(peek, items))
        answers = {trace_id: trace_id is None or wanted(trace_id) for trace_id in set(ids)}
        return self.chose([number for number, trace_id in enumerate(ids) if answers[trace_id]], len(items))

    def chose(self, numbers: Sequence[int], among: int) -> Sequence[int]:
        """Count items of which only those with these numbers are read."""
        self.items += among
        self.unwanted += among - len(numbers)
        return numbers

    def add_span(self, span: Span, wanted: Wanted | None) -> None:
        """Take a span that was read, if its trace is wanted."""
        if wanted is None or wanted(span.trace_id):
            self.spans.append(span)
        else:
            self.unwanted += 1

    def add_log(self, log: LogEvent, wanted: Wanted | None) -> None:
        """Take a log record that was read, if its trace is wanted."""
        if wanted is None or wanted(log.trace_id):
            self.logs.append(log)
        else:
            self.unwanted += 1
            self.unwanted_logs += 1

    def skip(self, reason: str) -> None:
        """One part is left out. Raises DecodeError where too many are."""
        self.left_out(reason, 1)
        if self.skipped[reason] > MAX_UNUSABLE and reason not in ORDINARY:
            refuse_unusable()

    def left_out(self, reason: str, count: int) -> None:
        """Count what is not read; nothing is counted for 0."""
        if count:
            self.skipped[reason] = self.skipped.get(reason, 0) + count

    def result(self) -> Decoded:
        """What was found. Raises DecodeError, named after the main reason, when not one item was understood."""
        ordinary = sum(self.skipped.get(reason, 0) for reason in ORDINARY) if self.skipped else 0
        if not (self.spans or self.logs or self.parts or self.unwanted or ordinary):
            kind = max(self.skipped, key=lambda reason: self.skipped[reason], default="no_spans")
            raise DecodeError(kind, f"none of {self.items} items is a usable span")
        return Decoded(
            spans=tuple(self.spans),
            logs=tuple(self.logs),
            skipped=self.skipped,
            repaired=self.repairer.count,
            unwanted_spans=self.unwanted - self.unwanted_logs,
            parts=tuple(self.parts),
        )
