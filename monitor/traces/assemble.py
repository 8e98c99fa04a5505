"""Spans to traces: collects the spans of each trace over any number of records, in any order, and closes it.

When a trace closes
    quiet    It is complete, and no part of it came for the quiet time. Complete means: at least one span is a root
             or has a parent in another process, and the parent of every other span has arrived. Children are exported
             before their parents, so a trace that waits for a parent waits for its entry span.
    timeout  The hard timeout after its first part passed. This is how traces with orphans end (a streaming span that
             is never finished), those whose root is late, and a batch job's trace that runs longer than the timeout.
    evicted  The bounds on open traces or their bytes were reached: the oldest is taken as it is.
    flushed  The input ended.
Spans that come after that are late: counted, never held, never judged a second time. So a trace that goes on for longer
than the timeout (one trace for a whole session) gives only the requests of its first part.

Time is an argument, in seconds that never go back. All operations cost the same however many traces are open.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from monitor.config.settings import Assembly
from monitor.records import Position, TopicPartition
from monitor.traces.open_trace import OpenTrace
from monitor.traces.sizes import size_of_spans
from monitor.wire import Assembled, CloseReason, LogEvent, Span


@dataclass(frozen=True, slots=True)
class Added:
    """What became of one record's parts.

    `held` are the traces that hold the record's position because of this call; one that held it already is not among
    them. `late` and `duplicates` count spans, `late_logs` log events.
    """

    held: frozenset[str]
    late: int = 0
    duplicates: int = 0
    late_logs: int = 0


class _Evicted(NamedTuple):
    """A trace that waits for the next `due`, and the bytes that it takes."""

    trace: Assembled
    size: int


class Assembler:
    """Collects spans until their trace closes. Memory is bounded by the settings; nothing is dropped silently."""

    def __init__(self, settings: Assembly) -> None:
        self._settings = settings
        self._open: dict[str, OpenTrace] = {}  # in the order of opening, so the first times out first
        self._quiet: OrderedDict[str, OpenTrace] = OrderedDict()  # complete ones, the longest quiet first
        self._evicted: list[_Evicted] = []
        self.closed: dict[str, int] = dict.fromkeys(CloseReason, 0)
        """Traces closed so far, by why."""
        self._decided = _Decided(settings.decided_cache)
        self._bytes = 0
        self._spans = 0

    @property
    def open_traces(self) -> int:
        """Traces that wait for more spans."""
        return len(self._open)

    @property
    def held_bytes(self) -> int:
        """Bytes that open traces take, and evicted ones that `due` has not given out; see `monitor/traces/sizes.py`."""
        return self._bytes + sum(evicted.size for evicted in self._evicted)

    @property
    def crowded(self) -> bool:
        """Whether evicted traces wait and all together take more than the bound: `due` should come before more spans.

        Who heeds this never holds more than the bound and what one record brings.
        """
        return bool(self._evicted) and self.held_bytes > self._settings.max_bytes

    @property
    def open_spans(self) -> int:
        """Spans taken in and not yet given out, those of evicted traces included."""
        return self._spans + sum(len(evicted.trace.spans) for evicted in self._evicted)

    def add(
        self, spans: Iterable[Span], logs: Iterable[LogEvent], position: Position, now: float, floor: int = 0
    ) -> Added:
        """Take in the parts of one record. May evict; evicted traces are in the next `due`, see `crowded`.

        A record of no parts holds nothing. `floor` stands on the traces afterwards, see `Assembled`.
        """
        parts: dict[str, tuple[list[Span], list[LogEvent]]] = {}
        for span in spans:
            parts.setdefault(span.trace_id, ([], []))[0].append(span)
        for log in logs:
            parts.setdefault(log.trace_id, ([], []))[1].append(log)
        held = set()
        late = duplicates = late_logs = 0
        for trace_id, (its_spans, its_logs) in parts.items():
            if trace_id in self._decided:
                late += len(its_spans)
                late_logs += len(its_logs)
                continue
            trace = self._open_or_new(trace_id, now)
            before = trace.size
            trace.floor = max(trace.floor, floor)
            duplicates += self._take(trace, its_spans, its_logs, now)
            if trace.hold(position):
                held.add(trace_id)
            self._bytes += trace.size - before
        self._evict()
        return Added(frozenset(held), late, duplicates, late_logs)

    def due(self, now: float) -> list[Assembled]:
        """The traces that close at `now`: evicted ones first, then by the time they were due."""
        closed = self._take_evicted()
        while self._quiet:
            trace = next(iter(self._quiet.values()))
            if trace.last + self._settings.quiet > now:
                break
            closed.append(self._close(trace, CloseReason.QUIET))
        while self._open:
            trace = next(iter(self._open.values()))
            if trace.first + self._settings.timeout > now:
                break
            closed.append(self._close(trace, CloseReason.TIMEOUT))
        return closed

    def flush(self) -> list[Assembled]:
        """All open traces, at the end of the input."""
        closed = self._take_evicted()
        closed += [self._close(trace, CloseReason.FLUSHED) for trace in list(self._open.values())]
        return closed

    def is_open(self, trace_id: str) -> bool:
        """Whether the trace waits for more spans."""
        return trace_id in self._open

    def decided(self, trace_id: str) -> bool:
        """Whether the trace closed, or was refused, lately: what comes of it now is late."""
        return trace_id in self._decided

    def remember(self, trace_id: str) -> None:
        """Note that the trace is settled for good: it was dropped unsampled, or its effect is durable."""
        self._decided.note(trace_id, frozenset())

    def drop(self, partitions: Iterable[TopicPartition]) -> int:
        """Forget what came from partitions that are taken away; gives the number of spans forgotten.

        A trace that also holds positions elsewhere stays, and reports only those. Closed traces of these partitions
        that are not settled (`remember`) are forgotten as well: their records are delivered again, and would
        otherwise be taken for late spans, committed and lost.
        """
        gone = frozenset(partitions)
        before = self.open_spans
        for trace in list(self._open.values()):
            if trace.forget(gone):
                self._remove(trace)
        left = ((_without(evicted.trace, gone), evicted.size) for evicted in self._evicted)
        self._evicted = [_Evicted(trace, size) for trace, size in left if trace is not None]
        self._decided.forget(gone)
        return before - self.open_spans

    def _open_or_new(self, trace_id: str, now: float) -> OpenTrace:
        trace = self._open.get(trace_id)
        if trace is None:
            trace = self._open[trace_id] = OpenTrace(trace_id, now)
            self._bytes += trace.size
        return trace

    def _take(self, trace: OpenTrace, spans: Sequence[Span], logs: Sequence[LogEvent], now: float) -> int:
        new = sum([trace.add_span(*pair) for pair in zip(spans, size_of_spans(spans), strict=True)])
        self._spans += new
        for log in logs:
            trace.add_log(log)
        trace.last = now
        if trace.complete:
            self._quiet[trace.trace_id] = trace
            self._quiet.move_to_end(trace.trace_id)
        else:
            self._quiet.pop(trace.trace_id, None)
        return len(spans) - new

    def _evict(self) -> None:
        settings = self._settings
        while self._open and (len(self._open) > settings.max_traces or self._bytes > settings.max_bytes):
            oldest = next(iter(self._open.values()))
            size = oldest.size
            self._evicted.append(_Evicted(self._close(oldest, CloseReason.EVICTED), size))

    def _take_evicted(self) -> list[Assembled]:
        closed = [evicted.trace for evicted in self._evicted]
        self._evicted = []
        return closed

    def _close(self, trace: OpenTrace, reason: CloseReason) -> Assembled:
        self._remove(trace)
        self.closed[reason] += 1
        assembled = trace.close(reason)
        self._decided.note(trace.trace_id, _partitions(assembled.positions))
        return assembled

    def _remove(self, trace: OpenTrace) -> None:
        del self._open[trace.trace_id]
        self._quiet.pop(trace.trace_id, None)
        self._spans -= trace.span_count
        self._bytes -= trace.size


class _Decided:
    """The ids of traces decided lately, the least recently used forgotten first.

    Each with the partitions whose loss makes it undecided again; none for a settled one.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._traces: OrderedDict[str, frozenset[TopicPartition]] = OrderedDict()

    def __contains__(self, trace_id: str) -> bool:
        if trace_id not in self._traces:
            return False
        self._traces.move_to_end(trace_id)
        return True

    def note(self, trace_id: str, partitions: frozenset[TopicPartition]) -> None:
        self._traces[trace_id] = partitions
        self._traces.move_to_end(trace_id)
        if len(self._traces) > self._capacity:
            self._traces.popitem(last=False)

    def forget(self, partitions: frozenset[TopicPartition]) -> None:
        for trace_id in [trace_id for trace_id, held in self._traces.items() if held & partitions]:
            del self._traces[trace_id]


def _partitions(positions: Iterable[Position]) -> frozenset[TopicPartition]:
    return frozenset(TopicPartition(position.topic, position.partition) for position in positions)


def _without(assembled: Assembled, gone: frozenset[TopicPartition]) -> Assembled | None:
    """The trace without its positions on these partitions; None when it has no other."""
    kept = tuple(p for p in assembled.positions if TopicPartition(p.topic, p.partition) not in gone)
    return replace(assembled, positions=kept) if kept else None
