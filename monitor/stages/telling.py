"""Logs that tell somebody what was written, once it is durable."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass

from monitor.feedback import HeardFeedback
from monitor.protocols import CaseLog, VerdictLog
from monitor.records import Case, Verdict


@dataclass(frozen=True, slots=True)
class AnnouncedVerdicts:
    """A VerdictLog that tells each verdict to somebody once it is durable: where it was judged, so once in a fleet.

    `writes` is told before, as the verdict may be read back before its write is confirmed.
    """

    verdicts: VerdictLog
    writes: Callable[[Sequence[Verdict]], None]
    announce: Callable[[Verdict], None]

    async def append(self, verdicts: Sequence[Verdict]) -> None:
        """Write durably, then tell. Raises SinkError."""
        self.writes(verdicts)
        await self.verdicts.append(verdicts)
        for verdict in verdicts:
            if not (verdict.shadow_of or verdict.anchor):  # what counts in no quality number is told to nobody
                self.announce(verdict)

    def read(self, since_ns: int) -> AsyncGenerator[Sequence[Verdict | HeardFeedback]]:
        """As the log it stands before."""
        return self.verdicts.read(since_ns)


@dataclass(frozen=True, slots=True)
class ObservedCases:
    """A CaseLog that shows each case to somebody once it is durable."""

    cases: CaseLog
    observe: Callable[[Case], None]

    async def append(self, case: Case) -> None:
        """Write durably, then show. Raises SinkError."""
        await self.cases.append(case)
        self.observe(case)
