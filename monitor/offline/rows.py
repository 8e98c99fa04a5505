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
from monitor.offline.label_files import NO_TABLE, begins_as_table
from monitor.offline.lines import numbered_objects
from monitor.protocols import Decoder
from monitor.records import RagTrace
from monitor.sources.streams import STDIN, open_stream
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


def read_rows(file: str) -> Iterator[Row]:
    """The rows of a file (plain, gzip or zstd; `-`: standard input), blank lines left out.

    Raises InputError when it cannot be opened.
    """
    cleanup = contextlib.ExitStack()
    return _parsed(open_input(file, cleanup), name_of(file), cleanup)


def name_of(file: str) -> str:
    """What messages call a file."""
    return "standard input" if file == STDIN else file


def open_input(file: str, cleanup: contextlib.ExitStack) -> io.BufferedReader:
    """The content of a file or of standard input, unpacked. Raises InputError when it cannot be opened."""
    try:
        return open_stream(file, lambda: False, cleanup)[0]
    except OSError as error:
        cleanup.close()
        raise InputError(f"{file}: cannot be read ({error.strerror})") from None


def _parsed(stream: io.BufferedReader, name: str, cleanup: contextlib.ExitStack) -> Iterator[Row]:
    decoder = make_decoder("plain")
    with cleanup:
        hint = f"; {NO_TABLE}" if begins_as_table(stream) else ""
        for number, plain in numbered_objects(stream, name):
            row = row_of(plain, number, decoder) if isinstance(plain, dict) else Row(None, None, plain)
            if row.trace is None:
                sys.stderr.write(f"ragmon: {name}:{number}: {row.problem}{hint}\n")
                hint = ""
            yield row


def row_of(plain: dict[str, object], number: int, decoder: Decoder) -> Row:
    """The row of an object, by the decoder of plain records."""
    given = next((plain[key] for key in _IDS if key in plain), None)
    try:
        decoded = decoder.decode(msgspec.json.encode({**plain, "trace_id": f"row-{number}"}))
    except DecodeError as error:
        return Row(given, None, _plainly(error.detail))
    reference, problems = reference_of(plain)
    if problems:
        return Row(given, None, "; ".join(problems))
    if not decoded.requests:
        return Row(given, None, "has no question and no answer")
    return Row(given, decoded.requests[0], reference=reference)


def _plainly(detail: str) -> str:
    """What the decoder says of a wrong type, in words for people who write rows."""
    found = _WRONG_TYPE.fullmatch(detail)
    if found is None:
        return detail
    wanted, given = (_KINDS.get(kind.partition(" ")[0], kind) for kind in found.group("wanted", "given"))
    return f"{found['where']}: is {given}, and should be {wanted}"
