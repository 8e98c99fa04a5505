"""The logs without Kafka: in memory, or nowhere."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

from monitor.feedback import HeardFeedback
from monitor.records import Case, Verdict
from monitor.wire import DeadLetter


@dataclass(slots=True)
class MemoryVerdicts:
    """`protocols.VerdictLog` over a list."""

    items: list[Verdict] = field(default_factory=list)

    async def append(self, verdicts: Sequence[Verdict]) -> None:
        """Keep the verdicts."""
        self.items.extend(verdicts)

    async def read(self, since_ns: int) -> AsyncGenerator[Sequence[Verdict | HeardFeedback]]:
        """All verdicts so far; then ends, as nothing else can come."""
        del since_ns
        yield tuple(self.items)
        yield ()


class NoCases:
    """`protocols.CaseLog` for who needs no cases: replayed files may hold more than memory does."""

    async def append(self, case: Case) -> None:
        """Let the case go."""


@dataclass(slots=True)
class MemoryFeedback:
    """`protocols.FeedbackLog` over a list."""

    items: list[HeardFeedback] = field(default_factory=list)

    async def append(self, heard: Sequence[HeardFeedback]) -> None:
        """Keep the feedback."""
        self.items.extend(heard)


@dataclass(slots=True)
class MemoryDeadLetters:
    """`protocols.DeadLetters` over a list."""

    items: list[DeadLetter] = field(default_factory=list)

    async def append(self, letter: DeadLetter) -> None:
        """Keep the letter."""
        self.items.append(letter)
