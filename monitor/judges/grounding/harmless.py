"""Words beside which a sentence says the same or more of the same: `also`, `generally`, 会, 可以.

What says that something is not so says so of it with such a word, too.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence

from monitor.judges.text.tokens import pairs
from monitor.judges.text.words import WORDS, is_run

_BESIDE = frozenset(
    map(
        WORDS.__getitem__,
        """additionally already currently furthermore however indeed likewise meanwhile moreover nevertheless
        nonetheless presently similarly still therefore thus yet""".split(),  # noqa: SIM905 - a word list reads as text
    )
)
"""They say when, or join what is said to what stands before."""
_AS_WELL = (WORDS["as"], WORDS["well"])
_WHOLLY = frozenset(
    map(
        WORDS.__getitem__,
        """absolutely actually always basically certainly clearly completely definitely entirely explicitly fully
        generally naturally normally really totally typically usually wholly""".split(),  # noqa: SIM905 - a word list reads as text
    )
)
"""They say how far: what is not so is not wholly so, but what is not wholly so may be so in part."""
_CHARACTERS = re.compile(
    "可以|(?<!可)能够?|可(?!能)|应该?当?|须|必[须需]|需要?|要|会|将|请|建议|也|还|均|都|仍然?|依然|已经?|准予|予以?"
    "|目前|现在|一般|通常|一律|同样|在|于"
)
"""Modal verbs and adverbs. They are left out of both that are compared, so they may be parts of other words (会员)."""


def bare(words: Sequence[str]) -> tuple[str, ...]:
    """`words` without those that do no harm; runs of scripts without blanks are cut into pairs anew."""
    if any(map(is_run, words)):
        return tuple(_paired_anew(words))
    return tuple(_without(words, _BESIDE | _WHOLLY))


def without_asides(words: Sequence[str]) -> tuple[str, ...]:
    """`words` without those that say neither more nor less."""
    return tuple(_without(words, _BESIDE))


def bare_text(text: str) -> str:
    """A text in a script without blanks without what does no harm."""
    return _CHARACTERS.sub("", text)


def _without(words: Sequence[str], harmless: frozenset[str]) -> Iterator[str]:
    before = ""
    for word in words:
        if word not in harmless and (before, word) != _AS_WELL:
            yield word
        before = word


def _paired_anew(words: Iterable[str]) -> Iterator[str]:
    for is_of_run, stretch in itertools.groupby(words, is_run):
        if not is_of_run:
            yield from stretch
            continue
        for run in _joined(stretch):
            if left := bare_text(run):
                yield from pairs(left)


def _joined(words: Iterable[str]) -> Iterator[str]:
    """The runs that pairs of characters were cut from."""
    run = ""
    for word in words:
        if run and len(word) > 1 and run[-1] == word[0]:
            run += word[1:]
        else:
            if run:
                yield run
            run = word
    yield run
