"""Verdicts, cases and dead letters with every field set."""

from __future__ import annotations

from dataclasses import replace

from monitor.feedback import Feedback, HeardFeedback
from monitor.records import (
    Case,
    ContextsSource,
    Decision,
    DecisionKind,
    Evidence,
    JudgeIdentity,
    Judgement,
    Outcome,
    Passage,
    PassageKind,
    Position,
    Provenance,
    RagTrace,
    RequestError,
    SensitiveHit,
    Usage,
    Verdict,
)
from monitor.wire import DeadLetter

VERDICT = Verdict(
    verdict_id="v1",
    trace_id="0af7651916cd43dd8448eb211c80319c",
    request_id="b7ad6b7169203331",
    evaluation="faithfulness",
    judge="embedded",
    fingerprint="0123456789ab",
    calibrated=False,
    outcome=Outcome.SCORED,
    reason="",
    score=0.75,
    label="partial",
    weight=100,
    probability=0.01,
    policies=("base", "error"),
    end_ns=1_790_000_000_123_456_789,
    judged_ns=1_790_000_001_000_000_001,
    app="shop",
    tenant="租户",
    flags=("repaired_reply",),
)

CASE = Case(
    case_id="c1",
    trace=RagTrace(
        trace_id=VERDICT.trace_id,
        request_id=VERDICT.request_id,
        question="骑车丢了头盔怎么办？",
        answer="Pay 40 francs. 🚲",
        contexts=(Passage("A lost helmet costs 40 francs.", "p1", 0.9), Passage("", kind=PassageKind.TOOL)),
        contexts_source=ContextsSource.SPAN,
        error=RequestError("TimeoutError", "generation", "late"),
        feedback=(Feedback("thumb", score=-1.0, comment="wrong", negative=True),),
        end_ns=VERDICT.end_ns,
    ),
    decision=Decision(DecisionKind.SAMPLED, 0.01, 100, ("base",)),
    judgements=(
        Judgement(
            "faithfulness",
            JudgeIdentity("embedded", "0123456789ab"),
            Outcome.SCORED,
            score=0.75,
            explanation="one of two",
            evidence=(Evidence("Pay 40 francs.", 1.0, 1, 0, 14, "supported"),),
            usage=Usage(1, 10, 5, 0.001),
        ),
        Judgement("safety.harm", JudgeIdentity("llm", "ba9876543210"), Outcome.JUDGE_ERROR, "timeout"),
    ),
    hits=(SensitiveHit("email", "answer", 3, 9, Provenance.NOVEL),),
    redaction="r1",
    harvest_reason="base",
    position=Position("otlp_spans", 3, 42),
    judged_ns=VERDICT.judged_ns,
)

HEARD = HeardFeedback(
    feedback_id="f1",
    feedback=Feedback(
        name="user_feedback",
        score=0.0,
        label="thumbs_down",
        comment="错的：太短",
        negative=True,
        trace_id=VERDICT.trace_id,
        response_id="chatcmpl-1",
        carrier_trace_id="dfcd4b63d21f88e9a0da8e1935fced07",
        span_id=VERDICT.request_id,
        given_ns=1_790_000_100_000_000_000,
    ),
    weight=10,
)

LETTER = DeadLetter(
    position=Position("otlp_spans", 1, 7),
    key=b"\xff\x00key",
    value=b"\x00not protobuf\xff",
    headers=(("tenant", b"\xfe"), ("tenant", b"twice")),
    error="not_protobuf",
    detail="field 3 ends outside the message",
    failed_ns=1_790_000_000_000_000_000,
)


def verdict(number: int) -> Verdict:
    """A verdict of its own trace."""
    return replace(VERDICT, verdict_id=f"v{number}", trace_id=f"{number:032x}")
