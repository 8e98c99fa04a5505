"""What grounds a sentence: the lexical features of one claim against the passages of its request.

Each one states how much of the claim the passages hold, or what of it they lack, and the sign of its effect is known
beforehand. The length of an answer, the place of a sentence, the question, and where a passage comes from are left out:
they raise figures on benchmarks and fail on other traffic.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from monitor.judges.grounding.rarity import LEAST_WEIGHT, WEIGHTS, rarity_of_character
from monitor.judges.text.passages import Found, Passages
from monitor.judges.text.tokens import Tokens
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
    "elsewhere": 1,
    "number_company": 1,
    "name_company": 1,
    "missing_run": 1,
    "rare_character": 1,
}
"""Each feature with the sign of its effect on the risk: `found` to `window_phrases` are shares of the claim that the
passages hold (0 to 1), the others what they lack."""
FEATURES = tuple(SIGNS)
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
_DIGITS = 6
"""Decimals of a feature: what is equal stays equal whatever the order in which it was added up."""

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Measured:
    """One claim against its best window: the `values` of `FEATURES`, and the words that give the reasons.

    `missing` are content words that no passage holds, in the order of the claim; `elsewhere` numbers and names that
    only other places hold than the best window. `sentences` are the first and the last of its sentences that it needs
    to hold what it holds, None when it holds nothing.
    """

    values: Floats
    sentences: tuple[int, int] | None
    missing: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    unnegated: bool = False


class Grounding:
    """The passages of one request, against which its claims are measured.

    Building it and measuring one claim take time linear in the length of the passages.
    """

    def __init__(self, texts: Sequence[str], claims: Iterable[Tokens]) -> None:
        self._texts = texts
        self.passages = Passages(texts, itertools.chain.from_iterable(claim.words for claim in claims))

    @cached_property
    def _characters(self) -> frozenset[str]:
        return frozenset().union(*self._texts)

    @cached_property
    def _negated(self) -> Flags:
        return self.passages.negated()

    def measure(self, claim: Tokens) -> Measured:
        """The features of one of the claims; it has at least one word that carries content."""
        found = self.passages.find(claim.words)
        count = len(found.words)
        weights = np.fromiter(map(WEIGHTS.__getitem__, found.words), np.float64, count)
        numbers, names = _rows_of(found.words, claim.numbers), _rows_of(found.words, claim.names - claim.numbers)
        anywhere = np.logical_or.reduce(found.held, axis=1)
        best, seen = self._best_window(found, weights, numbers, names)
        weights /= max(float(weights.sum()), LEAST_WEIGHT)
        content = weights > 0.0
        values = _shares(found, weights, anywhere, seen) | _lacks(numbers, names, anywhere, seen)
        known = anywhere[:count] & content
        values["elsewhere"] = int((known & ~seen[:count]).sum()) / max(1, int(known.sum()))
        unnegated = claim.negated and not (best is not None and self._negated[best])
        values["negation"] = float(unnegated)
        if numbers or names:
            gaps = _company_gaps(claim.words, found, weights * anywhere[:count], [*numbers, *names])
            values["number_company"] = max(gaps[: len(numbers)], default=0.0)
            values["name_company"] = max(gaps[len(numbers) :], default=0.0)
        if any(map(is_run, claim.words)):
            values["missing_run"], values["rare_character"] = self._missing_characters(claim, found, anywhere)
        return Measured(
            np.round(np.array([values.get(name, 0.0) for name in FEATURES]), _DIGITS),
            None if best is None or values["window"] <= 0.0 else self._needed(best, found.held[:count][content]),
            tuple(itertools.compress(found.words, content & ~anywhere[:count])),
            tuple(found.words[row] for row in (*numbers, *names) if anywhere[row] and not seen[row]),
            unnegated,
        )

    def _best_window(
        self, found: Found, weights: Floats, numbers: list[int], names: list[int]
    ) -> tuple[int | None, Flags]:
        """The window that holds most of the claim, the first one of equals, and which rows of `found` it holds."""
        if not self.passages.windows:
            return None, np.zeros(len(found.held), dtype=bool)
        pull = np.zeros(len(found.held))
        pull[: len(weights)] = weights
        pull[len(weights) :] = _PHRASE
        pull[numbers] += _NUMBER
        pull[names] += _NAME
        best, most, held = 0, -1.0, found.held[:, 0]
        for start in range(0, self.passages.windows, _AT_ONCE):
            seen = self.passages.in_windows(found.held, slice(start, start + _AT_ONCE))
            pulls = np.round(pull @ seen, _DIGITS)
            first = int(pulls.argmax())
            if pulls[first] > most:
                best, most, held = start + first, float(pulls[first]), seen[:, first]
        return best, held

    def _needed(self, window: int, held: Flags) -> tuple[int, int]:
        """The sentences of a window without those at its ends that hold nothing which the others do not."""
        first, last = self.passages.sentences_of(window)
        needed = held[:, first : last + 1].any(axis=1)
        while first < last and (held[:, first + 1 : last + 1].any(axis=1) == needed).all():
            first += 1
        while first < last and (held[:, first:last].any(axis=1) == needed).all():
            last -= 1
        return first, last

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


def _shares(found: Found, weights: Floats, anywhere: Flags, seen: Flags) -> dict[str, float]:
    """How much of the words and phrases the passages hold: anywhere, in the best window, in one sentence."""
    count = len(weights)
    content = weights > 0.0
    words, in_window = float(weights @ anywhere[:count]), float(weights @ seen[:count])
    return {
        "found": words,
        "window": in_window,
        "window_plain": int((seen[:count] & content).sum()) / max(1, int(content.sum())),
        "sentence": float((weights @ found.held[:count]).max(initial=0.0)),
        "phrases": float(anywhere[count:].sum()) / found.phrases if found.phrases else words,
        "window_phrases": float(seen[count:].sum()) / found.phrases if found.phrases else in_window,
    }


def _lacks(numbers: list[int], names: list[int], anywhere: Flags, seen: Flags) -> dict[str, float]:
    """How many numbers and names are missing, from all passages and from the best window."""
    return {
        "numbers": min(MAX_MISSING, len(numbers) - int(anywhere[numbers].sum())) if numbers else 0.0,
        "window_numbers": min(MAX_MISSING, len(numbers) - int(seen[numbers].sum())) if numbers else 0.0,
        "names": min(MAX_MISSING, len(names) - int(anywhere[names].sum())) if names else 0.0,
        "window_names": min(MAX_MISSING, len(names) - int(seen[names].sum())) if names else 0.0,
    }


def _company_gaps(words: Sequence[str], found: Found, weights: Floats, values: list[int]) -> list[float]:
    """For each value, how much more of its company one sentence holds than any sentence that holds the value itself.

    `weights` are 0 for words that no passage holds: an invention is no company. 0 when the value stands where its
    company stands; 1 when all of its company stands together and the value does not.
    """
    row = {word: number for number, word in enumerate(found.words)}
    rows = [row[word] for word in words]
    company = np.zeros((len(values), len(weights)))
    for number, value in enumerate(values):
        carriers = [other for other in rows if other == value or weights[other] > 0.0]
        for place in itertools.compress(itertools.count(), map(value.__eq__, carriers)):
            company[number, carriers[max(0, place - COMPANY) : place + COMPANY + 1]] = 1.0
        company[number, value] = 0.0
    company *= weights
    total = company.sum(axis=1, keepdims=True)
    shares = company @ found.held[: len(weights)] / np.where(total > 0.0, total, 1.0)
    own = (shares * found.held[values]).max(axis=1, initial=0.0)
    gaps: list[float] = (shares.max(axis=1, initial=0.0) - own).tolist()
    return gaps


def _rows_of(words: Sequence[str], asked: Collection[str]) -> list[int]:
    """Where the words that are asked for stand among `words`."""
    return [row for row, word in enumerate(words) if word in asked] if asked else []
