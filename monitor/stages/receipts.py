"""What the synchronous stages hand on, each with a receipt for the records that wait for it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import structlog

from monitor.errors import DecodeError, where
from monitor.feedback import Feedback
from monitor.records import Decision, Position, RagTrace, SensitiveHit, TopicPartition
from monitor.sources.offsets import OffsetLedger
from monitor.wire import DeadLetter, Record

log = structlog.get_logger(__name__)


@dataclass(slots=True, eq=False)
class Receipt:
    """Stands for the records that brought a trace until all of the trace's requests are done."""

    ledger: OffsetLedger
    positions: tuple[Position, ...]
    pending: int
    settled: Callable[[], None] | None = None
    """Called when everything of the trace is durable; None where no span can follow."""

    def done(self) -> None:
        """One request is done, durably; with the last one the records may be committed.

        Without effect once every record is another member's, or ours in a new assignment: then it is read again, and
        must not be taken for late.
        """
        self.pending -= 1
        if self.pending == 0 and any(map(self.ledger.owns, self.positions)):
            if self.settled is not None:
                self.settled()
            for position in self.positions:
                self.ledger.release(position)

    def touches(self, partitions: Collection[TopicPartition]) -> bool:
        """Whether a record of one of the partitions waits for this."""
        return any(TopicPartition(position.topic, position.partition) in partitions for position in self.positions)


@dataclass(frozen=True, slots=True, eq=False)
class Sampled:
    """A request to judge, not yet redacted, with the records that wait for it."""

    trace: RagTrace
    decision: Decision
    hits: tuple[SensitiveHit, ...]
    receipt: Receipt


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """Feedback on an earlier request, not yet redacted, with the records that wait for it."""

    feedback: Feedback
    weight: int
    """How many it stands for: more than one when only a share of the traces that carry feedback is read."""
    arrived_ns: int
    receipt: Receipt


def letter_of(record: Record, position: Position, error: Exception, now_ns: int) -> DeadLetter:
    """The record as it came (a header without a value gets an empty one), and why it could not be understood."""
    if isinstance(error, DecodeError):
        kind, detail = error.kind, error.detail
    else:
        place = where(error)
        kind, detail = "defect", f"{place['error']} at {place['place']}"
        log.error("a record could not be decoded", topic=record.topic, offset=record.offset, **place)
    headers = tuple((name, bytes(content or b"")) for name, content in record.headers)
    return DeadLetter(position, record.key, record.value, headers, kind, detail, now_ns)
