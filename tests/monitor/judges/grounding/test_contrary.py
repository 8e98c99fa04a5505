"""Rules of evidence that says the contrary."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.grounding.contrary import says_contrary
from monitor.judges.grounding.negation import MOST_CONTRARY
from monitor.judges.text.tokens import tokenize

CONTRARY = [
    ("The pool is not heated.", "The pool is heated."),
    ("The pool isn't heated in winter.", "The pool is heated in winter."),
    ("Guests cannot check in before 3 pm.", "Guests can check in before 3 pm."),
    ("The pool is heated, but the sauna is not heated.", "The sauna is heated."),
    ("Breakfast is not included in the price.", "Breakfast is included in the price."),
    ("泳池不加热。", "泳池加热。"),
    ("酒店没有停车场。", "酒店有停车场。"),
    ("不可以携带宠物。", "可以携带宠物。"),
    ("本店不提供发票。", "本店提供发票。"),
    ("他未参加会议。", "他参加会议。"),
    ("请勿使用电梯。", "请使用电梯。"),
    ("切勿靠近护栏。", "靠近护栏。"),
    ("严禁携带宠物。", "携带宠物。"),
    ("E-bikes are not covered.", "E-bikes are covered as well."),
    ("E-bikes are not covered.", "E-bikes will also be fully covered."),
    ("E-bikes are not currently covered.", "E-bikes are still covered."),
    ("The fee is not fully refundable.", "The fee is generally fully refundable."),
    ("提前还款不收取违约金。", "提前还款会收取违约金。"),
    ("提前还款不收取违约金。", "提前还款也需要收取违约金。"),
    ("提前还款不会收取违约金。", "提前还款收取违约金。"),
    ("车票不得退改。", "车票可以退改。"),
    ("车票不予退改。", "车票均可退改。"),
    ("室内禁止吸烟。", "室内也可以吸烟。"),
]


@pytest.mark.parametrize(("sentence", "claim"), CONTRARY)
def test_the_same_words_with_one_negation_more_say_the_contrary(sentence: str, claim: str) -> None:
    assert says_contrary(sentence, tokenize(claim))
    (piece,) = assess(claim, [sentence]).evidence
    assert piece.label != "supported"
    assert piece.note == "a passage says that it is not so"


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("The pool is not only heated but also salted.", "The pool is heated and salted."),
        ("Guests cannot check in before 3 pm.", "Guests can check in from 3 pm."),
        ("Guests cannot check in before 3 pm.", "Guests can check in before 5 pm."),
        ("Guests may not check in after 10 pm.", "Guests may check in until 10 pm."),
        ("No refunds after 14 days.", "Refunds within 14 days."),
        ("Nothing is included but breakfast.", "Breakfast is included."),
        ("You cannot enter without a ticket.", "You can enter with a ticket."),
        ("In summer the pool is heated, in winter it is not.", "The pool is heated."),
        ("Don't forget to bring your passport.", "Bring your passport."),
        ("He did not die in 1990 but in 1992.", "He died in 1992."),
        ("Is the pool not heated?", "The pool is heated."),
        ("Not all rooms have a bath.", "Rooms have a bath."),
        ("The hotel does not have a pool, and parking is free.", "The hotel lacks a pool, and parking is free."),
        ("No. The pool is heated every day.", "The pool is heated every day."),
        ("不仅提供早餐，还提供晚餐。", "提供早餐。"),
        ("无需预约。", "需要预约。"),
        ("不得晚于下午三点入住。", "下午三点入住。"),
        ("不是周一开放，而是周二开放。", "周二开放。"),
        ("会员可以退款，非会员不可以退款。", "会员可以退款。"),
        ("他不得不离开。", "他离开。"),
        ("禁止吸烟，违者不得入内。", "禁止吸烟。"),
        ("The fee is not fully refundable.", "The fee is refundable."),
        ("The fee is not always refundable.", "The fee is usually refundable."),
        ("E-bikes are not covered.", "E-bikes are covered in May."),
        ("The wine does not keep.", "The wine keeps well."),
        ("不需要预约。", "可以预约。"),
        ("他不必离开。", "他将离开。"),
        ("不得不收取违约金。", "可以收取违约金。"),
        ("申请人不是会员。", "申请人是员工。"),
    ],
)
def test_what_says_more_or_less_or_something_else_is_not_the_contrary(sentence: str, claim: str) -> None:
    assert not says_contrary(sentence, tokenize(claim))


def test_a_contrary_sentence_is_no_evidence_and_another_one_still_is() -> None:
    contrary, other = "The pool of the hotel is not heated.", "In May the pool of the hotel is heated again."
    (against,) = assess("The pool of the hotel is heated.", [contrary, "Breakfast is late."]).evidence
    (for_it,) = assess("The pool of the hotel is heated.", [contrary, other]).evidence
    assert (against.label, against.passage) == ("unsupported", 1)
    assert (against.passage_start, against.passage_end) == (0, len(contrary))
    assert (for_it.label, for_it.passage) == ("supported", 2)


def test_texts_made_of_contrary_sentences_say_nothing() -> None:
    passages = [f"The pool is not heated, {'very ' * count}never." for count in range(MOST_CONTRARY + 2)]
    (piece,) = assess("The pool is heated.", passages).evidence
    assert piece.label == "supported"
