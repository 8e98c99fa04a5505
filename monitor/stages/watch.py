"""Counting the service's requests beside the sampling: of every record, or estimated from what is decoded anyway."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from monitor.errors import DecodeError
from monitor.operational import TrafficCount
from monitor.records import RagTrace
from monitor.sampling.randomness import MAX, from_trace, head_threshold
from monitor.traces.decode.glance import Glance, sight_of
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
    own_services: Container[str]
    """Services whose spans are our own work: no traffic."""

    @property
    def counts_all(self) -> bool:
        """Whether every record has to come here."""
        return self.basis == "all"

    def records(self, records: Iterable[Record]) -> Iterator[None]:
        """With basis `all`, count what the records hold; yields chances to breathe."""
        if not self.counts_all:
            return
        work = 0
        for record in records:
            if work >= _BREATHE_BYTES:
                work = 0
                yield None
            if record.value:
                work += _RECORD_BYTES + len(record.value)
                self._look(record.value)

    def requests(self, requests: Iterable[RagTrace], threshold: int) -> None:
        """With basis `sampled`, count requests that were extracted as R of their trace id is not below `threshold`.

        Each stands for as many as came: fewer than 1 / p where upstream sampling had dropped some by the same R.
        """
        if self.basis != "sampled":
            return
        for trace in requests:
            shared = from_trace(trace.trace_id, trace.trace_state) == from_trace(trace.trace_id)
            head = head_threshold(trace.trace_state) if shared else None
            self.traffic.count(sight_of(trace), (MAX - min(head or 0, threshold)) / (MAX - threshold))

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
            if sight.app not in self.own_services:
                self.traffic.count(sight)
