"""What a list of claims adds to the text that it is of, and which sentences of the text it leaves out.

Models resolve pronouns, merge sentences and change words, so claims are not looked for word for word. What is compared
are words of content: stems, numbers, and characters where a script has no blanks.

- A claim is foreign when less than `AT_LEAST` of its words are in the text or in the question, which says what "it" is.
- A sentence that states something is left out when all claims together hold less than `ENOUGH` of its words.

A translation shares no words. So a claim in another script than the text is not foreign, nor is one in English of a
text that is not, or the other way round; and with such a claim in the list no sentence counts as left out.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from monitor.judges.prompts.forged import looks_forged
from monitor.judges.text.claims import claims_of
from monitor.judges.text.declines.declining import declines_only
from monitor.judges.text.metadiscourse.code import fences
from monitor.judges.text.scripts import scripts_of
from monitor.judges.text.sentences import split_sentences
from monitor.judges.text.tokens import read_words
from monitor.judges.text.words import BREAK, NEGATION, is_function_word, is_run

AT_LEAST, ENOUGH = 0.15, 0.3
"""Of 70 lists made in the manner of models (tests/data/decompositions.jsonl) they flag 3: two lack a platitude, one
claim shares no word. Of claims on other subjects put into them 91 % are foreign, of sentences without their claims 74 %
are left out."""
MAX_READ = 20_000
"""Characters of a text whose sentences are looked for; claims may be of any part of it."""
_FEWEST = 2
"""Words of content of a sentence that is looked for: a single one is often said by another. A character is half one."""
_STEM = 5
"""Letters by which words are compared: `refund` and `refundable`, `cancel` and `cancellation`."""
_ENGLISH = 0.2
"""Share of English words of grammar from which on a text is English, which has .4; its neighbours have .1."""
_OTHER = frozenset(
    """das der die den dem des ein eine und ist nicht mit für von zu auf wird werden le la les une et est pas pour que
    qui dans el los las una y es por con para del il lo di che per e o os um uma em het een en van zijn niet voor och
    att det som av og jest nie się yang dan untuk dengan tidak""".split()  # noqa: SIM905 - a word list reads as text
)
"""Words of grammar of other languages that part words by blanks."""


class Language(Enum):
    """What can be told of a text in a script that many languages share."""

    ENGLISH = auto()
    OTHER = auto()
    UNKNOWN = auto()


@dataclass(frozen=True, slots=True)
class Listing:
    """`foreign` are the places of claims that are not of the text, `left_out` the sentences without a claim."""

    foreign: frozenset[int] = frozenset()
    left_out: tuple[str, ...] = ()


def compare(claims: Sequence[str], texts: Sequence[str], around: Iterable[str] = ()) -> Listing:
    """What `claims` have that none of `texts` has, and what the one of them that they follow best has beyond them.

    Claims may name what texts `around` those say. Synchronous and pure; time is linear in the length of all.
    """
    known, held, compared = _compared(claims, "\n".join((*texts, *around)))
    foreign = frozenset(
        place for place, own in enumerate(held) if compared[place] and len(own & known) < AT_LEAST * len(own)
    )
    if not all(compared):
        return Listing(foreign)
    listed = set(itertools.chain.from_iterable(own for place, own in enumerate(held) if place not in foreign))
    left_out = (tuple(_left_out(text[:MAX_READ], listed)) for text in texts)
    return Listing(foreign, min(left_out, key=len, default=()))


def compare_parts(parts: Sequence[str], question: str) -> Listing:
    """What a question asks beyond its `parts`: of several questions, where fewer parts are listed, those without any.

    Parts have names of their own ("the price" of "How much is it?"): one that shares no word may be of the question all
    the same, so none is foreign, and only a question that shares no word with any part is left out.
    """
    asked = [one.text for one in split_sentences(question[:MAX_READ]) if one.text.endswith(("?", "？"))]
    if len(asked) <= len(parts):
        return Listing()
    _, held, compared = _compared(parts, question)
    listed = set(itertools.chain.from_iterable(held))
    if not all(compared):
        return Listing()
    words = zip(asked, map(_content, _read(asked)), strict=True)
    return Listing(left_out=tuple(one for one, own in words if _length(own) >= _FEWEST and own.isdisjoint(listed)))


def _compared(claims: Sequence[str], whole: str) -> tuple[frozenset[str], list[frozenset[str]], list[bool]]:
    """The words of content of a text and of each claim, and which claims can be compared with it."""
    known, *read = _read((whole, *claims))
    scripts = scripts_of(whole)
    same = not _differ(_language(known), _language(itertools.chain.from_iterable(read)))
    compared = [same and not scripts.isdisjoint(scripts_of(claim) or scripts) for claim in claims]
    return _content(known), [*map(_content, read)], compared


def _left_out(text: str, listed: set[str]) -> Iterator[str]:
    """The sentences of `text` that state something which is not `listed`.

    Code, declines and forged parts of a prompt need no claim.
    """
    blocks = fences(text)
    for claim in claims_of(text):
        own = _content(claim.tokens.words)
        if _length(own) < _FEWEST or len(own & listed) >= ENOUGH * len(own):
            continue
        sentence = claim.sentence
        is_code = bisect.bisect_right(blocks, sentence.start) % 2 == 1
        if not (is_code or looks_forged(sentence.text) or declines_only(sentence.text)):
            yield sentence.text


def _read(texts: Sequence[str]) -> Iterator[list[str]]:
    """The words of each text."""
    words: list[str] = []
    for word in read_words(texts):
        if word == BREAK:
            yield words
            words = []
        elif word != NEGATION:
            words.append(word)


def _content(words: Iterable[str]) -> frozenset[str]:
    return frozenset(itertools.chain.from_iterable(map(_pieces, words)))


def _pieces(word: str) -> Iterable[str]:
    """What is compared of a word; nothing of one that only carries grammar."""
    if is_function_word(word):
        return ()
    if is_run(word):
        return (character for character in word if not is_function_word(character))
    return (word[:_STEM] if word.isalpha() else word,)


def _length(content: frozenset[str]) -> float:
    return sum(0.5 if is_run(piece) else 1 for piece in content)


def _language(words: Iterable[str]) -> Language:
    """By words of grammar, and by letters that English has not. Scripts without blanks are UNKNOWN."""
    total = english = other = 0
    for word in words:
        total += 1
        english += is_function_word(word)
        other += word in _OTHER or (word.isalpha() and not word.isascii() and not is_run(word))
    if other > english:
        return Language.OTHER
    return Language.ENGLISH if english and english >= _ENGLISH * total else Language.UNKNOWN


def _differ(one: Language, other: Language) -> bool:
    return one is not other and Language.UNKNOWN not in {one, other}
