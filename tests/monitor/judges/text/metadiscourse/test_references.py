"""References to passages and to the answer's own steps are no part of what a sentence states; counts and values are."""

import pytest

from monitor.judges.text.claims import claims_of
from monitor.judges.text.metadiscourse.references import listed_numbers, without_references


def _said(text: str) -> str:
    return " ".join(without_references(text).split())


@pytest.mark.parametrize(
    ("stated", "left"),
    [
        ("Stir in the pecans (as per Passage 1).", "Stir in the pecans."),
        ("Top it with pecans (prepared according to Passages 1 and 2).", "Top it with pecans."),
        ("Visit the hall (mentioned in document 3), a museum.", "Visit the hall, a museum."),
        ("Widen the hole, as suggested in passage 3.", "Widen the hole, as suggested ."),
        ("The fee is 5 euros in passage 1, and 6 in passage 2.", "The fee is 5 euros , and 6 ."),
        ("It takes a day, but the second passage says two.", "It takes a day, but says two."),
        ("Passage 2 and passage 3 both indicate that dogs may enter.", "that dogs may enter."),
        ("This passage also suggests shaking the pan.", "shaking the pan."),
        ("The documents recommend using a brush.", "using a brush."),
    ],
)
def test_which_passage_says_it_is_left_out(stated: str, left: str) -> None:
    assert _said(stated) == left


@pytest.mark.parametrize(
    "stated",
    [
        "He documents 3 times a week what happened.",
        "It sources 20 % of its cotton from Peru.",
        "The company sources 3 products.",
        "Upload document 2 times.",
        "It sources 12 of its parts abroad.",
        "Section 4 allows refunds.",
        "Passage 1.5 metres wide is needed.",
        "Guests need to sign document 9.",
        "Document 9 must be signed by the tenant.",
        "The pump draws from source 5.",
        "The permit ended (cancelled and voided by document 9).",
        "The permit holds (not valid per document 9).",
        "The entrance has steps 1 and 2.",
        "The passages state nothing of dogs.",
        "The context window 128 is large.",
    ],
)
def test_what_counts_something_or_denies_stays(stated: str) -> None:
    assert _said(stated) == stated


def test_steps_of_the_answers_own_list_are_no_numbers_of_the_claim() -> None:
    *_, own, foreign = claims_of("1. Open the box.\n2. Press the button.\n3. Repeat step 2.\n4. Repeat steps 2 and 9.")
    assert own.tokens.numbers == frozenset()
    assert foreign.tokens.numbers == {"2", "9"}
    *_, own, foreign = claims_of("步骤1：打开盒子。\n步骤2：按下按钮。\n步骤3：重复第2步。\n步骤4：重复步骤9。")
    assert own.tokens.numbers == frozenset()
    assert foreign.tokens.numbers == {"9"}


def test_a_step_where_nothing_is_listed_is_a_number() -> None:
    assert listed_numbers("Repeat step 4.") == frozenset()
    assert without_references("Repeat step 4.") == "Repeat step 4."


def test_an_answer_that_only_numbers_its_passages_claims_nothing() -> None:
    assert claims_of("Passage 1:\n\nPassage 2:") == ()


@pytest.mark.parametrize(
    "answer",
    [
        "Step one: Turn off the power.\nStep two: Open the cover.\nOpen the cover in the second step.",
        "第一步：关闭电源。\n第二步：打开盖子。\n完成第二步，打开盖子。",
        "1. Turn off the power.\n2. Open the cover.\n3. Turn off the power after step two.",
    ],
)
def test_steps_of_its_own_in_words_have_no_number(answer: str) -> None:
    assert not any(claim.tokens.numbers for claim in claims_of(answer))


def test_a_step_in_words_that_is_not_its_own_keeps_its_number() -> None:
    *_, foreign = claims_of("Step one: Turn off the power.\nStep two: Open the cover.\nRepeat step nine.")
    assert foreign.tokens.numbers == {"9"}
