"""Overlap of words: the values of the known libraries, and the rules that hold for every pair of texts.

The values were computed with sacrebleu 2.6.0 (sentence BLEU, effective order, exponential smoothing; `zh` for Chinese)
and rouge-score 0.1.2.
"""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.reference.overlap import bleu, exact_match, f1, rouge_l, words_of

MEASURES = [exact_match, f1, rouge_l, bleu]
WORDS = st.lists(st.sampled_from(["refund", "policy", "two", "days", "the", "退", "款"]), max_size=12)
Measure = Callable[[Sequence[str], Sequence[str]], float]


@pytest.mark.parametrize(
    ("answer", "reference", "of_bleu", "of_rouge_l"),
    [
        ("the warranty lasts for two years", "the warranty lasts two years", 0.379918, 0.909091),
        ("the museum opens at ten", "the museum is closed on monday", 0.174917, 0.363636),
        ("free entry for children under six years of age", "children under six enter free", 0.190708, 0.428571),
        ("refund", "refund policy", 0.367879, 0.666667),
        ("open the museum opens the door", "the museum opens", 0.302138, 0.666667),
        ("no", "yes", 0.0, 0.0),
    ],
)
def test_bleu_and_rouge_l_are_those_of_the_libraries(
    answer: str, reference: str, of_bleu: float, of_rouge_l: float
) -> None:
    said, right = answer.split(), reference.split()
    assert (round(bleu(said, right), 6), round(rouge_l(said, right), 6)) == (of_bleu, of_rouge_l)


@pytest.mark.parametrize(
    ("answer", "reference", "of_bleu"),
    [("保修期为2年", "保修期是2年", 0.379918), ("退款需要三天", "退款要五天才到账", 0.138325)],
)
def test_chinese_is_compared_by_characters(answer: str, reference: str, of_bleu: float) -> None:
    assert round(bleu(words_of(answer), words_of(reference)), 6) == of_bleu


def test_f1_counts_each_word_as_often_as_both_have_it() -> None:
    assert f1(words_of("The refund, the refund!"), words_of("refund policy")) == pytest.approx(2 * 1 / (2 + 2))


@pytest.mark.parametrize(
    ("answer", "reference", "score"),
    [
        ("The Eiffel Tower.", "eiffel tower", 1.0),
        ("twenty-five days", "25 days", 1.0),
        ("ＶＩＰ 会员", "vip会员", 1.0),
        ("二十五天", "25天", 1.0),
        ("the Eiffel Tower in Paris", "Eiffel Tower", 0.0),
    ],
)
def test_case_width_punctuation_and_the_way_of_writing_numbers_are_no_difference(
    answer: str, reference: str, score: float
) -> None:
    assert exact_match(words_of(answer), words_of(reference)) == score


@pytest.mark.parametrize("measure", MEASURES)
@given(answer=WORDS, reference=WORDS)
def test_every_score_lies_between_0_and_1_and_equal_texts_have_1(
    measure: Measure, answer: list[str], reference: list[str]
) -> None:
    assert 0.0 <= measure(answer, reference) <= 1.0
    assert measure(answer, answer) == pytest.approx(1.0)


@pytest.mark.parametrize("measure", MEASURES)
def test_no_words_are_like_no_words_only(measure: Measure) -> None:
    assert (measure([], []), measure([], ["refund"]), measure(["refund"], [])) == (1.0, 0.0, 0.0)
