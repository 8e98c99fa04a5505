"""Rules of the reasons."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.grounding.features import Grounding
from monitor.judges.grounding.reasons import reason_for
from monitor.judges.text.tokens import Tokens, tokenize

PASSAGES = [
    "The museum is open from Tuesday to Sunday. Entry costs 12 euros. Dogs are allowed.",
    "本产品保修期为2年，自购买之日起计算。",
]


def reason_of(claim: Tokens, passages: list[str]) -> str:
    measured = Grounding(passages, [claim]).measure(claim)
    return reason_for(claim, measured, measured.windows[0])


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("Entry costs 15 euros.", "number 15 not in any passage"),
        ("Entry costs 15 euros in May 2031.", "numbers 15, May, 2031 not in any passage"),
        ("The museum honours Napoleon.", "name Napoleon not in any passage; not in any passage: honours"),
        ("Entry is free for pensioners and students.", "not in any passage: free, pensioners, students"),
        ("保修期为五年。", "number 五年 not in any passage"),
        ("保修期为2019年6月。", "numbers 2019, 6月 not in any passage"),
        ("Entry costs 3.5 million euros.", "number 3.5 million not in any passage"),
        ("The museum is open until 8 pm.", "number 8 not in any passage; not in any passage: pm"),
        ("The oranges are served.", "not in any passage: oranges, served"),
        ("总部设在上海。", "name 上海 not in any passage; not in any passage: 总部设在"),
    ],
)
def test_a_reason_names_what_no_passage_holds(answer: str, reason: str) -> None:
    (piece,) = assess(answer, PASSAGES).evidence
    assert (piece.label, piece.note) == ("unsupported", reason)


def test_pairs_of_characters_that_reach_into_a_name_are_not_told_beside_it() -> None:
    (piece,) = assess("深圳分公司九点开门。", ["广州分公司九点开门。"]).evidence
    assert piece.note == "name 深圳 not in any passage"


def test_a_number_that_stands_elsewhere_is_named() -> None:
    passages = [
        "The high tower was built by Gustave Eiffel. "
        + "Nothing is said here at all. " * 4
        + "The bridge is 50 m long."
    ]
    claim = tokenize("The high tower by Gustave Eiffel is 50 m.")
    assert reason_of(claim, passages) == "50 only in another place than the rest"


def test_a_negation_that_the_passage_lacks_is_named() -> None:
    claim = tokenize("Dogs are not allowed today.")
    assert "negated, and the passage that comes closest is not" in reason_of(claim, PASSAGES)


def test_a_passage_that_says_all_of_a_negated_claim_is_named() -> None:
    assert reason_of(tokenize("Dogs are not allowed."), PASSAGES).startswith("a passage says that it is not so")


def test_a_supported_sentence_needs_no_reason() -> None:
    (piece,) = assess("Entry costs 12 euros.", PASSAGES).evidence
    assert (piece.label, piece.note) == ("supported", "")
