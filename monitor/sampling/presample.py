"""Which records have to be decoded at all, by their keys alone. The hot path: well below 0.1 us a record.

The keys of a batch are looked at together, in a few calls that run in C: nothing is done in Python for a record
whose key shows that no policy can want it.
"""

from __future__ import annotations

import re
from binascii import unhexlify
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from monitor.sampling.randomness import KEY_LENGTH, R_BYTES, from_key, from_trace

_ID_BYTES = KEY_LENGTH // 2


@dataclass(frozen=True, slots=True)
class Passing:
    """The traces whose R is at least `threshold`, below `randomness.MAX`; to be read at once from `in_force` on."""

    threshold: int
    in_force: int = 0

    def __call__(self, trace_id: str, /) -> bool:
        """Whether a trace is one of them."""
        return from_trace(trace_id) >= self.threshold

    def at_once(self, trace_id: str, /) -> bool:
        """Whether some policy can want a trace at the rates in force."""
        return from_trace(trace_id) >= self.in_force

    def among(self, ids: bytes, size: int, /) -> Sequence[int]:
        """The numbers of those among ids of 16 bytes, each the end of `size` bytes."""
        lowest = self.threshold.to_bytes(R_BYTES, "big")
        firsts = ids[size - R_BYTES :: size]
        runs = (match.span() for match in _at_least(lowest[0]).finditer(firsts))
        return [at for at, end in ((at, end * size) for at, end in runs) if ids[end - R_BYTES : end] >= lowest]


class Presample:
    """What of a topic has to be looked at, by record keys alone. Any thread may ask; one thread distrusts.

    `threshold` is that of the largest rate of any policy, so nothing is left out that could be wanted.
    """

    def __init__(self, threshold: int) -> None:
        self.passing = Passing(threshold)
        """The traces that may be wanted, for records whose key is no trace id."""
        self._distrusted: set[str] = set()

    def wanted(self, topic: str, keys: Sequence[bytes | None]) -> Sequence[int]:
        """The numbers, ascending, of the keys that give an R of at least the threshold, or are no trace id."""
        threshold = self.passing.threshold
        if not threshold or topic in self._distrusted:
            return range(len(keys))
        ids = _ids(keys)
        if ids is None:
            return [at for at, key in enumerate(keys) if _may_pass(key, threshold)]
        return self.passing.among(ids, _ID_BYTES)

    def distrust(self, topic: str) -> None:
        """Keys of 32 hex characters turned out to be something else than the trace id: they say nothing from now on."""
        self._distrusted.add(topic)

    def trusts(self, topic: str) -> bool:
        """Whether keys of 32 hex characters are taken for the trace id."""
        return topic not in self._distrusted


def _ids(keys: Sequence[bytes | None]) -> bytes | None:
    """The trace ids of all keys, one after another; None when one of them is no trace id."""
    try:
        if set(map(len, keys)) == {KEY_LENGTH}:  # type: ignore[arg-type]  # a missing key is the TypeError
            return unhexlify(b"".join(keys))  # type: ignore[arg-type]  # same
    except (TypeError, ValueError):
        pass
    return None


@lru_cache(16)
def _at_least(first: int) -> re.Pattern[bytes]:
    """Finds the bytes from `first` on."""
    return re.compile(b"[" + re.escape(bytes([first])) + b"-\xff]")


def _may_pass(key: bytes | None, threshold: int) -> bool:
    r = from_key(key)
    return r is None or r >= threshold
