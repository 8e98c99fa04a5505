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
from monitor.judges.text.declines.declining import declines_only
from monitor.judges.text.tokens import Tokens, tokenize

CORRECT, PARTIAL, INCOMPLETE, INCORRECT, DECLINED = "correct", "partial", "incomplete", "incorrect", "declined"
ENOUGH = 0.5
"""A score from here on is no sign of a wrong answer: words are compared, and there are others."""
WHOLE = 0.75
"""From this share on an answer holds the reference, and the reference accounts for an answer."""
CONTRADICTS = 0.8
"""Share of a sentence of the reference that a sentence of the answer holds when a negation in one of them decides."""
_BETA2 = 4.0
"""Recall counts twice as much as precision: an answer is a sentence where the reference is a word."""

_ALONE = r"(?=[\s]*(?:[,.;:!?，。；：！？、—–]|$)|[ ](?:it|they|you|we|there|this|that|i)\b)(?!\.[ ]?[0-9])"
"""Behind a yes or no: what begins `No later than`, `Right now`, 有效期 or 未来 says neither."""
_YES = re.compile(
    rf"(?:yes|yeah|yep|correct|true|right|是的?|对的?|可以的?|能的?|正确|会的?|有的?){_ALONE}", re.IGNORECASE
)
_NO = re.compile(
    rf"(?:no|nope|false|incorrect|wrong|否|不|不是的?|不对|不可以|不能|不行|不会|没有?|错误?|无法){_ALONE}",
    re.IGNORECASE,
)


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
    said, right = _sentences(_behind_effect(answer)), _sentences(_behind_effect(reference))
    expected, stated = _words(right), _words(said)
    if not expected:
        return _without_content(answer, reference)
    if {_effect(answer), _effect(reference)} == {True, False} or any(_turned(sentence, said) for sentence in right):
        return Agreement(0.0, INCORRECT, "says the opposite of the reference")
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
    if wrong:
        label = INCORRECT
    elif recall >= WHOLE and not missing:
        label = CORRECT
    elif precision >= WHOLE:
        label = INCOMPLETE
    else:
        label = PARTIAL if score >= ENOUGH else INCORRECT
    return Agreement(round(score, 4), label, why)


def _without_content(answer: str, reference: str) -> Agreement:
    """For references such as `Yes.`: the effect decides, else whether the texts are the same."""
    meant, effect = _effect(reference), _effect(answer)
    if effect is None:
        effect = not tokenize(answer).negated
    right = key_of(answer) == key_of(reference) if meant is None else effect == meant
    return Agreement(float(right), CORRECT if right else INCORRECT, "compared by yes and no")


def _effect(text: str) -> bool | None:
    """Whether a text begins with a yes (True) or a no (False)."""
    plain = text.lstrip(_BEFORE)
    if _NO.match(plain):
        return False
    return True if _YES.match(plain) else None


def _behind_effect(text: str) -> str:
    """The text without a yes or no at its beginning, which answers the question and turns no sentence."""
    plain = text.lstrip(_BEFORE)
    match = _NO.match(plain) or _YES.match(plain)
    return plain[match.end() :] if match else text


_BEFORE = " \t\n*_\"'“”"


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
