"""Why a sentence is risky, in words for a person: what it says that the passages do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from monitor.judges.grounding.features import Measured, Window
from monitor.judges.text.numbers import MONTH, NEGATIVE
from monitor.judges.text.scripts import is_unspaced
from monitor.judges.text.tokens import Tokens

MAX_QUOTED = 4
"""Words of one kind that a reason quotes."""
COMPANY_ELSEWHERE = 0.5
"""From this gap on a number or a name is said to stand apart from the words around it."""


def reason_for(claim: Tokens, measured: Measured, window: Window) -> str:
    """The reason, the plainest first; empty when nothing in particular speaks against the sentence.

    Words are quoted as they were compared: numbers in plain digits, names and words as case-folded stems.
    """
    return "; ".join(_reasons(claim, measured, window))


def _reasons(claim: Tokens, measured: Measured, window: Window) -> Iterator[str]:
    numbers = [word for word in measured.missing if word in claim.numbers]
    names = [word for word in measured.missing if word in claim.names and word not in claim.numbers]
    words = [word for word in measured.missing if word not in claim.numbers and word not in claim.names]
    for kind, found in (("number", numbers), ("name", names)):
        if found:
            yield f"{kind}{'s' if len(found) > 1 else ''} {_quoted(found)} not in any passage"
    if window.unnegated:
        yield "negated, and the passage that comes closest is not"
    if window.elsewhere:
        yield f"{_quoted(window.elsewhere)} only in another place than the rest"
    elif measured.apart >= COMPANY_ELSEWHERE and not numbers and not names:
        yield "a number or name stands in other company in the passages"
    if words:
        yield f"not in any passage: {_quoted(_joined(words))}"


def _quoted(words: Sequence[str]) -> str:
    shown = ", ".join(_plain(word) for word in words[:MAX_QUOTED])
    return shown if len(words) <= MAX_QUOTED else f"{shown} and {len(words) - MAX_QUOTED} more"


def _plain(word: str) -> str:
    if word.startswith(MONTH):
        return f"month {word[len(MONTH) :]}"
    return f"-{word[len(NEGATIVE) :]}" if word.startswith(NEGATIVE) else word


def _joined(words: Sequence[str]) -> list[str]:
    """Overlapping pairs of characters as the run that they are cut from; words as they are."""
    found: list[str] = []
    for word in words:
        if found and is_unspaced(word) and is_unspaced(found[-1]) and found[-1][-1] == word[0]:
            found[-1] += word[1:]
        else:
            found.append(word)
    return found
