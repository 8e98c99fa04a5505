"""Clauses of a long sentence in scripts with blanks: what is invented in one of them must not drown in the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from monitor.judges.text.rows import parts_of_row
from monitor.judges.text.tokens import Tokens, tokenize
from monitor.judges.text.words import is_function_word, is_run

LEAST = 6
"""Different words with content that a clause has at least, numbers aside: a shorter one is too little to tell, and an
invented number must not make clauses of a sentence that has none without it."""
_CUT = re.compile(
    r";\s+|,\s++(?=(?:and|but|while|which|who|where|whereas|so|or|as|with|including)\b)"
    r"|(?<!\s)\s++(?=(?:and|but|while|whereas|because|although)\s)"
)


def clauses_of(stated: str, whole: Tokens) -> tuple[Tokens, ...]:
    """The tokens of each clause of a statement whose tokens are `whole`: only these where it is short or one clause.

    Cells of a row that negate something are clauses, as are those that do not, in all scripts.
    """
    if cells := parts_of_row(stated):
        pieces = [_of(whole, tokenize(part)) for part in cells]
    elif _content(whole) < 2 * LEAST or any(map(is_run, whole.words)):
        return (whole,)
    else:
        pieces = [_of(whole, piece) for piece in _pieces(stated)]
    return tuple(pieces) if len(pieces) > 1 else (whole,)


def _of(whole: Tokens, piece: Tokens) -> Tokens:
    return replace(piece, names=piece.names & whole.names, otherwise=whole.otherwise)


def _pieces(stated: str) -> Iterator[Tokens]:
    """Stretches between cuts, those that are short together with the next one or, at the end, the one before."""
    start, kept = 0, None
    for end in (*(cut.start() for cut in _CUT.finditer(stated)), len(stated)):
        piece = tokenize(stated[start:end])
        if _content(piece) >= LEAST:
            if kept is not None:
                yield tokenize(stated[kept:start])
            kept, start = start, end
    if kept is not None:
        yield tokenize(stated[kept:])


def _content(tokens: Tokens) -> int:
    return sum(not is_function_word(word) for word in set(tokens.words) - tokens.numbers)
