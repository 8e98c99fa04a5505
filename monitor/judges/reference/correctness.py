"""Correctness without a model: whether the answer states what the reference states, to the same effect.

Words are compared, so an honest paraphrase scores low. It is for references of a few words or a sentence, and for
trends; the LLM judge reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from monitor.judges.grounding.rarity import WEIGHTS
from monitor.judges.reference.wording import key_of
from monitor.judges.text.claims import claims_of
from monitor.judges.text.declining import declines_only
from monitor.judges.text.tokens import Tokens, tokenize

CORRECT, INCOMPLETE, INCORRECT, DECLINED = "correct", "incomplete", "incorrect", "declined"
WHOLE = 0.75
"""From this share on an answer holds the reference, and the reference accounts for an answer."""
CONTRADICTS = 0.8
"""Share of a sentence of the reference that a sentence of the answer holds when a negation in one of them decides."""
_BETA2 = 4.0
"""Recall counts twice as much as precision: an answer is a sentence where the reference is a word."""

_YES = re.compile(
    r"(?:yes|yeah|yep|correct|true|right)\b|是的?(?![不否])|对的?|可以|能(?!够?不)|正确|会的?|有的?(?![没无])",
    re.IGNORECASE,
)
_NO = re.compile(r"(?:no|nope|false|incorrect|wrong)\b|不|否|没有?|错误?|无法|未", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far an answer agrees with a reference: 0 to 1, a label, and why in words for a person."""

    score: float
    label: str
    why: str


def agreement(question: str, answer: str, reference: str) -> Agreement:
    """How far the answer states what the reference states.

    The F2 measure of content words, weighted by rarity, without those that only repeat the question; times the share of
    the reference's numbers that the answer states. 0 when one says yes and the other no, when a negation turns a
    sentence, or when one of them declines to answer and the other does not.
    """
    if declines_only(reference) or declines_only(answer):
        both = declines_only(reference) and declines_only(answer)
        return Agreement(
            float(both),
            CORRECT if both else DECLINED,
            "declines, as the reference does" if both else "only one of them answers",
        )
    said, right = _sentences(answer), _sentences(reference)
    if _contradicts(answer, reference, said, right):
        return Agreement(0.0, INCORRECT, "says the opposite of the reference")
    expected, stated = _words(right), _words(said)
    if not expected or _says_only_yes_or_no(reference):
        return _without_content(answer, reference)
    asked = tokenize(question)
    added = (expected - frozenset(asked.words)) or expected
    more = stated - expected - frozenset(asked.words)
    shared = _weight(stated & added)
    recall = shared / _weight(added)
    precision = shared / (shared + _weight(more)) if shared else 0.0
    score = (1.0 + _BETA2) * precision * recall / (_BETA2 * precision + recall) if shared else 0.0
    numbers, given = _numbers(right), _numbers(said)
    missing = numbers - given
    wrong = bool(missing and given - numbers - asked.numbers)
    if numbers:
        score *= 1.0 - len(missing) / len(numbers)
    why = f"states {recall:.0%} of the reference" + (
        f"; {len(missing)} of {len(numbers)} numbers differ" if missing else ""
    )
    return Agreement(round(score, 4), _label(recall, precision, missing=bool(missing), wrong=wrong), why)


def _label(recall: float, precision: float, *, missing: bool, wrong: bool) -> str:
    if recall >= WHOLE and not missing:
        return CORRECT
    return INCOMPLETE if precision >= WHOLE and not wrong else INCORRECT


def _without_content(answer: str, reference: str) -> Agreement:
    """For references such as `Yes.`: the effect decides, else whether the texts are the same."""
    meant, effect = _effect(reference), _effect(answer)
    if effect is None:
        effect = not tokenize(answer).negated
    right = key_of(answer) == key_of(reference) if meant is None else effect == meant
    return Agreement(float(right), CORRECT if right else INCORRECT, "compared by yes and no")


def _says_only_yes_or_no(text: str) -> bool:
    match = _NO.match(text.strip()) or _YES.match(text.strip())
    return match is not None and not any(map(str.isalnum, text.strip()[match.end() :]))


def _effect(text: str) -> bool | None:
    """Whether a text begins with a yes or a no."""
    plain = text.strip(" \t\n*_\"'“”")
    if _NO.match(plain):
        return False
    return True if _YES.match(plain) else None


def _contradicts(answer: str, reference: str, said: tuple[Tokens, ...], right: tuple[Tokens, ...]) -> bool:
    effects = (_effect(answer), _effect(reference))
    if None not in effects and effects[0] != effects[1]:
        return True
    return any(_turned(sentence, said) for sentence in right)


def _turned(sentence: Tokens, said: tuple[Tokens, ...]) -> bool:
    """Whether every sentence of the answer that says what the reference says is negated where that one is not."""
    words = _words([sentence])
    if not words:
        return False
    same = [one for one in said if _weight(_words([one]) & words) >= CONTRADICTS * _weight(words)]
    return bool(same) and all(one.negated != sentence.negated for one in same)


def _sentences(text: str) -> tuple[Tokens, ...]:
    """What a text states, sentence by sentence; the text as it is when it states nothing that could be checked."""
    return tuple(claim.tokens for claim in claims_of(text)) or (tokenize(text),)


def _words(sentences: Iterable[Tokens]) -> frozenset[str]:
    return frozenset(word for sentence in sentences for word in sentence.words if WEIGHTS[word] > 0.0)


def _numbers(sentences: Iterable[Tokens]) -> frozenset[str]:
    return frozenset().union(*(sentence.numbers for sentence in sentences))


def _weight(words: frozenset[str]) -> float:
    return sum(sorted(map(WEIGHTS.__getitem__, words)))
