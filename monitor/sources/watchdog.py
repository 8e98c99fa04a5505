"""Is the Kafka client still alive? aiokafka hides outages: it returns no records and no error. Pure; time is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from monitor.records import TopicPartition


@dataclass(frozen=True, slots=True)
class Reading:
    """Where the client stands in a partition, and where the partition ends."""

    position: int
    end: int


@dataclass(slots=True)
class Watchdog:
    """Says when a client has to be rebuilt. Times are monotonic seconds; `since` is when the client was built.

    `join_after` is how long the group may take to share out its partitions.
    """

    stall_after: float
    join_after: float
    since: float
    _answered: float = field(init=False)
    _why: str = ""
    _commit_wanted: float | None = None
    _committed: float | None = None
    _joining: float | None = None
    _stalled: dict[TopicPartition, tuple[int, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._answered = self.since

    def answered(self, now: float) -> None:
        """A broker answered our question."""
        self._answered = now
        self._why = ""

    def unanswered(self, why: str) -> None:
        """A broker did not answer, or only with an error."""
        self._why = why

    def commit_wanted(self, now: float) -> None:
        """There is something to commit; counts from the first call after a success."""
        if self._commit_wanted is None:
            self._commit_wanted = now

    def committed(self, now: float) -> None:
        """A commit succeeded, or there was nothing to commit."""
        self._commit_wanted = None
        self._committed = now

    def joining(self, now: float) -> None:
        """We asked for partitions and have no answer; counts from the first call after `joined`."""
        if self._joining is None:
            self._joining = now

    def joined(self) -> None:
        """The group gave us our share, be it empty, or we do not ask for one."""
        self._joining = None

    def ages(self, now: float) -> tuple[float, float | None]:
        """Seconds since a broker answered, and since the last commit went well (None: none yet)."""
        return now - self._answered, None if self._committed is None else now - self._committed

    def read(self, readings: Mapping[TopicPartition, Reading], now: float) -> None:
        """What is there to read. Give only partitions that are being read: not paused ones, not stuck ones."""
        before = self._stalled
        self._stalled = {}
        for tp, reading in readings.items():
            if reading.position < reading.end:
                position, seen = before.get(tp, (reading.position, now))
                self._stalled[tp] = (position, seen) if position == reading.position else (reading.position, now)

    def unreachable(self) -> str | None:
        """Why the last question was not answered; None when it was."""
        return self._why or None

    def broken(self, now: float) -> str | None:
        """Why the client has to be rebuilt; None while it is alive."""
        if now - self._answered > self.stall_after:
            return f"no broker has answered for {now - self._answered:.0f} s: {self._why or 'no reason known'}"
        if self._commit_wanted is not None and now - self._commit_wanted > self.stall_after:
            return f"no offset commit has succeeded for {now - self._commit_wanted:.0f} s"
        if self._joining is not None and now - self._joining > self.join_after:
            return f"the group has not shared out the partitions for {now - self._joining:.0f} s"
        for tp, (position, seen) in self._stalled.items():
            if now - seen > self.stall_after:
                return (
                    f"{tp.topic}/{tp.partition} stands at offset {position} for {now - seen:.0f} s with records ahead"
                )
        return None
