"""Rows of a table some of whose cells negate something: what one cell denies the others may still affirm."""

from __future__ import annotations

from monitor.judges.text.tokens import CELL, MOST_BARS, tokenize


def parts_of_row(text: str) -> tuple[str, ...]:
    """A row cut into what its cells affirm, and each cell that negates beside the label; () where none or all negate.

    A mere `No` in one of many cells negates nothing that the row says. What a row of two cells negates, or in its
    label, it negates as a sentence does.
    """
    if text.count("|") <= MOST_BARS:
        return ()
    label, *values = text.strip().strip("|").split("|")
    values = [value for value in values if not _is_lone(value)]
    negating = [value for value in values if tokenize(value).negated]
    if not 0 < len(negating) < len(values) or tokenize(label).negated:
        return ()
    affirming = [value for value in values if value not in negating]
    return tuple(f"|{'|'.join(cells)}|" for cells in ([label, *affirming], *([label, value] for value in negating)))


def _is_lone(cell: str) -> bool:
    found = CELL.match(f"|{cell}|")
    return found is not None and found["denies"] is not None
