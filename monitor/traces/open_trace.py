"""One trace that waits for more spans: its parts, whether it looks complete, and what it is when it closes.

Free of order: the same parts give the same result whatever order, split and repetition they came in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace

from monitor.records import Position, TopicPartition
from monitor.wire import Assembled, CloseReason, LogEvent, Span, SpanEvent

_REMOTE_PARENT = 0x200
"""Span flag: the parent is in another process, so it may never arrive here."""


class OpenTrace:
    """The parts of one open trace. `first` and `last` are when its first and its latest part came (seconds)."""

    __slots__ = ("_logs", "_missing", "_spans", "_tops", "first", "last", "positions", "trace_id")

    def __init__(self, trace_id: str, now: float) -> None:
        self.trace_id = trace_id
        self.first = now
        self.last = now
        self.positions: dict[Position, int] = {}
        """The records that brought it, each with the bytes that count for this trace."""
        self._spans: dict[str, Span] = {}
        self._logs: dict[tuple[str, str, int], list[SpanEvent]] = {}
        self._missing: set[str] = set()
        self._tops = 0

    @property
    def size(self) -> int:
        """Bytes that count against the memory bound."""
        return sum(self.positions.values())

    @property
    def span_count(self) -> int:
        """Distinct spans."""
        return len(self._spans)

    @property
    def complete(self) -> bool:
        """Whether nothing is known to be missing: a root or a span with a remote parent, and every other parent."""
        return self._tops > 0 and not self._missing

    def add_span(self, span: Span) -> bool:
        """Take in a span; False when its id is there already. Of two with one id the fuller one is kept."""
        kept = self._spans.get(span.span_id)
        if kept is None:
            self._spans[span.span_id] = span
            self._missing.discard(span.span_id)
            self._expect_parent(span)
            return True
        if kept != span and _fullness(span) > _fullness(kept):
            self._spans[span.span_id] = span
            self._recount()
        return False

    def add_log(self, log: LogEvent) -> None:
        """Take in a log event, once."""
        same = self._logs.setdefault((log.span_id, log.event.name, log.event.time_ns), [])
        if log.event not in same:
            same.append(log.event)

    def forget(self, partitions: Collection[TopicPartition]) -> bool:
        """Give up the positions on these partitions; True when none is left, so that the trace is not ours any more."""
        held = len(self.positions)
        self.positions = {
            position: size
            for position, size in self.positions.items()
            if TopicPartition(position.topic, position.partition) not in partitions
        }
        return held > 0 and not self.positions

    def close(self, reason: CloseReason) -> Assembled:
        """The trace as it is now. Log events join the events of their span; those of an unknown span are left out."""
        events: dict[str, list[SpanEvent]] = defaultdict(list)
        for (span_id, _, _), found in self._logs.items():
            events[span_id] += found
        spans = [
            replace(span, events=(*span.events, *sorted(events[span.span_id], key=_event_order)))
            if span.span_id in events
            else span
            for span in self._spans.values()
        ]
        return Assembled(
            trace_id=self.trace_id,
            spans=tuple(sorted(spans, key=lambda span: (span.start_ns, span.span_id))),
            positions=tuple(sorted(self.positions)),
            reason=reason,
        )

    def _expect_parent(self, span: Span) -> None:
        if not span.parent_id or span.flags & _REMOTE_PARENT:
            self._tops += 1
        elif span.parent_id not in self._spans:
            self._missing.add(span.parent_id)

    def _recount(self) -> None:
        """A kept span changed, and with it perhaps its parent: rare, so everything is looked at again."""
        self._tops = 0
        self._missing.clear()
        for span in self._spans.values():
            self._expect_parent(span)


def _fullness(span: Span) -> tuple[int, int, int, str]:
    """More attributes first, then more events, then the later end; the text decides between equals in any order."""
    return len(span.attributes), len(span.events), span.end_ns, repr(span)


def _event_order(event: SpanEvent) -> tuple[int, str, str]:
    return event.time_ns, event.name, repr(event)
