"""Rules of relevance by hypothetical questions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.errors import JudgeRejected
from monitor.judges.prompts.evaluation import load_evaluation
from monitor.judges.prompts.material import whole
from monitor.judges.prompts.questions import Questions, similarity
from monitor.judges.prompts.reading import Reading, Said
from monitor.judges.replies.strict_json import Json
from monitor.records import RagTrace


def read(questions: Json, real: str = "How long is the warranty?") -> Reading:
    reader = load_evaluation("answer_relevance_hypothetical").reads
    assert isinstance(reader, Questions)
    return reader.read(Said({"questions": questions}), whole(RagTrace("t", "", real, "Two years.")))


def test_the_score_is_the_mean_likeness_to_the_real_question() -> None:
    reading = read(["How long is the warranty?", "Where is the office?", "How long does the warranty last?"])
    assert [piece.score for piece in reading.evidence] == [1.0, 0.0, pytest.approx(0.8)]
    assert reading.score == pytest.approx(0.6)


def test_chinese_questions_are_compared_by_pairs_of_characters() -> None:
    near, far = similarity("保修期多长？", "保修期有多久？"), similarity("保修期多长？", "营业时间是几点？")
    assert near > 0.3
    assert far == 0.0


@given(st.text(max_size=40), st.text(max_size=40))
def test_likeness_is_symmetric_and_between_0_and_1(left: str, right: str) -> None:
    assert 0 <= similarity(left, right) == similarity(right, left) <= 1


def test_questions_of_small_words_only_are_compared_by_these() -> None:
    assert similarity("Who are you?", "Who are you?") == 1.0


@pytest.mark.parametrize(
    "questions", [None, "a?", [], ["a?", "b?"], ["a?", "b?", "c?", "d?"], ["a?", "b?", 3], ["a?", "?", "c?"]]
)
def test_anything_but_three_questions_is_no_verdict(questions: Json) -> None:
    with pytest.raises(JudgeRejected, match="parse"):
        read(questions)


def test_the_model_does_not_see_the_question() -> None:
    assert load_evaluation("answer_relevance_hypothetical").data == ("answer",)
