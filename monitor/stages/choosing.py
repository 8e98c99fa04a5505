"""From requests to the sample: which of them are judged, and which feedback on earlier ones is kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import structlog

from monitor.accounting import Accounting
from monitor.errors import where
from monitor.feedback import Feedback
from monitor.judges.safety import endangers
from monitor.privacy.redactor import Redactor
from monitor.records import Decision, RagTrace, SensitiveHit
from monitor.sampling import randomness
from monitor.sampling.sampler import Sampler
from monitor.stages.receipts import Heard, Receipt, Sampled

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Chooser:
    """Decides, and keeps what was chosen until it is handed on."""

    sampler: Sampler
    redactor: Redactor
    accounting: Accounting
    ready: deque[Sampled] = field(default_factory=deque)
    """Sampled requests that wait to be handed on; the pipeline empties it."""
    heard: deque[Heard] = field(default_factory=deque)
    """Feedback on earlier requests that waits to be written; the pipeline empties it."""

    def listen(self, feedback: Iterable[Feedback], receipt: Receipt, arrived_ns: int = 0) -> None:
        """Take in feedback on earlier requests, unless they cannot have been sampled."""
        stage = self.accounting.stage("hear")
        lowest = self.sampler.presample_threshold
        for item in feedback:
            stage.received()
            trace_id = item.trace_id
            if not trace_id and not item.response_id:
                stage.dropped("no_target")
            elif trace_id and not item.response_id and randomness.from_trace(trace_id) < lowest:
                stage.dropped("unsampled")
            else:
                # a trace of its own was chosen by its own id
                weight = 1 if item.carrier_trace_id is None else self.sampler.presample_one_in
                self.heard.append(Heard(item, weight, arrived_ns, receipt))
                continue
            receipt.done()

    def decide(self, requests: Sequence[RagTrace], receipt: Receipt, now: float, floor: int) -> None:
        """Sample the requests; `floor` as for `Sampler.decide`. What is not sampled is done with."""
        stage = self.accounting.stage("sample")
        stage.received(len(requests))
        for trace in requests:
            try:
                decision, hits = self._weigh(trace, floor)
            except Exception as error:  # noqa: BLE001 - a stage boundary, as in extraction.py
                stage.dropped("failed")
                log.error("no decision on a request", trace_id=trace.trace_id, **where(error))  # noqa: TRY400 - see where
                receipt.done()
                continue
            if decision.sampled:
                stage.passed()
                self.sampler.judged(now)
                self.ready.append(Sampled(trace, decision, hits, receipt))
            else:
                stage.dropped("not_sampled")
                receipt.done()
        if not requests:
            receipt.done()

    def _weigh(self, trace: RagTrace, floor: int) -> tuple[Decision, tuple[SensitiveHit, ...]]:
        """The decision, and the sensitive texts of a request that is sampled; scanned first only if that can matter."""
        if trace.redacted or not self.sampler.heeds_safety:
            decision = self.sampler.decide(trace, safety_hit=False, by_key=True, floor=floor)
            return decision, self.redactor.scan(trace) if decision.sampled and not trace.redacted else ()
        # the scanners look at the hits of the answer only; the rest is searched once it has to be replaced
        hits = self.redactor.scan(trace) if self.redactor.finds(trace.answer) else None
        decision = self.sampler.decide(trace, safety_hit=endangers(trace, hits or ()), by_key=True, floor=floor)
        if hits is None:
            hits = self.redactor.scan(trace) if decision.sampled else ()
        return decision, hits
