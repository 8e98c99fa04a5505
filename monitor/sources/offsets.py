"""The offset ledger: for each partition, the lowest offset that an open request still needs.

The reader calls `assign`, then once for each batch `fetched`; a record whose effect is not durable yet is held in
between, once for each open request (or trace) that needs it, and released when that one is done. What is committed is
the lowest held offset, so a slow record keeps everything behind it uncommitted (at least once, never lost).
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field

from monitor.records import Position, TopicPartition

_SLACK = 64  # a heap this much larger than twice its live entries is rebuilt: amortised O(1)


@dataclass(slots=True)
class _Partition:
    """One assignment of one partition. `next_offset` is None until the first batch came."""

    generation: int
    next_offset: int | None = None
    holds: dict[int, int] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)  # heap of held offsets; released ones leave it lazily

    def hold(self, offset: int, count: int) -> None:
        held = self.holds.get(offset)
        if held is None:
            self.holds[offset] = count
            heapq.heappush(self.order, offset)
        else:
            self.holds[offset] = held + count

    def release(self, offset: int, count: int) -> None:
        held = self.holds.get(offset, 0)
        if held > count:
            self.holds[offset] = held - count
            return
        self.holds.pop(offset, None)
        if len(self.order) > 2 * len(self.holds) + _SLACK:
            self.order = sorted(self.holds)  # a sorted list is a heap

    def committable(self) -> int | None:
        """The lowest held offset, but never past the position; None before the first batch."""
        while self.order and self.order[0] not in self.holds:
            heapq.heappop(self.order)
        if self.next_offset is None or not self.order:
            return self.next_offset
        return min(self.order[0], self.next_offset)


class OffsetLedger:
    """Which offsets may be committed, by partition. Pure and synchronous; used by one task.

    Memory grows with the held records only. `hold` and `release` are O(log n) amortised and cost nothing for records
    that are never held.
    """

    def __init__(self) -> None:
        self._partitions: dict[tuple[str, int], _Partition] = {}
        self._generations: dict[TopicPartition, int] = {}

    def assign(self, tp: TopicPartition) -> int:
        """Begin a new generation of the partition and return its number, from 1.

        Holds of an earlier generation are forgotten: their records will be read again.
        """
        generation = self._generations.get(tp, 0) + 1
        self._generations[tp] = generation
        self._partitions[tp] = _Partition(generation)
        return generation

    def generation(self, tp: TopicPartition) -> int:
        """Number of the newest generation; 0 for a partition that was never assigned."""
        return self._generations.get(tp, 0)

    def owns(self, position: Position) -> bool:
        """Whether the position belongs to the present assignment of its partition; not after `drop`."""
        return self._current(position) is not None

    def fetched(self, tp: TopicPartition, next_offset: int) -> None:
        """The position after a batch. It never goes back within a generation: after a reset, `assign` again."""
        part = self._partitions.get(tp)
        if part is not None and (part.next_offset is None or next_offset > part.next_offset):
            part.next_offset = next_offset

    def hold(self, position: Position, count: int = 1) -> None:
        """Keep commits at or below the record, until as many releases came. Ignored unless of the current generation.

        Hold a record before `fetched` moves past it, or while it is held already; later, it may be committed.
        """
        part = self._current(position)
        if part is not None and count > 0:
            part.hold(position.offset, count)

    def release(self, position: Position, count: int = 1) -> None:
        """Take back `count` holds; an offset that is not held stays so.

        What belongs to an older generation or to an unknown partition is ignored.
        """
        part = self._current(position)
        if part is not None:
            part.release(position.offset, count)

    def drop(self, tp: TopicPartition) -> None:
        """Forget a partition that is no longer ours, and end its generation. Idempotent."""
        if self._partitions.pop(tp, None) is not None:
            self._generations[tp] += 1

    def committable(self) -> Mapping[TopicPartition, int]:
        """For each partition the lowest held offset, else the position; none for one where nothing was fetched.

        Within a generation it never goes back, as long as records are held before `fetched` passes them.
        """
        result = {}
        for (topic, number), part in self._partitions.items():
            offset = part.committable()
            if offset is not None:
                result[TopicPartition(topic, number)] = offset
        return result

    def _current(self, position: Position) -> _Partition | None:
        part = self._partitions.get(position[:2])  # equals the key TopicPartition, without building one
        return part if part is not None and part.generation == position.generation else None
