"""How likely each number of a scale was in the place where a reply has its score: from the probabilities of its tokens.

Only what can be told for certain is used: the number must be one token, and at least half of the probability must lie
on numbers of the scale. Where a tokenizer cuts numbers into digits, a `1` may begin a `10`: little probability on such
digits is left out, much of it leaves no odds at all. Without odds the number itself is the score.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from monitor.judges.servers.logprobs import Token

LEAST = 0.5
"""Probability that the numbers of the scale must have together; the rest was spread over words that are no verdict."""

UNCLEAR = 0.05
"""Probability of digits that may begin another number, up to which they are left out; so far may a score be off."""


def odds_of(
    text: str, tokens: Sequence[Token], path: Sequence[str], number: int, scale: range
) -> dict[int, float] | None:
    """The probability of each number of `scale` at the value of the keys `path` in `text`; not normalised.

    `number` is what stands there. None when the tokens do not tell: see the module's docstring.
    """
    place = _place(text, path)
    if place is None or text[place[0] : place[1]] != str(number):
        return None
    token = next((token for token in tokens if token.start <= place[0] < token.start + len(token.text)), None)
    if token is None or _number(token) != str(number):
        return None
    odds = _odds(token, scale)
    return odds if odds is not None and number in odds and sum(odds.values()) >= LEAST else None


def _odds(token: Token, scale: range) -> dict[int, float] | None:
    words = {str(number): number for number in scale}
    found: dict[str, float] = {token.text.strip(): token.probability}
    for text, probability in token.alternatives:
        if text != token.text:
            found[text.strip()] = found.get(text.strip(), 0.0) + probability
    if not any(text in words and len(text.lstrip("-")) > 1 for text in found):
        unclear = {text for text in found if any(text and text != word and word.startswith(text) for word in words)}
        if sum(found.pop(text) for text in unclear) > UNCLEAR:
            return None
    return {words[text]: odds for text, odds in found.items() if text in words}


def _number(token: Token) -> str:
    return token.text.strip()


def _place(text: str, path: Sequence[str]) -> tuple[int, int] | None:
    """Where the number under the keys stands. Inside a string no key is found: its quotes are escaped there."""
    position = 0
    for key in path:
        match = re.compile(rf'(?<!\\)"{re.escape(key)}"\s*:').search(text, position)
        if match is None:
            return None
        position = match.end()
    match = re.compile(r"\s*(-?[0-9]+)(?![0-9.eE])").match(text, position)
    return match.span(1) if match else None
