"""Rules of what can be checked."""

import pytest

from monitor.judges.text.claims import claims_of, stated_part


def test_greetings_questions_lead_ins_and_offers_are_no_claims() -> None:
    answer = (
        "Hello! Here are the steps:\n1. Press the red button [1].\nDoes that help?\n"
        "I hope this helps. Let me know if you need more.\n您好！保修期为两年【1】。希望对您有帮助。还有其他问题吗？"
    )
    assert [claim.sentence.text for claim in claims_of(answer)] == ["Press the red button [1].", "保修期为两年【1】。"]


def test_citation_marks_are_not_numbers_of_the_claim() -> None:
    (claim,) = claims_of("The museum opens at ten [3, 4] (source 2).")
    assert claim.tokens.numbers == {"10"}


@pytest.mark.parametrize(
    ("sentence", "stated"),
    [
        ("According to the provided context, it is red.", "it is red."),
        ("根据以上资料，保修期为两年。", "保修期为两年。"),
        ("Based on luck, it is red.", "Based on luck, it is red."),
    ],
)
def test_a_lead_in_is_no_part_of_what_is_stated(sentence: str, stated: str) -> None:
    assert stated_part(sentence) == stated


def test_an_answer_of_pleasantries_has_no_claims() -> None:
    assert claims_of("Hello! How can I help you today?") == ()
