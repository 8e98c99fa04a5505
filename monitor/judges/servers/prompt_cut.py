"""Whether a server read the whole prompt.

Ollama cuts a prompt that is longer than its context and answers as if nothing had happened (ollama/ollama issue 3839);
the number of tokens that it counted is the only sign.

A token does not reach over a blank, in no tokenizer in use, so a text has no fewer tokens than words; Chinese,
Japanese and Korean characters come up to two or so to the token on average, never three. A server that cuts leaves half
of its context or more over, so small counts (and those of servers that count badly) say nothing.

Two things look like a cut and are none. Some servers (some versions of Ollama, see ollama/ollama issues 5370 and
16414) leave out what they read from their cache: that is the system prompt, the same in every call, where the user's
part begins with a random word; so only that part is compared. And some gateways count no tokens but a fourth of the
characters, which Chinese has more tokens than.
"""

from __future__ import annotations

import re

from monitor.judges.servers.wire import Prompt

_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_PER_TOKEN = 3
_MARGIN = 0.9
_GUESSED_PER_TOKEN = 4
_GUESS = 0.03
"""How near a guess by length comes to the length; gateways add some tokens for each message."""
SMALLEST_CUT = 512
"""Tokens that a cut prompt has at least."""


def is_cut(prompt: Prompt, counted: int) -> bool:
    """Whether `counted` tokens are fewer than the prompt can have; False where the server counted none."""
    if counted < SMALLEST_CUT or counted >= _MARGIN * least_tokens(prompt.user):
        return False
    length = len(prompt.system) + len(prompt.user)
    return abs(_GUESSED_PER_TOKEN * counted - length) > _GUESS * length


def least_tokens(text: str) -> int:
    """Tokens that the text has at least."""
    spaced, characters = _UNSPACED.subn(" ", text)
    return sum(any(map(str.isalnum, word)) for word in spaced.split()) + characters // _PER_TOKEN
