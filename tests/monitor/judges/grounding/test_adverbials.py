"""Rules of claims that add when or how to what a passage denies."""

import pytest

from monitor.judges.grounding.adverbials import MOST_READ
from monitor.judges.grounding.assessment import assess

DENIED = [
    ("Monthly plans are not refundable.", "Monthly plans are refundable at any time."),
    ("Monthly plans are not refundable.", "Monthly plans are refundable within 30 days."),
    ("Monthly plans are not refundable.", "Monthly plans are fully refundable within 30 days of purchase."),
    ("Monthly plans are not refundable.", "Monthly plans are refundable up to 24 hours before arrival."),
    ("Bookings cannot be cancelled.", "Bookings can be cancelled online free of charge."),
    ("Bookings cannot be changed, and the deposit is kept.", "Bookings can be changed by e-mail."),
    ("Refunds are not available.", "At any time, refunds are available."),
    ("No refunds are given.", "Refunds are given in full."),
    ("The pool is not heated.", "The pool is heated every day."),
    ("Pets are not allowed. Guide dogs are welcome at any time.", "Pets are allowed at any time."),
    ("月度套餐不可退款。", "月度套餐随时可以退款。"),
    ("月度套餐不可退款。", "月度套餐可在30天内退款。"),
    ("月度套餐不可退款。", "月度套餐30天内可以退款。"),
    ("月度套餐不可退款。", "月度套餐购买后三十天内可退款。"),
    ("月度套餐不支持退款。", "月度套餐支持在线退款。"),
    ("车票不得退改。", "车票可以免费退改。"),
    ("年度套餐随时可以退款。月度套餐不可退款。", "月度套餐随时可以退款。"),
]
NOT_DENIED = [
    (
        "Monthly plans are not refundable after 14 days. Within 14 days they are refundable.",
        "Monthly plans are refundable within 14 days.",
    ),
    (
        "Monthly plans are not refundable. Within 14 days they are refundable.",
        "Monthly plans are refundable within 14 days.",
    ),
    (
        "Monthly plans are not refundable. In the first two weeks customers can get their money back.",
        "Monthly plans are refundable within 14 days.",
    ),
    ("Monthly plans are not refundable. Plans are refundable online.", "Monthly plans are refundable online."),
    ("After 30 days, monthly plans are not refundable.", "Monthly plans are refundable within 30 days."),
    ("Once used, monthly plans are not refundable.", "Monthly plans are refundable at any time."),
    ("Late cancellation: monthly plans are not refundable.", "Monthly plans are refundable at any time."),
    ("Plans are not only refundable but also transferable.", "Plans are refundable at any time."),
    ("Monthly plans are not refundable after 30 days.", "Monthly plans are refundable within 30 days."),
    ("Monthly plans are not refundable unless unused.", "Monthly plans are refundable at any time."),
    ("Monthly plans are not refundable except by e-mail.", "Monthly plans are refundable by e-mail."),
    ("Monthly plans are not refundable until May.", "Monthly plans are refundable at any time."),
    ("Tickets cannot be bought by phone.", "Tickets can be bought online."),
    ("Tickets cannot be bought at the door. They are sold online.", "Tickets can be bought online."),
    ("Tickets cannot be bought. Tickets can be bought online in May.", "Tickets can be bought online."),
    ("月度套餐14天后不可退款，14天内可退款。", "月度套餐14天内可以退款。"),
    ("月度套餐不可退款。但14天内可退款。", "月度套餐14天内可以退款。"),
    ("月度套餐不可退款。14天内例外。", "月度套餐14天内可以退款。"),
    ("逾期后，月度套餐不可退款。", "月度套餐随时可以退款。"),
    ("月度套餐不仅可以退款，还可以转让。", "月度套餐随时可以退款。"),
]
CONTRARY = "a passage says that it is not so"


@pytest.mark.parametrize(("passage", "claim"), DENIED)
def test_what_is_not_so_is_not_so_at_any_time_nor_in_any_manner(passage: str, claim: str) -> None:
    (piece,) = assess(claim, [passage]).evidence
    assert (piece.label, piece.note) == ("unsupported", CONTRARY)


@pytest.mark.parametrize(("passage", "claim"), NOT_DENIED)
def test_what_is_not_so_in_another_case_says_nothing_of_this_one(passage: str, claim: str) -> None:
    (piece,) = assess(claim, [passage]).evidence
    assert piece.label != "unsupported"
    assert piece.note != CONTRARY


def test_another_passage_may_affirm_it() -> None:
    denied, claim = "Monthly plans are not refundable.", "Monthly plans are refundable within 14 days."
    for affirming in ("Within a fortnight any plan can be sent back.", "In 2024 monthly plans are refundable."):
        (piece,) = assess(claim, [denied, affirming]).evidence
        assert piece.note != CONTRARY


def test_texts_that_affirm_in_many_ways_are_not_read() -> None:
    passages = [f"Colour {number} monthly plans were once sold." for number in range(MOST_READ + 2)]
    (piece,) = assess("Monthly plans are refundable online.", ["Monthly plans are not refundable.", *passages]).evidence
    assert piece.note != CONTRARY
