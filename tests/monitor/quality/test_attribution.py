"""Rules of attribution: which cause a low score has, and what speaks for it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.cause import Cause
from monitor.quality.attribution import attribute, is_low
from monitor.records import Evidence, JudgeIdentity, Judgement, Outcome

WHO = JudgeIdentity("judge", "0" * 12)
ONE_HIGH = (0.9, 0.1, 0.0, 0.1, 0.2)
ONE_LOW = (0.1, 0.0, 0.1, 0.2, 0.9)
NONE = (0.1, 0.2, 0.3)


def scored(evaluation: str, score: float, label: str = "", *evidence: Evidence) -> Judgement:
    return Judgement(evaluation, WHO, Outcome.SCORED, score=score, label=label, evidence=evidence)


def claims(*scores: float, passage: int = 1) -> tuple[Evidence, ...]:
    labels = ("supported" if score > 0.5 else "unsupported" for score in scores)
    return tuple(Evidence("a claim", score, passage, label=label) for score, label in zip(scores, labels, strict=True))


def relevant(*flags: float) -> tuple[Evidence, ...]:
    return tuple(Evidence("", flag, number) for number, flag in enumerate(flags, 1))


UNFAITHFUL = scored("faithfulness", 0.7, "unfaithful", *claims(0.9, 0.1, 0.2))
FAITHFUL = scored("faithfulness", 1.0, "faithful", *claims(0.9))
INCOMPLETE = scored("completeness", 0.3, "incomplete")
DECLINED = Judgement("faithfulness", WHO, Outcome.NOT_SCORABLE, "abstention")


def cause(low: Judgement, *others: Judgement, by_words: tuple[float, ...] | None = ONE_HIGH) -> str:
    return attribute((low, *others), by_words)[0].cause


@pytest.mark.parametrize(
    ("judgements", "by_words", "expected"),
    [
        ((UNFAITHFUL,), NONE, Cause.RETRIEVAL),
        ((UNFAITHFUL,), (), Cause.RETRIEVAL),
        ((UNFAITHFUL,), ONE_LOW, Cause.RANKING),
        ((UNFAITHFUL,), ONE_HIGH, Cause.GENERATION),
        ((UNFAITHFUL,), None, Cause.UNKNOWN),
        ((INCOMPLETE, FAITHFUL), ONE_HIGH, Cause.COVERAGE),
        ((INCOMPLETE, UNFAITHFUL), ONE_HIGH, Cause.GENERATION),
        ((INCOMPLETE,), ONE_HIGH, Cause.UNKNOWN),
        ((INCOMPLETE, DECLINED), ONE_HIGH, Cause.UNANSWERABLE),
        ((scored("correctness", 0.0, "declined"), UNFAITHFUL), ONE_HIGH, Cause.UNANSWERABLE),
        ((scored("correctness", 0.6, "incomplete"), UNFAITHFUL), ONE_HIGH, Cause.COVERAGE),
        ((scored("answer_relevance", 0.2), FAITHFUL), ONE_HIGH, Cause.COVERAGE),
        ((scored("f1", 0.2), FAITHFUL), ONE_HIGH, Cause.UNKNOWN),
        ((scored("politeness", 0.2), UNFAITHFUL), ONE_HIGH, Cause.UNKNOWN),
    ],
)
def test_the_first_rule_that_fails_is_the_cause(
    judgements: tuple[Judgement, ...], by_words: tuple[float, ...] | None, expected: Cause
) -> None:
    found = attribute(judgements, by_words)[0]
    assert found.cause == expected
    assert found.cause_evidence


def test_what_a_reference_knows_of_the_passages_comes_before_a_judge_and_a_judge_before_words() -> None:
    judge = scored("context_relevance", 0.9, "relevant", *relevant(1.0, 0.0, 0.0, 0.0, 0.0))
    reference = scored("hit_at_k", 0.0, "miss", *relevant(0.0, 0.0, 0.0, 0.0, 0.0))
    assert cause(UNFAITHFUL, by_words=ONE_LOW) == "ranking"
    assert cause(UNFAITHFUL, judge, by_words=ONE_LOW) == "generation"
    assert cause(UNFAITHFUL, judge, reference, by_words=ONE_LOW) == "retrieval"


def test_a_passage_that_a_judge_calls_partly_relevant_is_not_relevant() -> None:
    assert cause(UNFAITHFUL, scored("context_relevance", 0.5, "", *relevant(0.5, 0.5))) == "retrieval"


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [((0.0, 0.0), "retrieval"), ((0.0, 0.0, 0.0, 1.0), "ranking"), ((1.0, 0.0), "coverage")],
)
@pytest.mark.parametrize("low", [INCOMPLETE, scored("correctness", 0.0, "declined")])
def test_a_question_that_a_known_document_answers_is_answerable_though_the_answer_declines(
    low: Judgement, ranks: tuple[float, ...], expected: str
) -> None:
    known = scored("mrr", max(ranks), "", *relevant(*ranks))
    assert cause(low, DECLINED, known) == expected
    assert cause(low, DECLINED) == "unanswerable"


def test_where_the_reference_declines_the_question_has_no_answer_whatever_was_retrieved() -> None:
    invented = scored("correctness", 0.0, "declined")
    assert cause(invented, UNFAITHFUL, scored("mrr", 1.0, "", *relevant(1.0, 0.0))) == "unanswerable"


@pytest.mark.parametrize(
    ("judgement", "expected"),
    [
        (scored("hit_at_k", 0.0, "miss", *relevant(0.0, 0.0, 0.0)), "retrieval"),
        (scored("hit_at_k", 0.0, "miss"), "retrieval"),
        (scored("hit_at_k", 0.0, "miss", *relevant(0.0, 1.0, 0.0)), "ranking"),
        (scored("mrr", 1 / 3, "", *relevant(0.0, 0.0, 1.0)), "ranking"),
        (scored("context_relevance", 0.1, "", *relevant(0.0, 0.0, 1.0)), "ranking"),
        (scored("context_relevance", 0.1, "irrelevant", *relevant(0.0, 0.5, 0.0)), "retrieval"),
        (scored("context_recall", 0.2), "retrieval"),
    ],
)
def test_evaluations_of_the_passages_blame_the_passages(judgement: Judgement, expected: str) -> None:
    assert cause(judgement, FAITHFUL) == expected


@pytest.mark.parametrize("others", [(FAITHFUL,), (UNFAITHFUL,), (DECLINED,), (INCOMPLETE, FAITHFUL)])
def test_irrelevant_passages_behind_a_relevant_one_are_no_failure_of_retrieval(others: tuple[Judgement, ...]) -> None:
    noise = scored("context_relevance", 0.34, "relevant", *relevant(1.0, 0.0, 0.0, 0.0, 0.0))
    (found, *_) = attribute((noise, *others), ONE_HIGH)
    assert found.cause == "unknown"
    assert found.cause_evidence == (
        "first relevant passage: number 1 of 5, by a judge; context_relevance 0.34; "
        "a relevant passage stands high, and others are not relevant"
    )


def test_an_answer_that_declines_over_no_relevant_passage_is_unanswerable() -> None:
    nothing = scored("context_relevance", 0.0, "irrelevant", *relevant(0.0, 0.0, 0.0))
    (found, _) = attribute((nothing, DECLINED), ONE_HIGH)
    assert found.cause == "unanswerable"
    assert found.cause_evidence == (
        "first relevant passage: none of 3, by a judge; context_relevance 0.00; "
        "faithfulness: the answer only says that it cannot answer"
    )
    assert cause(scored("correctness", 0.0, "declined"), nothing, DECLINED) == "unanswerable"
    assert cause(nothing, FAITHFUL) == "retrieval"


def test_an_answer_that_declines_over_passages_that_are_known_to_miss_is_a_matter_of_retrieval_or_ranking() -> None:
    nothing = scored("context_relevance", 0.0, "irrelevant", *relevant(0.0, 0.0, 0.0))
    assert cause(nothing, DECLINED, scored("hit_at_k", 0.0, "miss", *relevant(0.0, 0.0, 0.0))) == "retrieval"
    assert cause(scored("context_recall", 0.0), DECLINED, nothing) == "retrieval"
    last = scored("context_relevance", 0.2, "relevant", *relevant(0.0, 0.0, 1.0))
    assert cause(last, DECLINED) == "ranking"


@pytest.mark.parametrize(
    ("rank", "passages", "low"),
    [
        (1, 1, False),
        (2, 2, True),
        (2, 3, False),
        (3, 3, True),
        (3, 5, False),
        (4, 5, True),
        (3, 20, False),
        (4, 20, True),
    ],
)
def test_low_is_below_the_first_three_or_in_the_lower_half(rank: int, passages: int, *, low: bool) -> None:
    ranked = scored("mrr", 1.0 / rank, "", *relevant(*(float(number == rank) for number in range(1, passages + 1))))
    assert cause(UNFAITHFUL, ranked) == ("ranking" if low else "generation")


def test_a_passage_that_supports_half_of_the_claims_is_relevant_whatever_its_words() -> None:
    low = scored("faithfulness", 0.5, "unfaithful", *claims(0.9, 0.1, passage=1))
    assert cause(low, by_words=NONE) == "generation"


def test_the_evidence_names_ranks_and_claims_and_quotes_nothing() -> None:
    (found,) = attribute((UNFAITHFUL,), ONE_HIGH)
    expected = "first relevant passage: number 1 of 5, by the question's words; claim 2 of 3 has a support of 0.10"
    assert found.cause_evidence == expected


@pytest.mark.parametrize(
    ("others", "told"),
    [
        ((), "completeness was not judged"),
        ((scored("answer_relevance", 0.9),), "answer_relevance is not low; completeness was not judged"),
        ((scored("completeness", 0.9),), "completeness is not low"),
        (
            (scored("answer_relevance", 0.9), scored("completeness", 0.9)),
            "completeness and answer_relevance are not low",
        ),
    ],
)
def test_the_evidence_names_what_found_the_answer_complete_and_only_what_was_judged(
    others: tuple[Judgement, ...], told: str
) -> None:
    found = attribute((scored("f1", 0.2), FAITHFUL, *others), ONE_HIGH)[0]
    assert (found.cause, found.cause_evidence.partition("every claim is supported; ")[2]) == (Cause.UNKNOWN, told)


def test_only_low_scores_have_a_cause() -> None:
    others = (
        scored("safety.pii", 0.0, "unsafe"),
        FAITHFUL,
        DECLINED,
        Judgement("correctness", WHO, Outcome.JUDGE_ERROR, "timeout"),
        scored("mrr", 0.5),
    )
    assert attribute((*others, UNFAITHFUL), ONE_HIGH)[:-1] == others


JUDGEMENTS = st.lists(
    st.builds(
        scored,
        st.sampled_from(["faithfulness", "correctness", "completeness", "hit_at_k", "context_relevance", "tone"]),
        st.floats(0, 1),
        st.sampled_from(["", "unfaithful", "incomplete", "declined"]),
    ),
    max_size=5,
)


@given(judgements=JUDGEMENTS, by_words=st.none() | st.lists(st.floats(0, 1), max_size=6))
def test_each_low_score_gets_exactly_one_cause_and_nothing_else_changes(
    judgements: list[Judgement], by_words: list[float] | None
) -> None:
    found = attribute(judgements, by_words)
    assert [bool(one.cause) for one in found] == [is_low(one) for one in judgements]
    assert {one.cause for one in found} <= {"", *Cause}
    assert [replace(one, cause="", cause_evidence="") for one in found] == judgements
