"""What a closed trace holds: extract its requests and decide on them, unless nobody can want it.

Synchronous and free of I/O.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import structlog

from monitor.accounting import Accounting
from monitor.errors import where
from monitor.feedback import Feedback
from monitor.records import Position, RagTrace
from monitor.sampling import randomness
from monitor.sources.offsets import OffsetLedger
from monitor.stages.choosing import Chooser
from monitor.stages.receipts import Receipt
from monitor.stages.steps import Step, worked
from monitor.stages.watch import TrafficWatch
from monitor.traces.assemble import Assembler
from monitor.traces.extract import Extractor
from monitor.traces.feedback import may_hold_feedback
from monitor.wire import Assembled, CloseReason, Span

log = structlog.get_logger(__name__)

_LARGE_SPANS = 500  # of a trace: more is read off the event loop
OWN_NUMBER = "rv:"
"""In the state of a trace that has a random number of its own."""


@dataclass(slots=True)
class Extraction:
    """From closed traces to decided requests."""

    extractor: Extractor
    chooser: Chooser
    assembler: Assembler
    ledger: OffsetLedger
    accounting: Accounting
    watch: TrafficWatch

    def look_into(self, assembled: Assembled, now: float) -> Iterator[Step]:
        """Extract and decide a trace, unless no policy can want it at the rates in force: then nobody needs to know.

        Feedback may speak of other requests, and `rv` is a random number of its own: such traces are always read.
        """
        own_number = any(OWN_NUMBER in span.trace_state for span in assembled.spans)
        special = own_number or any(map(may_hold_feedback, assembled.spans))
        needed = self.chooser.sampler.presample_threshold if special else self.chooser.sampler.threshold_in_force
        needed = max(needed, assembled.floor)
        if randomness.from_trace(assembled.trace_id) >= needed:
            requests = yield from self._extract(assembled, now)
            self.watch.requests(requests, needed)
            return
        self.pass_by(len(assembled.spans))
        settled = partial(self.assembler.remember, assembled.trace_id)
        Receipt(self.ledger, assembled.positions, 1, settled).done()

    def pass_by(self, spans: int) -> None:
        """Count a trace of so many spans that no policy can want."""
        self.accounting.stage("assemble").passed(spans)
        stage = self.accounting.stage("extract")
        stage.received()
        stage.dropped("unsampled")

    def _extract(self, assembled: Assembled, now: float) -> Generator[Step, None, Sequence[RagTrace]]:
        requests: Sequence[RagTrace] = ()
        feedback: Sequence[Feedback] = ()
        dropped: Mapping[str, int] = {}
        failed = None
        try:
            call = partial(self.extractor.extract, assembled)
            extracted = yield from worked(call, large=len(assembled.spans) >= _LARGE_SPANS)
        except Exception as error:  # noqa: BLE001 - a stage boundary: a defect costs one trace, not the process
            failed = error
        else:
            requests, feedback, dropped = extracted.requests, extracted.feedback, extracted.dropped
        self.accounting.stage("assemble").passed(len(assembled.spans))
        stage = self.accounting.stage("extract")
        stage.received()
        stage.passed(bool(requests))
        for reason, count in dropped.items():
            stage.dropped(reason, count)
        if failed is not None:
            stage.dropped("failed")
            log.error("a trace could not be read", trace_id=assembled.trace_id, **where(failed))
        settled = partial(self.assembler.remember, assembled.trace_id)  # from now on its late spans are late for good
        receipt = Receipt(self.ledger, assembled.positions, max(1, len(requests)) + len(feedback), settled)
        self.chooser.listen(feedback, receipt)
        self.chooser.decide(requests, receipt, now, assembled.floor)
        return requests

    def overhear(self, spans: Iterable[Span], position: Position) -> None:
        """Feedback on spans that come after their trace was closed; nothing else of them is wanted."""
        late: dict[str, list[Span]] = {}
        for span in spans:
            if may_hold_feedback(span) and self.assembler.decided(span.trace_id):
                late.setdefault(span.trace_id, []).append(span)
        for trace_id, its_spans in late.items():
            part = Assembled(trace_id, tuple(its_spans), (position,), CloseReason.FLUSHED)
            try:
                feedback = self.extractor.extract(part).feedback
            except Exception as error:  # noqa: BLE001 - a stage boundary, as in _extract
                log.error("late spans could not be read", trace_id=trace_id, **where(error))  # noqa: TRY400 - see where
                continue
            if feedback:
                self.ledger.hold(position)
                self.chooser.listen(feedback, Receipt(self.ledger, (position,), len(feedback)))
