"""Tokens of a text: words and pairs of characters, with what a claim can get wrong: numbers, names, negation.

Most stretches between two blanks mean the same wherever they stand, so what was found in them once is looked up. Where
one does not (numbers in words, months, signs, scripts without blanks), the whole text is read.
"""

from __future__ import annotations

import itertools
import operator
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from monitor.judges.text.amounts.quantities import Amount, amounts_of
from monitor.judges.text.amounts.singles import Single, singles_in
from monitor.judges.text.bounds import DENIED_ZH, NO_NEGATION_ZH, may_deny_bound, without_denied_bounds
from monitor.judges.text.memo import Memo
from monitor.judges.text.names.named import named_in
from monitor.judges.text.names.nations import may_be_shortened, with_other_names
from monitor.judges.text.numbers.dates import MONTH, WEEKDAYS, fold_chinese_weekdays
from monitor.judges.text.numbers.folding import NEGATIVE, NUMBER_WORDS, fold_numbers
from monitor.judges.text.numbers.notation import fold_raised, fold_thousands
from monitor.judges.text.scripts import SPACED, UNSPACED
from monitor.judges.text.spellings.addresses import addresses_in
from monitor.judges.text.spellings.otherwise import Otherwise, written_otherwise
from monitor.judges.text.traditional import simplified
from monitor.judges.text.words import (
    BREAK,
    NAMES,
    NEGATES,
    NEGATION,
    NEGATIONS,
    NUMBERS,
    WORDS,
    is_like_a_name,
    is_run,
)

_UNREAD = "\2"
"""In place of the tokens of a stretch that only the text around it explains."""
_PUNCTUATION = ".,;:!?\"'()[]"
_IN_CONTEXT = re.compile(
    rf"[{UNSPACED}×^]|(?:^|[\s(:=：])[-\u2212][0-9]|(?:^|\s)[1-3]/[2-4]|(?<![0-9])[0-9]{{1,2}}(?:st|nd|rd|th)\b",
    re.IGNORECASE | re.ASCII,
)
"""Numerals and words that may run on behind a blank, and signs, which are none behind `3 `."""
_LETTERS = re.compile("[a-z]+")
_DIGIT = re.compile("[0-9〇]")
_FOLDED = (
    rf"[{MONTH}{NEGATIVE}]?[0-9]+(?:[.,][0-9]+)*(?:(?:st|nd|rd|th)\b)?|[{SPACED}][{SPACED}0-9]*(?:['’][{SPACED}]{{1,3}}(?![{SPACED}]))?"
    rf"|[{UNSPACED}]+"
)
_TOKEN = re.compile(_FOLDED, re.IGNORECASE)
"""Tokens of any text in NFKC with its numbers folded."""
_TOKEN_OR_ADDRESS = re.compile(
    rf"https?://[!#-;=?-Z_a-z~]+|(?<![a-z0-9.])[a-z0-9.+_-]{{1,64}}@[a-z0-9.-]{{3,64}}|{_FOLDED}", re.IGNORECASE
)
_INITIALS = re.compile(r"[A-Z](?<![\w.@/].)(?:\.[A-Z]){1,5}(?![\w@/])|[ap](?<![a-zA-Z.@/].)\.m(?![\w@/])", re.ASCII)
"""`U.S.`, `J.K.` and `p.m.`, which others write without dots."""
_PARTED_INITIALS = re.compile(r"[A-Z](?<![\w.@/].)\.(?:[ ][A-Z]\.){1,5}(?![\w@/])", re.ASCII)
"""`J. K.`, which others write without the blank."""
_NUMBER_SIGN = re.compile(r"No(?<=[\w,&-][ ]No|.[(\[/]No)s?\.(?=[ ]?[0-9])")
"""`Bus No. 22`, which negates nothing."""
_US = re.compile(r"\bUS\b")
_NO_NAME = re.compile(r"[A-Z](?:(?<=: .)(?=[a-z]+ [a-z])|(?<=\bU)S(?=\$| dollars?\b)|(?<=\bU)\.S(?=\. dollars?\b))")
"""Capitals that make no name: of a sentence behind a colon (`the next step: Conduct an inventory`), and of `US$40`."""
MOST_BARS = 3
"""Of a row of a label and one cell: a mere `No` in one of more cells negates nothing that the others say."""
CELL = re.compile(
    r"\|[ *]{0,9}(?:(?P<denies>(?ai:no|none))|(?ai:yes|n/a)|[✓✔☑✅是])(?=[ *]{0,9}(?:\||$))",
)
"""Cells of a table that only affirm or deny (否 and 无 are read as any negation): their capitals make no name, and what
affirms says nothing of its own."""
_RUN = re.compile(f"[{UNSPACED}]+")
_WIDE, _NARROW = "，：；！？（）％．\u3000", ",:;!?()%. "
"""What NFKC changes in most Chinese text. Without them it finds nothing to do, at a hundredth of the time."""
_FORMAT = re.compile(
    "[\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001"
    "\U000e0020-\U000e007f\ue000-\uf8ff]"
)
"""Characters of the Unicode category Cf: zero-width and the like; and private ones, as our own marks are such."""
_COUNTS = re.compile("quarter|q[1-4]|half|半", re.IGNORECASE)
"""What is an amount and no number."""
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
"""Decimal digits of other scripts, which NFKC leaves as they are."""
HAN_NEGATION = re.compile(
    rf"(?:没有?+|無|未(?!来|满[0-9零一二两三四五六七八九十百])|不(?![断仅但过同少久禁管论]|[足到满][0-9零一二两三四五六七八九十百]))"
    rf"(?!{NO_NEGATION_ZH})|无(?!论)|非(?![常洲])|ない|ません|않|없"
)


