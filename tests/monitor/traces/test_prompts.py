from __future__ import annotations

from functools import partial

import pytest

from monitor.traces.prompts import (
    context_block,
    marked_answer,
    named_context,
    named_question,
    prompt_question,
    without_question,
)
from monitor.traces.reading import Message
from tests.growth import grows_linearly

CONTEXT = "Open from ten.\n\nClosed on Mondays."
QUESTION = "When does it open?"


@pytest.mark.parametrize(
    "prompt",
    [
        f"Answer from the context only.\n\nContext:\n{CONTEXT}\n\nQuestion: {QUESTION}\nAnswer:",
        f"**Documents:** {CONTEXT}\n**Question:** {QUESTION}\n**Answer:**",
        f"Question: {QUESTION}\n\nContext: {CONTEXT}\n\nAnswer:",
        f"<context>\n{CONTEXT}\n</context>\n<question>{QUESTION}</question>",
        f"Context information is below.\n-----\n{CONTEXT}\n-----\nGiven it, answer.\nQuery: {QUESTION}\nAnswer: ",
        f"[[ ## context ## ]]\n{CONTEXT}\n\n[[ ## question ## ]]\n{QUESTION}\n\n[[ ## answer ## ]]\n",
        f"Use it.\nContext:\n{CONTEXT}\n\nQ: {QUESTION}\nA:",
        f"Sources:\n{CONTEXT}\n\nq: {QUESTION}",
        f"请只根据已知信息回答。\n\n已知信息：\n{CONTEXT}\n\n问题：{QUESTION}\n回答：",
    ],
)
def test_known_frames_give_context_and_question(prompt: str) -> None:
    asked = (Message("system", "You help."), Message("user", prompt))
    assert context_block(asked) == CONTEXT
    assert prompt_question(asked, ()) == QUESTION


@pytest.mark.parametrize("end", ["Q: Is it far?\nA: No.", "Q: Is it far?\nA: No.\n\nAnswer in one sentence."])
def test_pairs_of_letters_in_passages_are_no_question(end: str) -> None:
    """A passage of questions and answers."""
    asked = (Message("user", f"Context:\n{CONTEXT}\n{end}"),)
    assert prompt_question(asked, ()) is None


def test_of_several_pairs_the_one_without_an_answer_is_asked() -> None:
    pairs = f"Context:\n{CONTEXT}\n\nQ: Is it far?\nA: No.\n\nQ: {QUESTION}\nA:"
    assert prompt_question((Message("user", pairs),), ()) == QUESTION


FAQ = "Question: Is it far?\nAnswer: No, ten minutes.\n\nQuestion: Is it open?\nAnswer: Daily."


@pytest.mark.parametrize(
    ("prompt", "context"),
    [
        pytest.param(f"Context:\n{FAQ}\n\nQuestion: {QUESTION}\nAnswer:", FAQ, id="passages in front"),
        pytest.param(f"Context:\n{FAQ}\n\nQuestion: {QUESTION}", FAQ, id="no answer to be given"),
        pytest.param(f"Question: {QUESTION}\n\nContext:\n{FAQ}\n\nAnswer:", FAQ, id="passages behind"),
        pytest.param(f"Question: {QUESTION}\n\nContext:\n{FAQ}", FAQ, id="passages behind, nothing below"),
        pytest.param(
            f"Question: Is it far?\nAnswer: No.\n\nContext:\n{CONTEXT}\n\nQuestion: {QUESTION}\nAnswer:",
            CONTEXT,
            id="an example in front",
        ),
        pytest.param(
            f"Context:\n{CONTEXT}\n\nQuestion: {QUESTION}\nAnswer: Let's think step by step.", CONTEXT, id="begun"
        ),
    ],
)
def test_of_several_questions_the_one_without_an_answer_is_asked(prompt: str, context: str) -> None:
    """Few-shot examples stand before the question, and passages of questions and answers before or behind it."""
    asked = (Message("user", prompt),)
    assert (context_block(asked), prompt_question(asked, ())) == (context, QUESTION)


def test_of_questions_that_all_have_an_answer_the_last_is_asked() -> None:
    """The answer to be given may have been begun."""
    prompt = f"Context:\n{FAQ}\n\nQuestion: {QUESTION}\nAnswer: Let's think step by step."
    asked = (Message("user", prompt),)
    assert (context_block(asked), prompt_question(asked, ())) == (FAQ, QUESTION)


RULE = "-" * 21
REPLY = "Given the context and provided history information and not prior knowledge,\nreply to the user comment."


@pytest.mark.parametrize("opening", [f", surrounded by {RULE}\n\n{RULE}\n", f".\n{RULE}\n"])
def test_the_context_may_stand_behind_the_question(opening: str) -> None:
    prompt = f"{QUESTION}\n\nContext information is below{opening}{CONTEXT}\n{RULE}\n\n{REPLY}"
    asked = (Message("user", prompt),)
    assert context_block(asked) == CONTEXT
    assert prompt_question(asked, ()) == QUESTION


def test_what_stands_in_front_of_other_frames_is_no_question() -> None:
    prompt = f"You help.\nContext information is below.\n{RULE}\n{CONTEXT}\n{RULE}\nAnswer."
    assert prompt_question((Message("user", prompt),), ()) is None


