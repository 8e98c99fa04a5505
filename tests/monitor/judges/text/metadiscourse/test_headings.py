"""Rules of headings."""

import pytest

from monitor.judges.text.claims import claims_of
from monitor.judges.text.metadiscourse.headings import names_a_topic
from tests.growth import grows_linearly

_ABOVE_THEIR_OWN = [
    ("Step 2: Install the driver", "Download the driver first."),
    ("2. Charging and storing the battery", "Charge the battery fully before you store it."),
    ("How to install the driver on Windows 11", "Open the settings of Windows 11 and run the driver setup."),
    ("What you need to know before you travel", "Visas are issued on arrival."),
    ("Refund windows for business customers", "Business customers may ask for a refund within 30 days."),
    ("Key features of the Larkbot S4", "The Larkbot S4 mops by itself."),
    ("Benefits and drawbacks of remote work", "People who work at home save time."),
    ("Differences between the Basic and Premium plan", "Basic has 5 GB, Premium 50 GB."),
    ("Opening hours and admission fees", "The museum opens at ten. Admission is 5 euros."),
    ("Phase 1: Planning and preparation", "It is red."),
    ("Part A: Eligibility", "It is red."),
    ("What happens after we receive your parcel", "It is red."),
    ("三、特殊情况的处理办法", "它是红色的。"),
    ("Overview: Refunds", "It is red."),
    ("第3章 退款政策", "它是红色的。"),
    ("Side effects to watch for", "It is red."),
    ("第二步：安装驱动程序并重启电脑", "下载安装包后运行，完成后重启电脑，驱动即可生效。"),
    ("商业客户的退款期限与办理流程", "商业客户可在30天内申请退款，期限从签收起算。"),
    ("一、申请条件及所需材料清单", "申请人须提交身份证。"),
    ("使用前的注意事项与安全须知", "请先阅读手册。"),
    ("Arrival and Departure Logistics", "It is red."),
    ("Emergency Wound Care at Home", "It is red."),
    ("Pet-Friendly Lodging Fees", "It is red."),
    ("Not Included", "It is red."),
    ("Items Excluded From Coverage", "It is red."),
    ("Don't Forget", "It is red."),
    ("Must-Know Facts", "It is red."),
    ("Can I swim in winter", "It is red."),
    ("2024 Pricing Information", "It is red."),
    ("Recommended Settings", "It is red."),
    ("Free Parking", "Parking is free for guests."),
    *((heading, "It is red.") for heading in ("Lost Property", "Make a Reservation", "Paid Leave", "Meals and drinks")),
    *(
        (heading, "It is red.")
        for heading in ("Things to do nearby", "Documents required for check-in", "Within Europe")
    ),
    *((heading, "它是红色的。") for heading in ("亲子活动推荐", "可能的原因", "必备材料", "破坏性变化和坑")),
    ("所有费用一览", "它是红色的。"),
    ("不包含的项目", "它是红色的。"),
    ("必须了解的事项", "它是红色的。"),
    ("不赔的情形", "酒驾造成的损失由车主承担。"),
    ("Costs (from April 2025)", "From 1 April 2025 the costs are 5 euros."),
    ("费用（2025年4月起）", "自2025年4月起，费用为5元。"),
    ("2024年价格信息", "它是红色的。"),
    ("轻微外伤的居家应急处理方法", "它是红色的。"),
]
_STATEMENTS = [
    *(
        "Refunds take 90 days",
        "90 days for refunds",
        "Step 2: Refunds take 90 days",
        "Overview: refunds take weeks",
        "1. Refunds cost 50 euros",
    ),
    *(
        "Refund window: 90 days",
        "Breakfast: included",
        "The driver is free",
        "No refunds",
        "Free parking for all guests",
    ),
    *("Dogs allowed in all rooms", "Lifetime warranty on all parts", "All guests park free of charge"),
    *("Customers receive a full refund", "The board resigned after the scandal", "Made by hand in northern Germany"),
    *(
        "Free Breakfast",
        "Luggage Lost",
    ),
    *("Drink bleach", "Spa demolished", "Lifetime warranty", "50 Guests Died", "Founded 1821", "10-year warranty"),
    *("Guests Get Their Money Back Twice", "Dogs Stay Free", "The Board Resigned After the Scandal", "Founded in 1821"),
    *("When customers cancel they receive a full refund", "How refunds take 90 days", "Open daily from ten to six"),
    *(
        "董事会因丑闻集体辞职",
        "质保终身覆盖全部零件",
        "所有客人免费停车并享受早餐",
        "公司去年亏损严重并裁减工厂员工",
        "保修期：90天",
        *("宠物免费", "每晚赠送早餐", "立即删除数据库", "二十四小时开放", "终身保修政策"),
    ),
]


