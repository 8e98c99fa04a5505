"""A judge with what labels say of it: `calibrated` on each judgement, bound to the fingerprint that gave it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import structlog

from monitor.calibration import NO_LABELS, OTHER_FINGERPRINT, Calibration
from monitor.operational import Asked, JudgeLoad
from monitor.protocols import Judge
from monitor.records import JudgeIdentity, Judgement, Outcome, RagTrace, SensitiveHit, is_somebody

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class CalibratedJudge:
    """A `Judge` that judges as the one it stands before, and knows which of its fingerprints were compared with labels.

    `calibrations` is by evaluation and fingerprint. A threshold is not applied here: the judge was made with it.
    """

    def __init__(self, judge: Judge, calibrations: Iterable[tuple[str, Calibration]]) -> None:
        """`calibrations` are pairs of the fingerprint in force and what labels say of it."""
        self.name = judge.name
        self.evaluations: tuple[str, ...] = judge.evaluations
        self.remote = judge.remote
        self._judge = judge
        given = {(one.evaluation, fingerprint): one for fingerprint, one in calibrations}
        self._found = {
            (name, fingerprint): one for (name, fingerprint), one in given.items() if is_somebody(fingerprint)
        }
        self._compared = {evaluation for evaluation, _ in given}
        self._told: set[tuple[str, str]] = set()

    def identity(self, evaluation: str) -> JudgeIdentity:
        """See `Judge`."""
        return self._flagged(evaluation, self._judge.identity(evaluation))

    def asked(self, evaluation: str) -> Asked:
        """Who judges an evaluation now, and what labels say of it."""
        identity = self.identity(evaluation)
        found = self._found.get((evaluation, identity.fingerprint))
        if found is None:
            return Asked(evaluation, identity, OTHER_FINGERPRINT if evaluation in self._compared else NO_LABELS)
        return Asked(evaluation, identity, found.uncalibrated, found.overall.n, found.overall.rates)

    def load(self) -> JudgeLoad:
        """See `Judge`."""
        return self._judge.load()

    async def judge(self, trace: RagTrace, hits: Sequence[SensitiveHit], deadline: float) -> tuple[Judgement, ...]:
        """See `Judge`."""
        given = await self._judge.judge(trace, hits, deadline)
        return tuple(replace(one, judge=self._flagged(one.evaluation, self._noted(one))) for one in given)

    async def close(self) -> None:
        """See `Judge`."""
        await self._judge.close()

    def _flagged(self, evaluation: str, identity: JudgeIdentity) -> JudgeIdentity:
        found = self._found.get((evaluation, identity.fingerprint))
        return replace(identity, calibrated=True) if found is not None and found.calibrated else identity

    def _noted(self, judgement: Judgement) -> JudgeIdentity:
        """Who gave it; tells once when a server makes it another judge than was compared with labels."""
        judge, key = judgement.judge, (judgement.evaluation, judgement.judge.fingerprint)
        unknown = judgement.evaluation in self._compared and key not in self._found
        if unknown and self.remote and judgement.outcome is Outcome.SCORED and key not in self._told:
            self._told.add(key)
            _log.warning(
                "a judge scores under another fingerprint than it was calibrated for; its calibration does not count",
                judge=judge.name,
                evaluation=judgement.evaluation,
                fingerprint=judge.fingerprint,
            )
        return judge


def asked(judge: Judge, evaluation: str) -> Asked:
    """Who judges an evaluation now, and what labels say of it."""
    if isinstance(judge, CalibratedJudge):
        return judge.asked(evaluation)
    return Asked(evaluation, judge.identity(evaluation))
