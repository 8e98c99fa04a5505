"""From judgements to what leaves the process: verdicts without content, and the case with redacted content.

Ids are functions of what they name, so that a redelivered record gives the same ids again.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import structlog

from monitor.feedback import UNNAMED, Feedback, HeardFeedback
from monitor.judges.panel import PanelMember
from monitor.privacy.redactor import Redactor
from monitor.records import (
    MAX_NAMED,
    Case,
    Decision,
    Evidence,
    JudgeIdentity,
    Judgement,
    Outcome,
    Position,
    RagTrace,
    SensitiveHit,
    Verdict,
)

log = structlog.get_logger(__name__)

MAX_COMMENT = 4096
"""Characters of a comment that are kept."""
MAX_WORD = 64
"""Characters of a name or a label of feedback that are kept."""
MAX_INLINE = 100
"""Feedback of one request that is counted."""
_SEARCHED = 2 * MAX_COMMENT
_BROKEN_OFF = 2048  # of a text that was cut before it was searched: half of a sensitive text may stand at its end
_MAX_TIME = 2**63 - 1


def case_id(trace_id: str, request_id: str) -> str:
    """Id of a request's case: 32 hex characters."""
    return _digest("case", trace_id, request_id)


def verdict_id(trace_id: str, request_id: str, evaluation: str, fingerprint: str) -> str:
    """Id of a verdict: 32 hex characters. Another judge fingerprint gives another verdict."""
    return _digest("verdict", trace_id, request_id, evaluation, fingerprint)


def told_apart(judge: JudgeIdentity) -> str:
    """The fingerprint for a verdict's id; a shadow may be the same judge as the one that it runs beside."""
    return f"{judge.fingerprint}/{judge.name}" if judge.shadow_of else judge.fingerprint


def verdict_of(trace: RagTrace, decision: Decision, judgement: Judgement, judged_ns: int) -> Verdict:
    """The line of the verdict topic. `trace` is the redacted one: its tenant is a pseudonym or absent."""
    judge = judgement.judge
    return Verdict(
        verdict_id=verdict_id(trace.trace_id, trace.request_id, judgement.evaluation, told_apart(judge)),
        trace_id=trace.trace_id,
        request_id=trace.request_id,
        evaluation=judgement.evaluation,
        judge=judge.name,
        fingerprint=judge.fingerprint,
        calibrated=judge.calibrated,
        outcome=judgement.outcome,
        reason=judgement.reason,
        score=judgement.score,
        label=judgement.label,
        weight=decision.weight,
        probability=decision.probability,
        policies=decision.policies,
        end_ns=trace.end_ns,
        judged_ns=judged_ns,
        app=trace.app,
        app_version=trace.app_version,
        model=trace.model or trace.response_model,
        prompt_version=trace.prompt_version,
        knowledge_base=trace.knowledge_base,
        tenant=trace.tenant,
        language=trace.language,
        coverage=judgement.coverage,
        calls=judgement.usage.calls,
        input_tokens=judgement.usage.input_tokens,
        output_tokens=judgement.usage.output_tokens,
        cost=judgement.usage.cost,
        latency_s=judgement.latency_s,
        flags=judgement.flags,
        response_id=_token(trace.response_id),
        cause=judgement.cause,
        cause_evidence=judgement.cause_evidence,
        shadow_of=judge.shadow_of,
    )


def case_of(
    trace: RagTrace,
    decision: Decision,
    judgements: Sequence[Judgement],
    *,
    raw: RagTrace,
    hits: tuple[SensitiveHit, ...],
    redactor: Redactor,
    position: Position,
    judged_ns: int,
) -> Case:
    """The line of the case topic. `trace` is `raw` redacted; what the judges quote from it is redacted here."""
    quoted = _Quoted(raw, trace, redactor)
    return Case(
        case_id=case_id(trace.trace_id, trace.request_id),
        trace=trace,
        decision=decision,
        judgements=tuple(map(quoted.redacted, judgements)),
        hits=hits,
        redaction=redactor.identity,
        harvest_reason=decision.policies[0] if decision.policies else "base",
        position=position,
        judged_ns=judged_ns,
    )


def heard_of(feedback: Feedback, redactor: Redactor, *, arrived_ns: int, weight: int = 1) -> HeardFeedback:
    """Feedback as it is written down. `arrived_ns` stands in where it does not say when it was given."""
    score = feedback.score if feedback.score is not None and math.isfinite(feedback.score) else None
    try:
        name = _kept(feedback.name, redactor, MAX_WORD)
        label = _kept(feedback.label, redactor, MAX_WORD)
        comment = _kept(feedback.comment, redactor, MAX_COMMENT)
    except Exception as error:  # noqa: BLE001 - whatever went wrong, a text that may be raw is left out
        log.error("feedback could not be redacted", error=type(error).__name__)  # noqa: TRY400 - the text of the error may quote it
        name = label = comment = None
    kept = replace(
        feedback,
        name=name or UNNAMED,
        score=score,
        label=label,
        comment=comment,
        trace_id=_named(feedback.trace_id),
        response_id=_token(feedback.response_id),
        carrier_trace_id=_named(feedback.carrier_trace_id),
        span_id=_token(feedback.span_id),
        given_ns=min(feedback.given_ns, _MAX_TIME),
    )
    made = HeardFeedback(_feedback_id(kept), kept, weight)
    return made if kept.given_ns else replace(made, feedback=replace(kept, given_ns=arrived_ns))


