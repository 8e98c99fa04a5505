"""Rules of what can be checked."""

import pytest

from monitor.judges.text.claims import claims_of, stated_part


def test_greetings_questions_lead_ins_and_offers_are_no_claims() -> None:
    answer = (
        "Hello! Here are the steps:\n1. Press the red button [1].\nDoes that help?\n"
        "I hope this helps. Let me know if you need more.\n您好！保修期为两年【1】。希望对您有帮助。还有其他问题吗？"
    )
    assert [claim.sentence.text for claim in claims_of(answer)] == ["Press the red button [1].", "保修期为两年【1】。"]


def test_citation_marks_are_not_numbers_of_the_claim() -> None:
    (claim,) = claims_of("The museum opens at ten [3, 4] (source 2).")
    assert claim.tokens.numbers == {"10"}


@pytest.mark.parametrize(
    ("sentence", "stated"),
    [
        ("According to the provided context, it is red.", "it is red."),
        ("根据以上资料，保修期为两年。", "保修期为两年。"),
        ("**Summary:** It is red.", "It is red."),
        ("**Step 2:** Press red.", "Press red."),
        ("Answer: Yes, it is red.", "it is red."),
        ("**Yes.** It is red.", "It is red."),
        ("是的，保修期为两年。", "保修期为两年。"),
        ("No, it is red.", "No, it is red."),
        ("**Price:** 12 euros", "**Price:** 12 euros"),
        ("It is red. [Source: a.pdf, p. 12]", "It is red."),
        ("It is red[^1].", "It is red."),
        ("It is red.¹", "It is red."),
        ("保修期为两年（来源1）。", "保修期为两年。"),
        ("<b>It</b> is <i>red</i>.<br/>", "It  is  red ."),
        ("It holds List<String>.", "It holds List<String>."),
        ("It covers 25 km².", "It covers 25 km²."),
        ("Based on luck, it is red.", "Based on luck, it is red."),
    ],
)
def test_a_lead_in_is_no_part_of_what_is_stated(sentence: str, stated: str) -> None:
    assert stated_part(sentence) == stated


def test_an_answer_of_pleasantries_has_no_claims() -> None:
    assert claims_of("Hello! How can I help you today?") == ()


@pytest.mark.parametrize(
    "layout",
    [
        "```python",
        "## Warranty terms",
        "**Overview**",
        "Key points",
        "**总结**",
        "# 1. Overview",
        "**Summary:**",
        "Required documents:",
        "Step 2:",
        "所需材料：",
        "Sources:\n- handbook.pdf, p. 12\n- The Employee Handbook, section 3",
        "来源：\n1. 员工手册",
        "Source: Employee Handbook",
        "Source: The 2021 Annual Report, page 4",
        "Sources: [1], [2]",
        "Sources: passage 1 and passage 3",
        "**Sources:** https://example.org/a",
        "Source: [handbook](https://example.org/a)",
        "References:\n[1] Passage 1",
        "References:\n- World Health Organization",
        "来源：资料1、资料3",
        "来源：《员工手册》第3页",
        "参考资料：[1]、[2]",
        "https://example.org/a?b=1",
        "- `docs/handbook.md`",
        "[Source: hours.pdf, p. 12]",
        "[^1]: Handbook",
        "| plan | price |\n|---|:--|",
        "Yes.",
        "**Correct.**",
        "OK",
        "Right.",
        "可以。",
        "包含。",
        "不是。",
    ],
)
def test_layout_sources_and_a_lone_yes_or_no_are_no_claims(layout: str) -> None:
    assert [claim.sentence.text for claim in claims_of(f"It lasts two years.\n\n{layout}")] == ["It lasts two years."]
    assert [claim.sentence.text for claim in claims_of(f"{layout}\n\nIt lasts two years.")] == ["It lasts two years."]


def test_what_layout_arranges_stays_a_claim() -> None:
    answer = (
        "# It lasts 2 years.\n| plan | price |\n|---|---|\n| Basic | 10 euros |\n```sh\npip install ragmon\n```\nParis"
    )
    texts = [claim.sentence.text for claim in claims_of(answer)]
    assert texts == ["It lasts 2 years.", "| Basic | 10 euros |", "pip install ragmon", "Paris"]


