"""Conversations that a library printed as text: a line `user: When?` for each message, or texts in brackets."""

from __future__ import annotations

import re
from collections.abc import Sequence

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
_PAIR = re.compile(r'\["\w+":"')
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


def read_texts(texts: Sequence[str], role: str) -> tuple[Message, ...]:
    """The messages of a conversation whose texts only were kept: the last one is of `role`, as are all replies.

    Who spoke before a prompt's last text is unknown: then the role is empty.
    """
    before = role if role == "assistant" else ""
    return tuple([Message(before, text) for text in texts[:-1]] + [Message(role, text) for text in texts[-1:]])


def read_bracketed(text: str, role: str) -> tuple[Message, ...] | None:
    """The messages of `["You help.", "When?"]` that is no JSON, as the quotation marks in it are bare (Spring AI).

    What may be several texts is taken for one, of nobody when it is a prompt. None for any other text.
    """
    if not (text.startswith('["') and text.endswith('"]')) or _PAIR.match(text) is not None:
        return None
    inner = text[2:-2]
    return (Message("" if role != "assistant" and '", "' in inner else role, inner),)


def _message(role: str, text: str) -> Message:
    return Message(role, "", results=(text,)) if role == "tool" else Message(role, text)
