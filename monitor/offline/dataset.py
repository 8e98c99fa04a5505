"""`ragmon dataset`: look at the harvested sample set."""

from __future__ import annotations

import contextlib
import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table

from exporters.dataset import DeltaSampleSet
from exporters.dataset_feedback import DeltaFeedbackSet
from monitor.errors import InputError, SinkError
from monitor.offline import OK
from monitor.offline.dataset_feedback import CASE_COLUMNS, FeedbackOfCases, sentiment_of
from monitor.offline.shown import json_line
from monitor.offline.when import iso


def show(path: str) -> int:
    """Print the versions of the table, and what the newest one holds. Raises InputError."""
    sample_set = DeltaSampleSet(path)
    with _told():
        contents, said = _contents(sample_set), _feedback(path, sample_set)
        versions = sample_set.versions()
    console = Console()
    table = Table(title=f"Versions of {path}", title_justify="left")
    for column in ("version", "written", "operation"):
        table.add_column(column)
    for version in versions[:10]:
        table.add_row(str(version["version"]), _when(version.get("timestamp")), str(version.get("operation", "")))
    console.print(table)
    console.print(contents)
    if said.total:
        console.print(_late(said))
    return OK


@dataclass(frozen=True, slots=True)
class Draw:
    """How many cases are drawn at random, by which seed: the same ones each time, in any order of the table."""

    cases: int
    seed: int = 0

    def among(self, names: Iterable[str]) -> frozenset[str]:
        """The case ids that are drawn: those with the least hashes, so each set of so many is as likely as another."""
        return frozenset(heapq.nsmallest(self.cases, names, key=self._hash))

    def _hash(self, name: str) -> bytes:
        return hashlib.blake2b(name.encode(), digest_size=16, salt=self.seed.to_bytes(8, "big")).digest()


def export(path: str, version: int | None, out: TextIO, draw: Draw | None = None) -> int:
    """Write the cases of a version as JSON lines, each with all that was said of it until now. Raises InputError.

    With `draw` only those that are drawn, in the order of the table.
    """
    sample_set = DeltaSampleSet(path)
    with _told():
        said = _feedback(path, sample_set, version)
        names = (str(row["case_id"]) for row in sample_set.read(version, ("case_id",)))
        drawn = None if draw is None else draw.among(names)
        rows = (row for row in sample_set.read(version) if drawn is None or row["case_id"] in drawn)
        out.writelines(json_line(said.complete(row)) for row in rows)
    return OK


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Raises InputError in place of SinkError: a table that cannot be read is the wrong one to name."""
    try:
        yield
    except SinkError as error:
        raise InputError(str(error)) from None


def _feedback(path: str, sample_set: DeltaSampleSet, version: int | None = None) -> FeedbackOfCases:
    """What came after the cases of a version; none when there is no such table yet. Raises SinkError."""
    beside = DeltaFeedbackSet(path)
    rows = beside.read() if beside.versions() else ()
    return FeedbackOfCases(rows, sample_set.read(version, CASE_COLUMNS))


def _late(said: FeedbackOfCases) -> Table:
    table = Table(title=f"{said.total} feedback that came later", title_justify="left")
    table.add_column("joined with a case")
    table.add_column("feedback", justify="right")
    for what, count in sorted(said.joined.items()):
        table.add_row(what, str(count))
    table.add_row("none", str(said.total - said.joined.total()))
    return table


def _contents(sample_set: DeltaSampleSet) -> Table:
    counts: Counter[tuple[str, str]] = Counter()
    total = 0
    for row in sample_set.read():
        total += 1
        counts["day", str(row["day"])] += 1
        counts["language", str(row["language"])] += 1
        counts["harvest reason", str(row["harvest_reason"])] += 1
        counts.update(("verdict", _verdict(item)) for item in _structs(row, "judgements"))
        counts.update(("feedback", sentiment_of(item)) for item in _structs(row, "feedback"))
    table = Table(title=f"{total} cases", title_justify="left")
    for column in ("what", "value"):
        table.add_column(column)
    table.add_column("cases", justify="right")
    for (what, value), count in sorted(counts.items()):
        table.add_row(what, value, str(count))
    return table


def _structs(row: dict[str, Any], column: str) -> list[dict[str, Any]]:
    return list(row[column] or ())


def _verdict(item: dict[str, Any]) -> str:
    return f"{item['evaluation']}: {item['outcome']}" + (f" ({item['reason']})" if item["reason"] else "")


def _when(milliseconds: object) -> str:
    if not isinstance(milliseconds, int):
        return ""
    return iso(milliseconds * 1_000_000)
