"""Rules of the embedded judge."""

import asyncio
import gzip
import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.config.judges import EmbeddedJudge as EmbeddedSettings
from monitor.judges import embedded
from monitor.judges.embedded import EmbeddedJudge, evidence_texts
from monitor.judges.grounding.assessment import MAX_CLAIMS, UNSUPPORTED, Assessment, assess, explain, label_of
from monitor.records import ContextsSource, Evidence, Judgement, Outcome, Passage, PassageKind, RagTrace
from tests.fakes import FakeClock

PASSAGES = [
    "The museum is open from Tuesday to Sunday. Entry costs 12 euros. Children under six enter free.",
    "本产品保修期为2年，自购买之日起计算。人为损坏不在保修范围内。",
]
TRACE = RagTrace(
    trace_id="0" * 32,
    request_id="0" * 16,
    question="What does entry cost?",
    answer="Entry costs 12 euros. The museum was founded by Napoleon in 1803.",
    contexts=tuple(Passage(text) for text in PASSAGES),
    contexts_source=ContextsSource.SPAN,
)


def judged(trace: RagTrace, seconds: float = 30.0) -> Judgement:
    clock = FakeClock()
    judge = EmbeddedJudge(EmbeddedSettings(), clock)
    (judgement,) = asyncio.run(judge.judge(trace, (), clock.monotonic() + seconds))
    return judgement


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("Entry costs 12 euros.", "supported"),
        ("Entry costs 12 euros and children under six enter free.", "supported"),
        ("Entry costs 15 euros.", "unsupported"),
        ("The museum was founded by Napoleon.", "unsupported"),
        ("保修期为两年。", "supported"),
        ("保修期为五年。", "unsupported"),
        ("我们的总部在上海，成立于1998年。", "unsupported"),
    ],
)
def test_a_sentence_is_supported_when_the_passages_say_it(answer: str, label: str) -> None:
    (piece,) = assess(answer, PASSAGES).evidence
    assert piece.label == label


def test_a_verdict_names_the_unsupported_sentence_with_its_place_and_best_passage() -> None:
    judgement = judged(TRACE)
    assert (judgement.outcome, judgement.label, judgement.coverage) == (Outcome.SCORED, "unfaithful", 1.0)
    assert [(piece.label, piece.passage) for piece in judgement.evidence] == [("supported", 1), ("unsupported", 1)]
    assert [(TRACE.answer or "")[piece.start : piece.end] for piece in judgement.evidence] == [
        piece.text for piece in judgement.evidence
    ]
    assert judgement.score == pytest.approx(np.mean([piece.score for piece in judgement.evidence]))
    assert 'Not supported: "The museum was founded by Napoleon in 1803."' in judgement.explanation
    assert not judgement.judge.calibrated


def test_a_verdict_gives_the_window_of_the_passage_that_a_sentence_was_held_against() -> None:
    needed = "Visitors pay twelve euros at the door. Children under six come in for nothing."
    text = f"  The park behind it is older.\n {needed} Dogs have to stay outside the house. "
    trace = replace(
        TRACE, answer="At the door pay 12 euros, children nothing.", contexts=(Passage("No."), Passage(text))
    )
    (piece,) = judged(trace).evidence
    assert (piece.passage, text[piece.passage_start : piece.passage_end]) == (2, needed)


def test_offsets_point_into_the_result_of_a_tool_itself_and_not_into_the_question_before_it() -> None:
    contexts = (Passage("  It is 397.8.", kind=PassageKind.TOOL),)
    trace = replace(TRACE, question="What is 17% of 2,340?", answer="It is 397.8.", contexts=contexts)
    (piece,) = judged(trace).evidence
    assert (piece.passage, piece.passage_start, piece.passage_end) == (1, 0, 14)


def test_a_sentence_of_which_no_passage_holds_a_word_has_no_place() -> None:
    (piece,) = judged(replace(TRACE, answer="Napoleon slept.")).evidence
    assert (piece.passage, piece.passage_start, piece.passage_end) == (0, -1, -1)


