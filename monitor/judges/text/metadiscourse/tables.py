"""Cells of a table of an answer that number its rows, or count years and the like in order, as the head above says.

A head such as `#`, `No.`, `Step` or 序号 numbers rows: the number of a row says nothing of its own. Below `Year` or
年度 a 1 is the first year.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from monitor.judges.text.spellings.ones import SPANS, ordinal_of
from monitor.judges.text.spellings.otherwise import Otherwise

_CELL = re.compile(r"[ ]*[*_]{0,3}([1-9]|10)[*_]{0,3}[ ]*")
_NUMBERING = re.compile(r"(?:#|no\.?|nr\.?|steps?|item|序号|编号|步骤)", re.IGNORECASE)
_SPAN = re.compile(rf"(?:[a-z]+[ ])?(?P<span>{SPANS})(?:[ ](?:no\.?|number|#))?", re.IGNORECASE)
_HAN_SPAN = re.compile("(?:第几个?|保单|合同|服务)?(?P<span>[年月周天]|学期|学年|年度|年份|阶段)")
_HAN_NUMERALS = "一二三四五六七八九十"
_FAR = 4000
"""Characters above a row in which its head is looked for."""


def ordered_in(row: str, above: str) -> Iterator[Otherwise]:
    """What holds the numbers of a row of a table, given the text of the answer above it."""
    if not row.lstrip().startswith("|"):
        return
    rows = list(_rows_above(above[-_FAR:]))
    if len(rows) < 2:  # noqa: PLR2004 - a head and the line below it
        return
    for cell, head in zip(_cells(row), _cells(rows[0]), strict=False):
        number = _CELL.fullmatch(cell)
        if number is None:
            continue
        named = head.strip(" *_")
        if _NUMBERING.fullmatch(named) and int(number[1]) == len(rows) - 1:
            yield Otherwise((number[1],), "")
        elif span := _SPAN.fullmatch(named):
            yield Otherwise((number[1],), ordinal_of(number[1], span["span"]))
        elif span := _HAN_SPAN.fullmatch(named):
            numeral = _HAN_NUMERALS[int(number[1]) - 1]
            yield Otherwise((number[1],), f"第[ ]?(?:{numeral}|{number[1]})个?[\u4e00-\u9fff]{{0,4}}?{span['span'][0]}")


def _rows_above(above: str) -> Iterator[str]:
    """The rows of the same table above, the head first."""
    lines = above.rstrip("\n").split("\n")
    start = len(lines)
    while start and lines[start - 1].lstrip().startswith("|"):
        start -= 1
    yield from lines[start:]


def _cells(row: str) -> list[str]:
    return row.strip().strip("|").split("|")
