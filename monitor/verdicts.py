"""From judgements to what leaves the process: verdicts without content, and the case with redacted content.

Ids are functions of what they name, so that a redelivered record gives the same ids again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace

import structlog

from monitor.judges.panel import PanelMember
from monitor.privacy.redactor import Redactor
from monitor.records import (
    Case,
    Decision,
    Evidence,
    Judgement,
    Outcome,
    Position,
    RagTrace,
    SensitiveHit,
    Verdict,
)

log = structlog.get_logger(__name__)


def case_id(trace_id: str, request_id: str) -> str:
    """Id of a request's case: 32 hex characters."""
    return _digest("case", trace_id, request_id)


def verdict_id(trace_id: str, request_id: str, evaluation: str, fingerprint: str) -> str:
    """Id of a verdict: 32 hex characters. Another judge fingerprint gives another verdict."""
    return _digest("verdict", trace_id, request_id, evaluation, fingerprint)


def verdict_of(trace: RagTrace, decision: Decision, judgement: Judgement, judged_ns: int) -> Verdict:
    """The line of the verdict topic. `trace` is the redacted one: its tenant is a pseudonym or absent."""
    judge = judgement.judge
    return Verdict(
        verdict_id=verdict_id(trace.trace_id, trace.request_id, judgement.evaluation, judge.fingerprint),
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
    )


def case_of(
    trace: RagTrace,
    decision: Decision,
    judgements: Sequence[Judgement],
    *,
    hits: tuple[SensitiveHit, ...],
    redactor: Redactor,
    position: Position,
    judged_ns: int,
) -> Case:
    """The line of the case topic. `trace` is redacted already; what the judges quote from it is redacted here."""
    return Case(
        case_id=case_id(trace.trace_id, trace.request_id),
        trace=trace,
        decision=decision,
        judgements=tuple(_redacted(judgement, redactor, trace.answer or "") for judgement in judgements),
        hits=hits,
        redaction=redactor.identity,
        harvest_reason=decision.policies[0] if decision.policies else "base",
        position=position,
        judged_ns=judged_ns,
    )


def skipped(members: Iterable[PanelMember], reason: str) -> tuple[Judgement, ...]:
    """One `skipped` judgement for each evaluation of the judges: verdicts that are missing by our own choice."""
    return tuple(
        Judgement(evaluation, member.judge.identity(evaluation), Outcome.SKIPPED, reason)
        for member in members
        for evaluation in member.judge.evaluations
    )


def _redacted(judgement: Judgement, redactor: Redactor, answer: str) -> Judgement:
    """The judgement without sensitive texts. `answer` is the redacted one."""
    try:
        explanation = redactor.redact_text(judgement.explanation)
        evidence = tuple(_redacted_evidence(item, redactor, answer) for item in judgement.evidence)
    except Exception as error:  # noqa: BLE001 - whatever went wrong, a text that may be raw is left out
        log.error("a judge's texts could not be redacted", judge=judgement.judge.name, error=type(error).__name__)  # noqa: TRY400 - the text of the error may quote the judged one
        explanation, evidence = "", ()
    if explanation == judgement.explanation and evidence == judgement.evidence:
        return judgement
    return replace(judgement, explanation=explanation, evidence=evidence)


def _redacted_evidence(item: Evidence, redactor: Redactor, answer: str) -> Evidence:
    note = redactor.redact_text(item.note)
    # what stands in the redacted answer leaves with the case in any event, so a quotation of it need not be searched
    text = item.text if item.text in answer else redactor.redact_text(item.text)
    if text == item.text:
        return item if note == item.note else replace(item, note=note)
    # the offsets were those of the raw answer; in the redacted one they would point elsewhere
    return replace(item, text=text, note=note, start=-1, end=-1)


def _digest(*parts: str) -> str:
    # the unit separator stands in no id, evaluation name or fingerprint, so parts cannot run together
    text = "\x1f".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=16).hexdigest()