def test_an_answer_whose_sentences_all_stand_in_the_passages_is_faithful() -> None:
    judgement = judged(replace(TRACE, answer="Entry costs 12 euros. Children under six enter free."))
    assert (judgement.label, (judgement.score or 0) > 0.9) == ("faithful", True)


@pytest.mark.parametrize(
    "answer",
    [
        "Yes. Entry costs 12 euros.",
        "## Prices\n**Summary:** Entry costs 12 euros. [Source: prices.pdf, p. 12]\n\nSources:\n- prices.pdf",
        "Entry costs 12 euros.¹",
        "| what | price |\n|---|---|\n| Entry costs | 12 euros |",
    ],
)
def test_what_surrounds_a_sentence_of_the_passages_does_not_lower_its_score(answer: str) -> None:
    judgement = judged(replace(TRACE, answer=answer))
    assert (judgement.label, len(judgement.evidence), (judgement.score or 0) > 0.9) == ("faithful", 1, True)


@given(st.lists(st.sampled_from([0.1, 0.5, 0.9]), min_size=1, max_size=9))
def test_an_explanation_agrees_with_label_and_score(scores: list[float]) -> None:
    evidence = tuple(Evidence(f"s{score}", score, 1, 0, 1, label_of(score)) for score in scores)
    assessment = Assessment(float(np.mean(scores)), evidence)
    text = explain(assessment)
    in_part = f", {scores.count(0.5)} in part" if 0.5 in scores else ""
    assert text.startswith(f"{scores.count(0.9)} of {len(scores)} sentences supported by the passages{in_part}.")
    assert ("Not supported:" in text) == (assessment.label == "unfaithful") == (0.1 in scores)
    assert ("Partly supported:" in text) == (0.5 in scores)
    assert assessment.label == "unfaithful" or (assessment.score or 0) >= UNSUPPORTED


def test_fc_011_a_japanese_answer_without_a_final_stop_is_judged_faithful() -> None:
    contexts = (Passage("第1回大会は1967年1月15日に開催された。"),)
    judgement = judged(replace(TRACE, answer="最初の大会は1967年1月15日に開かれました", contexts=contexts))
    assert (judgement.outcome, judgement.label) == (Outcome.SCORED, "faithful")


def test_fc_017_a_tool_result_is_evidence_together_with_the_question() -> None:
    trace = replace(
        TRACE,
        question="What is 17% of 2,340?",
        answer="17% of 2,340 is 397.8.",
        contexts=(Passage("397.8", kind=PassageKind.TOOL),),
    )
    assert judged(trace).label == "faithful"
    assert judged(replace(trace, answer="17% of 2,340 is 412.")).label == "unfaithful"


def test_the_question_is_no_evidence_for_documents() -> None:
    assert evidence_texts(TRACE) == PASSAGES


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"contexts": ()}, "no_context"),
        ({"answer": "I don't know."}, "abstention"),
        ({"truncated": True}, "incomplete_input"),
        ({"answer": "Hello! How can I help you today?"}, "no_claims"),
        ({"answer": "Yes."}, "no_claims"),
        ({"answer": "Not specified."}, "abstention"),
    ],
)
def test_what_cannot_be_judged_has_a_reason_and_no_score(change: dict[str, object], reason: str) -> None:
    judgement = judged(replace(TRACE, **change))  # type: ignore[arg-type]
    assert (judgement.outcome, judgement.reason, judgement.score) == (Outcome.NOT_SCORABLE, reason, None)


def test_a_claim_in_a_script_that_no_passage_has_is_no_invention_but_a_missing_verdict() -> None:
    english = tuple(Passage(text) for text in PASSAGES[:1])
    judgement = judged(replace(TRACE, answer="门票价格是十二欧元。", contexts=english))
    assert (judgement.outcome, judgement.reason) == (Outcome.JUDGE_ERROR, "foreign_script")
    mixed = judged(replace(TRACE, answer="门票价格是十二欧元。\nEntry costs 12 euros.", contexts=english))
    assert (mixed.outcome, mixed.coverage, len(mixed.evidence)) == (Outcome.SCORED, 0.5, 1)


