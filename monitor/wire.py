"""The vocabulary of what comes in: Kafka records, spans, and what decode and assemble make of them.

Times are integer nanoseconds since the Unix epoch unless a name says otherwise; ids are lower-case hex text.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from monitor.feedback import Feedback
from monitor.records import Position, RagTrace, TopicPartition

AttributeValue = bool | int | float | str | bytes | list["AttributeValue"] | dict[str, "AttributeValue"] | None
"""What an OpenTelemetry attribute may hold; None is an unset value and means "absent"."""


# ---------------------------------------------------------------------------------------------------- from the source


class Record(Protocol):
    """One Kafka record as a client gives it (aiokafka's `ConsumerRecord` fits as it is; no copy on the hot path)."""

    @property
    def topic(self) -> str:
        """Topic name."""
        ...

    @property
    def partition(self) -> int:
        """Partition number."""
        ...

    @property
    def offset(self) -> int:
        """Offset in the partition."""
        ...

    @property
    def key(self) -> bytes | None:
        """Record key; the Collector writes the trace id as 32 hex characters when told so."""
        ...

    @property
    def value(self) -> bytes | None:
        """Payload; None is a tombstone."""
        ...

    @property
    def timestamp(self) -> int:
        """Milliseconds since the Unix epoch."""
        ...

    @property
    def headers(self) -> Sequence[tuple[str, bytes]]:
        """Record headers."""
        ...


@dataclass(frozen=True, slots=True)
class RawRecord:
    """A `Record` of our own making: replayed files, tests."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    timestamp: int = 0
    headers: tuple[tuple[str, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive records of one partition, in offset order.

    `next_offset` is the position after the batch; it can lie beyond the last record (compaction, transactions).
    """

    partition: TopicPartition
    records: Sequence[Record]
    next_offset: int
    unwanted: int = 0
    """Records that the source has left out, as nobody wants them by their keys (`sampling.presample`)."""


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A record that could not be understood: the original bytes, where from, and why."""

    position: Position
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes], ...]
    error: str
    """Bounded word, such as `not_protobuf`."""
    detail: str
    """Free text for a person; holds no content of the record."""
    failed_ns: int


# --------------------------------------------------------------------------------------------------------- from decode


class SpanStatus(enum.IntEnum):
    """OTLP status codes."""

    UNSET = 0
    OK = 1
    ERROR = 2


@dataclass(frozen=True, slots=True)
class SpanEvent:
    """A span event, or a log record that names its span (GenAI content events); `body` only for the latter."""

    name: str
    time_ns: int
    attributes: Mapping[str, AttributeValue]
    body: AttributeValue = None


@dataclass(frozen=True, slots=True)
class SpanLink:
    """A link to a span, of this or another trace."""

    trace_id: str
    span_id: str
    attributes: Mapping[str, AttributeValue]


@dataclass(frozen=True, slots=True)
class Span:
    """One finished span, whatever the encoding it came in."""

    trace_id: str
    """32 lower-case hex characters."""
    span_id: str
    """16 lower-case hex characters."""
    parent_id: str
    """16 hex characters, or empty for a root."""
    name: str
    start_ns: int
    end_ns: int
    status: SpanStatus = SpanStatus.UNSET
    status_message: str = ""
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)
    events: tuple[SpanEvent, ...] = ()
    links: tuple[SpanLink, ...] = ()
    resource: Mapping[str, AttributeValue] = field(default_factory=dict)
    scope: str = ""
    kind: int = 0
    """OTLP span kind: 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer."""
    flags: int = 0
    trace_state: str = ""
    dropped_attributes: int = 0


@dataclass(frozen=True, slots=True)
class LogEvent:
    """A log record that belongs to a span; assemble adds its event to the span's own."""

    trace_id: str
    span_id: str
    event: SpanEvent


@dataclass(frozen=True, slots=True)
class Part:
    """What a record holds of one trace, unread: the value of a record of its own, in the same encoding."""

    trace_id: str
    value: bytes
    spans: int


@dataclass(frozen=True, slots=True)
class Decoded:
    """What one record held: spans and log events, or whole requests (plain records), or nothing.

    `skipped` counts parts that were left out, by a bounded reason (`traces.decode.tally.LEFT_OUT`).
    `repaired` counts texts whose invalid characters were replaced by U+FFFD. `unwanted_spans` and `unwanted_requests`
    count what was left out because nobody wants its trace. `parts` are of wanted traces that need not be read at once.
    """

    spans: tuple[Span, ...] = ()
    logs: tuple[LogEvent, ...] = ()
    requests: tuple[RagTrace, ...] = ()
    feedback: tuple[Feedback, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    repaired: int = 0
    unwanted_spans: int = 0
    unwanted_requests: int = 0
    parts: tuple[Part, ...] = ()


# ------------------------------------------------------------------------------------------------------- from assemble


class CloseReason(enum.StrEnum):
    """Why a trace stopped waiting for more spans."""

    QUIET = "quiet"
    """Its entry span had arrived and no span came for the quiet time."""
    TIMEOUT = "timeout"
    """The hard timeout passed; the trace is taken as it is."""
    EVICTED = "evicted"
    """The memory bound was reached; the oldest open trace is taken as it is."""
    FLUSHED = "flushed"
    """The input ended (replay)."""


@dataclass(frozen=True, slots=True)
class Assembled:
    """All spans known of one trace when it closed, oldest start first, each span id once."""

    trace_id: str
    spans: tuple[Span, ...]
    positions: tuple[Position, ...]
    """Every record that brought a span of it: they stay uncommitted until the trace's effect is durable."""
    reason: CloseReason
    floor: int = 0
    """Its records waited unread; with R below this threshold they would have been dropped then."""
    stray_logs: int = 0
    """Log events that were left out, as they name a span that never came."""