def test_the_context_may_stand_in_the_system_message() -> None:
    asked = (Message("system", f"Use it.\nContext:\n{CONTEXT}"), Message("user", QUESTION))
    assert context_block(asked) == CONTEXT
    assert prompt_question(asked, ()) == QUESTION


def test_numbered_passages_need_no_label() -> None:
    block = "【1】十点开门。\n【2】周一休息。"
    assert context_block((Message("user", f"请回答。\n{block}\n问题：几点开门？"),)) == block


def test_a_passage_with_a_question_of_its_own_does_not_end_the_block() -> None:
    faq = "Question: Is it free?\nAnswer: Yes.\n\nQuestion: May dogs come?\nAnswer: No."
    asked = (Message("user", f"Context:\n{faq}\n\nQuestion: {QUESTION}\nAnswer:"),)
    assert context_block(asked) == faq
    assert prompt_question(asked, ()) == QUESTION


def test_question_and_context_are_known_by_the_names_of_template_variables() -> None:
    assert named_context({"context_str": f"{CONTEXT}\n"}) == CONTEXT
    assert named_question({"query_str": "Other?"}) == "Other?"


def test_earlier_turns_are_no_context() -> None:
    asked = (Message("user", f"Context:\n{CONTEXT}\nQuestion: x"), Message("assistant", "y"), Message("user", QUESTION))
    assert context_block(asked) is None


def test_an_empty_block_is_empty_not_unknown() -> None:
    assert context_block((Message("system", "Answer.\n\nContext:\n"),)) == ""


@pytest.mark.parametrize(
    ("prompt", "texts"),
    [(f"{CONTEXT}\n\nSo, {QUESTION}", (CONTEXT,)), (f"<documents>{CONTEXT}</documents>\nSo, {QUESTION}", ())],
)
def test_a_filled_prompt_without_a_label_is_no_question(prompt: str, texts: tuple[str, ...]) -> None:
    assert prompt_question((Message("user", prompt),), texts) is None


def test_the_last_resort_is_all_but_the_question() -> None:
    asked = (Message("system", "Rules."), Message("user", f"{CONTEXT}\n{QUESTION}"))
    assert without_question(asked, QUESTION) == f"Rules.\n{CONTEXT}"
    assert without_question((), None) == ""


def test_field_marks_are_cut_from_a_reply() -> None:
    assert marked_answer("[[ ## answer ## ]]\nAt ten.\n\n[[ ## completed ## ]]") == "At ten."
    assert marked_answer("[[ ## reasoning ## ]]\nHm.") is None
    assert marked_answer("At ten.") == "At ten."


def test_a_field_left_empty_does_not_swallow_the_next_one() -> None:
    assert marked_answer("[[ ## reasoning ## ]]\n[[ ## answer ## ]]\nAt ten.") == "At ten."


def test_an_open_tag_is_passed_over_and_the_first_closing_tag_of_its_name_counts() -> None:
    asked = (Message("user", f"<context> <docs>\n<query>{CONTEXT}</DOCS> x</docs><query>y<query>{QUESTION}</query>"),)
    assert context_block(asked) == f"<query>{CONTEXT}"
    assert prompt_question(asked, ()) == f"{CONTEXT}</DOCS> x</docs><query>y<query>{QUESTION}"


def test_of_several_places_the_last_is_taken_for_the_question() -> None:
    assert without_question((Message("user", "a?b a?c"),), "a?") == "a?b c"


def _read(piece: str, size: int) -> None:
    text = (piece * size)[:size] if len(piece) > 1 else f"<docs>[[ ## x ## ]]\nContext:{piece * size}z"
    asked = (Message("user", text),)
    context_block(asked)
    prompt_question(asked, ())
    marked_answer(text)
    marked_answer("[[ ## x ## ]]" + text)
    without_question(asked, "a" + text[size // 2 :])


@pytest.mark.parametrize(
    "piece",
    [
        *(" ", "\n", "*", "a", "<docs>", "<docs> </query>", "<query>", "<docs>" + " " * 300, "</docs><question>"),
        *("\n[[ ## x ## ]]", "[[ ## ", "\n \n", "\nQuestion:", "\n---", "\nAnswer:", "\nQuestion:\nAnswer: x"),
        *("Context information is below\n---\n", "\nContext information is below\n"),
    ],
)
def test_time_is_linear_in_the_prompt(piece: str) -> None:
    assert grows_linearly(lambda size: partial(_read, piece, size), 25_000)


def test_a_prompt_beyond_all_measure_is_not_searched() -> None:
    huge = (Message("user", "<context>x</context>" + " " * 2_000_000),)
    assert context_block(huge) is None
    assert prompt_question(huge, ()) is None


def test_only_so_many_documents_are_looked_for_in_a_long_prompt() -> None:
    asked = (Message("user", CONTEXT + "a" * 1_000_000),)
    assert prompt_question(asked, ["zz"] * 10 + [CONTEXT]) is None
    assert prompt_question(asked, ["zz"] * 300 + [CONTEXT]) == asked[0].text
