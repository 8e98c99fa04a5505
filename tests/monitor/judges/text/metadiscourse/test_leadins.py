"""What leads into a statement is no part of it, and what may state something is no lead-in."""

import pytest

from monitor.judges.text.metadiscourse.leadins import without_lead_ins

LED_IN = [
    "According to passage 3, {}",
    "According to the provided article, {}",
    "According to the author, {}",
    "As mentioned in the document, {}",
    "As per the document, {}",
    "Per the documentation, {}",
    "In the passage, it is stated that {}",
    "The passages also state that {}",
    "Passage 1 states that {}",
    "Document 3 notes that {}",
    "The provided information suggests that {}",
    "The article states: {}",
    "It is worth noting that {}",
    "It's important to note that {}",
    "It appears that {}",
    "Based on the given passages, it can be said that {}",
    "Please note that {}",
    "This means that {}",
    "Furthermore, {}",
    "In other words, {}",
    "On the other hand, {}",
    "As mentioned earlier, {}",
    "Answer: Yes, according to the text, it seems that {}",
    "**Key point 2:** {}",
    "Finding 1: {}",
    "Passage 2: {}",
    "Source 1 - {}",
    "Passage 2 confirms this: {}",
    "As the article explains, {}",
    "It is stated in the passage that {}",
    "Both passages agree that {}",
    "The key takeaway is that {}",
]
LED_IN_ZH = [
    "根据资料2，{}",
    "根据第1段，{}",
    "据文档介绍，{}",
    "如资料1所述，{}",
    "正如文中所述，{}",
    "从资料来看，{}",
    "资料2显示，{}",
    "文中提到{}",
    "报道称，{}",
    "据称，{}",
    "要点1：{}",
    "第一点：{}",
    "此外，根据资料1，{}",
    "具体而言，{}",
    "值得注意的是，{}",
    "资料1和资料2均显示，{}",
    "来源1：{}",
    "由资料可知，{}",
    "有资料表明，{}",
    "该文指出，{}",
]


@pytest.mark.parametrize("lead_in", LED_IN)
def test_a_lead_in_is_left_out(lead_in: str) -> None:
    assert without_lead_ins(lead_in.format("the fee is 40 euros.")) == "the fee is 40 euros."


@pytest.mark.parametrize("lead_in", LED_IN_ZH)
def test_a_chinese_lead_in_is_left_out(lead_in: str) -> None:
    assert without_lead_ins(lead_in.format("保修期为两年。")) == "保修期为两年。"


@pytest.mark.parametrize(
    "behind",
    [
        ", as stated in passage 2.",
        ", according to the passage.",
        " as mentioned in the article.",
        ", as per the document.",
    ],
)
def test_who_says_so_is_left_out_behind_a_statement(behind: str) -> None:
    assert without_lead_ins(f"The fee is 40 euros{behind}") == "The fee is 40 euros."


@pytest.mark.parametrize(
    "claim",
    [
        "The passages do not say that it is free.",
        "It is not mentioned in the documents.",
        "According to article 5, the fee is 40 euros.",
        "According to the information of 12 May 2021, it is free.",
        "Article 5 states that it is free.",
        "The study shows that it works.",
        "The minister said that it works.",
        "From 100 guests, ten stayed.",
        "No, it is free.",
        "However it is done, it is free.",
        "Points: 30",
        "Based on luck, it is free.",
        "Bus 2: 30 euros for 2 hours",
        "由材料制成的杯子保修期为两年。",
        "在材料科学领域，保修期为两年。",
        "信息显示屏保修期为两年。",
        "内容说明书有两页。",
        "资料没有显示保修期。",
    ],
)
def test_what_may_state_something_stays(claim: str) -> None:
    assert without_lead_ins(claim) == claim


def test_a_text_that_only_leads_into_something_states_nothing() -> None:
    assert without_lead_ins("根据资料显示，") == ""


@pytest.mark.parametrize("says", ["according to passage 1 and 2", "as stated in passage 2", "as per the documents"])
def test_who_says_so_may_stand_between_commas(says: str) -> None:
    assert without_lead_ins(f"The museum, {says}, has 4 floors.") == "The museum has 4 floors."
    assert without_lead_ins(f"The museum {says}, has 4 floors.") != "The museum has 4 floors."


@pytest.mark.parametrize(
    "lead_in",
    [
        *("Step 1: ", "Step 1. ", "Step 1) ", "Step 1 – ", "Step 1 - ", "Step 1—", "**Step 1** – ", "**Step 1:** "),
        *(
            "**Step 1** ",
            "**Step 1.** ",
            "Step one – ",
            "**步骤1** – ",
            "步骤1、",
            "步骤一：",
            "第一步，",
            "**第2步** ",
        ),
    ],
)
def test_the_number_of_a_step_leads_in(lead_in: str) -> None:
    assert without_lead_ins(f"{lead_in}Open 3 boxes.") == "Open 3 boxes."


@pytest.mark.parametrize(
    "statement",
    [
        *(
            "Step 1 takes 5 minutes.",
            "Step 1–3 take 5 minutes.",
            "Step 1, 2 and 3 take 5 minutes.",
            "Step 12.5 is free.",
        ),
        *(
            "**Step 1**",
            "Option 1 – 40 euros",
            "5 – the least age",
            "步骤1需要5分钟。",
            "步骤1和步骤2免费。",
            "第一步免费。",
        ),
    ],
)
def test_a_statement_of_a_step_is_none(statement: str) -> None:
    assert without_lead_ins(statement) == statement
