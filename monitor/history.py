"""The history of verdicts: judging waits for it, and what it says of judges that have changed is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import structlog

from monitor.judges.panel import Panel
from monitor.promotion import Promotion, renewed, unrecorded
from monitor.roles import BoardRole

log = structlog.get_logger(__name__)

_LONGEST_S = 60.0
"""How long judging waits for it; without it, re-read requests are judged and paid again."""


@dataclass(slots=True)
class History:
    """What was judged before this process began."""

    board: BoardRole
    problem: Callable[[], str | None]
    """Why the verdict topic cannot be read just now; None when it can."""
    promotions: Sequence[Promotion]
    _over: bool = False

    async def wait(self, stop: asyncio.Event, panel: Panel) -> None:
        """Wait until the board has read it, `stop` is set, or a minute is over; then tell what it says of the panel."""
        ready = asyncio.create_task(self.board.ready.wait())
        stopped = asyncio.create_task(stop.wait())
        try:
            done, _ = await asyncio.wait({ready, stopped}, timeout=_LONGEST_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ready.cancel()
            stopped.cancel()
        self._over = True
        if ready in done:
            self._tell_changed(panel)
        if not done:
            log.warning("judging starts before the history of verdicts was read; re-read requests are judged again")

    def why_not_judging(self) -> str | None:
        """What to say while judging waits; None once it does not."""
        if self._over:
            return None
        problem = self.problem()
        return f"the history of verdicts is read first{f': {problem}' if problem else ''}"

    def _tell_changed(self, panel: Panel) -> None:
        """A judge in the place of another one begins new series: somebody should have compared the two."""
        board, asked = self.board.board, panel.asked()
        remote = {member.judge.name for member in panel.members if member.judge.remote}
        if again := renewed(board.judged_as, [item for item in asked if item.judge.name not in remote]):
            log.warning("judges changed", why=again, hint="scores before and after are not compared; label again")
        if changed := unrecorded(board.judges, asked, self.promotions):
            hint = "compare them with `ragmon judge compare`, or record it with `ragmon judge promote --force`"
            log.warning("judges changed", why=changed, hint=hint)
