"""Reads a golden file: questions and what is right for them, as JSON lines or CSV."""

from __future__ import annotations

import difflib
import io
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from monitor.errors import ConfigError
from monitor.judges.reference.references import Reference
from monitor.spreadsheets import read_table
from monitor.traces.text import repair

MAX_BYTES = 64 << 20
"""Of a golden file."""
_TOLD = 50
"""Problems of a file that are told."""
FIELDS = ("question", "wordings", "reference", "references", "sources", "passages", "language")
"""What is read of an entry; other fields are for people."""
_NEAR = 0.87
"""How alike a field is to one that is read when it is taken for a slip of it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One golden question in all its wordings, and what is right for it. `language` is empty when it is not told.

    `unread` are the fields that are not read, and `line` is where it stands in its file.
    """

    wordings: tuple[str, ...]
    reference: Reference
    language: str = ""
    unread: tuple[str, ...] = field(default=(), compare=False)
    line: int = field(default=0, compare=False)


def read_golden(path: Path, where: str) -> tuple[Entry, ...]:
    """The entries of a file, in its order. Raises ConfigError with every problem and its line; `where` is the setting.

    `.csv` has a head line and a field in each column, in which several texts are a JSON list; all else is JSON lines.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise ConfigError([f"{where}: {path} has more than {MAX_BYTES} bytes"])
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise ConfigError([f"{where}: {path} cannot be read ({error.strerror})"]) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ConfigError([f"{where}: {path}:{line}: is not UTF-8"]) from None
    rows = _of_csv(text) if path.suffix.lower() == ".csv" else _of_json_lines(text)
    entries: list[Entry] = []
    problems: list[str] = []
    for line, row in rows:
        read = row if isinstance(row, str) else _entry(row, line)
        if isinstance(read, Entry):
            entries.append(read)
        else:
            problems += [
                f"{where}: {path}:{line}: {problem}" for problem in ([read] if isinstance(read, str) else read)
            ]
    if len(problems) > _TOLD:
        problems[_TOLD:] = [f"{where}: {path}: and {len(problems) - _TOLD} more"]
    if not entries and not problems:
        problems.append(f"{where}: {path} has no entries")
    if problems:
        raise ConfigError(problems)
    return tuple(entries)


def reference_of(row: Mapping[str, object]) -> tuple[Reference | None, list[str]]:
    """The reference that a row carries (None without one), and what is wrong with its fields."""
    problems: list[str] = []

    def texts(*names: str) -> tuple[str, ...]:
        found = [text for name in names for text in _texts(row.get(name), name, problems)]
        return tuple(dict.fromkeys(found))

    made = Reference(texts("reference", "references"), texts("sources"), texts("passages"))
    return (None if made == Reference() else made), problems


def _entry(row: Mapping[str, object], line: int) -> Entry | list[str]:
    """The entry of one row, or what is wrong with it."""
    reference, problems = reference_of(row)
    unread = tuple(sorted(str(name) for name in row.keys() - set(FIELDS)))
    slips = _slips(unread, row)
    problems += slips
    wordings = [text for name in ("question", "wordings") for text in _texts(row.get(name), name, problems)]
    language = row.get("language") or ""
    if not wordings and not slips and not any(problem.startswith(("question", "wordings")) for problem in problems):
        problems.append("has no question")
    if reference is None and not problems:
        others = ", ".join(unread[:_NAMED])
        problems.append(f"has no reference, references, sources or passages{f'; not read: {others}' if others else ''}")
    if not isinstance(language, str):
        problems.append("language is no text")
    if problems or reference is None:
        return problems
    spoken = str(language).casefold().partition("-")[0]
    return Entry(tuple(dict.fromkeys(wordings)), reference, spoken, unread, line)


_NAMED = 5


def _slips(unread: Iterable[str], read: Collection[str]) -> list[str]:
    """The fields that are hardly meant for people: each with the one that it is a slip of and that is not there."""
    near = {name: _meant(name) for name in unread}
    return [
        f"`{name[:_SHOWN]}` is not read; did you mean `{meant}`? A field for people needs another name"
        for name, meant in near.items()
        if meant and meant not in read
    ]


@lru_cache(maxsize=1024)
def _meant(name: str) -> str:
    """The field that a name is nearly that of; empty when it is that of none."""
    return next(iter(difflib.get_close_matches(name[:_SHOWN].casefold(), FIELDS, 1, _NEAR)), "")


_SHOWN = 40


def _texts(value: object, name: str, problems: list[str]) -> Iterator[str]:
    """The texts of a field: one, or those of a list. Blank ones are none; numbers are taken as they are written."""
    for item in value if isinstance(value, list) else [value]:
        if item is None or (isinstance(item, str) and not item.strip()):
            continue
        if isinstance(item, bool) or not isinstance(item, str | int | float):
            problems.append(f"{name} is neither a text nor a list of texts")
            return
        yield repair(str(item))


def _of_json_lines(text: str) -> Iterator[tuple[int, Mapping[str, object] | str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, _json(line)


def _json(line: str) -> Mapping[str, object] | str:
    """An object, or what is wrong with the line. Numbers stay as they are written."""
    try:
        read = json.loads(line, parse_float=str, parse_int=str, parse_constant=_refuse, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        return f"is not JSON: {getattr(error, 'msg', None) or error}"
    return read if isinstance(read, dict) else "is not an object"


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key stands twice in it")
    return made


def _of_csv(text: str) -> Iterator[tuple[int, Mapping[str, object] | str]]:
    table = read_table(io.StringIO(text, newline=""), FIELDS)
    if problem := table.problem or _wrong_head(table.names):
        yield table.line, problem
        return
    for line, cells in table.rows:
        yield line, cells if isinstance(cells, str) else _row(table.names, cells)


def _wrong_head(head: Sequence[str]) -> str:
    if slips := _slips(dict.fromkeys(name for name in head if name not in FIELDS), head):
        return f"the head line: {'; '.join(slips[:_NAMED])}"
    if "question" not in head:
        return "the head line names no column `question`"
    twice = {name for name, count in Counter(head).items() if name in FIELDS and count > 1}
    return f"the head line names {', '.join(sorted(twice))} twice" if twice else ""


def _row(head: Sequence[str], cells: list[str]) -> Mapping[str, object] | str:
    if len(cells) > len(head):
        return f"has {len(cells)} cells under {len(head)} columns"
    return dict(_cells(zip(head, cells, strict=False)))


def _cells(cells: Iterable[tuple[str, str]]) -> Iterator[tuple[str, object]]:
    """A cell that is a JSON list holds several texts; any other is one text."""
    for name, cell in cells:
        listed: object = None
        if name in FIELDS and cell.lstrip()[:1] == "[":
            try:
                listed = json.loads(cell)
            except (ValueError, RecursionError):
                listed = None  # a text that begins with a bracket
        yield name, listed if isinstance(listed, list) else cell
