"""Rules of correctness without a model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.judges.reference.correctness import agreement

QUESTION = "How long is the warranty of the X200?"


@pytest.mark.parametrize(
    ("answer", "reference", "label"),
    [
        ("2 years", "2 years", "correct"),
        ("The warranty of the X200 lasts two years.", "2 years", "correct"),
        ("The warranty is 5 years.", "2 years", "incorrect"),
        ("Your X200 has a warranty of two years from the day of purchase [1].", "Two years from purchase.", "correct"),
        ("I could not find any information about that.", "2 years", "declined"),
        ("I don't know.", "The documents do not contain the answer.", "correct"),
        ("It lasts two years.", "I cannot answer that from the given documents.", "declined"),
        ("保修期为两年。", "2年", "correct"),
        ("保修期为五年。", "2年", "incorrect"),
        (
            "You can return the item and get your money back within 30 days if you still have the receipt.",
            "Refunds are possible within 30 days of purchase with the original receipt.",
            "partial",
        ),
    ],
)
def test_the_answer_must_state_the_reference(answer: str, reference: str, label: str) -> None:
    found = agreement(QUESTION, answer, reference)
    assert found.label == label
    assert (found.score >= 0.5) is (label in {"correct", "partial"})


@pytest.mark.parametrize(
    ("answer", "reference", "label"),
    [
        ("Yes, pets are allowed.", "Yes", "correct"),
        ("No, pets are not allowed.", "Yes", "incorrect"),
        ("Pets are not allowed.", "No.", "correct"),
        ("可以带宠物。", "可以", "correct"),
        ("不可以带宠物。", "可以", "incorrect"),
        ("Pets are allowed in the garden.", "Pets are not allowed in the garden.", "incorrect"),
        ("Pets are not allowed in the garden.", "Pets are not allowed in the garden.", "correct"),
    ],
)
def test_yes_and_no_and_a_negation_decide(answer: str, reference: str, label: str) -> None:
    found = agreement("Are pets allowed?", answer, reference)
    assert (found.label, found.score >= 0.5) == (label, label == "correct")


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("No later than Friday.", "Yes, by Friday at the latest."),
        ("Right now the fee is 5 euros.", "No, the fee is 5 euros."),
        ("未来三天有效。", "有，三天有效。"),
        ("有效期三天。", "不，有效期三天。"),
        ("Form 5 is the right form.", "No, form 5 is the right form."),
    ],
)
def test_words_that_only_begin_like_a_yes_or_no_contradict_nothing(answer: str, reference: str) -> None:
    assert agreement("Q?", answer, reference).score > 0.0


REFERENCE = "Open the settings, choose security, then press the reset button and confirm with the code from the e-mail."


def test_half_of_the_reference_is_incomplete_and_scores_less() -> None:
    whole, half = (
        agreement("How do I reset it?", text, REFERENCE) for text in (REFERENCE, "Open the settings, choose security.")
    )
    assert (whole.score, whole.label, half.label) == (1.0, "correct", "incomplete")
    assert half.score < whole.score


def test_a_wrong_number_weighs_as_many_as_the_reference_has() -> None:
    reference = "Delivery takes 3 days and costs 5 euros."
    one, none = (
        agreement("How long?", text, reference) for text in ("Delivery takes 3 days and costs 9 euros.", reference)
    )
    assert 0.0 < one.score < 0.5 < none.score
    assert one.label == "incorrect"
    assert one.why.endswith("1 of 2 numbers differ")


@given(st.text(max_size=50), st.text(max_size=50), st.text(max_size=50))
def test_every_score_lies_between_0_and_1(question: str, answer: str, reference: str) -> None:
    assert 0.0 <= agreement(question, answer, reference).score <= 1.0
