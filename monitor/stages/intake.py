"""What one poll brought, up to the sampling decision: presample, decode, assemble, extract, decide.

Synchronous and free of I/O. The hot path is the loop in `take`: at a rate of 1/100 it drops 99 of 100 records by their
key alone, and must cost well under a microsecond for each.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

import structlog

from monitor.accounting import Accounting
from monitor.errors import where
from monitor.protocols import Decoder, Wanted
from monitor.records import Position, TopicPartition
from monitor.sampling import randomness
from monitor.sampling.presample import Presample
from monitor.snapshot import OTHER
from monitor.sources.offsets import OffsetLedger
from monitor.stages.choosing import Chooser
from monitor.stages.extraction import OWN_NUMBER, Extraction
from monitor.stages.receipts import Receipt, letter_of
from monitor.stages.steps import Step, worked
from monitor.stages.unread import Unread, UnreadRecord, UnreadTrace
from monitor.stages.watch import TrafficWatch
from monitor.traces.assemble import Assembler
from monitor.traces.decode.tally import LEFT_OUT
from monitor.traces.feedback import may_be_in
from monitor.wire import Assembled, Batch, Decoded, Part, RawRecord, Record

log = structlog.get_logger(__name__)

_BREATHE_BYTES = 100_000  # of records taken in between two chances for the event loop: some milliseconds of work
_BREATHE_TRACES = 100  # let wait, or settled unread, in between, likewise
_RECORD_BYTES = 1000  # what a record costs besides its bytes
_LARGE_BYTES = 1 << 20  # of a record: more is read off the event loop
_POISON_WINDOW = 1000
_MS = 1_000_000
MENDED = "mended_text"
"""Beside the reasons of `left_out`: a text whose invalid characters were replaced."""
LATE_LOG, STRAY_LOG = "late_log", "log_of_unknown_span"
"""Log events of traces that are settled already, and of spans that did not come before their trace closed."""
_OWN_REASONS = (MENDED, LATE_LOG, STRAY_LOG)


@dataclass(slots=True)
class Intake:
    """The synchronous stages, from a batch of raw records to sampled requests."""

    decoder: Decoder
    assembler: Assembler
    extraction: Extraction
    chooser: Chooser
    presample: Presample
    ledger: OffsetLedger
    accounting: Accounting
    watch: TrafficWatch
    unread: Unread
    feedback_key: bytes
    """Key of feedback in plain records."""
    most_bytes: int
    """Memory of open traces, unread ones included."""
    poison_stop_ratio: float
    left_out: dict[str, int] = field(default_factory=lambda: dict.fromkeys((*LEFT_OUT, *_OWN_REASONS, OTHER), 0))
    """Parts of readable records that were not read, by reason, and texts that were mended."""
    deaf: float = 0.0
    """Seconds in which nothing could come, so that no open trace was quiet in them; whoever polls adds to it."""
    _heard: float = -math.inf
    """The time as open traces count it (monotonic seconds, without `deaf`); it never goes back."""
    _poisoned: deque[bool] = field(default_factory=lambda: deque(maxlen=_POISON_WINDOW))

    _closing: deque[Assembled] = field(default_factory=deque)
    """Closed traces that wait to be extracted."""
    _reading: int = 0
    """Records whose bytes are being read off the loop."""
    _leaving: set[TopicPartition] = field(default_factory=set)
    """Partitions that go, or have gone, to another member: nothing more of them is begun."""

    def take(self, batch: Batch, generation: int, now: float, now_ns: int) -> Iterator[Step]:
        """Go through a batch: yields a dead letter for each unreadable record, large work, and chances to breathe.

        The batch holds what became a dead letter until the next step is taken.
        `generation` is that of the partition when the batch came; what has been revoked since is left, as it is read
        again.
        """
        self._listen(now)
        offset = batch.records[0].offset if batch.records else batch.next_offset
        guard = Position(*batch.partition, offset, generation)
        if self.abandoned((guard,)):
            return
        self.ledger.hold(guard)  # a commit between two items must not pass records that were not looked at yet
        self.ledger.fetched(batch.partition, batch.next_offset)
        source = self.accounting.stage("source")
        records = batch.records
        wanted = self.presample.wanted(batch.partition.topic, [record.key for record in records])
        unwanted = batch.unwanted + len(records) - len(wanted)
        source.received(unwanted)
        source.dropped("unsampled", unwanted)
        yield from self.watch.records(records)
        work = 0
        for record in map(records.__getitem__, wanted):
            if work >= _BREATHE_BYTES:
                work = 0
                yield None
            if self.assembler.crowded:  # before more comes in: what was evicted takes memory until it is extracted
                yield from self.close_due(now, now_ns)
            if self.abandoned((guard,)):
                return
            work += _RECORD_BYTES + len(record.value or b"")
            yield from self._record(
                record, Position(record.topic, record.partition, record.offset, generation), now, now_ns
            )
        self.ledger.release(guard)

    def assign(self, partition: TopicPartition) -> None:
        """The partition is ours, or ours anew."""
        self._leaving.discard(partition)
        self.ledger.assign(partition)

    def forget(self, partitions: Iterable[TopicPartition]) -> None:
        """Forget the open traces of partitions that go to another member, which reads them again."""
        gone = frozenset(partitions)
        self._leaving |= gone
        self.accounting.stage("source").dropped("revoked", self.unread.drop(gone))
        self.accounting.stage("assemble").dropped("revoked", self.assembler.drop(gone))

    def abandoned(self, positions: Iterable[Position]) -> bool:
        """Whether all of the records are read again, by whoever is assigned their partitions next."""
        return all(map(self._gone, positions))

    def open_records(self) -> int:
        """Records taken in that were not decoded yet."""
        return self.unread.records + self._reading

    def open_bytes(self) -> int:
        """Bytes that open, evicted and unread traces take in memory."""
        return self.assembler.held_bytes + self.unread.bytes

    def open_spans(self) -> int:
        """Spans taken in, of traces that were not extracted yet."""
        return self.assembler.open_spans + sum(len(assembled.spans) for assembled in self._closing)

    def close_due(self, now: float, now_ns: int, *, everything: bool = False) -> Iterator[Step]:
        """Close the traces that are due (`everything`: all), extract and decide them; yields as `take` does."""
        self._listen(now)
        self.chooser.sampler.tick(now)
        yield from self._settle_unread(now, now_ns, everything=everything)
        self._closing.extend(self.assembler.flush() if everything else self.assembler.due(self._heard))
        while self._closing:
            yield from self.extraction.look_into(self._closing[0], now)
            self.left_out[STRAY_LOG] += self._closing.popleft().stray_logs
            yield None

    def _listen(self, now: float) -> None:
        self._heard = max(self._heard, now - self.deaf)

    def behind(self) -> bool:
        """Whether traces that were due are not extracted yet: `close_due` was left before its end."""
        return bool(self._closing)

    def flooded(self) -> bool:
        """Whether so many of the last records were unreadable that going on would only empty the topic."""
        seen = len(self._poisoned)
        return seen == _POISON_WINDOW and sum(self._poisoned) > self.poison_stop_ratio * seen

    def _gone(self, position: Position) -> bool:
        # two fields of a position equal the partition, without building one: this is asked for every wanted record
        return position[:2] in self._leaving or not self.ledger.owns(position)

    def _record(self, record: Record, position: Position, now: float, now_ns: int) -> Iterator[Step]:
        source = self.accounting.stage("source")
        source.received()
        if not record.value:
            source.dropped("empty")
            return
        r = randomness.from_key(record.key) if self.presample.trusts(record.topic) else None
        if r is not None and record.key is not None:
            trace_id = record.key.decode("ascii").lower()
            if r < self.chooser.sampler.threshold_in_force and self._may_wait(trace_id, record.value):
                self.ledger.hold(position)
                self.unread.put(trace_id, UnreadRecord(record, position), self._heard)
                return
            yield from self._read_waiting((trace_id,), now, now_ns)
        yield from self._read(record, position, now, now_ns, keyed=r is not None)

    def _may_wait(self, trace_id: str, value: bytes) -> bool:
        """Whether a record of a trace that no policy can want now may stay unread until the trace is quiet."""
        if self.assembler.is_open(trace_id) or self.assembler.decided(trace_id):
            return False
        return not may_be_in(value, self.feedback_key) and OWN_NUMBER.encode() not in value

    def _settle_unread(self, now: float, now_ns: int, *, everything: bool) -> Iterator[Step]:
        """Settle the unread traces that are due; those that a policy can want by now are read after all."""
        limit = math.inf if everything else self._heard
        count = 0
        while (trace := self.unread.next_due(limit, self.most_bytes - self.assembler.held_bytes)) is not None:
            threshold = self.chooser.sampler.threshold_in_force
            if randomness.from_trace(trace.trace_id) >= threshold:
                yield from self._read_late(trace, now, now_ns, threshold)
                continue
            self._settle(trace)
            count += 1
            if count % _BREATHE_TRACES == 0:
                yield None

    def _settle(self, trace: UnreadTrace) -> None:
        self.assembler.remember(trace.trace_id)
        spans = sum(unread.spans for unread in trace.records)
        if spans:
            self.accounting.stage("assemble").received(spans)
            self.extraction.pass_by(spans)
        self.accounting.stage("source").dropped("unsampled", sum(unread.whole for unread in trace.records))
        for unread in trace.records:
            self.ledger.release(unread.position)

    def _read_late(self, trace: UnreadTrace, now: float, now_ns: int, floor: int = 0) -> Iterator[Step]:
        for unread in trace.records:
            if unread.whole:
                yield from self._read(unread.record, unread.position, now, now_ns, keyed=True, floor=floor)
            else:
                yield from self._read_part(unread, now, floor)
            self.ledger.release(unread.position)

    def _read_waiting(self, trace_ids: Iterable[str], now: float, now_ns: int) -> Iterator[Step]:
        """Read what waits of these traces, as something of them has to be read now."""
        for trace_id in trace_ids:
            earlier = self.unread.take(trace_id)
            if earlier is not None:
                yield from self._read_late(earlier, now, now_ns)

    def _read(
        self, record: Record, position: Position, now: float, now_ns: int, *, keyed: bool, floor: int = 0
    ) -> Iterator[Step]:
        """Decode a record and take in what it holds. `floor`: its trace would have been settled with a lower R."""
        source, decode = self.accounting.stage("source"), self.accounting.stage("decode")
        value = record.value or b""
        failed = None
        self._reading += 1
        try:
            in_force = self.chooser.sampler.threshold_in_force
            wanted = None if keyed else replace(self.presample.passing, in_force=in_force)
            decoded = yield from self._decoded(value, wanted)
        except Exception as error:  # noqa: BLE001 - a stage boundary: no bytes may stop the partition
            failed = error
        finally:
            self._reading -= 1
        if self.abandoned((position,)):
            source.dropped("revoked")
            return
        source.passed()
        decode.received()
        self._poisoned.append(failed is not None)
        if failed is not None:
            decode.dropped("dead_letter")
            yield letter_of(record, position, failed, now_ns)
            return
        decode.passed()
        self._note_left_out(decoded)
        self._check_key(record, decoded, keyed=keyed)
        self._assemble(record, decoded, position, now, floor)
        if not keyed:
            begun = {span.trace_id for span in decoded.spans} | {log.trace_id for log in decoded.logs}
            yield from self._read_waiting(begun, now, now_ns)
            yield from self._take_parts(decoded.parts, record, position, now, now_ns)

    def _take_parts(
        self, parts: Iterable[Part], record: Record, position: Position, now: float, now_ns: int
    ) -> Iterator[Step]:
        for number, part in enumerate(parts, 1):
            if self.abandoned((position,)):  # any step may be one in which the partition goes
                return
            yield from self._take_part(part, record, position, now, now_ns)
            if number % _BREATHE_TRACES == 0:
                yield None

    def _take_part(self, part: Part, record: Record, position: Position, now: float, now_ns: int) -> Iterator[Step]:
        """Let the part of a record that is of one trace wait, or read it."""
        place = record.topic, record.partition, record.offset
        unread = UnreadRecord(RawRecord(*place, None, part.value, record.timestamp), position, part.spans)
        if self._may_wait(part.trace_id, part.value):
            self.ledger.hold(position)
            self.unread.put(part.trace_id, unread, self._heard)
        else:
            yield from self._read_part(unread, now, 0)
            yield from self._read_waiting((part.trace_id,), now, now_ns)

    def _read_part(self, part: UnreadRecord, now: float, floor: int) -> Iterator[Step]:
        """Read a part. Its record was readable, so what cannot be read of it is left out, as if in the record."""
        try:
            decoded = yield from self._decoded(part.record.value or b"", None)
        except Exception as error:  # noqa: BLE001 - a stage boundary, as in _read
            reason = getattr(error, "kind", OTHER)
            decoded = Decoded(skipped={reason: part.spans})
            log.warning("a part of a record could not be read", **where(error))
        if not self.abandoned((part.position,)):
            self._note_left_out(decoded)
            self._assemble(part.record, decoded, part.position, now, floor)

    def _decoded(self, value: bytes, wanted: Wanted | None) -> Generator[Step, None, Decoded]:
        return (yield from worked(partial(self.decoder.decode, value, wanted), large=len(value) >= _LARGE_BYTES))

    def _note_left_out(self, decoded: Decoded) -> None:
        self.left_out[MENDED] += decoded.repaired
        for reason, count in decoded.skipped.items():
            self.left_out[reason if reason in self.left_out else OTHER] += count

    def _check_key(self, record: Record, decoded: Decoded, *, keyed: bool) -> None:
        if not keyed or record.key is None:
            return
        key = record.key.decode("ascii").lower()
        ids = [span.trace_id for span in decoded.spans] + [request.trace_id for request in decoded.requests]
        ids += [item.trace_id for item in decoded.feedback if item.trace_id]
        if any(trace_id != key for trace_id in ids):
            self.presample.distrust(record.topic)
            log.warning("record keys are not trace ids; every record is decoded from now on", topic=record.topic)

    def _assemble(self, record: Record, decoded: Decoded, position: Position, now: float, floor: int) -> None:
        stage = self.accounting.stage("assemble")
        stage.received(len(decoded.spans) + decoded.unwanted_spans)
        stage.dropped("unsampled", decoded.unwanted_spans)
        if decoded.unwanted_requests:
            extract = self.accounting.stage("extract")
            extract.received(decoded.unwanted_requests)
            extract.dropped("unsampled", decoded.unwanted_requests)
        if decoded.spans or decoded.logs:
            added = self.assembler.add(decoded.spans, decoded.logs, position, self._heard, floor)
            stage.dropped("late", added.late)
            stage.dropped("duplicate", added.duplicates)
            self.left_out[LATE_LOG] += added.late_logs
            if added.held:
                self.ledger.hold(position, len(added.held))
            if added.late:
                self.extraction.overhear(decoded.spans, position)
        if decoded.requests or decoded.feedback:
            arrived_ns = record.timestamp * _MS
            requests = [
                request if request.end_ns else replace(request, start_ns=arrived_ns, end_ns=arrived_ns)
                for request in decoded.requests
            ]
            extract = self.accounting.stage("extract")
            extract.received(len(requests))
            extract.passed(len(requests))
            self.ledger.hold(position)
            parts = max(1, len(requests)) + len(decoded.feedback)
            receipt = Receipt(self.ledger, (position,), parts)
            self.chooser.listen(decoded.feedback, receipt, arrived_ns)
            self.chooser.decide(requests, receipt, now, floor)
            self.watch.requests(requests, max(floor, self.chooser.sampler.presample_threshold))
