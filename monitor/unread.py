"""Records of traces that no policy can want at the rates in force: they wait unread until their trace is quiet.

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


@dataclass(slots=True, eq=False)
class UnreadTrace:
    """The records of one trace so far. `last` is when the latest came, in monotonic seconds."""

    trace_id: str
    last: float
    records: list[tuple[Record, Position]] = field(default_factory=list)
    size: int = 0
    """Bytes in memory."""


class Unread:
    """Waiting traces, the longest quiet first. Time is an argument; no operation takes longer the more of them wait."""

    def __init__(self, quiet_s: float) -> None:
        self._quiet_s = quiet_s
        self._waiting: OrderedDict[str, UnreadTrace] = OrderedDict()
        self.records = 0
        self.bytes = 0

    def __contains__(self, trace_id: str) -> bool:
        return trace_id in self._waiting

    def put(self, trace_id: str, record: Record, position: Position, now: float) -> None:
        """Let a record wait; the trace is quiet again from `now` on."""
        trace = self._waiting.get(trace_id)
        if trace is None:
            trace = self._waiting[trace_id] = UnreadTrace(trace_id, now)
        else:
            self._waiting.move_to_end(trace_id)
        trace.last = now
        trace.records.append((record, position))
        size = _RECORD_BYTES + len(record.value or b"")
        trace.size += size
        self.bytes += size
        self.records += 1

    def take(self, trace_id: str) -> UnreadTrace | None:
        """The trace, which waits no longer; None when it does not wait."""
        trace = self._waiting.pop(trace_id, None)
        if trace is not None:
            self.bytes -= trace.size
            self.records -= len(trace.records)
        return trace

    def next_due(self, now: float, most_bytes: int) -> UnreadTrace | None:
        """The longest quiet trace, taken out, if it has been quiet long enough or all hold more than `most_bytes`."""
        trace = next(iter(self._waiting.values()), None)
        if trace is None or (trace.last + self._quiet_s > now and self.bytes <= most_bytes):
            return None
        return self.take(trace.trace_id)

    def drop(self, partitions: Collection[TopicPartition]) -> int:
        """Forget the records of partitions that go to another member; gives how many they were."""
        before = self.records
        for waiting in list(self._waiting.values()):
            kept = [item for item in waiting.records if TopicPartition(*item[1][:2]) not in partitions]
            if len(kept) < len(waiting.records):
                self.take(waiting.trace_id)
                for record, position in kept:
                    self.put(waiting.trace_id, record, position, waiting.last)
        return before - self.records
