"""Which verdicts there are, in the time that counts: all that a judge needs of the verdict topic."""

from __future__ import annotations

from collections.abc import Iterator

from monitor.config.settings import BoardSettings
from monitor.feedback import HeardFeedback
from monitor.quality.anchors import AnchorBook
from monitor.quality.seen import SeenIds
from monitor.quality.series import JudgeKey
from monitor.quality.windows import SECOND_NS, WindowPlan
from monitor.records import Verdict
from monitor.snapshot import Snapshot, StageCount

_MAX_JUDGES = 1000


class VerdictMemory:
    """The ids of the verdicts of the longest window. A process that judges and shows no quality has this for a board.

    A `now_ns` up to the lateness before one given earlier counts as that one. A clock that went back further had been
    wrong, so it is followed; what the wrong time made forgotten stays forgotten.
    """

    def __init__(self, settings: BoardSettings) -> None:
        self.plan = WindowPlan(settings.windows)
        self.now_ns = 0
        """The time that was followed last."""
        self.caught_up = False
        self.duplicates = 0
        self.late = 0
        self._lateness_ns = round(settings.lateness * SECOND_NS)
        self._ids = SeenIds()
        self._judges: dict[JudgeKey, None] = {}
        self.anchors = AnchorBook()

    @property
    def horizon_s(self) -> float:
        """Seconds of the verdict topic to read back, to have what one has that ran all the time.

        The longest window, its oldest bucket (which reaches out of the window) and the lateness.
        """
        return self.plan.lengths[-1] + self.plan.slack_s + self._lateness_ns / SECOND_NS

    @property
    def judges(self) -> frozenset[tuple[str, str]]:
        """The pairs of evaluation and judge, shadows aside, that gave verdicts."""
        return frozenset((key.evaluation, key.judge) for key in self._judges)

    @property
    def judged_as(self) -> frozenset[JudgeKey]:
        """The same with the fingerprints under which they gave them."""
        return frozenset(self._judges)

    def mark_caught_up(self) -> None:
        """The history of the topic was read."""
        self.caught_up = True

    def seen(self, verdict_id: str, end_ns: int) -> bool:
        """Whether a verdict with this id and this event time was remembered: asked before a judge is paid."""
        return self._ids.has(verdict_id, self.plan.era(end_ns))

    def add(self, verdict: Verdict, now_ns: int, *, live: bool = True) -> bool:
        """Remember one verdict; False when it was left out, which is counted: late, or a duplicate."""
        self.follow(now_ns)
        if not self.in_range(verdict.end_ns, live=live) or not self.remember(verdict.verdict_id, verdict.end_ns):
            return False
        self.note(verdict)
        return True

    def hear(self, heard: HeardFeedback, now_ns: int, *, live: bool = True) -> bool:
        """Feedback is for boards; False."""
        del heard, now_ns, live
        return False

    def prepare(self, now_ns: int) -> Iterator[None]:
        """There is nothing to compute."""
        del now_ns
        return iter(())

    def snapshot(self, now_ns: int, stages: tuple[StageCount, ...] = ()) -> Snapshot:
        """The stages, and what was counted here; no quality."""
        self.follow(now_ns)
        self.forget()
        return Snapshot(
            taken_ns=self.now_ns,
            windows=(),
            totals=(),
            worst=(),
            stages=stages,
            caught_up=self.caught_up,
            shows_quality=False,
            duplicates=self.duplicates,
            late=self.late,
        )

    # ------------------------------------------------------------------------------------------- the steps, for a board

    def follow(self, now_ns: int) -> bool:
        """Move to this time; whether the clock went back, because it had been wrong."""
        back = now_ns < self.now_ns - self._lateness_ns
        if back or now_ns > self.now_ns:
            self.now_ns = now_ns
        if back:
            self._ids.recall(self._oldest_era())
        return back

    def in_range(self, end_ns: int, *, live: bool) -> bool:
        """Whether this event time counts: not beyond the longest window, nor more than the lateness ahead.

        Else it is counted as late; but not as too old when it is history (`live` is False), where that is normal.
        """
        era = self.plan.era(end_ns)
        ahead = end_ns > self.now_ns + self._lateness_ns
        behind = era < self._oldest_era() or not self._ids.knows(era)
        if ahead or (live and behind):
            self.late += 1
        return not (ahead or behind)

    def remember(self, verdict_id: str, end_ns: int) -> bool:
        """Remember an id; False when it was known, which is counted."""
        if self._ids.add(verdict_id, self.plan.era(end_ns)):
            return True
        self.duplicates += 1
        return False

    def note(self, verdict: Verdict) -> None:
        """Remember who gave a verdict that counts, and what anchors got."""
        if verdict.anchor:
            self.anchors.add(verdict)
        elif not verdict.shadow_of and len(self._judges) < _MAX_JUDGES:
            self._judges[JudgeKey(verdict.evaluation, verdict.judge, verdict.fingerprint)] = None

    def forget(self) -> None:
        """Forget what has left the longest window."""
        self._ids.forget(self._oldest_era())
        self.anchors.forget(self.now_ns - self.plan.lengths[-1] * SECOND_NS)

    def _oldest_era(self) -> int:
        return self.plan.oldest_era(self.plan.tick(self.now_ns))
