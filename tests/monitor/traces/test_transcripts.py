from __future__ import annotations

import pytest

from monitor.traces.reading import Message
from monitor.traces.transcripts import read_bracketed, read_texts, read_transcript


def test_each_speaker_begins_a_message() -> None:
    text = "system: You help.\nuser: When?\n\nOn Sunday?\nassistant: Now.\ntool: 5\nhuman: Where?"
    assert read_transcript(text) == (
        Message("system", "You help."),
        Message("user", "When?\n\nOn Sunday?"),
        Message("assistant", "Now."),
        Message("tool", "", results=("5",)),
        Message("user", "Where?"),
    )


@pytest.mark.parametrize("text", ["", "When?", "Question: When?\nuser: x", "users: x", "Hi user: x", "user:x"])
def test_other_texts_are_no_transcript(text: str) -> None:
    assert read_transcript(text) is None


def test_of_texts_without_speakers_the_last_one_is_known() -> None:
    assert read_texts(["You help.", "When?"], "user") == (Message("", "You help."), Message("user", "When?"))
    assert read_texts(["Now.", "Later."], "assistant") == (Message("assistant", "Now."), Message("assistant", "Later."))
    assert read_texts([], "user") == ()


@pytest.mark.parametrize(
    ("text", "role", "message"),
    [
        ('["Say "hi"."]', "user", Message("user", 'Say "hi".')),
        ('["You help.", "Say "hi"."]', "user", Message("", 'You help.", "Say "hi".')),
        ('["Yes", "No" or "Maybe"."]', "assistant", Message("assistant", 'Yes", "No" or "Maybe".')),
    ],
)
def test_texts_in_brackets_that_are_no_json_are_one_text(text: str, role: str, message: Message) -> None:
    assert read_bracketed(text, role) == (message,)


@pytest.mark.parametrize("text", ["", "[1]", '["When?', '["user":"When?"]', "When?"])
def test_other_texts_are_not_bracketed(text: str) -> None:
    assert read_bracketed(text, "user") is None
