"""Tokens of a text: words and pairs of characters, with what a claim can get wrong: numbers, names, negation.

Most stretches between two blanks mean the same wherever they stand, so what was found in them once is looked up. Where
one does not (numbers in words, months, signs, scripts without blanks), the whole text is read.
"""

from __future__ import annotations

import itertools
import operator
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from monitor.judges.text.memo import Memo
from monitor.judges.text.numbers import MONTH, NEGATIVE, NUMBER_WORDS, fold_numbers
from monitor.judges.text.scripts import SPACED, UNSPACED
from monitor.judges.text.words import (
    BREAK,
    NAMES,
    NEGATES,
    NEGATION,
    NUMBERS,
    WORDS,
    is_like_a_name,
    is_unspaced,
)

_UNREAD = "\2"
"""In place of the tokens of a stretch that only the text around it explains."""
_PUNCTUATION = ".,;:!?\"'()[]"
_IN_CONTEXT = re.compile(rf"[{UNSPACED}]|(?:^|[\s(:=：])[-\u2212][0-9]")
"""Numerals and words that may run on behind a blank, and signs, which are none behind `3 `."""
_LETTERS = re.compile("[a-z]+")
_FOLDED = (
    rf"[{MONTH}{NEGATIVE}]?[0-9]+(?:[.,][0-9]+)*(?:(?:st|nd|rd|th)\b)?|[{SPACED}][{SPACED}0-9]*(?:['’][{SPACED}]{{1,3}})?"
    rf"|[{UNSPACED}]+|{BREAK}"
)
_TOKEN = re.compile(_FOLDED, re.IGNORECASE)
"""Tokens of any text in NFKC with its numbers folded."""
_TOKEN_OR_ADDRESS = re.compile(
    rf"https?://[\x21-\x7e]+|(?<![a-z0-9.])[a-z0-9.+_-]{{1,64}}@[a-z0-9.-]{{3,64}}|{_FOLDED}", re.IGNORECASE
)
_PART = re.compile(f"[^{BREAK}]*{BREAK}|[^{BREAK}]+")
"""A text with its break, or what follows the last break."""
_WIDE, _NARROW = "，：；！？（）％．\u3000", ",:;!?()%. "
"""What NFKC changes in most Chinese text. Without them it finds nothing to do, at a hundredth of the time."""
_FORMAT = re.compile(
    "[\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001"
    "\U000e0020-\U000e007f]"
)
"""Characters of the Unicode category Cf: zero-width and the like."""
_HAN_NEGATION = re.compile(r"没有|没|無|未(?!来)|不(?![断仅但过同少久禁管论])|无(?!论)|非(?![常洲])|ない|ません|않|없")


@dataclass(frozen=True, slots=True)
class Tokens:
    """What one piece of text is made of.

    `words` are all tokens in order: stems, character pairs, canonical numbers. `numbers` holds numbers and months,
    `names` the stems of words written like names (never the first word, unless it has inner capitals or digits).
    """

    words: tuple[str, ...]
    numbers: frozenset[str]
    names: frozenset[str]
    negated: bool


def normalise(text: str) -> str:
    """`text` in NFKC without format characters (zero-width and the like), numbers in plain digits."""
    return fold_numbers(_composed(text))


def _composed(text: str) -> str:
    if text.isascii():
        return text
    for wide, narrow in zip(_WIDE, _NARROW, strict=True):
        text = text.replace(wide, narrow)
    return _FORMAT.sub("", unicodedata.normalize("NFKC", text))


def tokenize(text: str) -> Tokens:
    """The tokens of one sentence. Text without letters and digits has none."""
    tokens = read_tokens([text])
    tokens.remove(BREAK)
    negated = any(map(NEGATES.__getitem__, tokens))
    if NEGATION in tokens:
        tokens.remove(NEGATION)
    words = tuple(map(WORDS.__getitem__, tokens))
    numbers = frozenset(itertools.compress(words, map(NUMBERS.__getitem__, tokens)))
    named = [i for i, token in enumerate(tokens) if NAMES[token]]
    if named[:1] == [0] and not is_like_a_name(tokens[0], first=True):
        del named[0]
    return Tokens(words, numbers, frozenset(words[i] for i in named), negated)


def read_tokens(texts: Sequence[str]) -> list[str]:
    """The tokens of each text in order, `BREAK` behind each text; runs without blanks come as pairs of characters.

    `WORDS` has the word of each, and `NEGATES` says whether it negates.
    """
    if BREAK in "".join(texts):
        texts = [text.replace(BREAK, "\n") for text in texts]
    stretches = f" {BREAK} ".join((*texts, "")).split()
    tokens = list(itertools.chain.from_iterable(map(_STRETCHES.__getitem__, stretches)))
    return tokens if _UNREAD not in tokens else list(itertools.chain.from_iterable(_with_context(texts, tokens)))


def _with_context(texts: Sequence[str], tokens: list[str]) -> Iterator[list[str]]:
    """The tokens of each text: as they are, or read from the whole text where a stretch is unread."""
    parts = list(_parts(tokens))
    again = [text for text, part in zip(texts, parts, strict=True) if _UNREAD in part]
    whole = _parts(_folded_tokens("".join(text + BREAK for text in again)))
    return (next(whole) if _UNREAD in part else part for part in parts)


def _parts(tokens: list[str]) -> Iterator[list[str]]:
    """`tokens` cut behind each break."""
    start = 0
    while start < len(tokens):
        end = tokens.index(BREAK, start) + 1
        yield tokens[start:end]
        start = end


def _tokens_of_stretch(stretch: str) -> tuple[str, ...]:
    """The tokens of a stretch between two blanks, or `_UNREAD`."""
    word = stretch.strip(_PUNCTUATION)
    if word.isascii() and word.isalpha():
        return (_UNREAD,) if word.lower() in NUMBER_WORDS else (word,)
    if _IN_CONTEXT.search(stretch):
        return (_UNREAD,)
    text = _composed(stretch)
    if _IN_CONTEXT.search(text) or not NUMBER_WORDS.isdisjoint(_LETTERS.findall(text.lower())):
        return (_UNREAD,)
    return tuple(_folded_tokens(text))


_STRETCHES = Memo(_tokens_of_stretch)


def _folded_tokens(text: str) -> list[str]:
    """The tokens of any text, breaks among them."""
    text = normalise(text)
    pattern = _TOKEN_OR_ADDRESS if "@" in text or "://" in text else _TOKEN
    tokens: list[str] = []
    for part in _PART.findall(text):
        for token in pattern.findall(part):
            if is_unspaced(token):
                tokens += pairs(token)
            elif token == BREAK and _HAN_NEGATION.search(part):
                tokens += (NEGATION, BREAK)
            else:
                tokens.append(token)
    return tokens


def pairs(run: str) -> list[str]:
    """Overlapping pairs of characters; a single character stands for itself."""
    return list(map(operator.add, run, run[1:])) or [run]
