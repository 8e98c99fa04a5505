"""Feedback on earlier requests: taken from intake, redacted, written until durable; only then may its records go.

One task writes what has come in the meantime, together, so that a flood costs few writes and bounded memory.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import structlog

from monitor.errors import SinkError, where
from monitor.feedback import UNNAMED, Feedback, HeardFeedback
from monitor.protocols import FeedbackLog
from monitor.records import RagTrace, TopicPartition
from monitor.stages.durable import Persistence
from monitor.stages.intake import Intake
from monitor.stages.receipts import Heard
from monitor.stages.verdicts import heard_of, inline_feedback

log = structlog.get_logger(__name__)

_TOGETHER = 500  # of one write
_MOST = 2000  # that wait, before the source is paused; what one poll brings may come on top
_BREATHE_EVERY = 20


@dataclass(slots=True)
class Hearing:
    """Writes the feedback that intake heard, in its order."""

    intake: Intake
    feedback: FeedbackLog
    persistence: Persistence
    finished: asyncio.Event
    """Set whenever some is written."""
    _waiting: deque[Heard] = field(default_factory=deque)
    _writing: Sequence[Heard] = ()
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def held(self) -> int:
        """Feedback that is not durable yet."""
        return len(self.intake.chooser.heard) + len(self._waiting) + len(self._writing)

    @property
    def full(self) -> bool:
        """Whether so much waits that no more should come."""
        return self.held >= _MOST

    def hand_on(self) -> None:
        """Take what intake heard."""
        if self.intake.chooser.heard:
            self._waiting.extend(self.intake.chooser.heard)
            self.intake.chooser.heard.clear()
            self._arrived.set()

    def writes(self, partitions: Collection[TopicPartition]) -> bool:
        """Whether feedback from one of the partitions is being written."""
        return any(item.receipt.touches(partitions) for item in self._writing)

    async def run(self) -> None:
        """Write until cancelled."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while self._waiting:
                self._writing = [self._waiting.popleft() for _ in range(min(_TOGETHER, len(self._waiting)))]
                await self._write(self._writing)
                self.finished.set()

    async def write_inline(self, trace: RagTrace) -> None:
        """Write the feedback that came with a judged request, for the boards; its case holds it already."""
        heard = inline_feedback(trace, self.intake.chooser.redactor)
        if heard:
            durable = await self._append(heard)
            stage = self.intake.accounting.stage("hear")
            stage.received(len(heard))
            stage.passed(len(heard) * durable)
            stage.dropped("failed", len(heard) * (not durable))

    def give_up(self) -> None:
        """Count what is left as read again: its records are not committed."""
        self.intake.accounting.stage("hear").dropped("revoked", self.held)
        self.intake.chooser.heard.clear()
        self._waiting.clear()
        self._writing = ()

    async def _write(self, items: Sequence[Heard]) -> None:
        stage = self.intake.accounting.stage("hear")
        ours = [item for item in items if not self.intake.abandoned(item.receipt.positions)]
        telling = [item for item in ours if not _says_nothing(item.feedback)]
        heard = []
        for number, item in enumerate(telling, 1):
            made = self._made(item)
            if made is not None:
                heard.append(made)
            if number % _BREATHE_EVERY == 0:
                await asyncio.sleep(0)
        durable = len(heard) if heard and await self._append(heard) else 0
        # no await from here on: the accounts must add up at each
        stage.dropped("revoked", len(items) - len(ours))
        stage.dropped("says_nothing", len(ours) - len(telling))
        stage.dropped("failed", len(telling) - durable)
        stage.passed(durable)
        for item in ours:
            item.receipt.done()
        self._writing = ()

    def _made(self, item: Heard) -> HeardFeedback | None:
        try:
            return heard_of(item.feedback, self.intake.chooser.redactor, arrived_ns=item.arrived_ns, weight=item.weight)
        except Exception as error:  # noqa: BLE001 - a stage boundary: a defect costs one feedback, not the process
            log.error("feedback could not be read", **where(error))  # noqa: TRY400 - see where
            return None

    async def _append(self, heard: Sequence[HeardFeedback]) -> bool:
        """Whether it is durable; False when no retry can help: it is lost then, the requests are not."""
        try:
            return await self.persistence.until_durable("feedback", lambda: self.feedback.append(heard))
        except SinkError as error:
            log.error("feedback is refused for good", error=str(error))  # noqa: TRY400 - see where
        except Exception as error:  # noqa: BLE001 - a stage boundary, as above
            log.error("feedback could not be written", **where(error))  # noqa: TRY400 - see where
        return False


def _says_nothing(said: Feedback) -> bool:
    """Whether not even a name says what is meant: then its keys are others than those that are read."""
    return said.name == UNNAMED and said.score is None and not said.label and not said.comment