@pytest.mark.parametrize(
    ("answer", "claimed"),
    [
        (text, [text])
        for text in (
            "Source: the maker also refunds 500 euros to every customer.",
            "Source: 500 euros",
            "References: it costs 12 euros",
            "来源：云南普洱古茶园",
            "来源：保修期为十年的报告",
            "参考文献：太阳能发电",
            "[^1]: The maker refunds 500 euros.",
        )
    ]
    + [
        ("Sources:\n- solar power\n- nuclear fusion", ["solar power", "nuclear fusion"]),
        ("Sources:\n- Solar power\n- Nuclear fusion", ["Solar power", "Nuclear fusion"]),
    ],
)
def test_what_points_at_no_source_behind_its_label_is_a_claim(answer: str, claimed: list[str]) -> None:
    assert [claim.sentence.text for claim in claims_of(answer)] == claimed


@pytest.mark.parametrize("heading", ["The warranty lasts 25 years", "Entry is 12 euros", "保修期为25年"])
def test_a_heading_with_a_verb_and_a_number_is_a_claim(heading: str) -> None:
    assert [claim.sentence.text for claim in claims_of(f"# {heading}\n\nIt is red.")] == [heading, "It is red."]


@pytest.mark.parametrize(
    "heading",
    [
        "**Results**",
        "**Storing bread**",
        "__Other key rules__",
        "**What you need to know**",
        "**2. Opening hours**",
        "**Step 2: Opening hours**",
        "**第二步：注册账号**",
        "**需要注意的变化**",
        "1. **费用说明**",
        "一、**费用说明**",
    ],
)
@pytest.mark.parametrize("below", ["\nIt is red.", "\n\n- It is red.", "\r\nIt is red."])
def test_a_line_in_bold_above_others_is_a_heading(heading: str, below: str) -> None:
    assert [claim.sentence.text for claim in claims_of(f"It is old.\n\n{heading}{below}")] == [
        "It is old.",
        "It is red.",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "**Refunds are never paid**",
        "**It costs 40 euros**",
        "**40 euros**",
        "**Not covered.**",
        "**Late payers lose every right forever**",
        "**You must wait**",
        "**不支持退款**",
        "**保修期为两年**",
    ],
)
def test_a_line_in_bold_that_states_something_is_a_claim(line: str) -> None:
    assert [claim.sentence.text for claim in claims_of(f"{line}\nIt is red.")] == [line, "It is red."]


@pytest.mark.parametrize(
    "answer",
    [
        "- **Free parking**\n- **Free films**\n- It is red.",
        "1. **Free parking**\n2. **Free films**\n3. It is red.",
        "**Warm parking**\n\n**Warm films**\n- It is red.",
        "- **免费停车**\n- **免费电影**\n- 它是红色的。",
    ],
)
def test_of_several_lines_in_bold_each_says_something(answer: str) -> None:
    heading = 1 if not answer[0].isdecimal() and not answer.startswith("-") else 0
    assert len(claims_of(answer)) == 3 - heading, "the last one of lines that are no items is a heading"


def test_an_item_in_bold_stands_above_a_list_of_its_own() -> None:
    claims = claims_of("1. **Warm parking**\n   - It is red.\n2. **Warm films**\n   - It is old.")
    assert [claim.sentence.text for claim in claims] == ["It is red.", "It is old."]


def test_an_answer_in_bold_alone_is_a_claim() -> None:
    assert [claim.sentence.text for claim in claims_of("**Green tea**")] == ["**Green tea**"]


