"""A unit that a table names once holds for its numbers; a number without it does not become larger."""

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.amounts.scales import scales_in

ENGLISH = "Business | Revenue ({}) | Growth\nWater works | 26.4 | 18.2 %\nWaste | 7.1 | 2 %"
CHINESE = "| 业务 | 收入（{}） | 同比 |\n|---|---|---|\n| 水处理设备 | 26.4 | +18.2% |"


@pytest.mark.parametrize(
    ("text", "scales"),
    [
        ("Revenue (EUR million)", {1e6}),
        ("Revenue, in thousands of dollars", {1e3}),
        ("Debt [$bn] and cash [$mn]", {1e9, 1e6}),
        ("收入（亿元）", {1e8}),
        ("单位：人民币万元", {1e4}),
        ("销量(千台)", {1e3}),
        ("A million people came in a thousand ships.", set()),
        ("He lives in Millionaire Row (a millionaire's house).", set()),
        ("公司有一万名员工（含外包）。", set()),
        ("The city (1.2 million people) has 14 bridges.", set()),
        ("The firm (worth $3 billion) has 40 shops.", set()),
        ("该酒店（千岛湖店）有客房120间，开发商是（万科），（市值十亿）。", set()),
        ("", set()),
    ],
)
def test_a_scale_is_named_in_brackets_or_as_such(text: str, scales: set[float]) -> None:
    assert scales_in(text) == scales


@pytest.mark.parametrize(
    ("answer", "passage"),
    [
        ("The revenue of water works was EUR 26.4 million.", ENGLISH.format("EUR million")),
        ("The revenue of water works was 26,400 dollars.", ENGLISH.format("in thousands of dollars")),
        ("水处理设备收入26.4亿元。", CHINESE.format("亿元")),
        ("水处理设备收入264000万元。", CHINESE.format("亿元")),
        ("水处理设备收入26.4亿元。", "业务｜收入（亿元）｜同比\n水处理设备｜26.4｜+18.2%"),
        ("水处理设备2023年收入26.4亿元。", "收入表（单位：亿元）\n水处理设备：2023 年 26.4，2022 年 20.1，毛利率 14%"),
    ],
)
def test_a_number_may_have_the_unit_of_its_table(answer: str, passage: str) -> None:
    (piece,) = assess(answer, [passage]).evidence
    assert "number" not in piece.note


@pytest.mark.parametrize(
    ("answer", "passage"),
    [
        ("The revenue of water works was EUR 26.4 billion.", ENGLISH.format("EUR million")),
        ("The revenue of water works was EUR 26.4 million.", ENGLISH.format("EUR")),
        ("The revenue of water works was EUR 26.5 million.", ENGLISH.format("EUR million")),
        ("水处理设备收入26.4亿元。", CHINESE.format("元")),
        ("水处理设备收入26.4万元。", CHINESE.format("亿元")),
        ("A fine of EUR 26.9 million was paid.", f"{ENGLISH.format('EUR million')}\nA fine of 26.9 euros was paid."),
    ],
)
def test_no_other_unit_and_no_other_number(answer: str, passage: str) -> None:
    (piece,) = assess(answer, [passage]).evidence
    assert piece.note.startswith("number 26.")
