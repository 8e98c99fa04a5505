"""Evidence that says the contrary: a sentence of the passages with the words of a claim, and that it is not so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from monitor.judges.grounding.harmless import bare, without_asides
from monitor.judges.grounding.rarity import WEIGHTS
from monitor.judges.text.rows import parts_of_row
from monitor.judges.text.tokens import HAN_NEGATION, Tokens, tokenize
from monitor.judges.text.words import NEGATIONS, is_run

_CLAUSE = re.compile(r"[,;:，；：、。—]|[.!?](?=\s)|\s-\s|\b(?:but|and)\b|但|而且|并且")
_MORE_OR_LESS = re.compile(
    r"\b(?:only|just|merely|simply|until|till|unless|than|if|whether|without|except|but|besides|apart|other|hardly|necessarily"
    r"|always|all|every|both|because|why)\b|[?？吗呢]|不仅|不只|不光|不但|不止|不单|除|只|仅|非但|无不|是否|就是|而是|一定|都|全部|每|但",
    re.IGNORECASE,
)
"""What makes a negation more or less than one: `not only`, `not until`, `not all`, a question."""
VETOES = ("请勿", "切勿", "禁止", "严禁")
VETO = re.compile("切勿|勿|禁止|严禁")
_NOT = re.compile(f"{VETO.pattern}|{HAN_NEGATION.pattern}")
"""What forbids says of what it names that it is not so."""
_NOT_ALLOWED = re.compile("不[得准许予]")
_NOT_NEEDED = re.compile("不(?:需|必|用|要求)|[无毋][需须]|没有?必要")
"""What need not be may be."""
_LIMITS = frozenset(
    """about above after at before below between by during for from in into of off on out over through to under up
    with""".split()  # noqa: SIM905 - a word list reads as text
)
"""Not before three o'clock is from three o'clock: they have to be the same."""


def says_contrary(sentence: str, claim: Tokens) -> bool:
    """Whether `sentence`, or a clause of it, has the content words of a claim and no others, and one negation more.

    A claim may say numbers and harmless words beside. No if a clause without negation holds the claim, which is to
    negate nothing itself.
    """
    needed = _content(bare(claim.words)) - claim.numbers
    forbidden = VETO.search("".join(claim.words))
    found = False
    for clause in clauses_in(sentence):
        tokens = tokenize(clause)
        if not (tokens.negated or (VETO.search(clause) and not forbidden)):
            if needed.issubset((*tokens.words, *bare(tokens.words))):
                return False
        elif not _MORE_OR_LESS.search(clause):
            may_be = _NOT_NEEDED.search(clause) is None
            found |= any(_says(said, claim, may_be=may_be) for said in _affirmed(clause, tokens))
    return found


def _says(said: Sequence[str], claim: Tokens, *, may_be: bool) -> bool:
    """Whether the words of a clause are those of a claim. In Chinese what `may_be` is denied with what is."""
    words, needed = claim.words, bare(claim.words)
    if not any(map(is_run, words)):
        said = without_asides(said)
    elif may_be:
        said, words = bare(said), needed
    else:
        needed = words
    limits = _LIMITS.intersection
    return _content(needed) - claim.numbers <= _content(said) <= _content(words) and limits(said) == limits(claim.words)


def clauses_in(sentence: str) -> tuple[str, ...]:
    """The clauses of a sentence, and the sentence itself; the parts of a row some of whose cells negate something."""
    return parts_of_row(sentence) or (*clauses_of(sentence), sentence)


def clauses_of(sentence: str) -> list[str]:
    """The clauses of a sentence."""
    return _CLAUSE.split(sentence)


def _content(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word for word in words if WEIGHTS[word] > 0.0) - NEGATIONS


def _affirmed(clause: str, tokens: Tokens) -> Iterator[Sequence[str]]:
    """The words of a clause without its negation; in Chinese in each way to leave it out, and none if it has two."""
    marks = _NOT.findall(clause)
    if not marks:
        yield tokens.words
    elif len(marks) == 1:
        without = (_NOT.sub("", clause), clause.replace("没有", "有"), _NOT_ALLOWED.sub("", clause))
        yield from (tokenize(affirmed).words for affirmed in without)
