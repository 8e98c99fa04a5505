"""Rules of evidence that excludes a claim by one word."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.grounding.opposed import MOST_OPPOSED

EXCLUDED = [
    ("Visitors grew by 12% to 860,000.", "Visitors fell by 12% to 860,000.", "grew instead of fell"),
    (
        "Contributions continue during leave.",
        "Contributions are suspended during leave.",
        "continue instead of suspended",
    ),
    ("The museum is closed on Mondays.", "The museum is open on Mondays.", "closed instead of open"),
    ("On Mondays the museum is closed.", "The museum is open on Mondays.", "closed instead of open"),
    ("The refund is at most 50 euros.", "The refund is at least 50 euros.", "most instead of least"),
    ("Open before 18:00 on weekdays.", "Open after 18:00 on weekdays.", "before instead of after"),
    ("The minimum age is 18 years.", "The maximum age is 18 years.", "minimum instead of maximum"),
    ("Smoking is prohibited in the rooms.", "Smoking is allowed in the rooms.", "prohibited instead of allowed"),
    ("Batteries travel in the cabin.", "Batteries travel in the hold.", "cabin instead of hold"),
    ("Firms with more than 50 staff report.", "Firms with fewer than 50 staff report.", "more instead of fewer"),
    ("The sauna is shut, and the pool is closed in May.", "The pool is open in May.", ""),
    ("E-bikes are excluded.", "E-bikes are included as well.", "excluded instead of included"),
    ("E-bikes are generally excluded.", "E-bikes are still fully included.", "excluded instead of included"),
    ("饭后半小时服用。", "应在饭前半小时服用。", "饭后 instead of 饭前"),
    ("药片需饭后半小时服用。", "药片建议饭前半小时服用。", "饭后 instead of 饭前"),
    ("全年游客增长12%。", "全年游客下降12%。", "增长 instead of 下降"),
    ("本药饭前服用。", "本药饭后服用。", "饭前 instead of 饭后"),
    ("收货后7天内可申请退款。", "收货后7天外可申请退款。", "天内 instead of 天外"),
    ("当日最高气温为30度。", "当日最低气温为30度。", "最高 instead of 最低"),
    ("运费由买家承担。", "运费由商家承担。", "买家 instead of 商家"),
    ("六岁以下儿童免票。", "六岁以下儿童半价。", "免票 instead of 半价"),
    ("室内禁止吸烟。", "室内可以吸烟。", "that it is not so"),
]


@pytest.mark.parametrize(("passage", "claim", "instead"), EXCLUDED)
def test_a_sentence_with_an_opposite_in_the_place_of_one_word_is_no_evidence(
    passage: str, claim: str, instead: str
) -> None:
    (piece,) = assess(claim, [passage]).evidence
    assert piece.label != "supported"
    assert piece.note.startswith(f"a passage says {instead}")
    assert (piece.passage, piece.passage_start, piece.passage_end) == (1, 0, len(passage))


@pytest.mark.parametrize(
    ("passage", "claim"),
    [
        ("Ann bought the house from Bob.", "Bob sold the house to Ann."),
        ("The house was bought by Ann from Bob.", "The house was sold to Ann by Bob."),
        ("Bob's tenant is Ann.", "Bob is the landlord of Ann."),
        ("Florence lies north of Rome.", "Rome lies south of Florence."),
        ("The blue box lies under the red box.", "Over the blue box lies the red box."),
        ("The exam comes before the interview.", "The interview comes after the exam."),
        ("The shop closes at 18:00.", "The shop is open to 18:00."),
        ("The shop closes at 18:00.", "The shop is open until 18:00."),
        ("The gates close after 6 pm.", "The gates are open before 6 pm."),
        ("The pool opens at 8 and closes at 20.", "The pool closes at 20."),
        ("Sales fell. In May sales rose by 5%.", "Sales fell by 5% in May."),
        ("The rates fell from high to low values.", "The rates fell from low to high values."),
        ("Losses fell by 5% in 2020.", "Profits rose by 5% in 2020."),
        ("Unless it rains, the pool is closed in May.", "If it rains, the pool is open in May."),
        ("Is the museum closed on Mondays?", "The museum is open on Mondays."),
        ("A队大败B队。", "A队大胜B队。"),
        ("Guests dine well, as the kitchen closes late.", "As the kitchen closes late, guests dine well."),
        ("会员先付款，员工后付款。", "员工后付款。"),
        ("本店仅周一关闭。", "本店周一开放。"),
        ("商家不承担运费，由买家承担运费。", "由商家承担运费。"),
    ],
)
def test_what_says_the_same_from_the_other_end_or_has_the_word_as_well_is_not_excluded(
    passage: str, claim: str
) -> None:
    assert not any("instead of" in piece.note for piece in assess(claim, [passage], unsupported=1.0).evidence)
    (piece,) = assess(claim, [passage]).evidence
    assert piece.label == "supported"


def test_a_sentence_beside_it_that_has_the_word_turns_nothing_out() -> None:
    passage = "The museum is closed on Mondays in winter. From May on it is open all week. Children pay nothing there."
    (piece,) = assess("The museum is open on Mondays.", [passage]).evidence
    assert "instead" not in piece.note


def test_another_passage_that_says_the_claim_supports_it_in_any_order() -> None:
    against, for_it = "The museum is closed on Mondays.", "In May the museum is open on Mondays."
    (alone,) = assess("The museum is open on Mondays.", [against]).evidence
    both = [
        assess("The museum is open on Mondays.", order).evidence for order in ([against, for_it], [for_it, against])
    ]
    assert alone.label == "unsupported"
    assert [piece.label for (piece,) in both] == ["supported", "supported"]
    assert len({piece.score for (piece,) in both}) == 1


def test_a_claim_that_says_nothing_beside_the_word_is_left_alone() -> None:
    (piece,) = assess("It is open.", ["The museum is closed on Mondays."]).evidence
    assert "instead" not in piece.note


def test_texts_made_of_excluding_sentences_say_nothing() -> None:
    passages = [f"The pool is closed on Mondays{' again' * count}." for count in range(MOST_OPPOSED + 1)]
    (few,) = assess("The pool is open on Mondays.", passages[:-1]).evidence
    (many,) = assess("The pool is open on Mondays.", passages).evidence
    assert "instead" in few.note
    assert "instead" not in many.note