def inline_feedback(trace: RagTrace, redactor: Redactor) -> tuple[HeardFeedback, ...]:
    """The feedback that came with a request. `trace` is the raw one, so that ids are those of the same words alone."""
    return tuple(
        replace(
            heard_of(replace(item, trace_id=trace.trace_id, span_id=None), redactor, arrived_ns=trace.end_ns),
            inline=True,
        )
        for item in trace.feedback[:MAX_INLINE]
    )


def skipped(members: Iterable[PanelMember], reason: str) -> tuple[Judgement, ...]:
    """One `skipped` judgement for each evaluation of the judges: verdicts that are missing by our own choice."""
    return tuple(
        Judgement(evaluation, member.judge.identity(evaluation), Outcome.SKIPPED, reason)
        for member in members
        for evaluation in member.judge.evaluations
    )


class _Quoted:
    """What the judges quote from one request, as it may leave with the redacted one."""

    def __init__(self, raw: RagTrace, redacted: RagTrace, redactor: Redactor) -> None:
        self._redactor = redactor
        self._answer = redacted.answer or ""
        self._same_answer = raw.answer == redacted.answer
        pairs = enumerate(zip(raw.contexts, redacted.contexts, strict=True), 1)
        self._same_passages = {number for number, (before, after) in pairs if before.text == after.text}

    def redacted(self, judgement: Judgement) -> Judgement:
        """The judgement without sensitive texts."""
        try:
            explanation = self._redactor.redact_text(judgement.explanation)
            evidence = tuple(map(self._evidence, judgement.evidence))
        except Exception as error:  # noqa: BLE001 - whatever went wrong, a text that may be raw is left out
            log.error("a judge's texts could not be redacted", judge=judgement.judge.name, error=type(error).__name__)  # noqa: TRY400 - the text of the error may quote the judged one
            explanation, evidence = "", ()
        if explanation == judgement.explanation and evidence == judgement.evidence:
            return judgement
        return replace(judgement, explanation=explanation, evidence=evidence)

    def _evidence(self, item: Evidence) -> Evidence:
        note = self._redactor.redact_text(item.note)
        # what stands in the redacted answer leaves with the case anyway, so a quotation of it need not be searched
        text = item.text if item.text in self._answer else self._redactor.redact_text(item.text)
        kept = item if (text, note) == (item.text, item.note) else replace(item, text=text, note=note)
        # offsets were those of the raw texts; in redacted ones they would point elsewhere
        if text != item.text or not self._same_answer:
            start = self._start_of(item) if text == item.text else -1
            kept = replace(kept, start=start, end=start + len(text) if start >= 0 else -1)
        if item.passage_start >= 0 and item.passage not in self._same_passages:
            kept = replace(kept, passage_start=-1, passage_end=-1)
        return kept

    def _start_of(self, item: Evidence) -> int:
        """Where a quotation stands in the redacted answer; -1 when it had no place, or now has none or several."""
        if item.start < 0 or not item.text:
            return -1
        if self._answer.startswith(item.text, item.start):
            return item.start
        return self._answer.find(item.text) if self._answer.count(item.text) == 1 else -1


def _kept(text: str | None, redactor: Redactor, limit: int) -> str | None:
    """The text without what is sensitive, cut; None when nothing is left."""
    if not text:
        return None
    redacted = redactor.redact_text(text[:_SEARCHED])
    return (redacted if len(text) <= _SEARCHED else redacted[:-_BROKEN_OFF])[:limit] or None


def _named(identifier: str | None) -> str | None:
    """An id that something can be found by."""
    return identifier if identifier and len(identifier) <= MAX_NAMED else None


def _token(identifier: str | None) -> str | None:
    """An id that something can be found by, and no sentence: whoever sends feedback may write what they like here."""
    named = _named(identifier)
    return named if named and named.isprintable() and len(named.split()) == 1 else None


def _feedback_id(feedback: Feedback) -> str:
    """Of what was said and of which answer: 32 hex characters. Two carriers are two opinions, however alike."""
    said = (feedback.name, feedback.score, feedback.label, feedback.negative, feedback.human, feedback.comment)
    meant = (feedback.trace_id, feedback.response_id, feedback.carrier_trace_id)
    return _digest("feedback", *map(repr, (*said, *meant, feedback.given_ns)))


def _digest(*parts: str) -> str:
    # the unit separator stands in no id, evaluation name or fingerprint, so parts cannot run together
    text = "\x1f".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=16).hexdigest()
