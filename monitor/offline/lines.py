"""Reads JSON lines of people and tools: each line with its number, or what is wrong with it."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Iterator

import msgspec

from monitor.json_keys import key_twice
from monitor.sources.streams import DAMAGE
from monitor.traces.decode.json_text import read_whole
from monitor.traces.text import Repairer

MAX_LINE = 16 << 20
"""Bytes of a line at most."""

Fields = dict[str, object]


def numbered_objects(stream: io.BufferedReader, name: str) -> Iterator[tuple[int, Fields | str]]:
    r"""The object of each line that is not blank, or what is wrong with it.

    Half a character (a lone `\ud83d`, of a text that was cut) becomes U+FFFD; how many did is told at the end.
    """
    repairer = Repairer()
    for number, line in numbered_lines(stream):
        yield number, line if isinstance(line, str) else _object(line, repairer)
    if repairer.count:
        half = "half a character" if repairer.count == 1 else f"{repairer.count} half characters"
        sys.stderr.write(f"ragmon: {name}: {half} read as U+FFFD; a text was cut in the middle of one\n")


def numbered_lines(stream: io.BufferedReader) -> Iterator[tuple[int, bytes | str]]:
    """The lines that are not blank with their numbers; in place of one that cannot be read, what is wrong with it."""
    for number, line in enumerate(_lines(stream), 1):
        if number == 1 and isinstance(line, bytes):
            line = line.removeprefix(codecs.BOM_UTF8)  # noqa: PLW2901 - Windows puts it there
        if isinstance(line, str) or line.strip():
            yield number, line


def _lines(stream: io.BufferedReader) -> Iterator[bytes | str]:
    """The lines, and in place of one that cannot be read what is wrong with it. Nothing follows damage."""
    try:
        while line := stream.readline(MAX_LINE + 1):
            if len(line) <= MAX_LINE or line.endswith(b"\n"):
                yield line
                continue
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_LINE)
            yield f"has more than {MAX_LINE} bytes"
    except DAMAGE as error:
        yield f"the input is damaged here: {error}"


def _object(line: bytes, repairer: Repairer) -> Fields | str:
    try:
        plain = read_whole(line, repairer)
        twice = key_twice(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return f"is not JSON: {error}"
    if twice:
        return twice
    return plain if isinstance(plain, dict) else "is not an object {id, question, contexts, answer}"
