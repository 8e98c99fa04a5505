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


PDF, ZH_PDF = "Can I export as PDF?", "可以导出为PDF吗？"
FREE, SSO, EDIT = "Is there a free plan?", "Does the Team plan have SSO?", "Can viewers edit documents?"


@pytest.mark.parametrize(
    ("question", "answer", "reference"),
    [
        (PDF, "Documents can be exported as CSV but not as PDF.", "No, only as CSV."),
        (PDF, "No, documents can only be exported as CSV.", "No, only as CSV."),
        (PDF, "PDF is not supported, but you can export as CSV.", "No, only as CSV."),
        (PDF, "Not as PDF, only as CSV.", "No, only as CSV."),
        (PDF, "Documents can be exported as CSV, not as PDF.", "No, only CSV."),
        (PDF, "There is no export as PDF; use CSV.", "No - only as CSV."),
        (FREE, "There is a 14-day trial, but no free plan.", "No, only a 14-day trial."),
        (
            SSO,
            "SSO is not part of the Team plan, only the Business plan has it.",
            "No, only the Business plan has SSO.",
        ),
        (EDIT, "No, viewers can comment but cannot edit documents.", "No, viewers can only comment."),
        (
            EDIT,
            "Viewers can comment but they cannot edit documents. Viewers can comment.",
            "No, viewers can only comment.",
        ),
        ("Where are pets allowed?", "Pets are allowed in the garden, but not in the house.", "In the garden."),
        ("Can guests park?", "Only residents may park, guests may not.", "No, just residents."),
        ("Can I cancel online?", "You can cancel by phone, though not online.", "No, only by phone."),
        ("可以退款吗？", "换货可以，退款不行。", "不行，只能换货。"),
        ("周日开门吗？", "周日不开门，只在工作日开门。", "不，只在工作日开门。"),
        (PDF, "CSV works, but PDF does not.", "CSV works, but PDF does not."),
        (ZH_PDF, "支持导出为CSV，但不支持PDF。", "不，仅支持导出为CSV。"),
        (ZH_PDF, "不支持导出为PDF，只支持导出为CSV。", "不可以，只能导出为CSV。"),
        (ZH_PDF, "不能导出为PDF，可以导出为CSV。", "只能导出为CSV。"),
        ("有免费版吗？", "没有免费版，只有14天试用。", "没有，只有14天试用。"),
        ("有免费版吗？", "有14天试用，但没有免费版。", "没有，仅有14天试用。"),
    ],
)
def test_what_only_denies_the_rest_agrees_with_a_no(question: str, answer: str, reference: str) -> None:
    assert agreement(question, answer, reference).score >= 0.5


@pytest.mark.parametrize(
    ("question", "answer", "reference"),
    [
        (PDF, "Documents can be exported as PDF but not as CSV.", "No, only as CSV."),
        (PDF, "PDF is supported, CSV is not.", "No, only as CSV."),
        (PDF, "Documents cannot be exported as CSV, only as PDF.", "No, only as CSV."),
        (PDF, "Yes, as CSV and as PDF.", "No, only as CSV."),
        (PDF, "Documents can be exported as PDF and as CSV.", "No, only as CSV."),
        (PDF, "CSV, like PDF, is not supported.", "No, only as CSV."),
        (PDF, "CSV is what everyone wants, but it is not supported.", "No, only as CSV."),
        (PDF, "PDF works, but CSV does not.", "CSV works, but PDF does not."),
        (FREE, "There is a free plan, but no 14-day trial.", "No, only a 14-day trial."),
        (SSO, "The Team plan has SSO, but not the Business plan.", "No, only the Business plan has SSO."),
        (EDIT, "Viewers can comment and edit documents.", "No, viewers can only comment."),
        (EDIT, "No, viewers cannot comment.", "No, viewers can only comment."),
        ("Where are pets allowed?", "Pets are allowed in the house, but not in the garden.", "In the garden."),
        ("Can guests park?", "Residents may not park, only guests may.", "No, just residents."),
        ("Can guests park?", "Guests may park, residents may not.", "No, just residents."),
        (PDF, "For CSV, export is not supported.", "No, only as CSV."),
        (PDF, "CSV is common, and is not supported.", "No, only as CSV."),
        ("Can I cancel online?", "You can cancel online or by phone.", "No, only by phone."),
        ("可以退款吗？", "退款可以，换货不行。", "不行，只能换货。"),
        ("可以退款吗？", "可以退款和换货。", "不行，只能换货。"),
        (ZH_PDF, "支持导出为PDF，但不支持CSV。", "不，仅支持导出为CSV。"),
        (ZH_PDF, "不支持导出为CSV，只支持导出为PDF。", "不可以，只能导出为CSV。"),
        (ZH_PDF, "导出为CSV，目前不支持。", "不，仅支持导出为CSV。"),
        (ZH_PDF, "大家都想要的是导出为CSV，但目前还不支持。", "不，仅支持导出为CSV。"),
        (ZH_PDF, "可以导出为PDF和CSV。", "不可以，只能导出为CSV。"),
        ("有免费版吗？", "有免费版，但没有14天试用。", "没有，只有14天试用。"),
    ],
)
def test_a_denial_of_what_the_reference_states_is_the_opposite(question: str, answer: str, reference: str) -> None:
    assert agreement(question, answer, reference).score == 0.0


@pytest.mark.parametrize(
    ("question", "answer", "reference"),
    [
        ("Is it open on Sundays?", "It is open on weekdays and closed on Sundays.", "No, only on weekdays."),
        ("Is SSO only in the Business plan?", "SSO is in the Team and the Business plan.", "No, the Team plan has it."),
        (PDF, "Documents can be exported as CSV.", "No, only as CSV."),
    ],
)
def test_an_answer_that_says_no_otherwise_does_not_affirm(question: str, answer: str, reference: str) -> None:
    assert agreement(question, answer, reference).score > 0.0


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
