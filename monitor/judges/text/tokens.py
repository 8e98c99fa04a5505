"""Tokens of a text: word stems and character pairs, with what a claim can get wrong: numbers, names, negation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from monitor.judges.text.numbers import MONTH, NEGATIVE, fold_numbers
from monitor.judges.text.scripts import SPACED, UNSPACED

_TOKEN = re.compile(
    rf"""(?P<address>https?://[\x21-\x7e]+|(?<![a-z0-9.])[a-z0-9.+_-]{{1,64}}@[a-z0-9.-]{{3,64}})
      | (?P<number>[{MONTH}{NEGATIVE}]?[0-9]+(?:[.,][0-9]+)*)(?:(?:st|nd|rd|th)\b)?
      | (?P<word>[{SPACED}][{SPACED}0-9]*(?:['’][{SPACED}]{{1,3}})?)
      | (?P<run>[{UNSPACED}]+)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SEPARATOR = "\0"
_ASCII_TOKEN = re.compile(
    rf"[{MONTH}{NEGATIVE}]?[0-9]+(?:[.,][0-9]+)*(?:(?:[sS][tT]|[nN][dD]|[rR][dD]|[tT][hH])\b)?"
    rf"|[a-zA-Z][a-zA-Z0-9]*(?:'[a-zA-Z]{{1,3}})?|{_SEPARATOR}"
)
"""The tokens of `_TOKEN` in ASCII text without addresses, where no group has to tell them apart."""
_STOP_WORDS = frozenset(
    """a about above after again all also am an and any are aren't as at be because been before being below between
    both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each few for from
    further had hadn't has hasn't have haven't having he her here hers herself him himself his how i i'm if in into is
    isn't it it's its itself just may me might more most must my myself no nor not now of off on once only or other our
    ours out over own percent cent per s same shall she should so some such t than that that's the their theirs them
    themselves then there these they they're this those through to too under until up upon us very was wasn't we were
    weren't what when where which while who whom why will with won't would wouldn't you your yours yourself""".split()  # noqa: SIM905 - a word list reads as text
)
_NEGATIONS = frozenset(("no", "not", "never", "none", "nobody", "nothing", "neither", "nor", "without", "cannot"))
_HAN_NEGATION = re.compile(r"没有|没|無|未(?!来)|不(?![断仅但过同少久禁管论])|无(?!论)|非(?![常洲])|ない|ません|않|없")
_FUNCTION_CHARACTERS = frozenset("的了和与及是在有对为以等之其这那也都就而但或被把将从到由于并上中下年月日个着过们地得")
_KANA_GLUE = frozenset("はがをにのでともへやかられるたてしですますいうくさせ")


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


class Words(NamedTuple):
    """Of `Tokens` what a passage is asked for."""

    words: tuple[str, ...]
    negated: bool


def normalise(text: str) -> str:
    """`text` in NFKC without format characters (zero-width and the like), numbers in plain digits."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = "".join(character for character in text if unicodedata.category(character) != "Cf")
    return fold_numbers(text)


def tokenize(text: str) -> Tokens:
    """The tokens of one sentence. Text without letters and digits has none."""
    words: list[str] = []
    numbers: set[str] = set()
    names: set[str] = set()
    negated = False
    for match in _TOKEN.finditer(normalise(text)):
        kind, token = match.lastgroup, match[0]
        if kind == "word":
            stem = stem_of(token)
            negated = negated or is_negation(token)
            if _like_a_name(token, first=not words):
                names.add(stem)
            words.append(stem)
        elif kind == "run":
            negated = negated or _HAN_NEGATION.search(token) is not None
            words.extend(pairs(token))
        elif kind == "number":
            words.append(match["number"])
            numbers.add(match["number"])
        else:
            words.append(token.casefold().rstrip(".,;:!?)"))
    return Tokens(tuple(words), frozenset(numbers), frozenset(names), negated)


def read_words(sentences: Sequence[str]) -> list[Words]:
    """Words and negation of each sentence, as `tokenize` gives them; several times as fast on plain English."""
    text = _SEPARATOR.join(sentences)
    if not text.isascii() or "@" in text or "://" in text or text.count(_SEPARATOR) >= len(sentences):
        return [Words(tokens.words, tokens.negated) for tokens in map(tokenize, sentences)]
    found = _ASCII_TOKEN.findall(normalise(text))
    found.append(_SEPARATOR)
    read, start = [], 0
    for _ in sentences:
        end = found.index(_SEPARATOR, start)
        tokens = found[start:end]
        read.append(Words(tuple(map(_word_of, tokens)), any(map(is_negation, tokens))))
        start = end + 1
    return read


@lru_cache(maxsize=1 << 16)
def _word_of(token: str) -> str:
    """The word of a token of `_ASCII_TOKEN`: a stem, or a number without the ending of an ordinal."""
    return stem_of(token) if token[0].isalpha() else token.rstrip("stndrhSTNDRH")


def pairs(run: str) -> list[str]:
    """Overlapping pairs of characters; a single character stands for itself."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


@lru_cache(maxsize=1 << 16)
def is_negation(word: str) -> bool:
    """Whether an English word negates."""
    lower = word.lower().replace("’", "'")
    return lower in _NEGATIONS or lower.endswith("n't")


def is_function_word(token: str) -> bool:
    """Whether a token carries grammar rather than content."""
    if token in _STOP_WORDS:
        return True
    return all(c in _FUNCTION_CHARACTERS or c in _KANA_GLUE for c in token)


def _like_a_name(token: str, *, first: bool) -> bool:
    """Whether a word is written like a name: capitalised inside a sentence, or with inner capitals or digits."""
    if token.lower() in _STOP_WORDS or len(token) < 2:  # noqa: PLR2004 - a lone letter is an initial or a label
        return False
    inner = token[1:]
    return (token[0].isupper() and not first) or inner != inner.lower() or not inner.isalpha()


@lru_cache(maxsize=1 << 16)
def stem_of(word: str) -> str:
    """A light English stem, case-folded: possessives, plurals, `-ed`, `-ing`, `-ly`; other languages pass unchanged."""
    stem = word.casefold().replace("’", "'")
    if stem in _STOP_WORDS:
        return stem
    stem = stem.removesuffix("'s").removesuffix("'")
    for suffix, replacement, least in _SUFFIXES:
        if stem.endswith(suffix) and len(stem) - len(suffix) >= least:
            return _undouble(stem[: len(stem) - len(suffix)] + replacement)
    return stem


_SUFFIXES = (
    ("ies", "y", 2),
    ("sses", "ss", 1),
    ("ingly", "", 3),
    ("edly", "", 3),
    ("ing", "", 3),
    ("ed", "", 3),
    ("es", "", 3),
    ("ss", "ss", 0),
    ("us", "us", 0),
    ("s", "", 3),
    ("ly", "", 3),
    ("e", "", 3),
)


def _undouble(stem: str) -> str:
    """`stopp` to `stop`, so that `stopped` meets `stop`."""
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiouls":  # noqa: PLR2004 - `add`, `egg` stay
        return stem[:-1]
    return stem
