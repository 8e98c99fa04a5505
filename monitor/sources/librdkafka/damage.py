"""Which places of our partitions cannot be read, and where to look next. Pure; time is given.

librdkafka always fetches whole batches, so a search (`isolation.py`) asks for one record at a time: it reads the place
three times, then walks on offset by offset until something can be read again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from monitor.kafka_client.isolation import Fault, Isolation
from monitor.records import TopicPartition

_RETRY_S = 10.0


@dataclass(frozen=True, slots=True)
class Gap:
    """Offsets from `first` (included) to `end` (excluded) that can never be read."""

    partition: TopicPartition
    first: int
    end: int
    fault: Fault
    detail: str


@dataclass(slots=True)
class Damage:
    """The searches under way. Changed by the reader's thread; `problem` and `stuck` may be asked in any."""

    _searches: dict[TopicPartition, tuple[Isolation, Fault, str]] = field(default_factory=dict)
    _waiting: dict[TopicPartition, float] = field(default_factory=dict)
    _problems: dict[TopicPartition, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether anything is searched."""
        return bool(self._searches)

    def failed(self, tp: TopicPartition, position: int, fault: Fault, detail: str, now: float) -> int:
        """Reading failed where the partition stands, `position` being what comes next; gives the offset to read at."""
        search = self._searches[tp][0] if tp in self._searches else Isolation(1, position)
        self._searches[tp] = (search, fault, detail)
        search.failed(search.probe, fault)
        if search.stuck():
            self._waiting[tp] = now + _RETRY_S
            self._problems[tp] = f"{tp.topic}/{tp.partition} offset {search.probe} cannot be read: {detail}"
        elif search.bad_from is not None:
            self._problems[tp] = f"{tp.topic}/{tp.partition} is unreadable from offset {search.bad_from} on: {detail}"
        return search.probe

    def probe(self, tp: TopicPartition, position: int) -> int:
        """Where to read the partition, `position` being what comes next in it."""
        return self._searches[tp][0].probe if tp in self._searches else position

    def gap(self, tp: TopicPartition, end: int) -> Gap | None:
        """What is skipped when the partition can be read again from `end` on; None when nothing is."""
        if tp not in self._searches:
            return None
        search, fault, detail = self._searches[tp]
        return None if search.bad_from is None else Gap(tp, search.bad_from, end, fault, detail)

    def read_to(self, tp: TopicPartition, after: int) -> None:
        """Everything before `after` was read, or is a gap that stands in the dead letters."""
        if tp in self._searches and self._searches[tp][0].read_to(after):
            self.forget(tp)

    def due(self, now: float) -> Sequence[TopicPartition]:
        """Partitions that waited for a person long enough to be tried again; they wait no more."""
        due = [tp for tp, until in self._waiting.items() if until <= now]
        for tp in due:
            del self._waiting[tp]
        return due

    def waiting(self) -> Collection[TopicPartition]:
        """Partitions that are not read at all just now."""
        return self._waiting.keys()

    def forget(self, tp: TopicPartition) -> None:
        """The partition is read on, or somewhere else."""
        self._searches.pop(tp, None)
        self._waiting.pop(tp, None)
        self._problems.pop(tp, None)

    def clear(self) -> None:
        """Forget all partitions."""
        self._searches.clear()
        self._waiting.clear()
        self._problems.clear()

    def problem(self) -> str | None:
        """Which partitions cannot be read on, and why; None when all can."""
        problems = dict(self._problems)  # at once, as another thread changes it
        return "; ".join(problems[tp] for tp in sorted(problems)) or None

    def stuck(self) -> frozenset[TopicPartition]:
        """Partitions that do not move as others do."""
        return frozenset(dict(self._problems))