@dataclass(frozen=True, slots=True)
class Tokens:
    """What one piece of text is made of.

    `words` are all tokens in order: stems, character pairs, canonical numbers. `numbers` holds numbers and months,
    `names` the stems of words written like names (never the first word, unless it has inner capitals or digits).
    `values` are weekdays in scripts without blanks, which no capital marks, and `named` places and people there: no
    words, as passages hold them in more ways than one.
    """

    words: tuple[str, ...]
    numbers: frozenset[str]
    names: frozenset[str]
    negated: bool
    values: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    amounts: frozenset[Amount] = frozenset()
    """What its numbers may be said to be in other ways."""
    otherwise: frozenset[Otherwise] = frozenset()
    """What its words may be written as."""
    denies_bound: bool = False
    """Whether it says `no more than` and negates nothing else."""
    text: str = field(default="", compare=False)
    """What was read."""
    singles: frozenset[Single] = frozenset()
    """What it says there is one of."""


def normalise(text: str) -> str:
    """`text` in NFKC without format and private characters, numbers in plain digits of the Latin script."""
    return fold_numbers(fold_chinese_weekdays(_composed(text)))


def _composed(text: str) -> str:
    text = fold_thousands(text)
    if text.isascii():
        return text
    for wide, narrow in zip(_WIDE, _NARROW, strict=True):
        text = text.replace(wide, narrow)
    text = _FORMAT.sub("", unicodedata.normalize("NFKC", fold_raised(text)))
    return simplified(_OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text))


def tokenize(text: str) -> Tokens:
    """The tokens of one sentence. Text without letters and digits has none."""
    text = _joined_initials(fold_thousands(text.replace(BREAK, "\n")))
    text = _NUMBER_SIGN.sub("#", text)
    text = _NO_NAME.sub(lambda capitals: capitals[0].lower(), text)
    if "|" in text:
        alone = text.count("|") <= MOST_BARS
        text = CELL.sub(lambda cell: f"| {(cell['denies'] or '').lower() if alone else ''}", text)
    if text.isupper():
        text = _US.sub("us", text)
    tokens = list(itertools.chain.from_iterable(map(_TOKENS.__getitem__, text.split())))
    if _UNREAD in tokens:
        tokens = _read(normalise(text), str)
    words: list[str] = []
    numbers: set[str] = set()
    names: dict[str, str] = {}
    for token in filter(NEGATION.__ne__, tokens):
        if is_run(token):
            words.append(token)
            continue
        word = WORDS[token]
        if NUMBERS[token]:
            numbers.add(word)
        elif NAMES[token] and (words or is_like_a_name(token, first=True)):
            names[token] = word
        words.append(word)
    amounts = amounts_of(normalise(text), text) if numbers or _COUNTS.search(text) else frozenset()
    negates = NEGATION in tokens
    negated = negates and _negates(text)
    read = Tokens(
        tuple(words),
        frozenset(numbers),
        frozenset(names.values()),
        negated,
        amounts=amounts,
        otherwise=written_otherwise(text, names, frozenset(words)) | frozenset(_addresses(text)),
        denies_bound=negates and not negated,
        text=text,
        singles=frozenset(singles_in(text)),
    )
    if not any(map(is_run, words)):
        return read
    denies_bound = not negated and (negates or DENIED_ZH.search(text) is not None)
    return replace(read, values=WEEKDAYS.intersection(words), named=named_in(text), denies_bound=denies_bound)


