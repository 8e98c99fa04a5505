"""How far two texts are the same words: exact match, F1, ROUGE-L, BLEU.

Own implementations of a few lines each: the known libraries read English only or bring six others with them; the tests
hold these to them. Chinese and other scripts without blanks are read by characters.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from monitor.judges.text.scripts import SPACED, UNSPACED
from monitor.judges.text.tokens import normalise

MAX_WORDS = 5000
"""Words of a text that are compared."""
_WORD = re.compile(rf"[\ue000\ue001]?[0-9]+(?:[.,:][0-9]+)*|[{SPACED}]+(?:['’][{SPACED}]+)*|[{UNSPACED}]|[^\W\d_]+")
_ARTICLES = frozenset({"a", "an", "the"})
_ORDER = 4
"""Words of the longest phrases that BLEU compares."""

Words = Sequence[str]


def words_of(text: str) -> list[str]:
    """The words of a text, or its characters where no blanks part words; case-folded, numbers in plain digits."""
    return _WORD.findall(normalise(text).casefold())[:MAX_WORDS]


def exact_match(answer: Words, reference: Words) -> float:
    """1.0 when both are the same words, articles left out, else 0.0 (Rajpurkar et al. 2016, SQuAD)."""
    return float(_without_articles(answer) == _without_articles(reference))


def f1(answer: Words, reference: Words) -> float:
    """Harmonic mean of the shares of words in common, articles left out (Rajpurkar et al. 2016, SQuAD).

    1.0 when neither has words, 0.0 when one has none.
    """
    said, right = _without_articles(answer), _without_articles(reference)
    shared = (Counter(said) & Counter(right)).total()
    return _f_measure(shared, len(said), len(right))


def rouge_l(answer: Words, reference: Words) -> float:
    """F-measure of the longest common subsequence of words (Lin 2004, ROUGE-L).

    1.0 when neither has words, 0.0 when one has none. Found with a row of bits for the reference (Hyyrö 2004).
    """
    places: dict[str, int] = {}
    for place, word in enumerate(reference):
        places[word] = places.get(word, 0) | 1 << place
    whole = (1 << len(reference)) - 1
    row = whole
    for word in answer:
        met = row & places.get(word, 0)
        row = ((row + met) | (row - met)) & whole
    return _f_measure(len(reference) - row.bit_count(), len(answer), len(reference))


def bleu(answer: Words, reference: Words) -> float:
    """BLEU of one sentence, with phrases of up to four words (Papineni et al. 2002).

    Smoothed exponentially (Chen and Cherry 2014, method 3); orders longer than the answer are left out, as sacreBLEU
    does for sentences. 0.0 when nothing is shared or one has no words, 1.0 when neither has.
    """
    if not answer or not reference:
        return float(not answer and not reference)
    logs, halved = 0.0, 1.0
    orders = min(_ORDER, len(answer))
    for order in range(1, orders + 1):
        said = _phrases(answer, order)
        shared = (said & _phrases(reference, order)).total()
        if order == 1 and not shared:
            return 0.0
        if not shared:
            halved /= 2.0
        logs += math.log((shared or halved) / said.total())
    brevity = min(0.0, 1.0 - len(reference) / len(answer))
    return min(1.0, math.exp(brevity + logs / orders))


def _phrases(words: Words, order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[start : start + order]) for start in range(len(words) - order + 1))


def _without_articles(words: Words) -> list[str]:
    return [word for word in words if word not in _ARTICLES]


def _f_measure(shared: int, one: int, other: int) -> float:
    return 2.0 * shared / (one + other) if one and other else float(one == other)
