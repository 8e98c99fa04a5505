"""The verdict ids that were counted, by event time, in about 8 bytes each.

An id is kept as 64 bits of its hash, in sorted arrays: of a million ids in one bucket, one new id in 2 * 10^13 would be
taken for known.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left

MAX_IDS = 20_000_000
"""About 160 MB; then the oldest bucket is forgotten, and what belongs to it can no longer be counted."""

_OPEN_AT_LEAST = 512
_OPEN_SHARE = 8
_BITS_BYTES = 8


def short(name: str) -> int:
    """64 bits that stand for an id."""
    text = name.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=_BITS_BYTES).digest(), "big")


class IdSet:
    """A set of 64-bit numbers: a sorted array, and a small set that is sorted into it when it has grown."""

    def __init__(self) -> None:
        self._sorted: array[int] = array("Q")
        self._open: set[int] = set()

    def __contains__(self, number: int) -> bool:
        if number in self._open:
            return True
        place = bisect_left(self._sorted, number)
        return place < len(self._sorted) and self._sorted[place] == number

    def __len__(self) -> int:
        return len(self._sorted) + len(self._open)

    def add(self, number: int) -> None:
        """Add a number that is not in the set."""
        self._open.add(number)
        if len(self._open) > max(_OPEN_AT_LEAST, len(self._sorted) // _OPEN_SHARE):
            self._sorted = array("Q", sorted([*self._sorted, *self._open]))
            self._open = set()


class SeenIds:
    """Counted verdict ids in buckets of event time.

    Buckets are numbers that grow with time; a bucket below `floor` is forgotten, and its ids cannot be told from new
    ones. `floor` rises by `forget`, and by itself when more than `limit` ids are held: past a bucket that alone holds
    more, too.
    """

    def __init__(self, limit: int = MAX_IDS) -> None:
        self._limit = limit
        self._buckets: dict[int, IdSet] = {}
        self._count = 0
        self.floor: int | None = None
        """The lowest bucket that is still known; None: all."""

    def __len__(self) -> int:
        return self._count

    def has(self, verdict_id: str, bucket: int) -> bool:
        """Whether this id was added to this bucket."""
        ids = self._buckets.get(bucket)
        return ids is not None and short(verdict_id) in ids

    def has_anywhere(self, verdict_id: str) -> bool:
        """Whether this id is in any bucket."""
        number = short(verdict_id)
        return any(number in ids for ids in self._buckets.values())

    def full(self, bucket: int) -> bool:
        """Whether there is no room in this bucket, as it alone takes all there is."""
        return self._count >= self._limit and self._buckets.keys() == {bucket}

    def knows(self, bucket: int) -> bool:
        """Whether the ids of this bucket are still remembered."""
        return self.floor is None or bucket >= self.floor

    def add(self, verdict_id: str, bucket: int) -> bool:
        """Remember the id; False when it was known."""
        ids = self._buckets.setdefault(bucket, IdSet())
        number = short(verdict_id)
        if number in ids:
            return False
        ids.add(number)
        self._count += 1
        if self._count > self._limit:
            self.forget(min(self._buckets) + 1)
        return True

    def recall(self, floor: int) -> None:
        """Count buckets from `floor` on as known again, after a clock that was wrong made them forgotten."""
        if self.floor is not None:
            self.floor = min(self.floor, floor)

    def forget(self, floor: int) -> None:
        """Drop all buckets below `floor`."""
        if self.floor is not None and floor <= self.floor:
            return
        self.floor = floor
        for bucket in [bucket for bucket in self._buckets if bucket < floor]:
            self._count -= len(self._buckets.pop(bucket))
