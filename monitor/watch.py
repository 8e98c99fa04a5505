"""Counting the service's requests beside the sampling: of every record, or estimated from what is decoded anyway."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from monitor.errors import DecodeError
from monitor.records import RagTrace
from monitor.sampling.randomness import MAX, head_threshold
from monitor.snapshot import TrafficCount
from monitor.traces.glance import Glance, sight_of
from monitor.traffic import Traffic
from monitor.wire import Record

_BREATHE_BYTES = 1_000_000  # of records looked at in between two chances for the event loop: a millisecond or two
_RECORD_BYTES = 1000  # what a record costs besides its bytes


@dataclass(slots=True)
class TrafficWatch:
    """What `traffic` in the settings asks for: `all` looks into every record, `sampled` counts extracted requests."""

    basis: Literal["all", "sampled", "off"]
    traffic: Traffic
    glance: Glance

    def records(self, records: Iterable[Record]) -> Iterator[None]:
        """With basis `all`, count what the records hold; yields chances to breathe."""
        if self.basis != "all":
            return
        work = 0
        for record in records:
            if work >= _BREATHE_BYTES:
                work = 0
                yield None
            if record.value:
                work += _RECORD_BYTES + len(record.value)
                self._look(record.value)

    def requests(self, requests: Iterable[RagTrace], threshold: int, *, by_trace_id: bool) -> None:
        """With basis `sampled`, count requests that were extracted because R is not below `threshold`.

        Each stands for as many as came: that is fewer than 1 / p where upstream sampling had dropped some already by
        the same R. `by_trace_id` says that R is that of the trace id, whatever the tracestate says.
        """
        if self.basis != "sampled":
            return
        for trace in requests:
            head = 0 if by_trace_id else head_threshold(trace.trace_state) or 0
            self.traffic.count(sight_of(trace), (MAX - min(head, threshold)) / (MAX - threshold))

    def count(self) -> TrafficCount:
        """The counters as of now."""
        if self.basis == "off":
            return TrafficCount()
        return TrafficCount(self.basis, self.traffic.totals(), self.traffic.unreadable)

    def _look(self, value: bytes) -> None:
        try:
            sights = self.glance.look(value)
        except (DecodeError, RecursionError):
            self.traffic.unreadable += 1
            return
        for sight in sights:
            self.traffic.count(sight)
