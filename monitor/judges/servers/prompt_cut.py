"""Whether a server read the whole prompt.

Ollama cuts a prompt that is longer than its context and answers as if nothing had happened (ollama/ollama issue 3839);
the number of tokens that it counted is the only sign.

A token does not reach over a blank, in no tokenizer in use, so a text has no fewer tokens than words; Chinese,
Japanese and Korean characters come up to two or so to the token on average, never three. A server that cuts leaves half
of its context or more over, so small counts (and those of servers that count badly) say nothing.
"""

from __future__ import annotations

import re

from monitor.judges.servers.wire import Prompt

_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_PER_TOKEN = 3
_MARGIN = 0.9
SMALLEST_CUT = 512
"""Tokens that a cut prompt has at least."""


def is_cut(prompt: Prompt, counted: int) -> bool:
    """Whether `counted` tokens are fewer than the prompt can have; False where the server counted none."""
    return counted >= SMALLEST_CUT and counted < _MARGIN * (least_tokens(prompt.system) + least_tokens(prompt.user))


def least_tokens(text: str) -> int:
    """Tokens that the text has at least."""
    spaced, characters = _UNSPACED.subn(" ", text)
    return sum(any(map(str.isalnum, word)) for word in spaced.split()) + characters // _PER_TOKEN
