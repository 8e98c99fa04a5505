"""How much of the question each passage holds: what tells a relevant passage where nobody judged it.

It sees words, not meaning: a passage that answers in other words looks irrelevant, one on the same subject relevant.
"""

from __future__ import annotations

from collections.abc import Sequence

from monitor.judges.grounding.rarity import WEIGHTS
from monitor.judges.text.scripts import is_unspaced
from monitor.judges.text.tokens import read_words, tokenize

MAX_QUESTION = 2000
"""Characters of a question that are read."""


def relevance_by_words(question: str, passages: Sequence[str]) -> tuple[float, ...] | None:
    """For each passage the share of the question's content words that it holds, weighted by rarity, 0 to 1.

    None when the question has no such words, or no passage is in its script: then words say nothing. Time is linear in
    the length of the passages.
    """
    asked = sorted({word for word in tokenize(question[:MAX_QUESTION]).words if WEIGHTS[word] > 0.0})
    whole = sum(map(WEIGHTS.__getitem__, asked))
    unspaced = is_unspaced(question)
    if not whole or (passages and all(is_unspaced(passage) is not unspaced for passage in passages)):
        return None
    return tuple(_share(asked, passage) / whole for passage in passages)


def _share(asked: Sequence[str], passage: str) -> float:
    held = frozenset(read_words([passage]))
    return sum(WEIGHTS[word] for word in asked if word in held)
