"""Reads a file of labels as records: JSON lines, or CSV with comma, semicolon or tab as spreadsheets write it."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator

import msgspec

from monitor.offline.lines import MAX_LINE, Fields, numbered_objects
from monitor.sources.streams import DAMAGE
from monitor.spreadsheets import read_table

LABELS = re.compile(r"label(?:_(.+))?", re.DOTALL)
"""Keys of labels: `label`, or one for each annotator, such as `label_1`."""
_COLUMNS = frozenset(
    {"id", "verdict_id", "case_id", "trace_id", "question", "contexts", "answer", "language", "annotator"}
)
"""Columns that are found whatever their case, as are those of labels."""
_SHOWN = 200
_ROWS = "rows are JSON lines {id, question, contexts, answer}"
_TABLES = "CSV is for the labels of `ragmon calibrate`, which may have these columns beside `label`"
_JSON = re.compile(rb"\s*[{\[]\s*[\"{}\[\]]")
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_BOM = codecs.BOM_UTF8
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def records(stream: io.BufferedReader, name: str) -> Iterator[tuple[int, Fields | str]]:
    """Each record with the number of its first line, or what is wrong with it."""
    try:
        head = stream.peek(len(_BOM))
        if head.startswith(_BOM):
            stream.read(len(_BOM))
        first = stream.peek(1).lstrip()[:1]
    except DAMAGE as error:
        yield 1, f"the input is damaged here: {error}"
        return
    if not first:
        return  # nothing, or blanks only
    if first == b"[":
        yield 1, "is one JSON list; write one object a line"
        return
    yield from numbered_objects(stream, name) if first == b"{" else _csv_lines(stream)


def why_no_rows(stream: io.BufferedReader) -> str:
    """Why no line can be a row of JSON, as the first one shows: binary, or text in cells; else nothing. Reads nothing.

    What is damaged is left to who reads it.
    """
    try:
        head = stream.peek(len(_BOM)).removeprefix(_BOM)
    except DAMAGE:
        return ""
    if _JSON.match(head):
        return ""
    if head.startswith(_UTF_16):
        return f"is UTF-16 text; save it as UTF-8: {_ROWS}"
    if _BINARY.search(head):
        return f"is no text; {_ROWS}, as `ragmon extract` makes them of traces"
    first = head.lstrip().partition(b"\n")[0]
    is_table = first[:1] not in {b"{", b"[", b""} and any(mark in first for mark in (b",", b";", b"\t"))
    return f"holds no JSON; {_ROWS}; {_TABLES}" if is_table else ""


def _csv_lines(stream: io.BufferedReader) -> Iterator[tuple[int, Fields | str]]:
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    before = csv.field_size_limit(MAX_LINE)
    line = 1
    try:
        table = read_table(_bounded(text), _COLUMNS)
        names = [_column(name) for name in table.names]
        if problem := table.problem or _header_problem(names):
            yield table.line, problem
            return
        for line, cells in table.rows:
            yield line, cells if isinstance(cells, str) else _csv_fields(names, cells)
    except DAMAGE as error:
        yield line, f"the input is damaged here: {error}"
    finally:
        csv.field_size_limit(before)  # a setting of the whole process
        text.detach()  # whoever opened the stream closes it


def _column(name: str) -> str:
    """A column of labels begins with a small `label`, whatever its case; who labelled keeps theirs."""
    return f"label{name[len('label') :]}" if LABELS.fullmatch(name.casefold()) else name


def _bounded(text: io.TextIOWrapper) -> Iterator[str]:
    """The lines of a text. Raises csv.Error for one that is too long to be a row."""
    while line := text.readline(MAX_LINE):
        if len(line) == MAX_LINE:
            raise csv.Error(f"a line has {MAX_LINE} characters or more")
        yield line


def _header_problem(names: list[str]) -> str:
    if not any(map(LABELS.fullmatch, names)):
        return (
            "the header of the CSV file names no `label`; its columns are such as id, question, contexts, answer, label"
        )
    twice = sorted(name for name, count in Counter(names).items() if name and count > 1)
    return f"the header names {', '.join(twice)[:_SHOWN]} twice" if twice else ""


def _csv_fields(names: list[str], cells: list[str]) -> Fields | str:
    if len(cells) != len(names):
        return f"has {len(cells)} cells, and the header {len(names)}; put texts with separators or quotes in quotes"
    fields: Fields = {name: cell for name, cell in zip(names, cells, strict=True) if name}
    contexts = str(fields.pop("contexts", "") or "").strip()
    if contexts.startswith("["):
        try:
            fields["contexts"] = msgspec.json.decode(contexts, type=list[object])
        except (msgspec.DecodeError, RecursionError) as error:
            return f"contexts: is not a JSON list of passages: {error}"
    elif contexts:
        fields["contexts"] = [contexts]
    return {name: value for name, value in fields.items() if value != "" or LABELS.fullmatch(name)}
