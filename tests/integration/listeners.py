"""A RebalanceListener for tests: remembers what it was told, and says what may be committed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from monitor.records import TopicPartition
from monitor.wire import Batch


class Listener:
    """Everything handed on is finished at once, unless `hold` names offsets that stay open."""

    def __init__(self, hold: Iterable[tuple[TopicPartition, int]] = ()) -> None:
        self.told: list[tuple[str, tuple[TopicPartition, ...]]] = []
        self.assignment: set[TopicPartition] = set()
        self.own: dict[TopicPartition, int] = {}
        self.hold = dict(hold)
        self.values: list[bytes | None] = []

    async def assigned(self, partitions: Iterable[TopicPartition]) -> None:
        given = tuple(sorted(partitions))
        self.told.append(("assigned", given))
        self.assignment.update(given)

    async def revoked(self, partitions: Iterable[TopicPartition]) -> None:
        self.told.append(("revoked", tuple(sorted(partitions))))

    async def lost(self, partitions: Iterable[TopicPartition]) -> None:
        gone = tuple(sorted(partitions))
        self.told.append(("lost", gone))
        for tp in gone:
            self.own.pop(tp, None)

    def committable(self) -> Mapping[TopicPartition, int]:
        return {tp: min(offset, self.hold.get(tp, offset)) for tp, offset in self.own.items()}

    def take(self, batches: Iterable[Batch]) -> None:
        for batch in batches:
            self.own[batch.partition] = batch.next_offset
            self.values += [record.value for record in batch.records]