@pytest.mark.parametrize(("heading", "below"), _ABOVE_THEIR_OWN)
def test_a_heading_names_what_is_told_below_it(heading: str, below: str) -> None:
    assert [
        claim.sentence.text for claim in claims_of(f"**{heading}**\n{below}") if heading in claim.sentence.text
    ] == []
    assert names_a_topic(heading, below, counts=True)


@pytest.mark.parametrize("statement", _STATEMENTS)
@pytest.mark.parametrize("form", ["**{}**", "### {}", "1. **{}**"])
def test_a_statement_is_judged_in_bold_and_as_a_heading(statement: str, form: str) -> None:
    claims = claims_of(f"{form.format(statement)}\nIt is red.")
    assert any(claim.sentence.text.strip("*") in statement for claim in claims)


@pytest.mark.parametrize(
    ("heading", "below"),
    [
        ("Costs (from April 2025)", "The costs are 5 euros."),
        ("Costs (from April 2026)", "From 1 April 2025 the costs are 5 euros."),
        ("Costs (from April 2025)", "In April it is red. The costs rise in 2025."),
        ("Costs (until April 2025)", "From 1 April 2025 the costs are 5 euros."),
        ("Costs (5 euros)", "The costs are 5 euros."),
        ("Costs (April only)", "In April it is red."),
        ("费用（2025年4月起）", "费用为5元。"),
        ("费用（5元）", "费用为5元。"),
        ("不赔", "酒驾造成的损失由车主承担。"),
    ],
)
def test_what_stands_in_brackets_is_judged_where_it_is_not_told_below(heading: str, below: str) -> None:
    assert claims_of(f"**{heading}**\n{below}")[0].sentence.text.strip("*") == heading


@pytest.mark.parametrize(
    "heading",
    [
        "TL;DR",
        "TLDR",
        "In short",
        "Bottom line",
        "The short answer",
        "At a glance",
        "简而言之",
        "一句话总结",
        "太长不看版",
    ],
)
@pytest.mark.parametrize("form", ["**{}**\n", "**{}:**\n", "### {}\n", "### **{}**\n"])
def test_a_word_for_a_short_answer_above_it_is_no_claim(heading: str, form: str) -> None:
    claims = claims_of(form.format(heading) + "Dogs are banned.")
    assert [claim.sentence.text for claim in claims] == ["Dogs are banned."]


@pytest.mark.parametrize(
    "below",
    ["Did the board resign after the scandal?", "**The board resigned**\n\nIt is red.", "# The scandal of the board"],
)
def test_headings_and_questions_below_tell_nothing(below: str) -> None:
    assert not names_a_topic("The board resigned after the scandal", below)


def test_numbers_of_a_heading_in_bold_are_told_below_it() -> None:
    assert names_a_topic("How to install it on Windows 11", "Open Windows 11.")
    assert not names_a_topic("How to install it on Windows 11", "Open Windows 10.")
    assert not names_a_topic("Windows 11", "Open Windows 11.")


def test_a_heading_behind_a_mark_may_count_its_points() -> None:
    assert names_a_topic("3 ways to save", "It is red.", counts=True)
    assert names_a_topic("Five tips", "It is red.", counts=True)
    assert names_a_topic("Top 3 Hotel Perks", "It is red.", counts=True)
    assert names_a_topic("三种退款方式", "它是红色的。", counts=True)
    assert not names_a_topic("50 guests", "It is red.", counts=True)
    assert not names_a_topic("Save 3 euros", "It is red.", counts=True)
    assert not names_a_topic("Save $3", "It is red.", counts=True)


@pytest.mark.parametrize("below", ["**a\n", "a? ", "# a\n", "*_", "? "])
def test_time_is_linear_in_the_length(below: str) -> None:
    heading = "Many words of a heading that stand nowhere below"
    assert grows_linearly(lambda count: lambda: names_a_topic(heading, below * count), 10_000)
