"""CSV as spreadsheets write it: with a comma, semicolon or tab, and whatever stands before the header."""

from __future__ import annotations

import csv
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

_SEPARATORS = ",;\t"
_TOLD = re.compile(r'sep=([^\r\n"])\s*', re.IGNORECASE)
"""A line before the header by which spreadsheets tell the separator."""


@dataclass(frozen=True, slots=True)
class Table:
    """The header of a table and its rows."""

    names: tuple[str, ...]
    line: int
    """Of the header."""
    rows: Iterator[tuple[int, list[str] | str]]
    """Each row that holds anything with the line in which it begins; last of all perhaps why it cannot be read on."""
    problem: str = ""
    """Why the header cannot be read."""


def read_table(lines: Iterator[str], known: Iterable[str]) -> Table:
    """The table in the lines of a file without a byte order mark; names that are known have their case corrected.

    The separator is told in a line before the header, or is the commonest one in it. Blank lines do not count. Without
    a line there are no names.
    """
    told, first, before = "", "", 0
    try:
        for line in lines:
            if separator := _TOLD.fullmatch(line):
                told = separator[1]
            elif line.strip():
                first = line
                break
            before += 1
        reader = csv.reader(
            itertools.chain([first] if first else [], lines),
            delimiter=told or max(_SEPARATORS, key=first.count),
            strict=True,
        )
        names = next(reader, [])
    except (csv.Error, ValueError) as error:  # also a separator that csv does not take
        return Table((), before + 1, iter(()), _problem(error))
    by_case = {name.casefold(): name for name in known}
    plain = tuple(by_case.get(name.strip().casefold(), name.strip()) for name in names)
    return Table(plain, before + 1, _rows(reader, before))


def _rows(reader: _Reader, before: int) -> Iterator[tuple[int, list[str] | str]]:
    start = before + reader.line_num + 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield start, cells
            start = before + reader.line_num + 1
    except (csv.Error, UnicodeDecodeError) as error:
        yield start, _problem(error)


class _Reader(Protocol):
    """A csv.reader."""

    line_num: int

    def __iter__(self) -> Iterator[list[str]]: ...


def _problem(error: csv.Error | ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "is not UTF-8 text; save it as `CSV UTF-8`"
    return f"is not CSV: {error}"
