"""Rows of questions, contexts and answers, as JSON lines: what the commands that judge read."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from monitor.errors import DecodeError, InputError
from monitor.judges.reference.golden import reference_of
from monitor.judges.reference.references import Reference
from monitor.offline.label_files import why_no_rows
from monitor.offline.lines import numbered_objects
from monitor.offline.places import name_of, told
from monitor.protocols import Decoder
from monitor.records import RagTrace
from monitor.sources.streams import open_stream
from monitor.traces.decode import make_decoder
from monitor.traces.decode.rows import record_of_row

Item = TypeVar("Item")

_IDS = ("id", "case_id", "trace_id")
"""What a row is called by, the first that it has: cases of a sample set and requests of `extract` have no `id`."""
_WRONG_TYPE = re.compile(r"Expected `(?P<wanted>[^`]+)`, got `(?P<given>[^`]+)` - at `\$\.(?P<where>[^`]+)`")
_KINDS = {
    "str": "a text",
    "array": "a list",
    "object": "an object",
    "int": "a number",
    "float": "a number",
    "bool": "true or false",
    "null": "null",
}


Content = tuple[object, ...]
"""Question, answer, passages and reference; equal for what is the same but for blanks at the ends."""


def content_of(trace: RagTrace, reference: Reference | None) -> Content | None:
    """The content of a request, to be compared with that of others; None where there is hardly any."""
    return content_of_texts(trace.question, trace.answer, (passage.text for passage in trace.contexts), reference)


def content_of_texts(
    question: str | None, answer: str | None, passages: Iterable[str | None], reference: Reference | None = None
) -> Content | None:
    """As `content_of`, where the texts stand in something else."""
    texts = _bare(question), _bare(answer), tuple(map(_bare, passages))
    return (*texts, reference) if sum(map(bool, texts)) > 1 else None


def _bare(text: str | None) -> str:
    return (text or "").strip()


@dataclass(frozen=True, slots=True)
class Row:
    """One row to judge; `problem` says what is wrong with one that cannot be."""

    id: object
    trace: RagTrace | None
    problem: str = ""
    reference: Reference | None = None
    keys: tuple[str, ...] = ()
    """Those of its object."""

    @property
    def content(self) -> Content | None:
        """What is judged of it: rows of the same content are one answer, whatever they are called."""
        return content_of(self.trace, self.reference) if self.trace is not None else None


def read_rows(file: str) -> Iterator[Row]:
    """The rows of a file (plain, gzip or zstd; `-`: standard input), blank lines left out.

    Raises InputError when it cannot be opened, or holds something else altogether. What is wrong with rows is told at
    the end.
    """
    cleanup = contextlib.ExitStack()
    return _parsed(open_rows(file, cleanup), file, cleanup)


def distinct(rows: Sequence[Item], content: Callable[[Item], Content | None], file: str) -> list[Item]:
    """The first row of each content: again says nothing new, and would narrow the intervals. Tells how many go."""
    found: dict[object, Item] = {}
    for number, row in enumerate(rows):
        found.setdefault(content(row) or number, row)
    if again := len(rows) - len(found):
        repeated = f"{again} of {len(rows)} rows have the question, passages and answer of an earlier one"
        sys.stderr.write(f"ragmon: {name_of(file)}: {repeated}, and are left out\n")
    return list(found.values())


def open_input(file: str, cleanup: contextlib.ExitStack) -> io.BufferedReader:
    """The content of a file or of standard input, unpacked. Raises InputError when it cannot be opened."""
    try:
        return open_stream(file, lambda: False, cleanup)[0]
    except OSError as error:
        cleanup.close()
        raise InputError(f"{file}: cannot be read ({error.strerror})") from None


def open_rows(file: str, cleanup: contextlib.ExitStack) -> io.BufferedReader:
    """As `open_input`. Raises InputError also when the first line shows that there are no rows of JSON."""
    stream = open_input(file, cleanup)
    if why := why_no_rows(stream):
        cleanup.close()
        raise InputError(f"{name_of(file)}: {why}")
    return stream


def _parsed(stream: io.BufferedReader, file: str, cleanup: contextlib.ExitStack) -> Iterator[Row]:
    decoder = make_decoder("plain")
    problems: list[tuple[int, str]] = []
    with cleanup:
        for number, plain in numbered_objects(stream, name_of(file)):
            row = row_of(plain, number, decoder) if isinstance(plain, dict) else Row(None, None, plain)
            if row.trace is None:
                problems.append((number, row.problem))
            yield row
    if problems:
        sys.stderr.writelines(f"ragmon: {line}\n" for line in told(file, problems).splitlines())


def row_of(plain: dict[str, object], number: int, decoder: Decoder) -> Row:
    """The row of an object, by the decoder of plain records."""
    given, keys = next((plain[key] for key in _IDS if key in plain), None), tuple(plain)
    try:
        decoded = decoder.decode(record_of_row(plain, f"row-{number}"))
    except DecodeError as error:
        return Row(given, None, _plainly(error.detail), keys=keys)
    reference, problems = reference_of(plain)
    if problems:
        return Row(given, None, "; ".join(problems), keys=keys)
    if not decoded.requests:
        return Row(given, None, "has no question and no answer", keys=keys)
    return Row(given, decoded.requests[0], reference=reference, keys=keys)


def _plainly(detail: str) -> str:
    """What the decoder says of a wrong type, in words for people who write rows."""
    found = _WRONG_TYPE.fullmatch(detail)
    if found is None:
        return detail
    wanted, given = (_KINDS.get(kind.partition(" ")[0], kind) for kind in found.group("wanted", "given"))
    return f"{found['where']}: is {given}, and should be {wanted}"
