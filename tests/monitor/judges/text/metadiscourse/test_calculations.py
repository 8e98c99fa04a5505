"""A result that is worked out in sight says nothing of its own where it is right; what it is worked out from does."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.metadiscourse.calculations import calculated_in


@pytest.mark.parametrize(
    ("text", "results"),
    [
        *(("2 nights × €80 = €160", "160"), ("2 nights at €80 each = €160", "160"), ("2 nights at €80 is €160", "160")),
        *(("€80 per night × 2 nights = €160", "160"), ("€80 per night for 2 nights = €160", "160")),
        *(("two nights at $95 per night = $190", "190"), ("3 people x $20 = **$60**", "60"), ("2*80=160", "160")),
        *((r"\(2 \times 80 = 160\)", "160"), ("€160 (2 × €80)", "160"), ("half of £64 (£32)", "32")),
        *(("half of £64 is £32", "32"), ("Half of the £64 fee, that is £32, is kept.", "32"), ("£64 / 2 = £32", "32")),
        *(("20 % of 500 = 100", "100"), ("20% of £500 is £100", "100"), ("32/80 ≈ 40 %", "40"), ("9÷32=28%", "28")),
        *(("€20 + €5 + €3 = €28", "28"), ("(12 + 8) × 5 = 100", "100"), ("£1,200 ÷ 12 = £100 per month", "100")),
        *(("100 - 30 = 70", "70"), ("10 minus 3 is 7", "7"), ("1.5 × £33 = £49.50", "49.5")),
        ("2 × 80 = 160 and 160 + 20 = 180", "160 180"),
        *(("680元的一半，即340元", "340"), ("680元的一半为340元", "340"), ("100万×1.2=120万", "1200000")),
        *(("500元的20%，即100元", "100"), ("共160元（80元×2）", "160"), ("12个月×50元=600元", "600")),
        *(("原价680元，打七折后为476元", "476"), ("680元的7折，即476元", "476"), ("300元+50元×2=400元", "400")),
        ("80乘以2等于160", "160"),
    ],
)
def test_a_right_result_is_found(text: str, results: str) -> None:
    assert calculated_in(text) == frozenset(results.split())


@pytest.mark.parametrize(
    "text",
    [
        *("2 nights × €80 = €170", "half of £64 is £31", "680元的一半，即350元", "2 + 3 = 6", "€170 (2 × €80)"),
        *(
            "The fee is £32.",
            "The 2 rooms at €80 cost €160.",
            "It costs 80 euros, 160 for two.",
            "每月50元，一年共600元",
        ),
        *("The fee is 64 × 1 = 64", "70 + 0 = 70", "2 of 4 is 2", "Open 9-17, 8 hours", "Of 64 guests 32 paid."),
        *("Take 2 at 4 or 8 weeks.", "1 / 0 = 0", "The fee (2 × €80) is due", "5 × = 5", "(((2 = 2", "= 4", "2 ×"),
    ],
)
def test_a_wrong_or_unexplained_one_is_not(text: str) -> None:
    assert calculated_in(text) == frozenset()


def test_a_circle_explains_only_what_it_does_not_start_from() -> None:
    assert calculated_in("35 × 2 = 70 and 70 / 2 = 35") == {"70"}


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("You get half of £64, which is £32, back as a refund.", "supported"),
        ("You get half of £64, which is £31, back as a refund.", "unsupported"),
        ("The refund is £32.", "unsupported"),
        ("The refund is half of £72 = £36.", "unsupported"),
        ("The refund is 3 × £64 = £192.", "unsupported"),
    ],
)
def test_operands_have_to_stand_in_the_passages(answer: str, label: str) -> None:
    assert [piece.label for piece in assess(answer, ["The fee is £64. Half of it is refunded."]).evidence] == [label]
