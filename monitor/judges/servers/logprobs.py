"""The probabilities of a reply's tokens, in the two ways in which chat completions give them.

What was chosen must have sound probabilities throughout, or there are none. An alternative may be impossible: servers
write the lowest number of their floats for it (llama.cpp), minus infinity, or nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from monitor.judges.replies.strict_json import Json

LOWEST = -10_000.0
"""A chosen token's log probability below this is nonsense; OpenAI says -9999 for "not among the most likely"."""
MAX_ALTERNATIVES = 64
_SLACK = 1.01
"""Rounding may bring the sum of a token's alternatives this far above 1."""
_SAME = 0.02
"""So far may two statements of one probability be apart."""
_CONTINUES, _CONTINUED = 0xC0, 0x80


class _UnsoundError(ValueError):
    """Not the log probabilities of a distribution."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a reply. Probabilities lie in [0, 1]."""

    text: str
    start: int
    """Characters of the reply before it."""
    probability: float
    alternatives: tuple[tuple[str, float], ...]
    """The likeliest tokens in its place with their probabilities, in the server's order; may be empty."""


def tokens_of(logprobs: Json, text: str) -> tuple[Token, ...]:
    """The tokens that make up `text`; empty when any value is no log probability, or when they do not spell the text.

    A server may list more tokens than the text has (reasoning, a fence that it took away): the last run of tokens that
    spells the text counts. A token that begins before the text is left out.
    """
    if not isinstance(logprobs, dict) or not text:
        return ()
    try:
        content = logprobs.get("content")
        return tuple(_placed(content if isinstance(content, list) else _entries(logprobs), text.encode()))
    except _UnsoundError:
        return ()


def _entries(logprobs: Mapping[str, Json]) -> list[Json]:
    """The tokens of the legacy completions, which some servers give for chats as well: parallel lists, as entries."""
    tokens, values, tops = (logprobs.get(name) for name in ("tokens", "token_logprobs", "top_logprobs"))
    if not isinstance(tokens, list) or not isinstance(values, list):
        raise _UnsoundError
    tops = tops if isinstance(tops, list) and tops else [None] * len(tokens)
    if not len(tokens) == len(values) == len(tops):
        raise _UnsoundError
    return [
        {"token": token, "logprob": value, "top_logprobs": _listed(top)}
        for token, value, top in zip(tokens, values, tops, strict=True)
    ]


def _listed(top: Json) -> Json:
    """The alternatives of a legacy token, which stand as one object."""
    return [{"token": text, "logprob": value} for text, value in top.items()] if isinstance(top, dict) else top


def _placed(content: list[Json], wanted: bytes) -> Iterator[Token]:
    """The tokens inside the last place where the wanted bytes stand."""
    pieces = [_bytes(entry) for entry in content]
    said = b"".join(pieces)
    behind = said[::-1].find(wanted[::-1])  # as rfind, which takes time by the square of the length
    if behind < 0:
        raise _UnsoundError
    at, characters = behind + len(wanted) - len(said), 0
    for entry, piece in zip(content, pieces, strict=True):
        token = _token(entry, characters)  # read even when it is not given: one that is unsound spoils them all
        if 0 <= at < len(wanted):
            yield token
        characters += sum(byte & _CONTINUES != _CONTINUED for byte in piece[max(0, -at) : max(0, len(wanted) - at)])
        at += len(piece)


def _token(entry: Json, start: int) -> Token:
    if not isinstance(entry, dict):
        raise _UnsoundError
    listed = entry.get("top_logprobs") or []
    if not isinstance(listed, list) or len(listed) > MAX_ALTERNATIVES:
        raise _UnsoundError
    alternatives = tuple((_text(other), _probability(other, chosen=False)) for other in listed)
    text, chosen = _text(entry), _probability(entry, chosen=True)
    if _in_all(text, chosen, alternatives) > _SLACK:
        raise _UnsoundError
    return Token(text, start, chosen, alternatives)


def _in_all(text: str, chosen: float, alternatives: tuple[tuple[str, float], ...]) -> float:
    """The probability of the token and of the others together.

    The token stands among the others, once more with its own probability, when it is likely enough. Two tokens may have
    one text, where a character is spread over several.
    """
    same = [probability for other, probability in alternatives if other == text]
    others = sum(probability for _, probability in alternatives)
    again = min(same, key=lambda probability: abs(probability - chosen), default=0.0)
    return others - again + max(chosen, again) + (_SLACK if same and abs(again - chosen) > _SAME else 0.0)


def _probability(entry: Json, *, chosen: bool) -> float:
    value = entry.get("logprob", math.nan) if isinstance(entry, dict) else math.nan
    if value is None and not chosen:
        return 0.0  # it is the null that `-Infinity` was read as, too
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _UnsoundError
    if not (LOWEST if chosen else -math.inf) <= value <= 0:
        raise _UnsoundError
    return math.exp(value)


def _text(entry: Json) -> str:
    if not isinstance(entry, dict) or not isinstance(token := entry.get("token"), str):
        raise _UnsoundError
    return token


def _bytes(entry: Json) -> bytes:
    """The bytes of a token: a character may be spread over several, whose texts then are no characters."""
    token = _text(entry)
    listed = entry.get("bytes") if isinstance(entry, dict) else None
    if listed is None:
        return token.encode()
    if not isinstance(listed, list):
        raise _UnsoundError
    numbers = [value for value in listed if isinstance(value, int) and not isinstance(value, bool)]
    if len(numbers) != len(listed) or not all(0 <= value <= 0xFF for value in numbers):  # noqa: PLR2004 - a byte
        raise _UnsoundError
    return bytes(numbers)