@pytest.mark.parametrize(
    ("answer", "passage"),
    [
        ("Entry costs 12 euros on weekdays.", "Вход в музей стоит двенадцать евро в будние дни."),
        ("Вход в музей стоит двенадцать евро.", "Entry costs 12 euros on weekdays."),
        ("Η είσοδος κοστίζει 12 ευρώ.", "Вход в музей стоит двенадцать евро."),
    ],
)
def test_scripts_that_part_words_by_blanks_are_foreign_to_each_other_too(answer: str, passage: str) -> None:
    judgement = judged(replace(TRACE, answer=answer, contexts=(Passage(passage),)))
    assert (judgement.outcome, judgement.reason) == (Outcome.JUDGE_ERROR, "foreign_script")
    both = judged(replace(TRACE, answer=answer, contexts=(Passage(passage), Passage(answer))))
    assert (both.outcome, both.label) == (Outcome.SCORED, "faithful")


@pytest.mark.parametrize(("answer", "label"), [("397.8", "faithful"), ("412.5", "unfaithful")])
def test_a_number_alone_is_in_every_script(answer: str, label: str) -> None:
    assert judged(replace(TRACE, answer=answer, contexts=(Passage("总额为397.8元，由客户承担。"),))).label == label


def test_a_product_name_in_another_script_is_judged() -> None:
    contexts = (Passage("本店销售 Galaxy S24 Ultra 手机，保修期为两年。"),)
    assert judged(replace(TRACE, answer="Galaxy S24 Ultra.", contexts=contexts)).label == "faithful"


def test_a_very_long_answer_is_judged_in_part() -> None:
    for answer in ("Entry costs 12 euros. " * 2000, "Entry costs 12 euros and twelve euros again and again " * 2000):
        judgement = judged(replace(TRACE, answer=answer))
        assert 0.1 < judgement.coverage < 0.5
        assert 1 < len(judgement.evidence) <= MAX_CLAIMS
        assert judgement.flags == ("answer_truncated",)


def test_a_verdict_on_a_whole_answer_is_not_flagged() -> None:
    assert judged(TRACE).flags == ()


LATIN = ["red", "green", "tall", "Rome", "Anna", "12", "34", "not"]
HAN = ["保修", "两年", "客户", "退货", "不", "12", "十五"]


def sentences_of(words: list[str]) -> st.SearchStrategy[tuple[str, list[str]]]:
    """A sentence and one to three passages, all of the same few words."""
    text = st.lists(st.sampled_from(words), min_size=1, max_size=12).map(lambda found: " ".join([words[0], *found]))
    return st.tuples(text, st.lists(text, min_size=1, max_size=3))


texts = st.one_of(sentences_of(LATIN), sentences_of(HAN))


@given(texts)
def test_a_passage_that_says_it_word_for_word_supports_it(pair: tuple[str, list[str]]) -> None:
    sentence, passages = pair
    (before,) = assess(f"{sentence}.", passages).evidence
    (after,) = assess(f"{sentence}.", [*passages, sentence]).evidence
    assert after.score >= min(0.9, before.score)
    assert after.label == "supported"


@given(texts)
def test_a_number_that_no_passage_holds_can_only_lower_the_score(pair: tuple[str, list[str]]) -> None:
    sentence, passages = pair
    (before,) = assess(f"{sentence}.", passages).evidence
    (after,) = assess(f"{sentence} 987.", passages).evidence
    assert after.score <= before.score


@pytest.mark.parametrize(
    ("answer", "changed"),
    [
        ("Entry costs 12 euros.", "Entry costs 13 euros."),
        ("Entry costs 12 euros.", "Entry costs 12 euros for Napoleon."),
        ("The museum is open on Sunday.", "The museum is not open on Sunday."),
        ("Children under six enter free.", "Children under six enter free since 1987."),
        ("保修期为2年。", "保修期为3年。"),
        ("保修期为2年。", "保修期不为2年。"),
        ("保修期为2年。", "北京的保修期为2年。"),
    ],
)
def test_an_invented_number_name_date_or_negation_lowers_the_score(answer: str, changed: str) -> None:
    (before,), (after,) = assess(answer, PASSAGES).evidence, assess(changed, PASSAGES).evidence
    assert after.score < before.score


