"""Precision and recall of the phrase scanners (injection, refusal, fraud) on the safety benchmark, and their speed.

    python bench/safety_quality.py --data FOLDER   # holds safety-dev.jsonl.gz

A row counts for a family only where its `known` says that the family was annotated. Personal data and secrets are
measured by bench/privacy.py. `--mistakes` prints the rows that were judged wrongly.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monitor.judges.safety import Family, Finding, scan
from monitor.records import ContextsSource, Passage, RagTrace

Row = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """One family: which rows, what is right, what the scanner says."""

    name: str
    known: str
    wanted: Callable[[Row], bool]
    found: Callable[[Sequence[Finding]], bool]


def _labelled(prefix: str) -> Callable[[Row], bool]:
    return lambda row: any(label.startswith(prefix) for label in row["labels"])


def _family(family: Family, kind: str = "") -> Callable[[Sequence[Finding]], bool]:
    return lambda findings: any(f.family is family and (not kind or f.kind == kind) for f in findings)


TASKS = (
    Task(
        "injection",
        "injection",
        lambda row: _labelled("injection")(row) or _labelled("jailbreak")(row),
        _family(Family.INJECTION),
    ),
    Task("refusal, any", "refusal", _labelled("refusal"), _family(Family.REFUSAL)),
    Task("refusal, full", "refusal", _labelled("refusal.full"), _family(Family.REFUSAL, "full")),
    Task("fraud", "fraud", _labelled("fraud"), _family(Family.FRAUD)),
)


def request(row: Row) -> RagTrace:
    """A row as a request."""
    contexts = tuple(Passage(text) for text in row.get("contexts") or ())
    return RagTrace("0" * 32, "", row.get("question"), row["answer"] or None, contexts, ContextsSource.RECORD)


def outcomes(rows: Sequence[Row], task: Task, *, mistakes: bool) -> Iterator[tuple[str, bool, bool]]:
    """Source, wanted and found of each row that was annotated for the task."""
    for row in rows:
        if task.known not in row["known"]:
            continue
        wanted, found = task.wanted(row), task.found(scan(request(row), ()))
        if mistakes and wanted != found:
            text = json.dumps([row.get("question"), row.get("contexts"), row["answer"]], ensure_ascii=False)
            print("MISSED" if wanted else "FALSE", task.name, row["source"], text[:400])
        yield row["source"], wanted, found


def report(rows: Sequence[Row], task: Task, *, mistakes: bool) -> None:
    """Precision and recall over all rows, then the flagged share of each source."""
    seen = list(outcomes(rows, task, mistakes=mistakes))
    count = Counter((wanted, found) for _, wanted, found in seen)
    precision = count[True, True] / max(1, count[True, True] + count[False, True])
    recall = count[True, True] / max(1, count[True, True] + count[True, False])
    print(f"{task.name:14} n={len(seen):4d} wanted={sum(w for _, w, _ in seen):4d} P {precision:.3f} R {recall:.3f}")
    for source in sorted({source for source, _, _ in seen}):
        for value in (True, False):
            part = [found for name, wanted, found in seen if name == source and wanted == value]
            if part:
                kind, share = "wanted" if value else "clean", sum(part) / len(part)
                print(f"    {source:28} {kind:6} n={len(part):4d} flagged {share:.3f}")


def _size(trace: RagTrace) -> int:
    return sum(map(len, (trace.question or "", trace.answer or "", *(passage.text for passage in trace.contexts))))


def speed(rows: Sequence[Row]) -> str:
    """Requests a second of CPU time, and the mean time over 2 KB of text."""
    requests = [request(row) for row in rows]
    size = sum(map(_size, requests))
    started = time.process_time()
    for trace in requests:
        scan(trace, ())
    spent = time.process_time() - started
    return f"{len(requests) / spent:.0f} requests/s/core, {1000 * spent / size * 2048:.2f} ms for 2 KB"


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("RAGMON_BENCH_DATA"), help="folder with the rows")
    parser.add_argument("--mistakes", action="store_true")
    given = parser.parse_args()
    path = Path(given.data or "absent") / "safety-dev.jsonl.gz"
    if not path.exists():
        print("skipped: the benchmark rows are not here (--data FOLDER or RAGMON_BENCH_DATA)")
        return 0
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for task in TASKS:
        report(rows, task, mistakes=given.mistakes)
    print(speed(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
