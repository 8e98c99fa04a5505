"""Where judged requests count, by the ids that feedback may name them by: about 12 bytes for each id.

As `seen`, ids are kept as 64 bits of their hash in sorted arrays, in buckets of event time. Who asks does not know the
time, and asks all buckets: so one of them spans several of the longest window's.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from monitor.snapshot import SliceKey

MAX_NAMES = 3_000_000
"""About 36 MB; then the oldest bucket is forgotten, and feedback on its requests no longer finds them."""

ERAS = 8
"""Buckets of the longest window in one bucket here."""

_OPEN_AT_LEAST = 512
_OPEN_SHARE = 8


class Place(NamedTuple):
    """Where a judged request counts."""

    slices: tuple[SliceKey, ...]
    weight: int
    """Requests that it stands for."""
    era: int
    """The bucket of the longest window that holds it."""


class NumberMap:
    """A map of 64-bit to 32-bit numbers: sorted arrays, and a small dict that is sorted into them when it has grown."""

    def __init__(self) -> None:
        self._keys: array[int] = array("Q")
        self._values: array[int] = array("I")
        self._open: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._keys) + len(self._open)

    def get(self, key: int) -> int | None:
        """The value of a key; None without one."""
        if key in self._open:
            return self._open[key]
        at = self._find(key)
        return None if at is None else self._values[at]

    def set(self, key: int, value: int) -> None:
        """Give a key its value, in place of the one it has."""
        at = None if key in self._open else self._find(key)
        if at is not None:
            self._values[at] = value
            return
        self._open[key] = value
        if len(self._open) > max(_OPEN_AT_LEAST, len(self._keys) // _OPEN_SHARE):
            pairs = sorted([*zip(self._keys, self._values, strict=True), *self._open.items()])
            self._keys = array("Q", [key for key, _ in pairs])
            self._values = array("I", [value for _, value in pairs])
            self._open = {}

    def _find(self, key: int) -> int | None:
        at = bisect_left(self._keys, key)
        return at if at < len(self._keys) and self._keys[at] == key else None


class _Bucket:
    """The requests of one bucket; each different place is held once."""

    def __init__(self) -> None:
        self.names = NumberMap()
        self._places: list[Place] = []
        self._numbers: dict[Place, int] = {}

    def place(self, name: int) -> Place | None:
        number = self.names.get(name)
        return None if number is None else self._places[number]

    def put(self, name: int, place: Place) -> None:
        number = self._numbers.setdefault(place, len(self._places))
        if number == len(self._places):
            self._places.append(place)
        self.names.set(name, number)


class JudgedIndex:
    """Places of judged requests by 64-bit names; what is oldest is forgotten first."""

    def __init__(self, limit: int = MAX_NAMES) -> None:
        self._limit = limit
        self._buckets: dict[int, _Bucket] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def find(self, name: int, oldest_era: int) -> Place | None:
        """The place of the request that has this name; the newest one, if ids were used again."""
        for bucket in self._newest_first():
            place = bucket.place(name)
            if place is not None:
                return place if place.era >= oldest_era else None
        return None

    def put(self, name: int, place: Place) -> bool:
        """Note a name; False when it was there, or when there is no room for it.

        The place stays the first one, with the smallest weight: a dear judge sees a share of what another one sees, and
        its verdicts stand for more.
        """
        bucket = place.era // ERAS
        there = self._buckets.setdefault(bucket, _Bucket())
        known = there.place(name)
        if known is not None:
            if place.weight < known.weight:
                there.put(name, known._replace(weight=place.weight))
            return False
        if self._count >= self._limit:
            oldest = min(self._buckets)
            if bucket == oldest:  # it would be the first to go
                if not len(there.names):
                    self._drop(bucket)
                return False
            self._drop(oldest)
        there.put(name, place)
        self._count += 1
        return True

    def forget(self, oldest_era: int) -> None:
        """Drop the buckets that hold nothing of this era or later."""
        for bucket in [bucket for bucket in self._buckets if bucket < oldest_era // ERAS]:
            self._drop(bucket)

    def _drop(self, bucket: int) -> None:
        self._count -= len(self._buckets.pop(bucket).names)

    def _newest_first(self) -> Iterator[_Bucket]:
        return (self._buckets[number] for number in sorted(self._buckets, reverse=True))
