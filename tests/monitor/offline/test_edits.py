"""An edit changes the form and nothing of what is said."""

from __future__ import annotations

import re

import pytest

from monitor.offline.edits import EDITS, Edit
from monitor.records import Passage, RagTrace

ENGLISH = "The desk doesn't close at 18:00. Parking is not free for guests."
CHINESE = "前台十八点关门。停车免费，早餐到十点。"
BY_NAME = {edit.name: edit for edit in EDITS}


def asked(answer: str, *passages: str) -> RagTrace:
    return RagTrace("t", "", "When?", answer, contexts=tuple(map(Passage, passages or ("one", "two", "three"))))


def edited(name: str, answer: str) -> str | None:
    made = BY_NAME[name].make(asked(answer))
    return None if made is None else made.answer


@pytest.mark.parametrize(
    ("name", "answer", "changed"),
    [
        ("polite", ENGLISH, f"Thank you for your question. {ENGLISH}"),
        ("polite", CHINESE, f"感谢您的提问。{CHINESE}"),
        ("list", ENGLISH, "- The desk doesn't close at 18:00.\n- Parking is not free for guests."),
        ("list", "One sentence.", None),
        ("list", "- One.\n- Two.", None),
        ("bold", ENGLISH, "**The desk doesn't close at 18:00.** Parking is not free for guests."),
        ("bold", "**Yes.** It does.", None),
        ("reworded", ENGLISH, "The desk does not close at 18:00. Parking isn't free for guests."),
        ("reworded", "Is Not it?", "Isn't it?"),
        ("reworded", "Nothing to do here.", None),
        ("reworded", CHINESE, "前台十八点关门。停车免费,早餐到十点。"),
        ("padded", "", None),
        ("polite", "## Hours\n\nSix.", "Thank you for your question.\n\n## Hours\n\nSix."),
        ("polite", "**Hours:** six.", "Thank you for your question.\n\n**Hours:** six."),
        ("polite", "# 时间\n前台十八点关门。", "感谢您的提问。\n\n# 时间\n前台十八点关门。"),
        ("list", "# Hours\nIt closes at six. It opens at nine.", None),
        ("list", "| a | b |\n|---|---|\n| One. Two. | 3 |", None),
        ("list", "Hours\nIt closes at six.\n", None),
        ("bold", "# Hours\nIt closes at six.", None),
        ("bold", "| a | b |\n|---|---|", None),
        ("bold", "It closes.\nIt opens.", "**It closes.**\nIt opens."),
    ],
)
def test_the_answer_gets_another_form(name: str, answer: str, changed: str | None) -> None:
    assert edited(name, answer) == changed


@pytest.mark.parametrize(
    "answer",
    [
        "## Hours\nSix.",
        "- six\n- nine",
        "1. six",
        "| a |\n|---|\n| 1 |",
        "> six",
        "```\nsix\n```",
        "**Six.**",
        "Six.\nNine.",
    ],
)
def test_what_is_added_to_an_answer_with_a_form_stands_on_lines_of_its_own(answer: str) -> None:
    padded = edited("padded", answer)
    assert padded is not None
    assert padded.startswith(f"Here is what I found for you.\n\n{answer}\n\nI hope")


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_an_edit_is_the_same_each_time_and_leaves_the_rest_alone(edit: Edit) -> None:
    trace = asked(ENGLISH)
    made = edit.make(trace)
    assert made is not None
    assert made == edit.make(trace)
    assert (made.question, made.trace_id) == (trace.question, trace.trace_id)
    assert sorted(passage.text for passage in made.contexts) == ["one", "three", "two"]


def test_passages_change_places_only_where_there_are_several() -> None:
    assert BY_NAME["reversed"].make(asked("x", "one")) is None
    assert BY_NAME["shuffled"].make(asked("x", "one")) is None
    made = BY_NAME["reversed"].make(asked("x", "one", "two"))
    assert made is not None
    assert [passage.text for passage in made.contexts] == ["two", "one"]


@pytest.mark.parametrize("answer", [ENGLISH, CHINESE])
def test_an_edit_keeps_every_word_in_its_place(answer: str) -> None:
    """But the one that rewords."""
    words = re.findall(r"\w+", answer)
    for edit in EDITS:
        made = edit.make(asked(answer))
        if made is not None and edit.kind != "paraphrase":
            left = iter(re.findall(r"\w+", made.answer or ""))
            assert all(any(word.endswith(kept) for word in left) for kept in words), edit.name
