"""Rules of words by which a number is a rough one."""

import re

import pytest

from monitor.judges.grounding.assessment import assess
from monitor.judges.text.amounts.roughness import ABOUT, LESS, MORE, NEAR, roughness_of


def _roughness(text: str) -> str:
    (number,) = re.finditer("[0-9]+", text)
    return roughness_of(text, *number.span())


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("about 20 people", ABOUT),
        ("20 people or so", ABOUT),
        ("over 600", MORE),
        ("fewer than 5", LESS),
        ("almost 90", NEAR),
        ("约20人", ABOUT),
        ("大约20人", ABOUT),
        ("约有20人", ABOUT),
        ("约为20人", ABOUT),
        ("需要约20分钟", ABOUT),
        ("持续约20分钟", ABOUT),
        ("折合约20元", ABOUT),
        ("每节约45分钟", ABOUT),
        ("每条约2公里", ABOUT),
        ("将近20人", NEAR),
        ("近20人", NEAR),
        ("20多人", MORE),
        ("20余人", MORE),
        ("50余款", MORE),
        ("3年多", MORE),
        ("2个多月", MORE),
        ("5公里多一点", MORE),
        ("20元左右", ABOUT),
        ("20元以上", MORE),
        ("18岁以下", LESS),
    ],
)
def test_a_word_of_roughness_makes_a_number_a_rough_one(text: str, kind: str) -> None:
    assert _roughness(text) == kind


@pytest.mark.parametrize(
    "text",
    [
        *(
            "合约1000元",
            "签约1000人",
            "节约1000元",
            "节约开支1000元",
            "预约1000人",
            "公约1000条",
            "违约1000元",
            "约定租金为1000元",
        ),
        *("合约收盘价5600元", "最近1000人", "附近1000人", "靠近1000米", "大概率1000"),
        *("1000人多数为学生", "1000人多为学生", "1000元余额", "1000元多退少补", "1000额"),
        *("100米左右两侧", "20人上下班", "30000元以下简称", "20 people"),
    ],
)
def test_other_words_that_end_or_begin_so_do_not(text: str) -> None:
    assert not _roughness(text)


def test_a_contract_is_not_about_its_sum() -> None:
    (piece,) = assess("签约1000人参加项目。", ["签约1100人参加项目。"]).evidence
    assert piece.label == "unsupported"
