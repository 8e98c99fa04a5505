"""Rules of ids, and of what a verdict and a case hold."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporters.messages import decode_verdict, encode_verdict
from monitor.config.settings import Privacy
from monitor.feedback import Feedback
from monitor.judges.panel import PanelMember
from monitor.privacy.redactor import Redactor
from monitor.records import (
    Decision,
    DecisionKind,
    Evidence,
    JudgeIdentity,
    Judgement,
    Outcome,
    Passage,
    Position,
    RagTrace,
)
from monitor.stages.verdicts import case_id, case_of, heard_of, inline_feedback, skipped, verdict_id, verdict_of
from tests.fakes import ScriptedJudge

TRACE = RagTrace("t" * 32, "r" * 16, "Who?", "Bob.", (Passage("Bob."),), model=None, response_model="m-2", end_ns=7)
DECISION = Decision(DecisionKind.SAMPLED, 0.25, 4, ("error", "base"))
JUDGE = JudgeIdentity("embedded", "0123456789ab")
JUDGEMENT = Judgement("faithfulness", JUDGE, Outcome.SCORED, score=0.5, label="partial")
REDACTOR = Redactor(Privacy(), None)
parts = st.text(st.characters(exclude_characters="\x1f"), max_size=4)


@given(st.lists(st.tuples(parts, parts, parts, parts), min_size=2, max_size=2, unique=True))
def test_two_verdicts_share_an_id_only_if_all_that_names_them_is_the_same(
    names: list[tuple[str, str, str, str]],
) -> None:
    first, second = names
    assert verdict_id(*first) == verdict_id(*first) != verdict_id(*second)
    assert len(verdict_id(*first)) == 32


def test_a_case_is_no_verdict_though_the_same_things_name_them() -> None:
    assert case_id("a", "b") != verdict_id("a", "b", "", "")
    assert case_id("\ud83e", "") == case_id("\ud83e", "")


def test_a_verdict_carries_the_weight_of_its_decision_and_the_model_that_answered_if_none_was_asked_for() -> None:
    verdict = verdict_of(TRACE, DECISION, JUDGEMENT, 9)
    assert (verdict.weight, verdict.probability, verdict.policies) == (4, 0.25, ("error", "base"))
    assert (verdict.model, verdict.end_ns, verdict.judged_ns, verdict.score, verdict.label) == (
        "m-2",
        7,
        9,
        0.5,
        "partial",
    )
    assert verdict.verdict_id == verdict_id(TRACE.trace_id, TRACE.request_id, "faithfulness", JUDGE.fingerprint)


def test_a_verdict_holds_nothing_that_the_judge_wrote_or_quoted() -> None:
    told = replace(JUDGEMENT, explanation="SECRET", evidence=(Evidence("SECRET", 0.0, note="SECRET"),))
    full = replace(TRACE, question="SECRET", answer="SECRET", contexts=(Passage("SECRET", "SECRET"),))
    assert b"SECRET" not in encode_verdict(verdict_of(full, DECISION, told, 9))


def test_what_a_judge_quotes_is_redacted_and_offsets_point_into_the_redacted_texts_or_go() -> None:
    texts = ("Ask bob@example.com or Ann.", "Ann. Ann.")
    raw = replace(TRACE, answer="bob@example.com helps. Bob. Bo. Bo.", contexts=tuple(map(Passage, texts)))
    redacted = REDACTOR.redact(raw, REDACTOR.scan(raw))
    unmoved = Evidence("<EMAIL_1>", 1.0, 2, start=0, end=9, passage_start=0, passage_end=4)
    moved = Evidence("Bob.", 1.0, 1, start=23, end=27, passage_start=23, passage_end=27)
    ambiguous = Evidence("Bo.", 1.0, 2, start=28, end=31, passage_start=5, passage_end=9)
    quoted = Evidence("bob@example.com helps.", 0.0, start=0, end=22, note="see bob@example.com")
    told = replace(JUDGEMENT, explanation="bob@example.com is not there", evidence=(unmoved, moved, ambiguous, quoted))
    case = case_of(
        redacted, DECISION, [told], raw=raw, hits=(), redactor=REDACTOR, position=Position("t", 0, 3), judged_ns=9
    )
    (judgement,) = case.judgements
    assert judgement.explanation == "<EMAIL_1> is not there"
    assert redacted.answer == "<EMAIL_1> helps. Bob. Bo. Bo."
    assert judgement.evidence == (
        unmoved,
        replace(moved, start=17, end=21, passage_start=-1, passage_end=-1),
        replace(ambiguous, start=-1, end=-1),
        Evidence("<EMAIL_1> helps.", 0.0, start=-1, end=-1, note="see <EMAIL_1>"),
    )
    assert (case.harvest_reason, case.redaction) == ("error", REDACTOR.identity)


def test_offsets_into_texts_that_hold_nothing_sensitive_stay() -> None:
    piece = Evidence("email", 0.0, 1, start=0, end=4, passage_start=0, passage_end=3)
    told = replace(JUDGEMENT, evidence=(piece,))
    case = case_of(
        TRACE, DECISION, [told], raw=TRACE, hits=(), redactor=REDACTOR, position=Position("t", 0, 3), judged_ns=9
    )
    assert case.judgements[0].evidence == (piece,)


def test_skipped_gives_one_missing_verdict_for_each_evaluation_of_each_judge() -> None:
    members = [PanelMember(ScriptedJudge(evaluations=("a", "b")), 1), PanelMember(ScriptedJudge(name="other"), 1)]
    given_up = skipped(members, "queue_full")
    assert [(item.judge.name, item.evaluation, item.outcome, item.reason, item.score) for item in given_up] == [
        ("scripted", "a", Outcome.SKIPPED, "queue_full", None),
        ("scripted", "b", Outcome.SKIPPED, "queue_full", None),
        ("other", "faithfulness", Outcome.SKIPPED, "queue_full", None),
    ]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("chatcmpl-9aad", "chatcmpl-9aad"),
        (None, None),
        ("", None),
        ("call me on Sunday", None),
        ("a\nb", None),
        ("x" * 257, None),
    ],
)
def test_a_verdict_names_its_reply_unless_that_is_no_id(given: str | None, kept: str | None) -> None:
    verdict = verdict_of(replace(TRACE, response_id=given), DECISION, JUDGEMENT, 9)
    heard = heard_of(Feedback("thumb", trace_id="t", response_id=given, span_id=given), REDACTOR, arrived_ns=7)
    assert (verdict.response_id, heard.feedback.response_id, heard.feedback.span_id) == (kept, kept, kept)


def test_the_id_of_feedback_is_that_of_its_words_whenever_and_however_it_comes() -> None:
    said = Feedback("thumb", label="thumbs_down", comment="too short", trace_id="t")
    known = heard_of(said, REDACTOR, arrived_ns=7).feedback_id
    assert heard_of(said, REDACTOR, arrived_ns=8, weight=10).feedback_id == known
    inline = inline_feedback(replace(TRACE, trace_id="t", feedback=(said,)), REDACTOR)
    assert [(item.feedback_id, item.inline, item.feedback.given_ns) for item in inline] == [(known, True, TRACE.end_ns)]
    others = [
        replace(said, label="thumbs_up"),
        replace(said, comment="too long"),
        replace(said, trace_id="u"),
        replace(said, carrier_trace_id="c"),
        replace(said, given_ns=5),
        replace(said, human=False),
    ]
    assert len({heard_of(other, REDACTOR, arrived_ns=7).feedback_id for other in others} | {known}) == 7


def test_a_verdict_carries_the_cause_of_its_low_score() -> None:
    low = replace(JUDGEMENT, cause="ranking", cause_evidence="first relevant passage: number 5 of 5")
    verdict = verdict_of(TRACE, DECISION, low, 9)
    assert (verdict.cause, verdict.cause_evidence) == ("ranking", "first relevant passage: number 5 of 5")
    assert decode_verdict(encode_verdict(verdict)) == verdict