def test_length_and_place_of_a_sentence_make_no_difference() -> None:
    sentences = ["Entry costs 12 euros.", "The museum was founded by Napoleon.", "Children under six enter free."]
    alone = [assess(sentence, PASSAGES).score for sentence in sentences]
    forward = [piece.score for piece in assess(" ".join(sentences), PASSAGES).evidence]
    backward = [piece.score for piece in assess(" ".join(reversed(sentences)), PASSAGES).evidence]
    assert forward == alone == backward[::-1]
    assert assess("Entry costs 12 euros. " * 9, PASSAGES).score == pytest.approx(alone[0])


@pytest.mark.parametrize(
    ("change", "question"),
    [
        ({}, "Who founded it, Napoleon in 1803?"),
        ({"answer": "北京的住宿标准为500元。", "contexts": (Passage("住宿标准为500元。"),)}, "北京的住宿标准是多少？"),
    ],
)
def test_the_question_makes_no_difference_to_the_score(change: dict[str, object], question: str) -> None:
    """Also where it names what the answer names: whoever asks may be wrong."""
    trace = replace(TRACE, **change)  # type: ignore[arg-type]  # fields of a trace
    assert judged(trace).score == judged(replace(trace, question=question)).score


@pytest.mark.parametrize(
    "answer",
    [
        "公司总部设在广州。",
        "公司总部设在日本。",
        "该项目由张伟负责。",
        "該項目由張偉負責。",
        "该项目由约翰·史密斯负责。",
    ],
)
def test_a_place_or_a_person_that_no_passage_names_is_an_invention(answer: str) -> None:
    passages = ["公司总部设在深圳市南山区。", "经理王小明负责该项目。"]
    (piece,) = assess(answer, passages).evidence
    assert piece.label == "unsupported"
    (true,) = assess("公司总部设在深圳。", passages).evidence
    assert true.label == "supported"


def test_labels_follow_their_bounds() -> None:
    assert [label_of(score) for score in (0.0, 0.39, 0.4, 0.59, 0.6, 1.0)] == [
        "unsupported", "unsupported", "partial", "partial", "supported", "supported",
    ]  # fmt: skip


def test_the_judge_reaches_its_bars_on_labelled_rows() -> None:
    """AUROC: mean over the English sources, and of the Chinese one; skipped where the rows are not at hand."""
    path = Path(os.environ.get("RAGMON_BENCH_DATA", "absent")) / "ground-dev.jsonl.gz"
    if not path.exists():
        pytest.skip("the benchmark rows are not here (RAGMON_BENCH_DATA)")
    scores: dict[str, tuple[list[float], list[float]]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            good, bad = scores.setdefault(row["source"], ([], []))
            result = assess(row["answer"], row["contexts"]).score
            (bad if row["hallucinated"] else good).append(0.5 if result is None else result)
    areas = {source: np.mean([[g > b for b in bad] for g in good]) for source, (good, bad) in scores.items()}
    assert areas.pop("uhgeval") > 0.77
    assert np.mean(list(areas.values())) > 0.8


def test_another_bound_moves_labels_and_the_fingerprint_but_no_score() -> None:
    passages = ["The desk closes at 18:00. Parking is free for guests."]
    answer = "The desk closes at 18:00. Parking is free for residents of the town."
    plain, strict = assess(answer, passages), assess(answer, passages, 0.99)
    assert [piece.score for piece in strict.evidence] == [piece.score for piece in plain.evidence]
    assert strict.score == plain.score
    assert [piece.label for piece in strict.evidence] == [
        "unsupported" if piece.score < 0.99 else "supported" for piece in plain.evidence
    ]
    assert strict.label == "unfaithful"
    same, moved = (embedded.identity_of("e", bound) for bound in (UNSUPPORTED, 0.3))
    assert same == embedded.identity_of("e") != moved


@pytest.mark.parametrize("limit", ["MAX_ANSWER", "MAX_CLAIMS", "MAX_PASSAGES"])
def test_another_limit_is_another_judge(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    before = embedded.identity_of("e")
    monkeypatch.setattr(embedded, limit, 10)
    assert embedded.identity_of("e") != before
