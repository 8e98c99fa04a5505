"""The consumer itself, in a thread of its own: reading whole batches, and what librdkafka calls back meanwhile.

librdkafka calls back only from within `consume`, so partitions never change between two reads. Whoever has to be told
lives on the event loop (`telling.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from confluent_kafka import OFFSET_BEGINNING, OFFSET_END, Consumer, KafkaError, KafkaException, Message
from confluent_kafka import TopicPartition as ClientPartition

from monitor.config.settings import SourceSettings
from monitor.errors import SourceError
from monitor.protocols import Clock
from monitor.records import TopicPartition
from monitor.sampling.presample import Presample
from monitor.sources.librdkafka.calls import commit, committed, edges, named, placed
from monitor.sources.librdkafka.damage import Damage
from monitor.sources.librdkafka.faults import DAMAGE, describe, translated
from monitor.sources.librdkafka.messages import Haul, by_partition, place
from monitor.sources.librdkafka.telling import Telling, Told
from monitor.wire import Batch

_PUMP_S = 0.05
_TAKE_BYTES = 2 << 20  # at once: as much as a core's cache holds, so that looking at the keys finds them there
_TAKE_FIRST = 20  # records at once, before their size is known
_GATHER_S = 0.02  # takes follow each other for so long,
_ENOUGH_BYTES = 16 << 20  # or until so much of it is wanted: it stands in memory beside the queue of what was fetched
_OF_A_PARTITION = frozenset({KafkaError._PARTITION_EOF, KafkaError._AUTO_OFFSET_RESET, *DAMAGE})  # noqa: SLF001 - librdkafka's own codes are spelt so
_DOWN = frozenset({KafkaError._ALL_BROKERS_DOWN, KafkaError._AUTHENTICATION, KafkaError._SSL})  # noqa: SLF001 - same


class ConsumerReader:
    """All methods are called in one thread, which also writes the attributes; they are read on the event loop.

    confluent-kafka lets one thread at a time into a client, so that whatever waits for a broker holds up reading: a
    commit without a coordinator does, until there is one. Questions are asked by another client (`calls.py`).
    """

    def __init__(
        self,
        options: Mapping[str, Any],
        settings: SourceSettings,
        bound: float,
        told: Told,
        clock: Clock,
        presample: Presample | None,
    ) -> None:
        self._options = options
        self._settings = settings
        self._bound = bound
        self._told = told
        self._clock = clock
        self._presample = presample
        self._number = min(_TAKE_FIRST, settings.poll_records)
        self._tell = Telling(asyncio.get_running_loop())
        self._opened: Consumer | None = None
        self._next: dict[TopicPartition, int] = {}
        self._one_topic = False
        self._paused = False
        self._rebalanced = False
        self._raised: Exception | None = None
        self._last_error = ""
        self.closing = False
        """Set on the event loop: partitions are given up without a word."""
        self.assignment = 0
        """Counts assignments, and times without one."""
        self.damage = Damage()
        self.highwater: dict[TopicPartition, int] = {}
        """Ends of partitions as the last fetch had them."""
        self.down: str | None = None
        """Why no broker can be reached; None when one can, as far as is known."""
        self.complaint: str | None = None
        """The last error of a topic or the group; None once something was read or assigned."""

    # --------------------------------------------------------------------------------------------- start and finish

    def open(self) -> None:
        """Build the client; it connects by itself. Raises SourceError for a configuration that it refuses."""
        with translated():
            self._opened = Consumer({**self._options, "error_cb": self._on_error})

    @property
    def _consumer(self) -> Consumer:
        if self._opened is None:
            raise SourceError("the consumer was not built")
        return self._opened

    def subscribe(self, topics: Sequence[str]) -> None:
        """Ask for membership, or for other topics."""
        with translated():
            self._consumer.subscribe(
                list(topics),
                on_assign=self._guarded(self._on_assign),
                on_revoke=self._guarded(self._on_revoke),
                on_lost=self._guarded(self._on_lost),
            )

    def pump(self) -> None:
        """Let errors of connections come to light before there is a subscription."""
        self._consumer.consume(1, _PUMP_S)

    def close(self) -> None:
        """Leave the group and free everything. May take many seconds."""
        if self._opened is not None:
            self._opened.close()

    def commit(self, offsets: Mapping[TopicPartition, int], assignment: int) -> None:
        """Commit what was finished in this assignment; refused in a later one, in which it may be another's by now."""
        if assignment != self.assignment:
            raise SourceError("a rebalance came in between")
        commit(self._consumer, offsets)

    # --------------------------------------------------------------------------------------------------------- read

    def read(self, within: float, *, paused: bool) -> list[Batch]:
        """What there is, in several takes as handing on is dear; waits `within` seconds for a take to be full.

        No more is taken once there are as many wanted records as a poll may bring. Raises SourceError.
        """
        self._follow(paused=paused)
        self._rebalanced = False
        haul, until = Haul(self._presample), self._clock.monotonic() + _GATHER_S
        while True:
            with translated():
                messages = self._consumer.consume(self._number, within)
            if self._raised is not None:
                raise self._raised
            if self._rebalanced:
                if messages and self._next:
                    self._fetch(self._next)  # nobody can say which messages were taken before it: read them again
                return []
            more = self._sorted(messages, haul) and len(messages) == self._number
            self._number = self._fitting(messages)
            enough = haul.size >= self._settings.poll_records or haul.bytes >= _ENOUGH_BYTES
            if enough or not more or self._clock.monotonic() >= until:
                return haul.batches()

    def _sorted(self, messages: Sequence[Message], haul: Haul) -> bool:
        """Put what was read into the haul; whether there was no error, so that more may be read."""
        if self.damage or any(map(Message.error, messages)):
            self._sorted_out(messages, haul)
            return False
        if messages:
            self.complaint = None
        for tp, run in by_partition(messages, one_topic=self._one_topic).items():
            if tp in self._next:
                self._take(haul, tp, run, (run[-1].offset() or 0) + 1)
        return True

    def _fitting(self, messages: Sequence[Message]) -> int:
        """How many to take at once if the next ones are as large as these; as before if these tell of no size."""
        size = sum(map(len, messages))
        if not size:
            return self._number
        return min(self._settings.poll_records, max(1, len(messages) * _TAKE_BYTES // size))

    def _follow(self, *, paused: bool) -> None:
        """Pause, resume, and try again what waited for a person."""
        if paused != self._paused:
            self._paused = paused
            change = self._consumer.pause if paused else self._consumer.resume
            change(named(self._next.keys() - set(self.damage.waiting())))
        for tp in self.damage.due(self._clock.monotonic()):
            self._seek(tp, self._next[tp])
            if not paused:
                self._consumer.resume(named((tp,)))

    def _take(self, haul: Haul, tp: TopicPartition, messages: Sequence[Message], after: int) -> None:
        haul.add(tp, messages, after)
        self._next[tp] = after
        if messages:
            self.highwater[tp] = self._consumer.get_watermark_offsets(ClientPartition(*tp), cached=True)[1]

    def _sorted_out(self, messages: Iterable[Message], haul: Haul) -> None:
        """The slow way, for messages among which there are errors."""
        good: dict[TopicPartition, list[Message]] = {}
        after = dict(self._next)
        damaged: dict[TopicPartition, KafkaError] = {}
        out_of_range: list[TopicPartition] = []
        for message in messages:
            error, tp = message.error(), place(message)
            if error is not None and error.code() not in _OF_A_PARTITION:
                self._complain(error)
            elif tp not in self._next or tp in damaged or tp in out_of_range:
                pass  # not ours any more; or behind an error, where librdkafka may have lost its way: read again
            elif error is None:
                if (message.offset() or 0) >= after[tp]:
                    good.setdefault(tp, []).append(message)
                    after[tp] = (message.offset() or 0) + 1
            elif error.code() == KafkaError._PARTITION_EOF:  # noqa: SLF001 - librdkafka's own codes are spelt so
                self.complaint = None
                self.highwater[tp] = after[tp] = max(after[tp], message.offset() or 0)
            elif error.code() in DAMAGE:
                damaged[tp] = error
            else:
                out_of_range.append(tp)
        for tp, end in after.items():
            self._pass(haul, tp, good.get(tp, []), end)
        for tp, error in damaged.items():
            self._damaged(tp, error)
        self._begin_again(out_of_range, haul)

    def _complain(self, error: KafkaError) -> None:
        if error.fatal():
            raise SourceError(describe(error))
        self.complaint = describe(error)

    # ------------------------------------------------------------------------------------------------------- damage

    def _pass(self, haul: Haul, tp: TopicPartition, messages: Sequence[Message], after: int) -> None:
        """Move on to `after`, once it is known that what is jumped over is durable as unreadable."""
        if after == self._next[tp]:
            return
        first = (messages[0].offset() or 0) if messages else after
        gap = self.damage.gap(tp, first)
        if gap is not None and not self._tell(lambda: self._told.unreadable(gap)):
            self._seek(tp, first)
            return
        self.damage.read_to(tp, after)
        self._take(haul, tp, messages, after)

    def _damaged(self, tp: TopicPartition, error: KafkaError) -> None:
        """Where to look next: librdkafka itself would read on behind the damage, or somewhere in the middle of it."""
        probe = self.damage.failed(tp, self._next[tp], DAMAGE[error.code()], describe(error), self._clock.monotonic())
        if tp in self.damage.waiting():
            self._consumer.pause(named((tp,)))
        self._seek(tp, probe)

    def _begin_again(self, partitions: Sequence[TopicPartition], haul: Haul) -> None:
        """Our position is gone (retention, a topic made anew): read on from the oldest record there is.

        What was gathered before is lost with it: behind `moved` its offsets would be taken for those of the new topic.
        """
        if not partitions:
            return
        try:
            first, end = self._edges(partitions, OFFSET_BEGINNING), self._edges(partitions, OFFSET_END)
        except SourceError as error:
            self.complaint = str(error)
            first, end = {}, {}  # beginning below where we stand brings the error again
        gone = {tp: start for tp, start in first.items() if not start <= self._next[tp] <= end[tp]}
        if gone:
            haul.drop(gone)
            self._tell(lambda: self._told.moved(gone))
            self._next |= gone
        for tp in partitions:
            self.damage.forget(tp)
        self._fetch(self._places())  # librdkafka does not seek in a partition that has failed so

    def _seek(self, tp: TopicPartition, offset: int) -> None:
        try:
            self._consumer.seek(ClientPartition(*tp, offset))
        except KafkaException:  # once librdkafka has gone astray behind damage, it seeks no more in that partition
            self._fetch(self._places() | {tp: offset})

    def _places(self) -> dict[TopicPartition, int]:
        """Where to read each partition: behind what was handed on, or where its search stands."""
        return {tp: self.damage.probe(tp, offset) for tp, offset in self._next.items()}

    # --------------------------------------------------------------------------------------------------- called back

    def _on_error(self, error: KafkaError) -> None:
        if error.fatal():
            self._raised = SourceError(describe(error))
        if error.code() != KafkaError._ALL_BROKERS_DOWN:  # noqa: SLF001 - as above
            self._last_error = describe(error)
        if error.code() in _DOWN:
            self.down = self._last_error or describe(error)

    def _guarded(self, callback: Callable[[Sequence[TopicPartition]], None]) -> Callable[[Consumer, list[Any]], None]:
        """A rebalance callback whose error is raised by `read`: from within the client nobody would hear of it."""

        def call(consumer: Consumer, partitions: list[Any]) -> None:
            self._rebalanced = True
            try:
                callback([TopicPartition(p.topic, p.partition) for p in partitions])
            except Exception as error:  # noqa: BLE001 - see above
                self._raised = error
                consumer.unassign()

        return call

    def _on_assign(self, tps: Sequence[TopicPartition]) -> None:
        """Find out where to begin, tell, begin. Nothing is handed on before the end of it."""
        found, starts = self._starts(tps)
        self._begin(starts)
        self._tell(lambda: self._told.assigned(found, starts))
        self._fetch(starts)

    def _on_revoke(self, tps: Sequence[TopicPartition]) -> None:
        if tps and not self.closing:
            offsets = self._tell(lambda: self._told.revoked(tps))
            failure = None
            try:
                if offsets:
                    commit(self._consumer, offsets)
            except SourceError as error:
                failure = error
            self._tell(lambda: self._told.given_away(tps, offsets, failure))
        self._begin({})
        self._consumer.unassign()

    def _on_lost(self, tps: Sequence[TopicPartition]) -> None:
        if tps and not self.closing:
            self._tell(lambda: self._told.lost(tps))
        self._begin({})
        self._consumer.unassign()

    def _fetch(self, starts: Mapping[TopicPartition, int]) -> None:
        """Fetch these and no others, but for what is not to be fetched just now."""
        with translated():
            self._consumer.assign(placed(starts))
            self._consumer.pause(named(starts if self._paused else self.damage.waiting()))

    def _begin(self, starts: Mapping[TopicPartition, int]) -> None:
        self.assignment += 1
        self._next = dict(starts)
        self._one_topic = len({tp.topic for tp in starts}) == 1
        self.damage.clear()
        self.highwater.clear()
        self.complaint = None

    def _starts(
        self, tps: Sequence[TopicPartition]
    ) -> tuple[dict[TopicPartition, int | None], dict[TopicPartition, int]]:
        """The committed offsets, and where to begin: there, or where the settings say.

        A start at the latest record is committed at once; else what comes before the first own commit would be jumped
        over by the next start.
        """
        found = committed(self._consumer, tps, self._bound)
        fresh = [tp for tp, offset in found.items() if offset is None]
        earliest = self._settings.start == "earliest"
        begin = self._edges(fresh, OFFSET_BEGINNING if earliest else OFFSET_END)
        if begin and not earliest:
            commit(self._consumer, begin)
            found |= begin
        starts = {tp: offset for tp, offset in found.items() if offset is not None}
        return found, starts | begin

    def _edges(self, partitions: Iterable[TopicPartition], edge: int) -> dict[TopicPartition, int]:
        return edges(self._consumer, partitions, edge, self._bound)
