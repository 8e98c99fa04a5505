"""Narrowing down one unreadable place in a partition: pure, it only says where to read next.

aiokafka gives no offset with such an error, and throws away what it had read before it. So the same place is read
again in smaller and smaller portions until a portion of one record fails; tried several times, it is given up, and
the reader walks on offset by offset until something can be read again.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

ATTEMPTS = 3  # a batch garbled on its way is whole in the next fetch
_SHRINK = 4


class Fault(enum.StrEnum):
    """What kind of unreadable place it is; also the bounded word of its dead letter."""

    CORRUPT = "corrupt_batch"
    """Checksum or structure: permanent once it has failed several times, so it is skipped."""
    CODEC = "unsupported_codec"
    """Our installation lacks something: never skipped, a person has to help."""


@dataclass(slots=True)
class Isolation:
    """The search in one partition. `size` is how many records to ask for; `probe` the offset to read at."""

    size: int
    probe: int
    horizon: int = 0
    """Reading past it shows that the place is readable after all."""
    attempts: int = 0
    bad_from: int | None = None
    """First offset of the run that was given up; None while it is still searched."""

    def failed(self, offset: int, fault: Fault) -> None:
        """A read of `size` records at `offset` failed: sets where and how to read next."""
        self.probe = offset
        self.horizon = max(self.horizon, offset + self.size)
        if self.bad_from is not None:
            self.probe = offset + 1
        elif self.size > 1:
            self.size = max(1, self.size // _SHRINK)
        else:
            self.attempts += 1
            if fault is Fault.CORRUPT and self.attempts >= ATTEMPTS:
                self.bad_from = offset
                self.probe = offset + 1

    def stuck(self) -> bool:
        """Whether the exact place is known and cannot be passed (an unsupported codec)."""
        return self.size == 1 and self.attempts >= ATTEMPTS and self.bad_from is None

    def read_to(self, next_offset: int) -> bool:
        """A read succeeded up to `next_offset`; whether the search is over."""
        self.probe = next_offset
        self.attempts = 0
        return self.bad_from is not None or next_offset > self.horizon
