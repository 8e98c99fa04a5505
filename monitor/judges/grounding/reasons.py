"""Why a sentence is risky, in words for a person: what it says that the passages do not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from monitor.judges.grounding.features import Measured, Window
from monitor.judges.grounding.shown import as_written
from monitor.judges.text.numbers.dates import MONTH
from monitor.judges.text.numbers.folding import NEGATIVE
from monitor.judges.text.scripts import is_unspaced
from monitor.judges.text.tokens import Tokens

MAX_QUOTED = 4
"""Words of one kind that a reason quotes."""
COMPANY_ELSEWHERE = 0.5
"""From this gap on a number or a name is said to stand apart from the words around it."""


def reason_for(claim: Tokens, measured: Measured, window: Window, text: str = "") -> str:
    """The reason, the plainest first; empty when nothing in particular speaks against the sentence.

    Words are quoted as `text`, the sentence, writes them; what it does not write so (a number that was put together)
    as it was compared.
    """
    opposite = () if measured.opposite is None else (measured.opposite.claimed,)
    written = as_written((*measured.missing, *window.elsewhere, *opposite), text)
    return "; ".join(_reasons(claim, measured, window, written))


def _reasons(claim: Tokens, measured: Measured, window: Window, written: Mapping[str, str]) -> Iterator[str]:
    if measured.opposite is not None:
        claimed, said = measured.opposite
        yield f"a passage says {said} instead of {written.get(claimed, claimed)}"
        return
    if measured.contrary is not None:
        yield "a passage says that it is not so"
        return
    kinds = {"number": claim.numbers, "value": claim.values, "name": claim.names | claim.named}
    missing = dict.fromkeys(measured.missing)
    left = [word for word in missing if word in claim.named or not _is_of(word, claim.named)]
    for kind, words in kinds.items():
        found = [word for word in left if word in words]
        told = {written[word] for word in found if word in written}
        left = [word for word in left if word not in words and written.get(word) not in told]
        if found:
            yield f"{kind}{'s' if len(found) > 1 else ''} {_quoted(found, written)} not in any passage"
    if window.unnegated:
        yield "negated, and the passage that comes closest is not"
    if window.elsewhere:
        yield f"{_quoted(window.elsewhere, written)} only in another place than the rest"
    elif measured.apart >= COMPANY_ELSEWHERE and len(left) == len(missing):
        yield "a number or name stands in other company in the passages"
    if left:
        yield f"not in any passage: {_quoted(_joined(left), written)}"


def _is_of(word: str, names: Iterable[str]) -> bool:
    """Whether a word, or a pair of characters, is a part of a name or reaches into one."""
    return any(word in name or (is_unspaced(word) and (name[-1] == word[0] or name[0] == word[-1])) for name in names)


def _quoted(words: Sequence[str], written: Mapping[str, str]) -> str:
    shown = [*dict.fromkeys(written.get(word) or _plain(word) for word in words)]
    quoted = ", ".join(shown[:MAX_QUOTED])
    return quoted if len(shown) <= MAX_QUOTED else f"{quoted} and {len(shown) - MAX_QUOTED} more"


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
