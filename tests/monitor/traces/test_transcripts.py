from __future__ import annotations

import pytest

from monitor.traces.reading import Message
from monitor.traces.transcripts import read_transcript


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