@pytest.mark.parametrize(
    "line",
    [
        "Several factors explain the gap:",
        "Until then, people can get across as follows:",
        "Whether you need to book depends on the ship:",
        "原因主要有以下几个方面：",
    ],
)
def test_what_only_introduces_a_list_is_no_claim(line: str) -> None:
    assert [claim.sentence.text for claim in claims_of(f"It is old.\n{line}\n- It is red.")] == [
        "It is old.",
        "It is red.",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Within 90 days you can return:",
        "Refunds are not possible for:",
        "The director resigned after a scandal:",
        "To enter the building you pay a fee:",
        "Here the director sleeps with his dog:",
        "馆长昨日因丑闻在大会上宣布辞职：",
        "The plan of Orrin Mutual covers:",
        "The ferry stops at the castle, the lighthouse, the old mill and the new harbour on its way:",
    ],
)
def test_what_introduces_a_list_and_states_something_is_a_claim(line: str) -> None:
    assert [claim.sentence.text for claim in claims_of(f"{line}\n- It is red.")] == [line, "It is red."]
    assert [claim.sentence.text for claim in claims_of("Several factors explain the gap: It is red.")]


@pytest.mark.parametrize(
    "line",
    [
        "Passage 1 suggests the following:",
        "The process consists of the following steps:",
        "根据资料，建议您按以下步骤操作：",
        "关于退货，文档1给出了如下标准：",
        "根据给定的段落，陶艺入门可以从以下几个方面准备：",
    ],
)
@pytest.mark.parametrize("below", ["1. It is red.", "**Colours**\n- It is red."])
def test_what_says_that_something_follows_is_no_claim_whatever_stands_below(line: str, below: str) -> None:
    assert [claim.sentence.text for claim in claims_of(f"{line}\n\n{below}")] == ["It is red."]


def test_words_in_bold_that_begin_a_paragraph_and_are_told_in_it_are_its_heading() -> None:
    answer = "1. **Ship it.** Print the label and ship the parcel.\n2. **Growth.** The growth was 5 %."
    assert [claim.sentence.text for claim in claims_of(answer)] == [
        "Print the label and ship the parcel.",
        "The growth was 5 %.",
    ]
    assert [claim.sentence.text for claim in claims_of("**Refunds are free.** The shop sells tea.")] == [
        "**Refunds are free.**",
        "The shop sells tea.",
    ]


def test_a_no_in_one_of_many_cells_negates_nothing_that_the_row_says() -> None:
    (row,) = claims_of("| Single sign-on | No | Yes |")
    assert not row.tokens.negated
    (of_one,) = claims_of("| Single sign-on | No |")
    assert of_one.tokens.negated
    (sentence,) = claims_of("No single sign-on is offered.")
    assert sentence.tokens.negated


def test_a_blank_that_does_not_break_is_a_blank_but_between_digits() -> None:
    (claim,) = claims_of(
        "The trail is 5\u00a0miles (8\u00a0km) long (see passage\u00a02) and cost 10\u202f000\u00a0euros."
    )
    assert claim.tokens.numbers == {"5", "10000"}


def test_what_says_that_an_answer_follows_is_no_claim_whatever_follows() -> None:
    here = "Sure, here's a short tutorial on how proper tea is made, based on the given passages:"
    assert [claim.sentence.text for claim in claims_of(f"{here}\n\nIt is red.")] == ["It is red."]
    assert claims_of("Here's why the fee is 40 euros:") != ()
    assert claims_of("Here is the hotel that the Orrin family built:") != ()


@pytest.mark.parametrize("heading", ["3 ways to save", "What is HTTP 2", "Plan 2024", "How it works in 2024"])
def test_a_heading_without_a_statement_is_layout(heading: str) -> None:
    assert [claim.sentence.text for claim in claims_of(f"# {heading}\n\nIt is red.")] == ["It is red."]


@pytest.mark.parametrize(
    "answer",
    ["https://example.org/a", "- settings.yaml\n- wire.json", "Employee Handbook, section 3", "《员工手册》第3条"],
)
def test_an_address_is_a_claim_when_the_answer_holds_nothing_else(answer: str) -> None:
    assert len(claims_of(answer)) == len(answer.splitlines())


@pytest.mark.parametrize(
    "question", ["Is it red?", "**Is it red?**", "Is it red? 🙂", "<i>Is it red?</i>", "它是红色的吗？"]
)
def test_a_question_claims_nothing(question: str) -> None:
    assert claims_of(question) == ()


@pytest.mark.parametrize(
    "question", ["It is red, right?", "It is red, isn't it?", "Did you know that it is red?", "它是红色的，对吧？"]
)
def test_a_question_that_states_what_it_asks_is_a_claim(question: str) -> None:
    assert len(claims_of(question)) == 1


