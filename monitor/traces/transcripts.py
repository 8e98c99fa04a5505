"""Conversations that a library printed as text, a line `user: When?` for each message."""

from __future__ import annotations

import re

from monitor.traces.reading import Message

_SPEAKERS = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "tool": "tool",
    "function": "tool",
}
_TURN = re.compile(rf"(?:^|\n)({'|'.join(_SPEAKERS)}): ")


def read_transcript(text: str) -> tuple[Message, ...] | None:
    """The messages of a text that begins with a speaker; None for any other.

    What looks like a turn inside a message is taken for one: the text does not tell them apart.
    """
    turns = list(_TURN.finditer(text))
    if not turns or turns[0].start() > 0:
        return None
    ends = [*(turn.start() for turn in turns[1:]), len(text)]
    return tuple(
        _message(_SPEAKERS[turn[1]], text[turn.end() : end].strip()) for turn, end in zip(turns, ends, strict=True)
    )


def _message(role: str, text: str) -> Message:
    return Message(role, "", results=(text,)) if role == "tool" else Message(role, text)
