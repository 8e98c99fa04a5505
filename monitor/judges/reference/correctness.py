"""Correctness without a model: whether the answer states what the reference states, to the same effect.

Words are compared, so an honest paraphrase scores low. It is for references of a few words or a sentence, and for
trends; the LLM judge reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from monitor.judges.grounding.rarity import WEIGHTS
from monitor.judges.reference.pieces import pieces
from monitor.judges.reference.wording import key_of_answer
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

_ALONE = r"(?=[\s]*(?:[,.;:!?，。；：！？、—–]|-\s|$)|[ ](?:it|they|you|we|there|this|that|i)\b)(?!\.[ ]?[0-9])"
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
    sentence, when the answer affirms what a no denies, or when only one of them declines to answer.
    """
    if declines_only(reference) or declines_only(answer):
        both = declines_only(reference) and declines_only(answer)
        return Agreement(
            float(both),
            CORRECT if both else DECLINED,
            "declines, as the reference does" if both else "only one of them answers",
        )
    said, right = _sentences(_behind_effect(answer)), _sentences(_behind_effect(reference))
    expected, stated = _words(_tokens(right)), _words(_tokens(said))
    if not expected:
        return _without_content(answer, reference)
    asked = tokenize(question)
    if {_effect(answer), _effect(reference)} == {True, False} or _says_the_opposite(said, right, asked):
        return Agreement(0.0, INCORRECT, "says the opposite of the reference")
    if _effect(reference) is False and _effect(answer) is None and _affirms(question, said, expected):
        return Agreement(0.0, INCORRECT, "affirms what the reference denies")
    if _effect(reference) is False:
        expected = _plain(expected)  # 不，只能 is also said by 不，仅可
    added = (expected - frozenset(asked.words)) or expected
    more = stated - expected - frozenset(asked.words)
    shared = _weight(stated & added)
    recall = shared / _weight(added)
    precision = shared / (shared + _weight(more)) if shared else 0.0
    score = (1.0 + _BETA2) * precision * recall / (_BETA2 * precision + recall) if shared else 0.0
    numbers, given = _numbers(_tokens(right)), _numbers(_tokens(said))
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
    right = key_of_answer(answer) == key_of_answer(reference) if meant is None else effect == meant
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


@dataclass(frozen=True, slots=True)
class _Sentence:
    """What a sentence states, as a whole and part by part."""

    tokens: Tokens
    pieces: tuple[Tokens, ...]
    text: str

    @property
    def is_mixed(self) -> bool:
        """Whether it denies one thing and states another."""
        return len({piece.negated for piece in self.pieces if _words([piece])}) > 1


def _says_the_opposite(said: Sequence[_Sentence], right: Sequence[_Sentence], asked: Tokens) -> bool:
    """Whether the answer turns a sentence of the reference, or a part of one that denies and states."""
    parts = [part for one in right for part in (one.pieces if one.is_mixed else [one.tokens])]
    return any(_turned(part, said, asked) for part in parts)


def _turned(part: Tokens, said: Sequence[_Sentence], asked: Tokens) -> bool:
    """Whether every sentence of the answer that says what this part says is negated where that one is not.

    In a sentence that denies one thing and states another the parts decide that hold what the question does not say.
    """
    words = _plain(_words([part]))
    if not words:
        return False
    own = (words - frozenset(asked.words)) or words

    def is_turned(sentence: _Sentence) -> bool:
        deciding = [piece for piece in sentence.pieces if _holds(piece, own)] if sentence.is_mixed else []
        return all(one.negated != part.negated for one in deciding or [sentence.tokens])

    same = [one for one in said if _holds(one.tokens, words)]
    return bool(same) and all(map(is_turned, same))


_LIMITS = re.compile(
    r"\b(?:only|just|solely|exclusively|merely|except|instead|rather|than|unlike|besides?|closed?|un\w+able|impossible"
    r"|forbidden|prohibited|excluded|excluding|lacks?|missing|planned|soon|later|if|unless|when|until|after|before)\b"
    r"|[只仅除禁拒停关闭缺若]|如果",
    re.IGNORECASE,
)
"""Words by which a sentence says no without a negation, or yes on a condition."""


def _affirms(question: str, said: Sequence[_Sentence], expected: frozenset[str]) -> bool:
    """Whether an answer says in one breath what the reference states and what its no denies: all that was asked."""
    if _LIMITS.search(question) or tokenize(question).negated or any(one.tokens.negated for one in said):
        return False
    asked, expected = _plain(_words([tokenize(question)])), _plain(expected)
    denied, stated = asked - expected, (expected - asked) or expected
    return bool(denied) and any(
        _holds(one.tokens, denied) and _holds(one.tokens, stated) and not _LIMITS.search(one.text) for one in said
    )


_AUXILIARY = re.compile("[只仅能可以不没无会为是有的了吗]")
"""Of Chinese: what says that something may be or is, beside a yes, a no or an only."""


def _plain(words: frozenset[str]) -> frozenset[str]:
    """The words without pairs of characters that an auxiliary is part of, which another one may stand for."""
    return frozenset(word for word in words if not _AUXILIARY.search(word)) or words


def _holds(tokens: Tokens, words: frozenset[str]) -> bool:
    return _weight(_words([tokens]) & words) >= CONTRADICTS * _weight(words)


def _sentences(text: str) -> tuple[_Sentence, ...]:
    """What a text states, sentence by sentence; the text as it is when it states nothing that could be checked."""
    found = [_Sentence(claim.tokens, pieces(claim.sentence.text), claim.sentence.text) for claim in claims_of(text)]
    return tuple(found) or (_Sentence(tokenize(text), (), text),)


def _tokens(sentences: Iterable[_Sentence]) -> list[Tokens]:
    return [sentence.tokens for sentence in sentences]


def _words(sentences: Iterable[Tokens]) -> frozenset[str]:
    return frozenset(word for sentence in sentences for word in sentence.words if WEIGHTS[word] > 0.0)


def _numbers(sentences: Iterable[Tokens]) -> frozenset[str]:
    return frozenset().union(*(sentence.numbers for sentence in sentences))


def _weight(words: frozenset[str]) -> float:
    return sum(sorted(map(WEIGHTS.__getitem__, words)))
