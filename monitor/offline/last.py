"""Where the last N records of a topic begin: pure, it only says which offsets to look at next.

Not every offset is a record that a reader gets: markers of transactions, aborted records and what compaction took away
leave gaps. So partitions are looked at from their ends backwards, window by window, until each has its share.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from monitor.kafka_client.topic import Offsets
from monitor.records import TopicPartition

_WINDOW = 1000
"""Offsets to look at when some were missing, at least; doubled each time."""


def fair_shares(wanted: int, available: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
    """How many records to take from each partition: `wanted` in all, or all there are.

    A partition that has less than its share gives all it has, the others share the rest; shares differ by one at most
    between partitions that have enough.
    """
    shares: dict[TopicPartition, int] = {}
    left = wanted
    by_size = sorted(available, key=lambda tp: (available[tp], tp))
    for position, tp in enumerate(by_size):
        shares[tp] = min(available[tp], left // (len(by_size) - position))
        left -= shares[tp]
    return shares


@dataclass(slots=True)
class _Partition:
    """What is known of one partition."""

    offsets: Offsets
    seen_from: int
    """Offsets from here on were looked at."""
    window: int = 0
    found: array[int] = field(default_factory=lambda: array("q"))
    """Offsets of records, ascending; of more than are wanted the last ones."""

    def unseen(self) -> int:
        """How many offsets were not looked at."""
        return self.seen_from - self.offsets.begin

    def next_window(self, share: int) -> Offsets | None:
        """What to look at for a share of that many records; None when they are found, or there is nothing more."""
        missing = share - len(self.found)
        if missing <= 0 or self.unseen() <= 0:
            return None
        self.window = max(missing, 2 * self.window, _WINDOW) if self.window else missing
        return Offsets(max(self.offsets.begin, self.seen_from - self.window), self.seen_from)


class LastRecords:
    """The search for the last `wanted` records between the offsets given.

    While `windows` names offsets, read them and tell `saw` of the records, in order; then `ranges` says where the
    records are. It holds a few numbers for each record wanted, no record. The first windows have no offset to spare:
    when no second ones are asked for, every record in them is wanted.
    """

    def __init__(self, wanted: int, offsets: Mapping[TopicPartition, Offsets]) -> None:
        self._wanted = wanted
        self._partitions = {tp: _Partition(item, item.end) for tp, item in offsets.items()}
        self._new: dict[TopicPartition, array[int]] = {}

    def windows(self) -> Mapping[TopicPartition, Offsets]:
        """What to read next; empty when the records are found. What was asked for before counts as read."""
        self._take_in()
        windows: dict[TopicPartition, Offsets] = {}
        for tp, share in self._shares().items():
            window = self._partitions[tp].next_window(share)
            if window is not None:
                windows[tp] = window
                self._partitions[tp].seen_from = window.begin
        return windows

    def saw(self, tp: TopicPartition, offsets: Iterable[int]) -> None:
        """These offsets are records."""
        new = self._new.setdefault(tp, array("q"))
        new.extend(offsets)
        if len(new) > 2 * self._wanted:
            del new[: -self._wanted]

    def ranges(self) -> Mapping[TopicPartition, Offsets]:
        """From the first wanted record of each partition to its end; only partitions that have one."""
        return {
            tp: Offsets(self._partitions[tp].found[-share], self._partitions[tp].offsets.end)
            for tp, share in self._shares().items()
            if share
        }

    def _take_in(self) -> None:
        for tp, new in self._new.items():
            partition = self._partitions[tp]
            partition.found = (new + partition.found)[-self._wanted :]
        self._new.clear()

    def _shares(self) -> dict[TopicPartition, int]:
        return fair_shares(self._wanted, {tp: len(p.found) + p.unseen() for tp, p in self._partitions.items()})
