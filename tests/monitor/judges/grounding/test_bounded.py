"""Rules of bounds that are said by denying that something is beyond them."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.tokens import tokenize

CLOAKROOM = (
    "Larger items must be handed in 45 minutes before departure. Restoring is free of charge. "
    "Hand luggage weighs up to 20 kg."
)
SAME = [
    (
        CLOAKROOM,
        "Hand luggage weighs no more than 20 kg.",
    ),
    (
        CLOAKROOM,
        "Larger items must be handed in no later than 45 minutes before departure.",
    ),
    ("A maximum of 5 people.", "No more than 5 people."),
    ("Store below 25 °C.", "Do not store above 25 °C."),
    ("行李最多20公斤。", "行李不超过20公斤。"),
    ("首付至少20%。", "首付不得低于20%。"),
    ("Hand luggage must not exceed 20 kg.", "Hand luggage weighs up to 20 kg."),
    ("Hand luggage may weigh no more than 20 kg.", "Hand luggage may weigh at most 20 kg."),
    ("Hand luggage may weigh at most 20 kg.", "Hand luggage must not exceed 20 kg."),
    ("行李不超过20公斤。", "行李最多20公斤。"),
    ("Refunds are possible within 14 days.", "Refunds are not possible after 14 days."),
    ("Check-in is possible from 3 pm.", "Check-in is not possible before 3 pm."),
    ("At least two adults are needed.", "No fewer than two adults are needed."),
    ("儿童身高不低于1.2米需购票。", "儿童身高1.2米以上需购票。"),
    ("入住时间不早于14:00。", "入住时间为14:00以后。"),
    ("办理时间不得晚于下午5点。", "办理时间最晚下午5点。"),
    ("办理时间最晚下午5点。", "办理时间不得晚于下午5点。"),
    ("Hand luggage weighs no more than 20 kg.", "Hand luggage weighs less than 20 kg."),
    ("Hand luggage weighs less than 20 kg.", "Hand luggage weighs no more than 20 kg."),
    ("Bags over 20 kg are not allowed.", "No bag may weigh over 20 kg."),
    ("Do not store above 25 °C.", "Store at no more than 25 °C."),
    ("Do not store above 25 °C.", "Do not store above 25 °C."),
    ("Do not store above 25 °C.", "Store not above 25 °C."),
    ("More than 20 guests are not allowed.", "No more than 20 guests are allowed."),
    ("Delivery takes 3 to 5 days.", "Delivery takes no more than 5 days."),
    ("The report must be filed by 5 May.", "The report must be filed no later than 5 May."),
    ("The report must be filed by Friday.", "The report must be filed no later than Friday."),
    ("Payment is due within 14 days.", "Payment is due no later than 14 days."),
    ("Guests must be at least 18 years old.", "Guests must be no younger than 18 years."),
    ("You may bring up to two bags.", "You may not bring more than two bags."),
    ("The dose is 4 tablets a day at most.", "The dose must not exceed 4 tablets a day."),
    ("The dose must not exceed 4 tablets a day.", "The dose must never exceed 4 tablets a day."),
    ("Each person may borrow a maximum of 5 books.", "Each person can't borrow more than 5 books."),
    ("每人限购5件。", "每人限购不超过5件。"),
    ("每日最多服用4片。", "每日服用不得超过4片。"),
    ("每日服用不得超过4片。", "每日最多服用4片。"),
    ("14天内可退款。", "14天后不可退款。"),
    ("工期不超过30天。", "工期未超过30天。"),
    ("最晚于5月5日提交。", "应不晚于5月5日提交。"),
    ("贷款比例最高70%。", "贷款比例不高于70%。"),
    ("水温超过40度不得使用。", "水温超过40度不得使用。"),
    ("水温40度以下可以使用。", "水温超过40度不得使用。"),
]
OTHER = [
    (
        CLOAKROOM,
        "Hand luggage weighs no more than 30 kg.",
    ),
    ("Hand luggage weighs at least 20 kg.", "Hand luggage weighs no more than 20 kg."),
    ("Hand luggage weighs more than 20 kg.", "Hand luggage weighs no more than 20 kg."),
    ("Hand luggage weighs no more than 20 kg.", "Hand luggage weighs more than 20 kg."),
    ("Hand luggage weighs no more than 20 kg.", "Hand luggage weighs at least 20 kg."),
    ("Hand luggage must not exceed 20 kg.", "Hand luggage may exceed 20 kg."),
    ("Hand luggage may exceed 20 kg.", "Hand luggage must not exceed 20 kg."),
    ("行李超过20公斤。", "行李不超过20公斤。"),
    ("行李不超过20公斤。", "行李超过20公斤。"),
    ("首付不低于20%。", "首付不高于20%。"),
    ("首付最多20%。", "首付不低于20%。"),
    ("首付不低于20%。", "首付低于20%。"),
    ("Store above 25 °C.", "Do not store above 25 °C."),
    ("Store below 25 °C.", "Do not store below 25 °C."),
    ("Do not store above 25 °C.", "Store above 25 °C."),
    ("Refunds are possible after 14 days.", "Refunds are not possible after 14 days."),
    ("Refunds are possible within 14 days.", "Refunds are not possible within 14 days."),
    ("Bags may weigh up to 20 kg.", "Bags may not weigh up to 20 kg."),
    ("The trial lasts 14 days.", "The trial does not last 14 days."),
    ("Members pay more than 20 euros.", "Members do not pay more than 20 euros."),
    ("Members pay up to 20 euros.", "Members pay no less than 20 euros."),
    ("Guests older than 12 pay 5 euros.", "Guests no older than 12 pay 5 euros."),
    ("Refunds within 14 days get a bonus, refunds after 14 days are possible.", "No refunds after 14 days."),
    ("Smoking is allowed in the garden.", "No smoking is allowed in the garden for no more than 20 minutes."),
    ("The pool opens no earlier than 8.", "The pool opens earlier than 8."),
    ("The pool opens before 8.", "The pool opens no earlier than 8."),
    ("The lift carries no more than 8 people.", "The lift carries no more than 9 people."),
    ("The lift is open until 8 pm.", "The lift is not open until 8 pm."),
    ("每日服用不得超过4片。", "每日服用可以超过4片。"),
    ("每日服用不得超过4片。", "每日服用不得少于4片。"),
    ("每日至少服用4片。", "每日服用不得超过4片。"),
    ("每日最多服用4片。", "每日服用不得超过6片。"),
    ("14天后可退款。", "14天后不可退款。"),
    ("14天内可退款。", "14天内不可退款。"),
    ("25度以上存放。", "25度以上请勿存放。"),
    ("贷款比例最低70%。", "贷款比例不高于70%。"),
    ("工期超过30天。", "工期没有超过30天。"),
    ("工期没有超过30天。", "工期超过30天。"),
    ("工期未超过30天。", "工期已超过30天。"),
    ("Guests may bring dogs of at least 5 kg.", "Guests may not bring dogs of at least 5 kg."),
    ("The deposit is 40 euros.", "The deposit is not 40 euros."),
]


@pytest.mark.parametrize(("passage", "claim"), SAME)
def test_a_bound_is_held_by_what_says_so_or_less_in_any_form(passage: str, claim: str) -> None:
    (piece,) = assess(claim, [passage]).evidence
    assert piece.label == "supported", piece.note


@pytest.mark.parametrize(("passage", "claim"), OTHER)
def test_a_bound_the_other_way_another_number_and_a_denial_are_not(passage: str, claim: str) -> None:
    (piece,) = assess(claim, [passage]).evidence
    assert piece.label != "supported"


@pytest.mark.parametrize(
    "text",
    ["It weighs no more than 20 kg.", "It must not exceed the limit.", "重量不超过20公斤。", "重量没有超过20公斤。"],
)
def test_to_deny_what_is_beyond_a_bound_negates_nothing(text: str) -> None:
    tokens = tokenize(text)
    assert (tokens.negated, tokens.denies_bound) == (False, True)


@pytest.mark.parametrize(
    "text",
    [
        "It is not open after May.",
        "It is no longer open.",
        "It is no better than the other one.",
        "The field of a star is not greater than that of a black hole.",
        "Its field does not exceed that of a black hole.",
        "No fee is due, and it weighs no more than 20 kg.",
        "酒店没有泳池。",
        "木星的密度不高于地球的密度。",
        "酒店没有泳池，房间不超过20间。",
    ],
)
def test_what_denies_more_than_that_negates(text: str) -> None:
    tokens = tokenize(text)
    assert (tokens.negated, tokens.denies_bound) == (True, False)


def test_a_bound_the_other_way_is_told_and_one_that_is_the_same_in_another_passage_supports() -> None:
    against, claim = "The lift carries more than 8 people.", "The lift carries no more than 8 people."
    (alone,) = assess(claim, [against]).evidence
    (both,) = assess(claim, [against, "The lift carries at most 8 people."]).evidence
    assert (alone.note, alone.passage) == ("a passage says that it is not so", 1)
    assert (both.label, both.passage) == ("supported", 2)