@pytest.mark.parametrize(
    "answer",
    [
        "- **Opening Hours:** Visitors may enter from ten.",
        "1. **Opening Hours**: Furthermore, visitors may enter from ten.",
        "**Opening Hours** – According to passage 3, visitors may enter from ten [1].",
        "Opening hours: Visitors may enter from ten.",
    ],
)
def test_capitals_of_a_label_and_behind_it_make_no_name_and_lead_ins_behind_it_count_nothing(answer: str) -> None:
    (claim,) = claims_of(answer)
    assert claim.tokens.names == frozenset()
    assert claim.tokens.words == ("open", "hour", "visitor", "may", "enter", "from", "10")


def test_names_and_numbers_of_a_labelled_statement_count() -> None:
    (claim,) = claims_of("**Fee 2025:** The museum in Vienna asks for 12 euros.")
    assert claim.tokens.numbers == {"2025", "12"}
    assert claim.tokens.names == {"vienna"}


@pytest.mark.parametrize(
    "line",
    [
        "Source: handbook, 3 May 2024",
        "Source: company handbook, version 2.1, last updated May 2024.",
        "(Source: Refund Policy § 3)",
        "Sources: Refund policy (2024-05-03), Handbook p. 12",
        "来源：员工手册，2024年5月3日",
        "See section 4.2.",
        "For details, see Table 2.",
        "— Refund Policy, section 3",
        "《员工手册》第3条",
    ],
)
def test_a_line_that_only_names_dated_sources_or_sections_states_nothing(line: str) -> None:
    assert [claim.sentence.text for claim in claims_of(f"It is red.\n{line}")] == ["It is red."]


@pytest.mark.parametrize(
    "line",
    [
        "Source: refunds from 3 May 2024",
        "Source: refunds, 90 days",
        "Section 4.2 allows refunds.",
        "Free refunds, section 3",
        "来源：退款，90天",
    ],
)
def test_a_line_that_states_something_beside_its_date_or_section_is_a_claim(line: str) -> None:
    assert len(claims_of(f"It is red.\n{line}")) == 2


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("**1. Badge:** Visitors need a badge.", "**1. Badge:** Visitors need a badge."),
        ("- **2️⃣ Badge:** Visitors need a badge.", "**2️⃣ Badge:** Visitors need a badge."),
        ("**1. 徽章：**访客须佩戴徽章。", "**1. 徽章：**访客须佩戴徽章。"),
        ("**1.** Visitors need a badge.", "Visitors need a badge."),
        ("1. **Badge:** Visitors need a badge.", "**Badge:** Visitors need a badge."),
        ("1️⃣ **Badge:** Visitors need a badge.", "**Badge:** Visitors need a badge."),
        ("**Step 1** – Visitors need a badge.", "**Step 1** – Visitors need a badge."),
    ],
)
def test_a_label_in_bold_behind_a_list_number_is_shown_whole(answer: str, shown: str) -> None:
    (claim,) = claims_of(answer)
    assert claim.sentence.text == shown == answer[claim.sentence.start : claim.sentence.end]
    assert not claim.tokens.numbers


def test_a_list_mark_alone_on_its_line_claims_nothing_and_a_number_does() -> None:
    assert [claim.sentence.text for claim in claims_of("1️⃣\nOpen the box.\n**2️⃣**\nClose it.")] == [
        "Open the box.",
        "Close it.",
    ]
    assert [claim.sentence.text for claim in claims_of("Up to 5️⃣ guests may stay.\n5")] == [
        "Up to 5️⃣ guests may stay.",
        "5",
    ]


@pytest.mark.parametrize("mark", ["1️⃣", "①", "❷", "**3️⃣**", "1.", "ii.", "👉", "#1:"])
def test_steps_under_any_mark_are_the_answers_own(mark: str) -> None:
    *_, last = claims_of(f"1️⃣ Open the box.\n2️⃣ Close it.\n{mark} Repeat step 2.")
    assert last.tokens.numbers == frozenset()
