"""How likely each number of a scale was in the place where a reply has its score: from the probabilities of its tokens.

Only what can be told for certain is used. The number must be one token, the scale's numbers must be told apart by their
first token, and at least half of the probability must lie on them; else there are no odds, and the number itself is the
score.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from monitor.judges.servers.logprobs import Token

LEAST = 0.5
"""Probability that the numbers of the scale must have together; the rest was spread over words that are no verdict."""


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
    return None if _is_ambiguous(found, words) else {words[text]: odds for text, odds in found.items() if text in words}


def _is_ambiguous(found: Mapping[str, float], words: Mapping[str, int]) -> bool:
    """Whether a `1` may be the beginning of a `10`: it is none where numbers of several digits are tokens, too."""
    begins_another = any(
        text != word and word.startswith(text) for text in found if text in words or text == "-" for word in words
    )
    return begins_another and not any(text in words and len(text.lstrip("-")) > 1 for text in found)


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
