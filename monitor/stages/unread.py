"""What is of traces that no policy can want at the rates in force: it waits unread until its trace is quiet.

That is whole records where their key tells the trace, and else what a decoder made of a record for each trace in it.

Nearly all of them are settled without having been decoded, which is most of what a sampled trace costs. Nothing is
decided while they wait: if rates have recovered when the trace is quiet, they are read as if they had just come.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field

from monitor.records import Position, TopicPartition
from monitor.wire import Record

_RECORD_BYTES = 500  # what a record costs in memory besides its value


@dataclass(frozen=True, slots=True)
class UnreadRecord:
    """A whole record; or the part of one that is of one trace, and then how many spans it has."""

    record: Record
    position: Position
    spans: int = 0

    @property
    def whole(self) -> bool:
        """Whether it is a whole record."""
        return not self.spans


@dataclass(slots=True, eq=False)
class UnreadTrace:
    """The records of one trace so far. `last` is when the latest came, in monotonic seconds."""

    trace_id: str
    last: float
    records: list[UnreadRecord] = field(default_factory=list)
    size: int = 0
    """Bytes in memory."""


class Unread:
    """Waiting traces, the longest quiet first. Time is an argument; no operation takes longer the more of them wait."""

    def __init__(self, quiet_s: float) -> None:
        self._quiet_s = quiet_s
        self._waiting: OrderedDict[str, UnreadTrace] = OrderedDict()
        self.records = 0
        """Whole ones."""
        self.bytes = 0

    def put(self, trace_id: str, unread: UnreadRecord, now: float) -> None:
        """Let a record wait; the trace is quiet again from `now` on."""
        trace = self._waiting.get(trace_id)
        if trace is None:
            trace = self._waiting[trace_id] = UnreadTrace(trace_id, now)
        else:
            self._waiting.move_to_end(trace_id)
        trace.last = now
        trace.records.append(unread)
        size = _RECORD_BYTES + len(unread.record.value or b"")
        trace.size += size
        self.bytes += size
        self.records += unread.whole

    def take(self, trace_id: str) -> UnreadTrace | None:
        """The trace, which waits no longer; None when it does not wait."""
        trace = self._waiting.pop(trace_id, None)
        if trace is not None:
            self.bytes -= trace.size
            self.records -= sum(unread.whole for unread in trace.records)
        return trace

    def next_due(self, now: float, most_bytes: int) -> UnreadTrace | None:
        """The longest quiet trace, taken out, if it has been quiet long enough or all hold more than `most_bytes`."""
        trace = next(iter(self._waiting.values()), None)
        if trace is None or (trace.last + self._quiet_s > now and self.bytes <= most_bytes):
            return None
        return self.take(trace.trace_id)

    def drop(self, partitions: Collection[TopicPartition]) -> int:
        """Forget the records of partitions that go to another member; gives how many whole ones they were."""
        before = self.records
        for waiting in list(self._waiting.values()):
            kept = [unread for unread in waiting.records if TopicPartition(*unread.position[:2]) not in partitions]
            if len(kept) < len(waiting.records):
                self.take(waiting.trace_id)
                for unread in kept:
                    self.put(waiting.trace_id, unread, waiting.last)
        return before - self.records