def _negates(text: str) -> bool:
    """Whether a text with a negation denies more than that something is beyond a bound."""
    if not may_deny_bound(text):
        return True
    whole = normalise(text)
    rest = without_denied_bounds(whole)
    return rest == whole or NEGATION in _read(rest, str)


def _addresses(text: str) -> Iterator[Otherwise]:
    """The words of each address of a claim, and how else a passage may write it."""
    for written, pattern in addresses_in(text):
        yield Otherwise(tuple(map(WORDS.__getitem__, _read(normalise(written), str))), pattern)


def read_words(texts: Sequence[str]) -> list[str]:
    """The words of each text in order, `BREAK` behind each text, and `NEGATION` somewhere in those that negate."""
    joined = _joined(texts)
    if joined.count(BREAK) > len(texts):
        texts = [text.replace(BREAK, "\n") for text in texts]
        joined = _joined(texts)
    if may_be_shortened(joined):
        texts = list(map(with_other_names, texts))
        joined = _joined(texts)
    if "No" in joined and _NUMBER_SIGN.search(joined) is not None:
        texts = [_NUMBER_SIGN.sub("#", text) for text in texts]
        joined = _joined(texts)
    if _PARTED_INITIALS.search(joined) is not None:
        texts = list(map(_joined_initials, texts))
        joined = _joined(texts)
    if not joined.isascii():
        joined = _joined([_UNREAD if _RUN.search(text) else text for text in texts])
    joined = fold_thousands(joined)
    words = list(itertools.chain.from_iterable(map(_WORDS.__getitem__, joined.split())))
    return words if _UNREAD not in words else list(itertools.chain.from_iterable(_read_whole(texts, words)))


def _joined_initials(text: str) -> str:
    return _PARTED_INITIALS.sub(lambda initials: initials[0].replace(" ", ""), text)


def _joined(texts: Sequence[str]) -> str:
    return f" {BREAK} ".join((*texts, ""))


def _read_whole(texts: Sequence[str], words: list[str]) -> Iterator[list[str]]:
    """The words of each text: as they are, or of the text as a whole where a stretch is unread."""
    parts = list(_parts(words))
    again = [text for text, part in zip(texts, parts, strict=True) if _UNREAD in part]
    whole = iter(normalise(BREAK.join(again)).split(BREAK))
    return ([*_read(next(whole), WORDS.__getitem__), BREAK] if _UNREAD in part else part for part in parts)


def _parts(words: list[str]) -> Iterator[list[str]]:
    """`words` cut behind each break."""
    start = 0
    while start < len(words):
        end = words.index(BREAK, start) + 1
        yield words[start:end]
        start = end


def _tokens_of_stretch(stretch: str) -> tuple[str, ...]:
    """The tokens of a stretch between two blanks, or `_UNREAD`."""
    word = stretch.strip(_PUNCTUATION)
    if word.isascii() and word.isalpha():
        lower = word.lower()
        return (_UNREAD,) if lower in NUMBER_WORDS else (word, NEGATION) if lower in NEGATIONS else (word,)
    if stretch in {BREAK, _UNREAD}:
        return (stretch,)
    text = _composed(stretch)
    if _IN_CONTEXT.search(text) or not NUMBER_WORDS.isdisjoint(_LETTERS.findall(text.lower())):
        return (_UNREAD,)
    return tuple(_read(fold_numbers(text) if _DIGIT.search(text) else text, str))


_TOKENS = Memo(_tokens_of_stretch)
_WORDS = Memo(lambda stretch: tuple(map(WORDS.__getitem__, _tokens_of_stretch(stretch))))


def _read(text: str, word_of: Callable[[str], str]) -> list[str]:
    """The tokens of any text that `normalise` gave, or their words, and `NEGATION` behind them where they negate."""
    if "." in text:
        text = _INITIALS.sub(lambda initials: initials[0].replace(".", ""), text)
    pattern = _TOKEN_OR_ADDRESS if "@" in text or "://" in text else _TOKEN
    tokens = pattern.findall(text)
    runs = set() if text.isascii() else set(_RUN.findall(text))
    pieces = (pairs(token) if token in runs else (word_of(token),) for token in tokens)
    read = list(itertools.chain.from_iterable(pieces) if runs else map(word_of, tokens))
    if HAN_NEGATION.search(text) or any(NEGATES[token] for token in tokens if token not in runs):
        read.append(NEGATION)
    return read


def pairs(run: str) -> list[str]:
    """Overlapping pairs of characters; a single character stands for itself."""
    return list(map(operator.add, run, run[1:])) or [run]
