"""Rows of questions, contexts and answers, as JSON lines: what the commands that judge read."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

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


@dataclass(frozen=True, slots=True)
class Row:
    """One row to judge; `problem` says what is wrong with one that cannot be."""

    id: object
    trace: RagTrace | None
    problem: str = ""
    reference: Reference | None = None
    keys: tuple[str, ...] = ()
    """Those of its object."""


def read_rows(file: str) -> Iterator[Row]:
    """The rows of a file (plain, gzip or zstd; `-`: standard input), blank lines left out.

    Raises InputError when it cannot be opened, or holds something else altogether. What is wrong with rows is told at
    the end.
    """
    cleanup = contextlib.ExitStack()
    return _parsed(open_rows(file, cleanup), file, cleanup)


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
        decoded = decoder.decode(msgspec.json.encode({**plain, "trace_id": f"row-{number}"}))
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
