"""One trace that waits for more spans: its parts, whether it looks complete, and what it is when it closes.

Free of order: the same parts give the same result whatever order, split and repetition they came in.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import replace
from hashlib import sha256

from monitor.records import Position, TopicPartition
from monitor.traces import semconv
from monitor.traces.sizes import RECORD_BYTES, TRACE_BYTES, size_of_event, size_of_span
from monitor.wire import Assembled, AttributeValue, CloseReason, LogEvent, Span, SpanEvent


class OpenTrace:
    """The parts of one open trace. `first` and `last` are when its first and its latest part came (seconds)."""

    __slots__ = (
        "_children",
        "_logs",
        "_missing",
        "_spans",
        "_texts",
        "_tops",
        "first",
        "floor",
        "last",
        "positions",
        "size",
        "trace_id",
    )

    def __init__(self, trace_id: str, now: float) -> None:
        self.trace_id = trace_id
        self.first = now
        self.last = now
        self.floor = 0
        self.size = TRACE_BYTES
        """Bytes that count against the memory bound."""
        self.positions: set[Position] = set()
        """The records that brought it."""
        self._spans: dict[str, Span] = {}
        self._texts: dict[str, bytes] = {}
        """Digests of kept spans that were compared with others of their id."""
        self._logs: dict[str, dict[Hashable, SpanEvent]] = {}
        self._children: dict[str, int] = {}
        """How many spans name a parent that has to come."""
        self._missing: set[str] = set()
        self._tops = 0

    @property
    def span_count(self) -> int:
        """Distinct spans."""
        return len(self._spans)

    @property
    def complete(self) -> bool:
        """Whether nothing is known to be missing: a root or a span with a remote parent, and every other parent."""
        return self._tops > 0 and not self._missing

    def add_span(self, span: Span, size: int) -> bool:
        """Take in a span of `size` bytes; False when its id is there. Of two with one id the fuller one is kept."""
        kept = self._spans.get(span.span_id)
        if kept is None:
            self._spans[span.span_id] = span
            self.size += size
            self._missing.discard(span.span_id)
            self._expect_parent(span)
            return True
        if kept != span and self._is_fuller(span, kept):
            self._spans[span.span_id] = span
            self.size += size - size_of_span(kept)
            self._forget_parent(kept)
            self._expect_parent(span)
        return False

    def add_log(self, log: LogEvent) -> None:
        """Take in a log event, once."""
        event = log.event
        key = (event.name, event.time_ns, _frozen(event.attributes), _frozen(event.body))
        events = self._logs.setdefault(log.span_id, {})
        if key not in events:
            events[key] = event
            self.size += 2 * size_of_event(event)  # the key holds it a second time, piece by piece

    def hold(self, position: Position) -> bool:
        """Note that a record brought a part of it; False when that is known."""
        if position in self.positions:
            return False
        self.positions.add(position)
        self.size += RECORD_BYTES
        return True

    def forget(self, partitions: Collection[TopicPartition]) -> bool:
        """Give up the positions on these partitions; True when none is left, so that the trace is not ours any more."""
        held = len(self.positions)
        self.positions = {
            position
            for position in self.positions
            if TopicPartition(position.topic, position.partition) not in partitions
        }
        return held > 0 and not self.positions

    def close(self, reason: CloseReason) -> Assembled:
        """The trace as it is now. Log events join the events of their span; those of an unknown span are left out."""
        spans = [
            replace(span, events=(*span.events, *sorted(self._logs[span.span_id].values(), key=_event_order)))
            if span.span_id in self._logs
            else span
            for span in self._spans.values()
        ]
        return Assembled(
            trace_id=self.trace_id,
            spans=tuple(sorted(spans, key=lambda span: (span.start_ns, span.span_id))),
            positions=tuple(sorted(self.positions)),
            reason=reason,
            floor=self.floor,
            stray_logs=sum(len(events) for span_id, events in self._logs.items() if span_id not in self._spans),
        )

    def _expect_parent(self, span: Span) -> None:
        if _is_top(span):
            self._tops += 1
            return
        self._children[span.parent_id] = self._children.get(span.parent_id, 0) + 1
        if span.parent_id not in self._spans:
            self._missing.add(span.parent_id)

    def _forget_parent(self, span: Span) -> None:
        """Take back what `_expect_parent` noted: a fuller span with the id is kept now, perhaps with another parent."""
        if _is_top(span):
            self._tops -= 1
            return
        self._children[span.parent_id] -= 1
        if not self._children[span.parent_id]:
            del self._children[span.parent_id]
            self._missing.discard(span.parent_id)

    def _is_fuller(self, span: Span, kept: Span) -> bool:
        """More attributes first, then more events, then the later end; a digest decides between equals in any order."""
        size, kept_size = _fullness(span), _fullness(kept)
        if size != kept_size:
            if size > kept_size:
                self._texts.pop(span.span_id, None)
            return size > kept_size
        text = _digest(span)
        kept_text = self._texts.get(span.span_id) or _digest(kept)  # a large span may be met by many small ones
        self._texts[span.span_id] = max(text, kept_text)
        return text > kept_text


def _is_top(span: Span) -> bool:
    return not span.parent_id or bool(span.flags & semconv.PARENT_REMOTE)


def _fullness(span: Span) -> tuple[int, int, int]:
    return len(span.attributes), len(span.events), span.end_ns


def _digest(span: Span) -> bytes:
    return sha256(repr(span).encode("utf-8", "backslashreplace")).digest()


def _frozen(value: AttributeValue | Mapping[str, AttributeValue]) -> Hashable:
    """The same for equal values only, and fit for a key."""
    if isinstance(value, Mapping):
        return frozenset((key, _frozen(item)) for key, item in value.items())
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    return value


def _event_order(event: SpanEvent) -> tuple[int, str, str]:
    return event.time_ns, event.name, repr(event)
