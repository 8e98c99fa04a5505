"""What grounds a sentence: the features of one claim against the passages of its request, all but one lexical.

Each one states how much of the claim the passages hold, or what of it they lack, and the sign of its effect is known
beforehand. Another passage can only add to what is held and so only lower the risk: each window counts that no other
one is as good as in all that it holds, and the least risk is the claim's. The length of an answer, the place of a
sentence, the question, and where a passage comes from are left out: they raise figures on benchmarks and fail on other
traffic.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from monitor.judges.grounding.amounts import SaidAmounts
from monitor.judges.grounding.bounded import Bounded
from monitor.judges.grounding.negation import Negation, words_of_negation
from monitor.judges.grounding.opposed import Opposed, Opposite, words_of_opposition
from monitor.judges.grounding.rarity import LEAST_WEIGHT, WEIGHTS, rarity_of_character
from monitor.judges.grounding.singles import CountedMore
from monitor.judges.grounding.spellings import Spellings
from monitor.judges.grounding.unpaid import Unpaid
from monitor.judges.text.names.named import in_plain_characters, is_held
from monitor.judges.text.passages import Found, Passages
from monitor.judges.text.scripts import has_han
from monitor.judges.text.tokens import Tokens
from monitor.judges.text.traditional import simplified
from monitor.judges.text.words import is_run

SIGNS = {
    "found": -1,
    "window": -1,
    "window_plain": -1,
    "sentence": -1,
    "phrases": -1,
    "window_phrases": -1,
    "numbers": 1,
    "window_numbers": 1,
    "names": 1,
    "window_names": 1,
    "negation": 1,
    "number_company": -1,
    "missing_run": 1,
    "rare_character": 1,
    "nearest": -1,
}
"""Each feature with the sign of its effect on the risk: those with -1 are shares of the claim that the passages hold
(0 to 1), the others what they lack. `nearest`, the cosine with the sentence of the passages that comes closest in
meaning, is 0 here: who has sentence vectors sets it (`vectors.py`)."""
FEATURES = tuple(SIGNS)
_OF_WINDOW = ("window", "window_plain", "window_phrases", "window_numbers", "window_names", "negation")
"""What one window holds or lacks; the others are about all passages together or any one sentence of them."""
_COLUMNS = [FEATURES.index(name) for name in _OF_WINDOW]
_GOOD = np.array([-SIGNS[name] for name in _OF_WINDOW], dtype=np.float64)
SHARES = frozenset(("found", "window", "window_plain", "sentence"))
"""Features whose log-odds count: from 0.9 to 1 a share says as much as from 0.3 to 0.6."""

MAX_MISSING = 2
"""More missing numbers or names than this weigh no more: one or two decide."""
MAX_RUN = 5
COMPANY = 3
"""Content words on each side of a number or name that are its company."""
_PHRASE, _NUMBER, _NAME = 0.3, 0.5, 0.25
"""How much each phrase, number and name counts beside the weights of words when the best window is chosen."""
_AT_ONCE = 2048
CLOSEST = 8
"""Windows of one claim that are looked at most; few claims have more than three that no other one is as good as."""
DENIED = 0.25
"""How far a window denies a negated claim at least for a person to be told."""
_DIGITS = 6
"""Decimals of a feature: what is equal stays equal whatever the order in which it was added up."""

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Window:
    """What one window leaves open of a claim.

    `sentences` are the first and the last of its sentences that it needs to hold what it holds, None when it holds
    nothing. `elsewhere` are numbers and names that only other places hold.
    """

    sentences: tuple[int, int] | None = None
    elsewhere: tuple[str, ...] = ()
    unnegated: bool = False


@dataclass(frozen=True, slots=True)
class Measured:
    """One claim against the windows that come closest: a row of `FEATURES` for each, the one that holds most first.

    `missing` are places, people and content words that no passage holds, words in the order of the claim; `apart` is
    how much more of the company of one of its numbers or names stands together without it than with it (0 to 1).
    `contrary` is a sentence of the passages that says that it is not so, which is no evidence for it.
    """

    values: Floats
    windows: tuple[Window, ...]
    missing: tuple[str, ...] = ()
    apart: float = 0.0
    contrary: int | None = None
    opposite: Opposite | None = None
    """The word of the claim that the contrary sentence excludes, and the one that it has in its place."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """Which rows of what was found are words that carry content, numbers, names; `weights` are shares of `total`.

    `unnamed` are places and people that the claim names and no passage does.
    """

    count: int
    total: float
    weights: Floats
    content: Flags
    numbers: list[int]
    names: list[int]
    unnamed: tuple[str, ...]


class Grounding:
    """The passages of one request, against which its claims are measured.

    Building it and measuring one claim take time linear in the length of the passages.
    """

    def __init__(self, texts: Sequence[str], claims: Iterable[Tokens]) -> None:
        self._texts = texts
        claims = list(claims)
        words = list(itertools.chain.from_iterable(claim.words for claim in claims))
        negation = words_of_negation(claims)
        self.passages = Passages(texts, itertools.chain(negation, words, words_of_opposition(claims)))
        self._bounded = Bounded(self.passages)
        self._unpaid = Unpaid(self.passages)
        others = (self._bounded.saying, lambda claim, _: self._unpaid.saying(claim))
        self._negation = Negation(self.passages, negation, others)
        self._opposed = Opposed(self.passages)
        self._counted_more = CountedMore(self.passages)
        self._amounts = SaidAmounts(self.passages)
        self._spellings = Spellings(self.passages, itertools.chain.from_iterable(claim.otherwise for claim in claims))
        self._named: dict[str, bool] = {}

    @cached_property
    def _characters(self) -> frozenset[str]:
        return frozenset().union(*map(simplified, self._texts))

    @cached_property
    def _naming(self) -> str:
        return in_plain_characters("\n".join(self._texts))

    def measure(self, claim: Tokens) -> Measured:
        """The features of one of the claims; it has at least one word that carries content."""
        found = self.passages.find(claim.words)
        self._amounts.hold(claim.amounts, found)
        self._spellings.hold(claim.otherwise, found)
        self._unpaid.hold(claim, found)
        parts = _parts_of(claim, found, self._unnamed(claim))
        contrary = self._negation.contrary(claim, found, parts.weights) + self._bounded.against(claim, found)
        opposed, opposite = self._opposed.of(claim, found)
        more, counted = self._counted_more.of(claim, found, parts.weights)
        opposite = None if contrary else opposite or counted
        contrary += opposed + more
        found.held[:, contrary] = False
        anywhere = np.logical_or.reduce(found.held, axis=1)
        values = self._anywhere(claim, found, parts, anywhere)
        values["number_company"], apart = _company(claim.words, found, parts)
        closest, held = self._closest(claim, found, parts)
        rows = np.array([[values.get(name, 0.0) for name in FEATURES]] * len(closest))
        rows[:, _COLUMNS] = held.T * _GOOD
        return Measured(
            np.round(rows, _DIGITS),
            tuple(
                self._window(window, found, parts, anywhere, unnegated=bool(good < -DENIED))
                for window, good in zip(closest, held[-1], strict=True)
            ),
            (*parts.unnamed, *itertools.compress(found.words, parts.content & ~anywhere[: parts.count])),
            apart,
            contrary[0] if contrary else None,
            opposite,
        )

    def _unnamed(self, claim: Tokens) -> tuple[str, ...]:
        if not claim.named or not has_han(self._naming):
            return ()
        for name in claim.named - self._named.keys():
            self._named[name] = is_held(name, self._naming)
        return tuple(name for name in sorted(claim.named) if not self._named[name])

    def _anywhere(self, claim: Tokens, found: Found, parts: _Parts, anywhere: Flags) -> dict[str, float]:
        """What all passages together, or any one sentence of them, hold or lack."""
        words = float(parts.weights @ anywhere[: parts.count])
        values = {
            "found": words,
            "sentence": float((parts.weights @ found.held[: parts.count]).max(initial=0.0)),
            "phrases": float(anywhere[parts.count :].sum()) / found.phrases if found.phrases else words,
            "numbers": min(MAX_MISSING, int((~anywhere[parts.numbers]).sum())) if parts.numbers else 0.0,
            "names": min(MAX_MISSING, int((~anywhere[parts.names]).sum()) + len(parts.unnamed)),
        }
        if any(map(is_run, claim.words)):
            values["missing_run"], values["rare_character"] = self._missing_characters(claim, found, anywhere)
        return values

    def _closest(self, claim: Tokens, found: Found, parts: _Parts) -> tuple[list[int], Floats]:
        """The windows that no other one is as good as in all of `_OF_WINDOW`, and how good each is (more is better).

        The one that holds most comes first, the first one of equals; -1 stands for no passage text at all.
        """
        looks = _looks(found, parts)
        if not self.passages.windows:
            return [-1], _goodness(np.zeros((len(looks), 1)), parts, np.array([float(claim.negated)]))
        starts = range(0, self.passages.windows, _AT_ONCE)
        seen = [looks @ self.passages.in_windows(found.held, slice(start, start + _AT_ONCE)) for start in starts]
        pull, *held = np.round(np.concatenate(seen, axis=1) if len(seen) > 1 else seen[0], _DIGITS)
        good = _goodness(np.array(held), parts, self._negation.denied(claim, found, parts.weights, held[0]))
        closest: list[int] = []
        while len(closest) < CLOSEST and pull.max() >= 0.0:
            best = int(pull.argmax())
            closest.append(best)
            pull[(good <= good[:, best : best + 1]).all(axis=0)] = -1.0
        return closest, good[:, closest]

    def _window(self, window: int, found: Found, parts: _Parts, anywhere: Flags, *, unnegated: bool) -> Window:
        if window < 0:
            return Window(unnegated=unnegated)
        first, last = self.passages.sentences_of(window)
        held = found.held[:, first : last + 1]
        rows = (*parts.numbers, *parts.names)
        return Window(
            _needed(held[: parts.count][parts.content], first),
            tuple(found.words[row] for row in rows if anywhere[row] and not held[row].any()),
            unnegated,
        )

    def _missing_characters(self, claim: Tokens, found: Found, anywhere: Flags) -> tuple[float, float]:
        """The longest run of characters in no pair that the passages hold, and the rarest character they lack."""
        held = set(itertools.compress(found.words, anywhere))
        run = longest = 0
        for word in claim.words:
            lacking = word not in held and WEIGHTS[word] > 0.0
            run = run + 1 if lacking else 0
            longest = max(longest, run)
        lacked = set("".join(filter(is_run, claim.words))) - self._characters
        return float(min(longest, MAX_RUN)), max(map(rarity_of_character, lacked), default=0.0)


def _needed(held: Flags, first: int) -> tuple[int, int] | None:
    """The sentences of a window, numbered from `first`, without those at its ends that add nothing to the others."""
    whole = held.any(axis=1)
    if not whole.any():
        return None
    start, end = 0, held.shape[1]
    while end - start > 1 and (held[:, start + 1 : end].any(axis=1) == whole).all():
        start += 1
    while end - start > 1 and (held[:, start : end - 1].any(axis=1) == whole).all():
        end -= 1
    return first + start, first + end - 1


def _parts_of(claim: Tokens, found: Found, unnamed: tuple[str, ...]) -> _Parts:
    count = len(found.words)
    weights = np.fromiter(map(WEIGHTS.__getitem__, found.words), np.float64, count)
    numbers = _rows_of(found.words, claim.numbers | claim.values)
    names = _rows_of(found.words, claim.names - claim.numbers)
    total = max(float(weights.sum()), LEAST_WEIGHT)
    return _Parts(count, total, weights / total, weights > 0.0, numbers, names, unnamed)


def _looks(found: Found, parts: _Parts) -> Floats:
    """What makes a window the best one, then what it holds of words (weighed, counted), phrases, numbers and names."""
    looks = np.zeros((6, len(found.held)))
    pull, weights, content, phrases, numbers, names = looks
    weights[: parts.count] = parts.weights
    content[: parts.count] = parts.content / max(1, int(parts.content.sum()))
    if found.phrases:
        phrases[parts.count :] = 1.0 / found.phrases
    else:
        phrases[:] = weights
    numbers[parts.numbers] = 1.0
    names[parts.names] = 1.0
    pull[: parts.count] = parts.weights * parts.total
    pull[parts.count :] = _PHRASE
    pull += _NUMBER * numbers + _NAME * names
    return looks


def _goodness(held: Floats, parts: _Parts, denied: Floats) -> Floats:
    """`_OF_WINDOW` for each window, lacks as negative numbers."""
    words, content, phrases, numbers, names = held[-5:]
    lacked_numbers = np.minimum(MAX_MISSING, len(parts.numbers) - numbers)
    lacked_names = np.minimum(MAX_MISSING, len(parts.names) + len(parts.unnamed) - names)
    return np.array([words, content, phrases, -lacked_numbers, -lacked_names, -denied])


def _company(words: Sequence[str], found: Found, parts: _Parts) -> tuple[float, float]:
    """How much of its company one sentence holds with the number that keeps the least, 1 without numbers; and `apart`.

    Company are the words that carry content and stand nearest in the claim.
    """
    values = [*parts.numbers, *parts.names]
    if not values:
        return 1.0, 0.0
    row = {word: number for number, word in enumerate(found.words)}
    carriers = [row[word] for word in words if parts.content[row[word]]]
    company = np.zeros((len(values), parts.count))
    for number, value in enumerate(values):
        for place in itertools.compress(itertools.count(), map(value.__eq__, carriers)):
            company[number, carriers[max(0, place - COMPANY) : place + COMPANY + 1]] = 1.0
        company[number, value] = 0.0
    company *= parts.weights
    total = company.sum(axis=1, keepdims=True)
    shares = company @ found.held[: parts.count] / np.where(total > 0.0, total, 1.0)
    own = np.where(total[:, 0] > 0.0, (shares * found.held[values]).max(axis=1, initial=0.0), 1.0)
    apart = np.maximum(0.0, shares.max(axis=1, initial=0.0) - own)
    return float(own[: len(parts.numbers)].min(initial=1.0)), float(apart.max())


def _rows_of(words: Sequence[str], asked: Collection[str]) -> list[int]:
    """Where the words that are asked for stand among `words`."""
    return [row for row, word in enumerate(words) if word in asked] if asked else []
