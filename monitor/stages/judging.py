"""One request: redacted, judged by the panel under one deadline, and put into what is written of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import structlog

from monitor.errors import where
from monitor.judges.panel import Panel, PanelMember
from monitor.protocols import Clock
from monitor.records import Case, DecisionKind, Judgement, RagTrace, Verdict
from monitor.stages.choosing import Chooser
from monitor.stages.receipts import Sampled
from monitor.stages.selection import Selection
from monitor.stages.verdicts import case_of, told_apart, verdict_id, verdict_of

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Judged:
    """What is written of a request. `dropped` says why it was not judged; empty when it was."""

    case: Case | None
    """None when its content must not leave memory."""
    verdicts: Sequence[Verdict]
    dropped: str
    raw: RagTrace | None
    """The request as it came, as its feedback is redacted by itself; None as for `case`."""


@dataclass(frozen=True, slots=True)
class RequestJudging:
    """Judges requests; it holds nothing of them, so any number may be judged at once."""

    chooser: Chooser
    panel: Panel
    judged_before: Callable[[str, int], bool]
    """Whether the verdict log holds this verdict id, of a request that ended at this time (ns)."""
    clock: Clock
    deadline_s: float
    """For all judges of one request."""

    async def judge(self, request: Sampled, *, shed: bool) -> Judged | None:
        """What is to be written of the request; None when the verdict log holds all of it. A shed one is not judged."""
        if shed:
            request = replace(request, decision=replace(request.decision, kind=DecisionKind.SHED))
        sampler = self.chooser.sampler
        selection = Selection(self.panel, lambda one_in: sampler.nest(request.decision, request.trace, one_in))
        if self._known(request, selection.possible()):
            return None
        redacted = self._redacted(request)
        if redacted is None:
            anonymous = replace(request.trace, tenant=None)
            verdicts = self._verdicts_of(anonymous, selection, selection.skipped("redaction_failed"))
            return Judged(None, verdicts, "failed", None)
        if shed:
            judgements = selection.skipped("queue_full")
        else:
            judgements = await self.panel.judge(
                request.trace,
                redacted,
                request.hits,
                selection.first(),
                self.deadline_s,
                lambda given: [member for member in selection.second(given) if not self._known(request, [member])],
            )
        case = self._case_of(request, redacted, judgements)
        verdicts = self._verdicts_of(redacted, selection, judgements)
        return Judged(case, verdicts, "shed" if shed else "", request.trace)

    def _known(self, request: Sampled, members: Sequence[PanelMember]) -> bool:
        """Whether the verdict log holds all that these judges could say.

        One that may be asked and was not, as the one before it had no doubt, says nothing: then the request is judged
        once more, and only those are asked afterwards that have not spoken.
        """
        trace = request.trace
        ids = (
            verdict_id(trace.trace_id, trace.request_id, evaluation, told_apart(member.judge.identity(evaluation)))
            for member in members
            for evaluation in member.judge.evaluations
        )
        return bool(members) and all(self.judged_before(known, trace.end_ns) for known in ids)

    def _redacted(self, request: Sampled) -> RagTrace | None:
        """The request as it may leave memory; None when that cannot be told: then nothing of its content leaves."""
        try:
            return self.chooser.redactor.redact(request.trace, request.hits, complete=not request.trace.redacted)
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the raw request stays here
            log.error("a request could not be redacted", trace_id=request.trace.trace_id, **where(error))  # noqa: TRY400 - see where
            return None

    def _case_of(self, request: Sampled, redacted: RagTrace, judgements: Sequence[Judgement]) -> Case:
        return case_of(
            redacted,
            request.decision,
            judgements,
            raw=request.trace,
            hits=request.hits,
            redactor=self.chooser.redactor,
            position=request.receipt.positions[-1],
            judged_ns=self.clock.now_ns(),
        )

    def _verdicts_of(self, trace: RagTrace, selection: Selection, judgements: Sequence[Judgement]) -> Sequence[Verdict]:
        now_ns = self.clock.now_ns()
        return [verdict_of(trace, selection.decisions[item.judge.name], item, now_ns) for item in judgements]
