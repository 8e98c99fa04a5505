"""Declines behind labels, in the words that answers use, and statements in the same words."""

import pytest

from monitor.judges.text.declines.declining import declines_only
from monitor.judges.text.declines.known import Words


@pytest.mark.parametrize(
    "answer",
    [
        *("**Pool:** not specified", "**Pets** – not mentioned.", "- Price: not mentioned in the documents"),
        *("Price: N/A", "Price: unknown", "Warranty: unclear", "Parking: no information available.", "Fee: no details"),
        *(
            "| Pool | not specified |",
            "- Pool: not stated\n- Sauna: not stated",
        ),
        *(
            "价格：资料中未提及",
            "**停车场**：未提及",
            "价格：暂无信息",
            "价格：不详",
            "保修期：暂无相关资料。",
            "联系电话：未知",
        ),
    ],
)
def test_a_decline_with_a_label_is_a_decline(answer: str) -> None:
    assert declines_only(answer, Words([""]))


@pytest.mark.parametrize(
    "answer",
    [
        *(
            "Spa hours: not given.",
            "Spa: not listed",
            "Spa: not described.",
            "Spa: not discussed",
            "Spa: none mentioned.",
        ),
        *(
            "Spa: nothing mentioned",
            "Spa: no mention.",
            "Spa: cannot be determined.",
            "Spa: unclear from the passages.",
        ),
        *(
            "Spa: (not specified)",
            "Spa: *not specified*",
            "Spa: not specified; pool: not specified.",
            "Spa: not found.",
        ),
        *(
            "Price not specified.",
            "No price is given for a massage.",
            "The spa is not discussed.",
            "Spa Prices: not given",
        ),
        *(
            "Nothing is said about a spa.",
            "No massage prices are listed.",
            "未提及水疗。",
            "按摩价格不详。",
            "价格未给出。",
        ),
        *(
            "暂时查不到水疗信息。",
            "关于水疗，资料未作说明。",
            "没有给出按摩的价格。",
            "水疗：没提到",
            "Details about the spa were not provided.",
            "The price of a massage is not given.",
            "Not enough information is available.",
            "No documents were found.",
        ),
    ],
)
def test_a_decline_says_so_in_these_ways(answer: str) -> None:
    assert declines_only(answer, Words([""]), Words(["Dogs are allowed."]))


@pytest.mark.parametrize(
    "answer",
    [
        *("Refunds are not given.", "Breakfast is not provided.", "The price is not given back."),
        *("The killer Bob Miller – not specified.", "Manager (Bob Miller): not specified.", "Pets die: not specified."),
        *("The free pass for pets: not mentioned.", "Pass (free for pets): not specified.", "Free parking: no details"),
        *(
            "No documents are provided to guests.",
            "No results were found by the police.",
            "No mention is made at the desk.",
        ),
        *("Insufficient information leads to a rejected refund.", "Not enough information was given to patients."),
        *(
            "看不出损坏的产品不予退款。",
            "难以判断的损坏一律不赔。",
            "没有相关记录的客人需支付押金。",
            "未提及姓名者不得入住。",
        ),
    ],
)
def test_a_statement_in_the_words_of_a_decline_is_judged(answer: str) -> None:
    assert not declines_only(answer, Words(["What else is there to know?"]))


def test_a_label_may_go_as_far_as_the_question() -> None:
    assert declines_only("Free parking: no details", Words(["Is there free parking?"]))
    assert declines_only("The manager Bob Miller: not mentioned", Words(["Who is the manager, Bob Miller?"]))


@pytest.mark.parametrize("says", ["unknown", "undisclosed.", "unclear", "not found"])
def test_what_passages_tell_is_not_unknown(says: str) -> None:
    question = "What are the side effects?"
    assert declines_only(f"Side effects: {says}", Words([question, "It is red."]), Words(["It is red."]))
    assert not declines_only(f"Side effects: {says}", Words([question]), Words(["Side effects are rare."]))
    assert declines_only("Side effects: not mentioned", Words([question]), Words(["Side effects are rare."]))


@pytest.mark.parametrize(
    "answer",
    [
        *("Price: 50 euros, not specified.", "Price 50 euros: not specified", "Price: not specified (50 euros)."),
        *("The hotel has a pool: not mentioned.", "Refunds take 90 days: not specified", "泳池费50元：未提及"),
        *("Pool: not heated", "Smoking: not allowed", "Flood damage: not covered", "Towels: not provided", "Pool: no"),
        *("早餐：未提供", "优惠：暂无", "泳池：无"),
    ],
)
def test_a_value_or_a_statement_beside_it_is_none(answer: str) -> None:
    assert not declines_only(answer, Words([""]))
